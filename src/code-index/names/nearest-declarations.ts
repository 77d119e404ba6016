import { dirnameOf } from '../program/paths.ts';
import { type Entity, type Program, unitOf } from '../program/program.ts';
import type { Unit } from '../program/unit.ts';

/** Modules in which types of one full name have nothing to do with one another. */
export interface Modules {
  /** Selects the declarations of one full name that a file means; `undefined` when nothing decides which. */
  nearest(program: Program, unit: Unit, declarations: readonly Entity[]): readonly Entity[] | undefined;
  /** True if two declarations of one full name are of one module, so that both may belong to one type. */
  areOfOne(program: Program, first: Entity, second: Entity): boolean;
}

/** Modules by the layout of Maven and Gradle: the folder before `src`. */
export const LAYOUT_MODULES = modulesByLayout(/^(?:.*?\/)??(?=src(?:\/|$))/);

/**
 * Modules of Scala. The parts of a cross build (`shop/jvm`, `shop/js`, `shop/shared`; `shop/src-jvm`) are one.
 */
export const SCALA_MODULES = modulesByLayout(
  /^(?:.*?\/)??(?=(?:\.?(?:jvm|js|native|shared)\/)?src(?:-[\w.]+)?(?:\/|$))/,
);

/**
 * Modules by the folders of their sources. Of declarations in several, a file means those of the source root that shares most
 * folders with it. Variants in the source sets of one module count as one.
 */
function modulesByLayout(folder: RegExp): Modules {
  const moduleOf = (root: string): string => folder.exec(root)?.[0] ?? root;
  return {
    nearest: (program, unit, entities) => {
      if (entities.length < 2 || entities.some((entity) => entity < 0)) return entities;
      const roots = Map.groupBy(entities, (entity) => sourceRoot(unitOf(program, entity)));
      if (roots.size < 2) return entities;
      const folders = unit.path.split('/');
      const near = Math.max(...[...roots.keys()].map((root) => sharedFolders(folders, root)));
      const nearest = [...roots].filter(([root]) => sharedFolders(folders, root) === near);
      const modules = new Set(nearest.map(([root]) => moduleOf(root)));
      return modules.size === 1 ? nearest.flatMap(([, declarations]) => declarations) : undefined;
    },
    areOfOne: (program, first, second) => {
      const [one, other] = [first, second].map((entity) => moduleOf(sourceRoot(unitOf(program, entity))));
      return one === other;
    },
  };
}

/** The folder that holds the folders of packages: `shop/src/main/java` of `shop/src/main/java/a/b/C.java`. */
function sourceRoot({ path, facts }: Unit): string {
  const folder = dirnameOf(path);
  const packages = facts.packageName.replaceAll('.', '/');
  if (folder === packages) return '';
  return packages !== '' && folder.endsWith(`/${packages}`) ? folder.slice(0, -packages.length - 1) : folder;
}

/** Counts the folders that a path shares with a folder, from the root on. */
export function sharedFolders(folders: readonly string[], root: string): number {
  const others = root === '' ? [] : root.split('/');
  const different = others.findIndex((folder, at) => folder !== folders[at]);
  return different === -1 ? others.length : different;
}
