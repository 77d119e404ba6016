import { languageOf, languageOfPath, LARGEST_FILE_BYTES } from '../../languages/languages.ts';
import { ExtractorPool } from '../extract/pool.ts';
import { decodeFacts } from '../../languages/facts/facts-codec.ts';
import { DefinitionFlag, DefinitionKind, ExportHow, type FileFacts } from '../../languages/facts/facts.ts';

/** How long one text may take before its process is killed: far more than any takes, however busy the machine is. */
const TEXT_DEADLINE_MS = 60_000;
const CONSTANT = /^[A-Z][A-Z0-9_]+$/;

/** A file as it was in some commit. */
export interface PastText {
  path: string;
  text: string;
}

/** The names of one text. */
export interface FileNames {
  /** What other files are meant to import. */
  offered: ReadonlySet<string>;
  /** What they can import: in Python also what the file itself imports and keeps for itself. `*` when that is anything. */
  present: ReadonlySet<string>;
  /** Of names that are handed on from another module, which one. */
  sources: ReadonlyMap<string, string>;
}

/**
 * The names that each of some texts offers to other files, in their order; undefined where a text could not be read: another
 * language, too large, a parser that gave up. Starts one process that parses and ends it: 0.3 s, and a few ms a text.
 *
 * @throws the signal's reason when cancelled.
 */
export async function readOfferedNames(
  texts: readonly PastText[],
  signal: AbortSignal,
): Promise<(FileNames | undefined)[]> {
  const found = texts.map((): FileNames | undefined => undefined);
  using pool = new ExtractorPool({
    size: 1,
    deadlineMs: TEXT_DEADLINE_MS,
    onResult: (result) => {
      const facts = 'facts' in result ? decodeFacts(result.facts) : undefined;
      if (facts !== undefined) found[result.id] = offeredNames(facts, texts[result.id]?.path ?? '');
    },
  });
  for (const [id, { path, text }] of texts.entries()) {
    signal.throwIfAborted();
    const { parser } = languageOfPath(path);
    if (parser !== undefined && text.length <= LARGEST_FILE_BYTES) await pool.add({ id, parser, text });
  }
  const cancelled = Promise.withResolvers<never>();
  const stop = (): void => cancelled.reject(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  try {
    await Promise.race([pool.finish(), cancelled.promise]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
  return found;
}

/**
 * What other files can import from a file: exported names at its top, re-exports by their outside names, and `* of module`
 * where all of a module is handed on. The `__init__.py` of a Python package offers what it takes from its own modules as
 * well. Of Python neither `__names__` nor variables count that are no constants: loggers and type variables.
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

/** Whether the `__init__.py` of a package imports from the package itself: `.app`, `flask.app` in `src/flask/`. */
function isOfPackage(path: string, source: string): boolean {
  if (!path.endsWith('/__init__.py')) return false;
  if (source.startsWith('.')) return !source.startsWith('..');
  const folders = path.split('/').slice(0, -1);
  return folders.some((_, at) => source.startsWith(`${folders.slice(at).join('.')}.`));
}
