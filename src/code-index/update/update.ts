import { GitFailure } from '../../platform/git/git.ts';
import { explainGit } from '../../platform/git/git-failure.ts';
import { type GitObjects, openObjects, type TreeFile } from '../../platform/git/git-objects.ts';
import { ExtractorPool } from '../extract/pool.ts';
import { FactsCache } from '../extract/facts-cache.ts';
import { FactsCollector } from '../extract/facts-collector.ts';
import { gapsOf } from '../extract/index-gaps.ts';
import { type IndexedFile, listSources, MOST_LARGE_BYTES } from '../extract/indexed-files.ts';
import { linkTarget } from '../format/symbolic-links.ts';
import { decodeAnyText } from '../../text/decode.ts';
import { LARGEST_FILE_BYTES } from '../../languages/languages.ts';
import { languageShares } from '../../languages/facts/file-content.ts';
import {
  type CodeIndexResult,
  type CodeIndexRun,
  type CodeIndexTask,
  countedFile,
  FILE_DEADLINE_MS,
  indexCode,
  NO_LINKS,
  shardFile,
  textsOf,
  throttleProgress,
} from '../code-index.ts';
import { groupFamilies } from '../resolve/families.ts';
import { isResolutionConfig, pairsOf } from '../resolve/resolve.ts';
import type { FileInput } from '../format/shard-input.ts';
import { BaseShard, NotUpdatable } from './base-shard.ts';
import { carriedPairs } from './carried-edges.ts';
import { type ChangedFile, type Layout, layOut } from './layout.ts';
import { countSymbols } from './lazy-program.ts';
import { resolveAnew } from './resolve-anew.ts';
import { symbolsTo } from './same-symbols.ts';
import { writeUpdatedShard } from './write-update.ts';
import { asObject, parseLooseJson } from '../names/json-text.ts';
import { referencesOf } from '../names/projects-csharp.ts';

/** Keys of a `package.json` that resolution reads. */
const PACKAGE_KEYS = ['name', 'exports', 'imports', 'source', 'types', 'typings', 'module', 'main'];

/** More changed files than this share of all are indexed anew: there is little to take over. */
const MOST_CHANGED = 0.15;
const LEAST_CHANGED = 20;

/**
 * Processes that parse a few changed files: those that stay from update to update, and those that end with one, where a second
 * costs more to start than it saves and nobody waits.
 */
const STAYING_PROCESSES = 2;
const OWN_PROCESSES = 1;

/** Creates the pool that parses the files of updates and stays; it starts no process before there is one to parse. */
export function updateExtractors(): ExtractorPool {
  return poolOf(STAYING_PROCESSES);
}

function poolOf(size: number): ExtractorPool {
  return new ExtractorPool({ size, deadlineMs: FILE_DEADLINE_MS });
}

/** Writes the code shard of a commit: out of the one before where that can be, else anew. */
export async function updateOrIndexCode(task: CodeIndexTask, run: CodeIndexRun): Promise<CodeIndexResult> {
  const { previousFile, exactFile } = task;
  if (exactFile !== undefined) {
    const updated = await updateCode({ ...task, previousFile: exactFile }, run);
    if ('files' in updated) return { ...updated, carriesExact: true };
  }
  if (previousFile === undefined) return indexCode(task, run);
  const updated = await updateCode({ ...task, previousFile }, run);
  return 'files' in updated ? updated : { ...(await indexCode(task, run)), ...updated };
}

/** Nothing was written. */
interface NotUpdated {
  /** Reason why the shard has to be made anew. */
  anew: string;
}

/**
 * Writes the code shard of a commit out of `previousFile`: only files that changed are read, and only those whose names
 * may mean something else now are resolved. Gives the same rows as `indexCode`; out of `exactFile` with what compilers know of
 * names between unchanged files besides.
 *
 * Writes nothing, and says why, when that cannot be: without such a shard, after changes of many files or of what says
 * where modules are, when facts of unchanged files were forgotten, or when names lead on further than the stack goes.
 *
 * @throws ServiceError when the commit or its trees are missing, the signal's reason when cancelled.
 */
export async function updateCode(
  task: CodeIndexTask & { previousFile: string },
  run: CodeIndexRun,
): Promise<CodeIndexResult | NotUpdated> {
  try {
    const isExact = task.previousFile === task.exactFile;
    using base = new BaseShard(task.previousFile, task.repository, { isExact });
    using cache = new FactsCache(task.factsCache);
    await using objects = await openObjects(task.gitDir);
    return await update({ task, base, cache, objects, run });
  } catch (error) {
    if (error instanceof NotUpdatable) return { anew: error.message };
    // The whole index leaves such files out, or does not come to where it happens.
    if (error instanceof RangeError) return { anew: 'a name leads on further than the stack goes' };
    throw explainGit(error, 'The repository');
  }
}

interface Work {
  task: CodeIndexTask;
  base: BaseShard;
  cache: FactsCache;
  objects: GitObjects;
  run: CodeIndexRun;
}

async function update({ task, base, cache, objects, run }: Work): Promise<CodeIndexResult> {
  const { signal } = run;
  const progress = throttleProgress(run.onProgress);
  progress('list', 0, 0);
  const { files, links, removed } = await changesSince(base, objects, task.commit, signal);
  const collector = new FactsCollector(cache, (done, total) => progress('extract', done, total));
  const paths = new Set([...files, ...links].map(({ path }) => path));
  const staying = base.files.filter(({ path }) => !paths.has(path) && !removed.includes(path));
  const read = await readChanged({ objects, collector, run }, { files, links }, roomBeside(staying));
  const changed = read.filter((file) => file.isListed).map(changedFile);
  const gone = new Set([...removed, ...paths]);
  for (const { file } of changed) gone.delete(file.path);
  const layout = layOut(base.files, changed, gone);
  const configs = configsOf(layout, base);
  progress('resolve', 0, 0);
  const anew = await resolveAnew({ base, cache, layout, configs, signal });
  progress('resolve', anew.links.size, anew.links.size);
  const inputs = new Map<number, FileInput>();
  for (const [id, { source }] of layout.files.entries()) {
    if (source === undefined) continue;
    const { file } = source;
    const text = file.text ?? '';
    inputs.set(id, shardFile(file, text, { uses: anew.links.get(id) ?? NO_LINKS, symbols: anew.symbols(id, text) }));
  }
  const linksTo = layout.unchangedTo.map((file) => (anew.files.has(file) ? -1 : file));
  const moves = { fileTo: layout.fileTo, linksTo, symbolTo: symbolsTo(base, layout, inputs) };
  const pairs = [...carriedPairs(base, moves), ...pairsOf(anew.links.values())];
  const families = groupFamilies(layout.symbols, pairs);
  const origin = { repository: task.repository, commit: task.commit };
  signal.throwIfAborted();
  progress('write', 0, layout.files.length);
  const counts = await writeUpdatedShard(task.targetFile, origin, {
    base,
    layout,
    changed: inputs,
    moves,
    anew,
    families,
  });
  return {
    files: counts.files,
    symbols: counts.symbols,
    lines: counts.lines,
    ...sharesOf(layout, await countMissing(layout, objects, task.commit, signal)),
    parsed: collector.parsed,
    reused: layout.files.filter((file) => file.base !== undefined && file.base.parser !== '').length + collector.reused,
    resolved: anew.files.size,
  };
}

/** Returns the changes since the commit of the shard. @throws NotUpdatable when they are too many, or unknown. */
async function changesSince(
  base: BaseShard,
  objects: GitObjects,
  commit: string,
  signal: AbortSignal,
): Promise<Awaited<ReturnType<GitObjects['changedFiles']>>> {
  const changes = await objects.changedFiles(base.commit, commit, signal).catch((error: unknown) => {
    throw error instanceof GitFailure ? new NotUpdatable('the commit before is gone') : error;
  });
  changes.files.push(...(await arrivedFiles(base, objects, changes, signal)));
  if (
    changes.links.length > 0 ||
    base.files.some(({ path, reason }) => linkTarget(reason) !== undefined && changes.removed.includes(path))
  )
    throw new NotUpdatable('symbolic links changed');
  const paths = [...[...changes.files, ...changes.links].map(({ path }) => path), ...changes.removed];
  if (paths.length > Math.max(LEAST_CHANGED, base.files.length * MOST_CHANGED)) throw new NotUpdatable('much changed');
  if (!(await areConfigsSame(base, objects, changes, signal)))
    throw new NotUpdatable('what says where modules are changed');
  return changes;
}

/** The files that stay and whose contents were missing, as far as these are there now. */
async function arrivedFiles(
  base: BaseShard,
  objects: GitObjects,
  { files, removed }: { files: readonly TreeFile[]; removed: readonly string[] },
  signal: AbortSignal,
): Promise<TreeFile[]> {
  const other = new Set([...files.map(({ path }) => path), ...removed]);
  const lacking = base.files.filter(({ path, reason }) => isUnread(reason) && !other.has(path));
  const sizes = await objects.sizes(new Set(lacking.map(({ blob }) => blob)), signal);
  return lacking.flatMap(({ path, blob }) => {
    const sizeBytes = sizes.get(blob);
    return sizeBytes === undefined ? [] : [{ path, blob, sizeBytes, executable: false }];
  });
}

/** Counts the files of the commit that have no content: a partial clone has more than the shard lists. */
async function countMissing(
  { files }: Layout,
  objects: GitObjects,
  commit: string,
  signal: AbortSignal,
): Promise<number> {
  const isAny = files.some(({ base, source }) => isUnread(base?.reason ?? source?.file.reason));
  return isAny ? listSources(await objects.listTree(commit, signal)).missing : 0;
}

function isUnread(reason: string | null | undefined): boolean {
  return /missing|could not be read/.test(reason ?? '');
}

/** True if the configurations that say where modules are still mean the same. */
async function areConfigsSame(
  base: BaseShard,
  objects: GitObjects,
  { files, removed }: { files: readonly TreeFile[]; removed: readonly string[] },
  signal: AbortSignal,
): Promise<boolean> {
  if (removed.some(isResolutionConfig)) return false;
  const before = new Map(base.files.map((file) => [file.path, file]));
  for (const { path, blob } of files.filter((file) => isResolutionConfig(file.path))) {
    const old = before.get(path);
    if (old === undefined || old.reason !== null) return false;
    const texts: string[] = [];
    for await (const { bytes } of objects.readBlobs([old.blob, blob], signal))
      texts.push(bytes === undefined ? '' : decodeAnyText(bytes));
    const [oldText = '', newText = ''] = texts;
    if (!isSameConfig(path, oldText, newText)) return false;
  }
  return true;
}

/** Reads the texts of the files that changed, and gets their facts. */
async function readChanged(
  { objects, collector, run: { signal, extractors } }: Pick<Work, 'objects' | 'run'> & { collector: FactsCollector },
  changed: { files: TreeFile[]; links: TreeFile[] },
  largeBytes: number,
): Promise<IndexedFile[]> {
  const { files } = listSources(changed, largeBytes);
  using own = new DisposableStack();
  const pool = extractors ?? own.use(poolOf(OWN_PROCESSES));
  pool.serve((extracted) => collector.receive(extracted));
  for await (const { file, text } of textsOf(objects, files, signal)) {
    if (text === undefined) continue;
    file.text = text;
    const request = collector.request(file, text);
    if (request !== undefined) await pool.add(request);
  }
  await pool.finish();
  collector.finish();
  signal.throwIfAborted();
  return files;
}

/** Returns the room for text of large files beside those that stay. */
function roomBeside(files: readonly { sizeBytes: number }[]): number {
  return files.reduce(
    (room, { sizeBytes }) => (sizeBytes > LARGEST_FILE_BYTES ? room - sizeBytes : room),
    MOST_LARGE_BYTES,
  );
}

function changedFile(file: IndexedFile): ChangedFile {
  const { facts, path } = file;
  if (facts === undefined) return { file, symbols: 0, definitions: 0 };
  return { file, symbols: countSymbols(path, facts), definitions: facts.definitions.count };
}

/** The texts that say where modules are. Those that stay stand in the shard: to ask git takes a process. */
function configsOf({ files }: Layout, base: BaseShard): Map<string, string> {
  const configs = new Map<string, string>();
  for (const { path, base: baseFile, source } of files) {
    if (!isResolutionConfig(path)) continue;
    const text =
      baseFile === undefined ? source.file.text : baseFile.reason === null ? base.text(baseFile.id) : undefined;
    if (text !== undefined) configs.set(path, text);
  }
  return configs;
}

function sharesOf({ files }: Layout, missing: number): Pick<CodeIndexResult, 'languages' | 'failed' | 'gaps'> {
  const all = files.map(({ base, source }) => base ?? source.file);
  const failed = all.filter(({ parsed }) => parsed !== 'full').length;
  const contents = files.map(({ base, source }) =>
    base === undefined ? countedFile(source.file) : { ...base, generated: base.generated === 1 },
  );
  return { languages: languageShares(contents), failed, gaps: gapsOf(all, missing) };
}

/**
 * True if two texts of a configuration file (see `isResolutionConfig`) agree on where modules are: most commits to them change
 * versions and dependencies only.
 */
function isSameConfig(path: string, before: string, after: string): boolean {
  if (/(^|\/)package\.json$/.test(path)) return packageOf(before) === packageOf(after);
  if (path.endsWith('.csproj')) return referencesOf(before).join('\n') === referencesOf(after).join('\n');
  return /(^|\/)go\.mod$/.test(path) && goModuleOf(before) === goModuleOf(after);
}

function packageOf(text: string): string {
  const json = asObject(parseLooseJson(text));
  return JSON.stringify(PACKAGE_KEYS.map((key) => json[key]));
}

const goModuleOf = (text: string): string => /^\s*module\s+"?([^\s"]+)/m.exec(text)?.[1] ?? '';
