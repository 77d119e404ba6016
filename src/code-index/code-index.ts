import type { Gap } from '../kernel/gap.ts';
import { availableParallelism } from 'node:os';
import { setImmediate } from 'node:timers/promises';
import { explainGit } from '../platform/git/git-failure.ts';
import { type GitObjects, openObjects, type TreeListing } from '../platform/git/git-objects.ts';
import { ExtractorPool } from './extract/pool.ts';
import { FactsCache } from './extract/facts-cache.ts';
import { FactsCollector } from './extract/facts-collector.ts';
import { fileStructure } from './shard/file-structure.ts';
import { type IndexedFile, leaveUnresolved, listSources, readText, type SourceText } from './extract/indexed-files.ts';
import { gapsOf } from './extract/index-gaps.ts';
import { decodeAnyText } from '../text/decode.ts';
import { exactPass, type ExactRequest } from './refine/refine.ts';
import { type FileLinks, isResolutionConfig, type Resolution, resolveProgram } from './resolve/resolve.ts';
import type { FileFacts } from '../languages/facts/facts.ts';
import { FactsMemory } from '../languages/facts/held-facts.ts';
import { HeapGuard } from '../platform/heap-guard.ts';
import { divideIndexMemory, type IndexMemory, USUAL_MEMORY_BYTES } from '../platform/memory.ts';
import { contentOf } from '../languages/languages.ts';
import { type LanguageFile, languageShares } from '../languages/facts/file-content.ts';
import type { FileInput } from './format/shard-input.ts';
import { ShardTexts } from './format/shard-text.ts';
import { writeCodeShard } from './shard/shard-writer.ts';

/** More processes than this gain nothing: reading and resolving are done by one. */
const MOST_PROCESSES = 8;
/** Longest time that one file may be parsed. */
export const FILE_DEADLINE_MS = 10_000;
/** Longest time that reading texts holds the thread before others may run. */
const TURN_MS = 5;
/** Least time between two progress messages. */
const PROGRESS_MS = 100;
/** So many files are parsed by the processes that stay: others would take longer to start. */
const FEW_FILES = 200;

/** Input of a code index. Crosses a process border: plain data. */
export interface CodeIndexTask {
  gitDir: string;
  /** In full. */
  commit: string;
  /** Id of the repository, kept in the shard. */
  repository: string;
  /** SQLite file with the facts of texts that were parsed before; made when absent, may be deleted at any time. */
  factsCache: string;
  /** Path of the shard to write. An existing file is replaced. */
  targetFile: string;
  /** Only these files; all of the commit when absent. */
  paths?: readonly string[];
  /** The one setting of memory (`SVC_MEMORY`), of which this process has shares: see `divideIndexMemory`. Its default when absent. */
  memoryBytes?: number | undefined;
  /** Processes that parse. One less than the machine has cores when absent, because this process works beside them; at most 8. */
  processes?: number;
  /** The shard of an earlier commit, to go on from: see `updateCode`. */
  previousFile?: string;
  /** A shard with what compilers know, or one made from it, to go on from where that can be: what it knows of unchanged files stays. */
  exactFile?: string;
  /** Request to put what compilers know in place of what is resolved. Slow: for a shard that replaces a first one. */
  exact?: ExactRequest;
}

export interface CodeIndexResult {
  files: number;
  symbols: number;
  lines: number;
  /** Share of each language in the bytes of all files whose language is known. Adds up to 1. */
  languages: Record<string, number>;
  /** Texts that were parsed now, and files whose facts were known from before. */
  parsed: number;
  reused: number;
  /** Files whose names were resolved now. */
  resolved: number;
  /** Reason why the shard was made anew although one existed. */
  anew?: string;
  /** True if what compilers know of unchanged files was taken over from `exactFile`. */
  carriesExact?: boolean;
  /** Files that should have been understood and were not; the shard has the reason of each. */
  failed: number;
  /** Gaps of the index. */
  gaps: Gap[];
}

/** `done` and `total` count files; the stages are `list`, `extract`, `exact`, `resolve`, `write`, in this order. */
export interface CodeIndexRun {
  signal: AbortSignal;
  /** Processes that stay from run to run and parse a few files; absent where they end with it. */
  extractors?: ExtractorPool;
  onProgress: (progress: { stage: string; done: number; total: number }) => void;
}

/**
 * Writes the code shard of a commit: every text file of it, parsed, linked and made searchable.
 *
 * Texts whose facts the cache has are not parsed again. Facts are kept as they come, so a run that was killed goes on
 * where it was. Missing contents (partial clone), large and minified files, links, and files that no parser survives are
 * named with the reason. The same commit gives the same shard.
 *
 * Runs in a process of its own: it takes memory by the size of the repository, and starts processes that parse.
 *
 * @throws ServiceError when the commit or its trees are missing, the signal's reason when cancelled.
 */
export async function indexCode(task: CodeIndexTask, run: CodeIndexRun): Promise<CodeIndexResult> {
  const { signal, extractors } = run;
  using cache = new FactsCache(task.factsCache);
  const memory = divideIndexMemory(task.memoryBytes ?? USUAL_MEMORY_BYTES);
  const progress = collectOnProgress(memory.heap, throttleProgress(run.onProgress));
  const onFacts = (done: number, total: number): void => progress('extract', done, total);
  const collector = new FactsCollector(cache, onFacts, new FactsMemory(memory.facts));
  const size = task.processes ?? Math.max(1, Math.min(availableParallelism() - 1, MOST_PROCESSES));
  using own = new DisposableStack();
  const createPool = (): ExtractorPool => own.use(new ExtractorPool({ size, deadlineMs: FILE_DEADLINE_MS }));
  const early = extractors === undefined ? createPool() : undefined;
  // The first index of a repository parses everything: the processes start while git lists the files.
  if (cache.size === 0) early?.start();
  progress('list', 0, 0);
  try {
    await using objects = await openObjects(task.gitDir);
    const { files, missing } = listSources(keepOnly(task.paths, await objects.listTree(task.commit, signal)));
    const pool = early ?? (extractors !== undefined && files.length <= FEW_FILES ? extractors : createPool());
    pool.serve((facts) => collector.receive(facts));
    const read = await extractAll({ objects, pool, collector, memory, signal }, files);
    own.dispose();
    const sources = { gitDir: task.gitDir, files: read.files, configs: read.configs };
    const onExact = (done: number, total: number): void => progress('exact', done, total);
    const exact = task.exact && (await exactPass(task.exact, sources, { signal, onProgress: onExact }));
    const resolution = await resolveProgram({
      files: read.files,
      configs: read.configs,
      exact: exact?.names,
      signal,
      onProgress: (done, total) => progress('resolve', done, total),
    });
    for (const id of resolution.unresolved) leaveUnresolved(read.files[id]);
    const countedFiles: LanguageFile[] = [];
    const inputs = shardFiles(objects, read.files, resolution, {
      signal,
      onFile: (file) => progress('write', countedFiles.push(countedFile(file)), read.files.length),
    });
    const { targetFile, repository, commit } = task;
    const origin = { repository, commit, ...(task.exact === undefined ? {} : { exact: task.exact.key }) };
    const input = { files: inputs, families: resolution.families, texts: read.texts };
    const resolved = resolution.uses.filter((use) => use !== undefined).length;
    const counts = await writeCodeShard(targetFile, origin, input, signal);
    collector.prune();
    return {
      files: counts.files,
      symbols: counts.symbols,
      lines: counts.lines,
      languages: languageShares(countedFiles),
      parsed: collector.parsed,
      reused: collector.reused,
      resolved,
      failed: read.files.filter(({ parsed }) => parsed !== 'full').length,
      gaps: [...gapsOf(read.files, missing), ...(exact?.gap === undefined ? [] : [createNote(exact.gap)])],
    };
  } catch (error) {
    throw explainGit(error, 'The repository');
  }
}

function createNote(text: string): Gap {
  return { kind: 'note', count: 1, text };
}

interface Extraction {
  objects: GitObjects;
  pool: ExtractorPool;
  collector: FactsCollector;
  memory: IndexMemory;
  signal: AbortSignal;
}

/** Reads every text once, in the order of paths, and gets its facts. Gives the files that are text. */
async function extractAll(
  { objects, pool, collector, memory, signal }: Extraction,
  files: readonly IndexedFile[],
): Promise<{ files: IndexedFile[]; configs: Map<string, string>; texts: ShardTexts }> {
  const configs = new Map<string, string>();
  const indexedFiles: IndexedFile[] = [];
  let characters = 0;
  for await (const { file, text } of textsOf(objects, files, signal)) {
    if (text === undefined && !file.isListed) continue;
    indexedFiles.push(file);
    if (text === undefined) continue;
    if (isResolutionConfig(file.path)) configs.set(file.path, text);
    characters += text.length;
    if (characters <= memory.texts) file.text = text;
    const request = collector.request(file, text);
    if (request !== undefined) await pool.add(request);
  }
  const texts = await readTexts(indexedFiles, new ShardTexts(memory.words), signal);
  await pool.finish();
  collector.finish();
  signal.throwIfAborted();
  return { files: indexedFiles, configs, texts };
}

/**
 * Reads the texts that are there for the shard while the extractors work, in short turns: this process also has to take
 * what they answer. Ends at the first file whose text was not kept.
 */
async function readTexts(files: readonly IndexedFile[], texts: ShardTexts, signal: AbortSignal): Promise<ShardTexts> {
  let pauseAt = performance.now() + TURN_MS;
  for (const { hasText, text, isTextOnly } of files) {
    if (hasText && text === undefined) break;
    texts.add(text ?? '', isTextOnly !== true);
    if (performance.now() < pauseAt) continue;
    await setImmediate();
    signal.throwIfAborted();
    pauseAt = performance.now() + TURN_MS;
  }
  return texts;
}

/** The files with their texts, in order; without one when it is not read, or turns out to be binary or minified. */
export async function* textsOf(
  objects: GitObjects,
  files: readonly IndexedFile[],
  signal: AbortSignal,
): AsyncGenerator<SourceText> {
  const filesToRead = files.filter(({ isRead }) => isRead);
  const blobs = objects.readBlobs(
    filesToRead.map(({ blob }) => blob),
    signal,
  );
  for (const file of files) {
    if (!file.isRead) {
      yield { file, text: undefined };
      continue;
    }
    const next = await blobs.next();
    yield { file, text: readText(file, next.done === true ? undefined : next.value.bytes) };
  }
}

/** The files as the shard takes them, each forgotten when it was taken. Texts that were not kept are read again. */
async function* shardFiles(
  objects: GitObjects,
  files: readonly IndexedFile[],
  resolution: Resolution,
  { signal, onFile }: { signal: AbortSignal; onFile: (file: IndexedFile) => void },
): AsyncGenerator<FileInput> {
  const unkept = files.filter(({ hasText, text }) => hasText && text === undefined);
  const again = objects.readBlobs(
    unkept.map(({ blob }) => blob),
    signal,
  );
  for (const [id, file] of files.entries()) {
    let text = file.text ?? '';
    if (file.hasText && file.text === undefined) {
      const { bytes } = (await again.next()).value ?? {};
      text = bytes === undefined ? '' : decodeAnyText(bytes, { path: file.path });
    }
    yield shardFile(file, text, { uses: resolution.uses[id] ?? NO_LINKS, symbols: resolution.symbols(id, text) });
    delete file.text;
    onFile(file);
    delete file.facts;
    resolution.release(id);
  }
}

/** A file as shares of languages count it. */
export function countedFile({ language, sizeBytes, generated, facts }: IndexedFile): LanguageFile {
  return { language: language.name, sizeBytes, generated, content: contentOf(language.name, facts) };
}

/** A file as the shard takes it. */
export function shardFile(
  file: IndexedFile,
  text: string,
  { uses, symbols }: { uses: FileLinks; symbols: FileInput['symbols'] },
): FileInput {
  const { path, language, blob, sizeBytes, lines, test, generated, parsed, reason, facts } = file;
  return {
    path,
    language: language.name,
    blob,
    sizeBytes,
    lines,
    test,
    generated,
    content: contentOf(language.name, facts),
    parsed,
    text,
    symbols,
    ...(reason !== undefined && { reason }),
    ...(file.isTextOnly && { isTextOnly: true }),
    comments: commentRanges(facts),
    occurrences: uses.occurrences,
    nameOnly: uses.nameOnly,
    imports: uses.imports,
    ...(facts !== undefined && {
      familyPairs: uses.familyPairs,
      parser: language.parser ?? '',
      definitions: facts.definitions.count,
      structure: fileStructure(facts, text),
    }),
  };
}

function commentRanges(facts: FileFacts | undefined): Int32Array {
  if (facts === undefined) return NONE;
  const { comments } = facts;
  const ranges = new Int32Array(comments.count * 2);
  for (let row = 0; row < comments.count; row += 1) {
    ranges[row * 2] = comments.start(row);
    ranges[row * 2 + 1] = comments.end(row);
  }
  return ranges;
}

const NONE = new Int32Array(0);
const NO_CODES = new Uint8Array(0);
const NO_OCCURRENCES = { line: NONE, column: NONE, use: NO_CODES, grade: NO_CODES, target: NONE, enclosing: NONE };
const NO_NAMES = { name: [], line: NONE, column: NONE, grade: NO_CODES, use: NO_CODES, enclosing: NONE };
/** The links of a file without facts. */
export const NO_LINKS: FileLinks = {
  occurrences: NO_OCCURRENCES,
  nameOnly: NO_NAMES,
  imports: NONE,
  supers: new Map(),
  familyPairs: NONE,
};

/**
 * Collects garbage at a step when heap and buffers hold more than the limit: the engine lets it grow with what is in use, and counts
 * little of what buffers hold.
 */
function collectOnProgress(
  limitBytes: number,
  report: ReturnType<typeof throttleProgress>,
): ReturnType<typeof throttleProgress> {
  const guard = new HeapGuard(limitBytes, () => false);
  return (...step) => {
    guard.check();
    report(...step);
  };
}

/** Passes on the first message of a stage, the last, and few in between. */
export function throttleProgress(
  send: CodeIndexRun['onProgress'],
): (stage: string, done: number, total: number) => void {
  let last = { stage: '', at: 0 };
  return (stage, done, total) => {
    const now = performance.now();
    if (stage === last.stage && done < total && now - last.at < PROGRESS_MS) return;
    last = { stage, at: now };
    send({ stage, done, total });
  };
}

function keepOnly(paths: readonly string[] | undefined, listing: TreeListing): TreeListing {
  if (paths === undefined) return listing;
  const selectedPaths = new Set(paths);
  const isSelected = ({ path }: { path: string }): boolean => selectedPaths.has(path);
  return { ...listing, files: listing.files.filter(isSelected), links: listing.links.filter(isSelected) };
}
