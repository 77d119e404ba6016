import { languageOf } from '../../languages/languages.ts';
import { dirnameOf, joinPath } from '../program/paths.ts';
import type { Program } from '../program/program.ts';
import type { Unit } from '../program/unit.ts';
import { LAYOUT_MODULES, type Modules, SCALA_MODULES } from './nearest-declarations.ts';
import { CsharpProjects } from './projects-csharp.ts';

/** Rules that set the names of one language apart from those of another. */
export interface NameRules {
  /** Between the parts of a full name. */
  separator: string;
  /** The name space that the top level of a file belongs to, '' for none. */
  spaceOf(unit: Unit): string;
  /** The file or package that an import names, or -1. `at` finds the file of a full name. */
  module(unit: Unit, source: string, at: (fullName: string) => number): number;
  /** Members of the types around are names by themselves. */
  hasBareMembers: boolean;
  /** A named function does not see the variables around it. */
  isClosed: boolean;
  /** A member of the class is no name in a method of an instance, and the reverse. */
  hasSides: boolean;
  /** Last resort for a name: `global` looks in no name space, `anywhere` in any, when only one has it. */
  fallback: 'none' | 'global' | 'anywhere';
  /** A name space is a name itself, and only types are named where a type stands. */
  hasNestedSpaces?: boolean;
  /** True if a declaration with a path of names declares the name spaces on it. */
  impliesSpaces?: boolean;
  /** True if declarations of this name in these files add to a type or module of a library. */
  isReopened?(fullName: string, paths: readonly string[]): boolean;
  /**
   * True if other files can load a file. What no such file declares is visible only in the file that declares it; without this,
   * all files are loaded.
   */
  isLoaded?(path: string): boolean;
  /** A name space sees the names of those around it. */
  seesSpacesAround?: boolean;
  /** Modules, which may declare types of one full name that have nothing to do with one another. */
  modules?: Modules;
  /** True if one file may define what another declares; what is private at the top is of its file only. */
  isDeclaredApart?: boolean;
  /** A type may have an object beside it whose members are its static ones and are imported by its name. */
  hasCompanions?: boolean;
  /**
   * A function in braces may be called on a value, whose members are names inside. Tells the module that a path belongs to: what is
   * neither public nor private at the top is seen inside of that only.
   */
  receivers?: { moduleOf: (path: string) => string };
}

/** Names go by package and import, members of the types around are names. */
const qualifiedRules: NameRules = {
  separator: '.',
  spaceOf: spaceOfUnit,
  module: (_, source, at) => at(source),
  hasBareMembers: true,
  isClosed: false,
  hasSides: false,
  fallback: 'none',
};

/** As such languages are; modules are what a build makes of folders. */
export const scalaRules: NameRules = { ...qualifiedRules, modules: SCALA_MODULES };

/** Names go by name space, those around it, and `using`; members of the types around are names. `configs` are project files. */
export function csharpRules(configs: ReadonlyMap<string, string>): NameRules {
  const modules = new CsharpProjects(configs);
  return { ...qualifiedRules, hasNestedSpaces: true, seesSpacesAround: true, modules };
}

/**
 * Functions, types and macros go by full name over all files. An include is found beside the file, or by the end of its
 * path when one file has it. What several files declare is one: uses belong to all of its declarations.
 */
export function cppRules(program: Program): NameRules {
  const ends = createEndingLookup(program, '');
  return {
    separator: '::',
    spaceOf: () => '',
    module: ({ path }, source, at) =>
      program.fileIds.get(joinPath(dirnameOf(path), source)) ??
      program.fileIds.get(source) ??
      ends(source) ??
      at(source),
    hasBareMembers: true,
    isClosed: false,
    hasSides: false,
    fallback: 'global',
    isDeclaredApart: true,
  };
}

/** Names go by package and import; members of the types around are names. Java of the same repository is seen too. */
export const kotlinRules: NameRules = {
  ...qualifiedRules,
  hasNestedSpaces: true,
  modules: LAYOUT_MODULES,
  hasCompanions: true,
  // Source sets of a module, its tests too, stand in its folder `src`.
  receivers: { moduleOf: (path) => /^(?:.*?\/)??(?=src\/)/.exec(path)?.[0] ?? '' },
};

/**
 * All files of a module share their names; a module is a folder of `Sources` or `Tests`, as packages have it. What a
 * module offers is found from the others when only one has the name.
 */
export const swiftRules: NameRules = {
  ...qualifiedRules,
  spaceOf: spaceOfUnit,
  fallback: 'anywhere',
};

/** The package that a file names, or the module that its folder is. */
export function spaceOfUnit({ path, facts }: Pick<Unit, 'path' | 'facts'>): string {
  const { moduleFolder } = languageOf(facts.language);
  return moduleFolder === undefined ? facts.packageName : (moduleFolder.exec(path)?.[1] ?? '');
}

/** Finds the file whose path ends so, when it is the only one. */
export function createEndingLookup(program: Program, ending: string): (end: string) => number | undefined {
  const byName = new Map<string, [path: string, file: number][]>();
  for (const [path, file] of program.fileIds) {
    if (!path.endsWith(ending)) continue;
    const name = path.slice(path.lastIndexOf('/') + 1);
    byName.set(name, [...(byName.get(name) ?? []), [path, file]]);
  }
  return (end) => {
    const candidates = byName.get(end.slice(end.lastIndexOf('/') + 1)) ?? [];
    const matches = candidates.filter(([path]) => path.endsWith(`/${end}`));
    return matches.length === 1 ? matches[0]?.[1] : undefined;
  };
}
