import { type DeadCodeRules, definitionOf, readByName } from '../../languages/languages.ts';
import { isPathOf } from '../../kernel/path-kinds.ts';

const RULES = readByName(({ deadCode }) => deadCode);
const MODULE_PATHS = readByName(({ modulePath }) => modulePath);

/** Rules of a language about dead code, by its name; undefined when none is judged, or only what is private. */
export function rulesOf(language: string): DeadCodeRules | undefined {
  return RULES.get(language);
}

/** True if texts name the modules of a language by a path of their own. */
export function hasModulePaths(language: string): boolean {
  return MODULE_PATHS.has(language);
}

/** Packages that let every file use what modules export, without an import. */
const AUTO_IMPORTS = /^(?:nuxt|nuxt3|unplugin-auto-import|unimport|@nuxtjs\/composition-api)$/;

/** True if files may use exports that they do not import. `packages` are those that manifests name. */
export function importsByItself(packages: ReadonlySet<string>): boolean {
  return hasAny(packages, AUTO_IMPORTS);
}

/** Convention that takes what the file offers, or undefined. `packages` are those that manifests name. */
export function conventionOf(path: string, packages: ReadonlySet<string>): string | undefined {
  const match = definitionOf(path)?.deadCode?.conventions?.find(
    (convention) =>
      convention.path.test(path) && (convention.needs === undefined || hasAny(packages, convention.needs)),
  );
  return match?.name;
}

function hasAny(packages: ReadonlySet<string>, pattern: RegExp): boolean {
  for (const name of packages) if (pattern.test(name)) return true;
  return false;
}

/** Code whose dead part is nobody's to delete: copied from elsewhere, or there to be read by tests and generators. */
export function isUsedUnchanged(path: string): boolean {
  return isPathOf('unchanged', path);
}

const CALLED_MEMBERS =
  /^(constructor|toString|toJSON|valueOf|then|inspect|dispose|handleEvent|render|connectedCallback|disconnectedCallback|attributeChangedCallback|adoptedCallback|observedAttributes|componentDid\w+|componentWill\w+|shouldComponentUpdate|getDerivedState\w+|getSnapshotBeforeUpdate|ng[A-Z]\w+|__\w+)$/;

/** True if the language or a runtime calls what has this name. */
export function isCalledByName(language: string, name: string, isMember: boolean): boolean {
  if (rulesOf(language)?.calledNames?.test(name) === true) return true;
  return isMember && CALLED_MEMBERS.test(name);
}

/** True if a name says that its value is not needed, as the first of `_, size = read()`: only the statement could go. */
export function isPlaceholder(name: string): boolean {
  return /^_+$/.test(name);
}
