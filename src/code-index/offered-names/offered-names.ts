import { languageOf } from '../../languages/languages.ts';
import { type PastText, readPastFacts } from '../extract/read-facts.ts';
import { DefinitionFlag, DefinitionKind, ExportHow, type FileFacts } from '../../languages/facts/facts.ts';

export type { PastText } from '../extract/read-facts.ts';

const CONSTANT = /^[A-Z][A-Z0-9_]+$/;

/** The names of one text. */
export interface FileNames {
  /** Names that other files are meant to import. */
  offered: ReadonlySet<string>;
  /**
   * Names that other files can import: in Python also what the file itself imports and keeps for itself. `*` when that is
   * anything.
   */
  present: ReadonlySet<string>;
  /** The module of each name that is handed on from another one. */
  sources: ReadonlyMap<string, string>;
}

/** The names that each of some texts offers to other files: see `readPastFacts`. */
export function readOfferedNames(texts: readonly PastText[], signal: AbortSignal): Promise<(FileNames | undefined)[]> {
  return readPastFacts(texts, (facts, { path }) => offeredNames(facts, path), signal);
}

/**
 * Returns the names that other files can import from a file: exported names at its top, re-exports by their outside names, and
 * `* of module` where all of a module is handed on. The `__init__.py` of a Python package offers what it takes from its own
 * modules as well. Of Python neither `__names__` nor variables count that are no constants: loggers and type variables.
 */
export function offeredNames(facts: FileFacts, path: string): FileNames {
  const names = { offered: new Set<string>(), present: new Set<string>(), sources: new Map<string, string>() };
  if (facts.packageName !== '' && facts.packageName === languageOf(facts.language).programPackage) return names;
  addDefinitions(facts, path, names);
  addReexports(facts, names);
  for (const name of names.offered) names.present.add(name);
  return names;
}

function addDefinitions(
  { definitions, strings, language }: FileFacts,
  path: string,
  { offered, present }: { offered: Set<string>; present: Set<string> },
): void {
  const isOpen = languageOf(language).offersAllButPrivate === true;
  for (let row = 0; row < definitions.count; row += 1) {
    const flags = definitions.flags(row);
    const kind = definitions.kind(row);
    const name = strings[definitions.name(row)] ?? '';
    const isAtTop = definitions.owner(row) === -1 && kind !== DefinitionKind.method;
    if (!isAtTop || name === '') continue;
    // A module that makes its attributes by a function, as those with deprecated names do, has any.
    if (isOpen) present.add(name === '__getattr__' ? '*' : name);
    if (isOpen && name.startsWith('_')) continue;
    const isExported = (flags & DefinitionFlag.exported) !== 0;
    if (kind === DefinitionKind.import) {
      const source = strings[definitions.source(row)] ?? '';
      if (isOpen ? isOfPackage(path, source) : isExported) offered.add(name);
    } else if (isExported && (flags & DefinitionFlag.topLevel) !== 0 && (flags & DefinitionFlag.default) === 0) {
      const isValue = kind === DefinitionKind.variable || kind === DefinitionKind.constant;
      if (!isOpen || !isValue || CONSTANT.test(name)) offered.add(name);
    }
  }
}

function addReexports(
  { exports, strings, language }: FileFacts,
  { offered, sources }: { offered: Set<string>; sources: Map<string, string> },
): void {
  const { handsOnModules = false } = languageOf(language);
  for (let row = 0; row < exports.count; row += 1) {
    const name = strings[exports.name(row)] ?? '';
    const module = strings[exports.a(row)] ?? '';
    const isStar = exports.how(row) === ExportHow.star;
    if (exports.how(row) === ExportHow.from) sources.set(name, module);
    if (isStar ? handsOnModules || name !== '' : name !== '') offered.add(isStar ? `* of ${module}` : name);
  }
}

/** True if the `__init__.py` of a package imports from the package itself: `.app`, `flask.app` in `src/flask/`. */
function isOfPackage(path: string, source: string): boolean {
  if (!path.endsWith('/__init__.py')) return false;
  if (source.startsWith('.')) return !source.startsWith('..');
  const folders = path.split('/').slice(0, -1);
  return folders.some((_, at) => source.startsWith(`${folders.slice(at).join('.')}.`));
}
