import { readFile } from 'node:fs/promises';
import { version } from 'typescript';
import { namesOfLanguages } from '../../languages/languages.ts';
import type { IndexedFile } from '../extract/indexed-files.ts';
import { type ScipText, scipNames } from '../scip/scip-names.ts';
import { type ExactNames, mergeNames } from '../program/exact-names.ts';
import { exactModules, jsxImportSource } from './exact-modules.ts';
import { type ExactLimits, ExactPassFailed, runExact } from './run-exact.ts';

/** Files that the compiler reads. */
const NAMES = /\.[mc]?[jt]sx?$/;
const LANGUAGES = namesOfLanguages(({ asksCompiler }) => asksCompiler === true);
/** Beyond this the compiler would take more memory than it may. */
const MOST_BYTES = 120_000_000;

/** True if a repository with these languages has anything for the compiler. */
export function hasExactLanguage(languages: Iterable<string>): boolean {
  return [...languages].some((name) => LANGUAGES.has(name));
}

/** Request for exact names besides resolving. Crosses a process border: plain data. */
export interface ExactRequest {
  /** Names all that is asked, with versions: kept in the shard, so that it is asked once. */
  key: string;
  /** Ask the compiler about TypeScript and JavaScript. */
  compiler: boolean;
  /** SCIP indexes of this commit on this machine; of two that know a name the first is believed, and the compiler before all. */
  indexes: readonly ScipFile[];
}

/** An uploaded index. */
interface ScipFile {
  file: string;
  /** Folder of the repository that its paths start in, '' for the whole. */
  root: string;
}

/** The compiler and its version, which is part of what a shard was made from. */
export const EXACT_COMPILER = `typescript ${version}`;

interface ExactSources {
  gitDir: string;
  /** Every file of the index, in its order, with facts. */
  files: readonly IndexedFile[];
  configs: ReadonlyMap<string, string>;
}

/** Outcome of a pass: the names, or one sentence that explains why there are none. */
interface ExactOutcome {
  names?: ExactNames;
  gap?: string;
}

/**
 * Asks the compiler about the TypeScript and JavaScript files of a commit, and the uploaded indexes. A compiler that fails costs nothing but
 * exactness: what was resolved without it is served, and the gap is reported.
 *
 * @throws the signal's reason when cancelled.
 */
export async function exactPass(
  { compiler, indexes }: ExactRequest,
  sources: ExactSources,
  run: ExactPassRun,
): Promise<ExactOutcome> {
  const outcome = compiler ? await askCompiler(sources, run) : {};
  const nameSets = outcome.names === undefined ? [] : [outcome.names];
  for (const { file, root } of indexes) {
    run.signal.throwIfAborted();
    nameSets.push(scipNames(await readFile(file), textsOf(sources.files, root)));
  }
  return {
    ...(nameSets.length > 0 && { names: mergeNames(nameSets) }),
    ...(outcome.gap !== undefined && { gap: outcome.gap }),
  };
}

/** The files that an index may speak of: those that are read for their symbols, by their paths under its root. */
function textsOf(files: readonly IndexedFile[], root: string): (path: string) => ScipText | undefined {
  const byPath = new Map(files.map((file, id) => [file.path, { id, file }]));
  return (path) => {
    const entry = byPath.get(root === '' ? path : `${root}/${path}`);
    if (entry?.file.facts === undefined || entry.file.text === undefined) return undefined;
    return { id: entry.id, text: entry.file.text };
  };
}

interface ExactPassRun {
  signal: AbortSignal;
  onProgress: (done: number, total: number) => void;
  limits?: ExactLimits;
}

async function askCompiler({ gitDir, files, configs }: ExactSources, run: ExactPassRun): Promise<ExactOutcome> {
  const read = files
    .map(({ path, blob, sizeBytes, facts }, id) => ({
      id,
      path,
      blob,
      sizeBytes,
      isRead: facts !== undefined && NAMES.test(path),
    }))
    .filter(({ isRead }) => isRead);
  const sizeBytes = read.reduce((sum, file) => sum + file.sizeBytes, 0);
  if (sizeBytes > MOST_BYTES) return gap(`${Math.round(sizeBytes / 1e6)} MB of source are more than its limit`);
  const jsxSource = jsxImportSource(configs);
  const task = {
    gitDir,
    files: read.map(({ id, path, blob }) => ({ id, path, blob })),
    modules: exactModules(files, configs, jsxSource),
    jsxImportSource: jsxSource,
  };
  try {
    const { signal, onProgress, limits } = run;
    const { names, unread } = await runExact(task, {
      signal,
      onProgress: (done) => onProgress(done, read.length),
      ...(limits === undefined ? {} : { limits }),
    });
    return { names, ...(unread.length > 0 && { gap: unreadGap(unread) }) };
  } catch (error) {
    if (error instanceof ExactPassFailed) return gap(error.message);
    throw error;
  }
}

function unreadGap(unread: readonly string[]): string {
  const [first = ''] = unread;
  const which = unread.length === 1 ? first : `${unread.length} files, for example ${first}`;
  return `TypeScript failed on ${which}: references there are resolved without it.`;
}

function gap(reason: string): ExactOutcome {
  return { gap: `TypeScript could not be asked, so its references are resolved without it: ${reason}.` };
}
