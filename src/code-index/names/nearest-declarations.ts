import { dirnameOf } from '../program/paths.ts';
import { type Entity, type Program, unitOf } from '../program/program.ts';
import type { Unit } from '../program/unit.ts';

/**
 * Of declarations of one full name in several modules, those that a file means: of the source root that shares most folders
 * with it. Variants in the source sets of one module count as one. `undefined` when two modules are equally near.
 */
export function nearestDeclarations(
  program: Program,
  unit: Unit,
  found: readonly Entity[],
): readonly Entity[] | undefined {
  if (found.length < 2 || found.some((entity) => entity < 0)) return found;
  const roots = Map.groupBy(found, (entity) => sourceRoot(unitOf(program, entity)));
  if (roots.size < 2) return found;
  const folders = unit.path.split('/');
  const near = Math.max(...[...roots.keys()].map((root) => sharedFolders(folders, root)));
  const nearest = [...roots].filter(([root]) => sharedFolders(folders, root) === near);
  const modules = new Set(nearest.map(([root]) => moduleFolder(root)));
  return modules.size === 1 ? nearest.flatMap(([, declarations]) => declarations) : undefined;
}

/** Whether two declarations of one full name are of one module, so that both may belong to one type. */
export function areOfOneModule(program: Program, first: Entity, second: Entity): boolean {
  const [one, other] = [first, second].map((entity) => moduleFolder(sourceRoot(unitOf(program, entity))));
  return one === other;
}

/** The folder that holds the folders of packages: `shop/src/main/java` of `shop/src/main/java/a/b/C.java`. */
function sourceRoot({ path, facts }: Unit): string {
  const folder = dirnameOf(path);
  const packages = facts.packageName.replaceAll('.', '/');
  if (folder === packages) return '';
  return packages !== '' && folder.endsWith(`/${packages}`) ? folder.slice(0, -packages.length - 1) : folder;
}

/** The folder of the module that a source root belongs to: what is before `src`, by the layout of Maven and Gradle. */
function moduleFolder(root: string): string {
  return /^(?:.*?\/)??(?=src(?:\/|$))/.exec(root)?.[0] ?? root;
}

function sharedFolders(folders: readonly string[], root: string): number {
  const others = root === '' ? [] : root.split('/');
  const different = others.findIndex((folder, at) => folder !== folders[at]);
  return different === -1 ? others.length : different;
}
