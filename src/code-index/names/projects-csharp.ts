import { dirnameOf, foldersUp, joinPath } from '../program/paths.ts';
import { type Entity, type Program, unitOf } from '../program/program.ts';
import type { Unit } from '../program/unit.ts';
import { type Modules, sharedFolders } from './nearest-declarations.ts';

/** A project of C#, by its folder: parts of a type belong together inside of one. */
export class CsharpProjects implements Modules {
  /** Folders of the projects that one references. */
  readonly #references = new Map<string, ReadonlySet<string>>();
  readonly #closures = new Map<string, ReadonlySet<string>>();

  /** `configs` are texts of configuration files by path. */
  constructor(configs: ReadonlyMap<string, string>) {
    for (const [path, text] of configs) {
      if (!path.endsWith('.csproj')) continue;
      const folder = dirnameOf(path);
      const referenced = referencesOf(text).map((reference) => dirnameOf(joinPath(folder, reference)));
      this.#references.set(folder, new Set([...(this.#references.get(folder) ?? []), ...referenced]));
    }
  }

  /** Those of the own project, else of the only one that it references, else of the only nearest one. */
  nearest(program: Program, unit: Unit, declarations: readonly Entity[]): readonly Entity[] | undefined {
    if (this.#references.size < 2) return declarations;
    const projects = Map.groupBy(declarations, (entity) => this.#projectOf(unitOf(program, entity)));
    const own = this.#projectOf(unit);
    if (projects.size < 2 || projects.has(own)) return projects.size < 2 ? declarations : projects.get(own);
    const referencedProjects = [...projects.keys()].filter((project) => this.#closureOf(own).has(project));
    const near = referencedProjects.length > 0 ? referencedProjects : nearestTo(unit.path, [...projects.keys()]);
    return near.length === 1 ? projects.get(near[0] ?? '') : undefined;
  }

  areOfOne(program: Program, first: Entity, second: Entity): boolean {
    return this.#projectOf(unitOf(program, first)) === this.#projectOf(unitOf(program, second));
  }

  #projectOf({ path }: Unit): string {
    if (this.#references.size < 2) return '';
    return [...foldersUp(dirnameOf(path))].find((folder) => this.#references.has(folder)) ?? '';
  }

  /** The projects that one references, those of these too. */
  #closureOf(project: string): ReadonlySet<string> {
    const cached = this.#closures.get(project);
    if (cached !== undefined) return cached;
    const closure = new Set(this.#references.get(project));
    for (const each of closure) for (const next of this.#references.get(each) ?? []) closure.add(next);
    this.#closures.set(project, closure);
    return closure;
  }
}

/** Paths of the projects that a project file references, as they are written from its folder. */
export function referencesOf(text: string): string[] {
  return [...text.matchAll(/<ProjectReference\b[^>]*?\bInclude\s*=\s*["']([^"']+)["']/g)].map(([, path = '']) =>
    path.replaceAll('\\', '/'),
  );
}

function nearestTo(path: string, projects: readonly string[]): string[] {
  const folders = path.split('/');
  const near = Math.max(...projects.map((project) => sharedFolders(folders, project)));
  return projects.filter((project) => sharedFolders(folders, project) === near);
}
