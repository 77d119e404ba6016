import { GitFailure } from '../../platform/git/git.ts';
import { openObjects } from '../../platform/git/git-objects.ts';
import type { IndexedRepository } from '../../indexes/indexes.ts';
import { type FileChange, readDiff } from '../mine/diff.ts';
import type { CommitDetail, FileRow } from '../queries/store-show.ts';
import { type ActionCall, commitJson, commitRow, rowJson, type ShownCommit, withRemoved } from './action.ts';
import { CODE_QUERIES } from '../../code/code.ts';
import { type NamedPlace, namingTexts, type NamingWork, somePlaces } from '../../code/naming/naming.ts';
import { counted } from '../../kernel/counted.ts';
import { ServiceError } from '../../kernel/errors.ts';
import { touchedLines } from './touched-lines.ts';
import { issueReferences, revertedCommits, shortenOwn } from '../classify/trailers.ts';
import { quoteVisible, visible } from '../../kernel/visible.ts';
import type { Findings } from '../../platform/operation/paged-tool.ts';
import { inHistory } from './range.ts';
import { mergedFolder, patchAnswer } from './show-patch.ts';

/** A merge of a long branch takes a second; of one that takes longer the files are not told. */
const DEADLINE_MS = 5_000;

/** A file of a commit with its lines: undefined of binary contents, of those beyond 512 KiB, and where they are not known. */
interface CountedFile extends FileRow {
  added?: number | undefined;
  deleted?: number | undefined;
}

/** A commit whose files are known, or why they are not. */
type WithFiles<Commit extends CommitDetail> = Omit<Commit, 'files'> & {
  files: CountedFile[];
  filesUnknown?: string;
  /** True if the lines of its files are known. */
  counted: boolean;
};

/**
 * A commit with its files and their lines, from git. The history keeps no lines, and of a merge no files, because the merged
 * commits have them: these are what the merge brought to its first parent.
 */
async function withLines<Commit extends CommitDetail>(
  call: ActionCall,
  repository: IndexedRepository,
  commit: Commit,
): Promise<WithFiles<Commit>> {
  const isMerge = commit.parents.length > 1;
  const uncounted = (why: string): WithFiles<Commit> => ({
    ...commit,
    counted: false,
    ...(isMerge && { filesUnknown: why }),
  });
  if (!isMerge && commit.files.length === 0) return { ...commit, counted: true };
  const gitDir = await repository.gitDir?.();
  if (gitDir === undefined) return uncounted(NOT_HERE);
  const limit = AbortSignal.any([call.signal, AbortSignal.timeout(DEADLINE_MS)]);
  try {
    await using objects = await openObjects(gitDir);
    const { changes, counted: counts } = await readDiff(objects, { from: commit.parents[0], to: commit.sha }, limit);
    if (!isMerge) return { ...commit, counted: counts, files: addLines(commit.files, changes) };
    const states = await call.sources.ask(repository, ['pathStates', { paths: changes.map(({ path }) => path) }]);
    const files = changes.map(({ path, status, oldPath, added, deleted }, at) => {
      const { omitted = '', alive = false } = states[at] ?? {};
      return { path, status, oldPath, added, deleted, omitted, alive };
    });
    return { ...commit, counted: counts, files };
  } catch (error) {
    if (limit.aborted && !call.signal.aborted) return uncounted('git needed more than 5 s; repeat the call');
    if (error instanceof GitFailure) return uncounted(NOT_HERE);
    throw error;
  }
}

/** Gives the files of the history the lines of those of git, which may lack the folder that a history was merged into. */
function addLines(files: readonly FileRow[], changes: readonly FileChange[]): CountedFile[] {
  const folder = mergedFolder(files, changes);
  const byPath = new Map(changes.map((change) => [folder + change.path, change]));
  return files.map((file) => {
    const { added, deleted } = byPath.get(file.path) ?? {};
    return { ...file, added, deleted };
  });
}

/** Files and symbols of one commit that are listed; all are counted. */
const MOST_FILES = 100;
const MOST_SYMBOLS = 50;
const NOT_HERE = 'the contents are not here';
/** Files whose symbols are looked for: a commit of more is not about any of them. */
const MOST_LINKED_FILES = 60;

interface LinkedSymbol {
  path: string;
  line: number;
  kind: string;
  name: string;
  id: string;
}

/** `show`: one commit with its message, files, trailers, issues, and the symbols that are there now and that it touched. */
export async function showAnswer(call: ActionCall): Promise<Findings> {
  const name = call.args.query?.trim() ?? '';
  if (name === '') {
    throw new ServiceError('bad_argument', 'The action show needs a commit.', { fix: 'commit-tool show query="HEAD"' });
  }
  if (call.args.detail === 'body') return showPatch(call, name);
  const shown = await call.sources.fromEach(call.sources.repositories, (repository) => showIn(call, repository, name));
  const rows = shown.flatMap((row) => row ?? []);
  if (rows.length > 0) {
    const page = rows.slice(call.offset, call.offset + call.args.limit);
    return { total: rows.length, rows: page, detail: 'body' };
  }
  throw unknownCommit(call, name);
}

/** The patch, in the first repository that has the commit. */
async function showPatch(call: ActionCall, name: string): Promise<Findings> {
  for (const repository of call.sources.repositories) {
    const [commit] = await inHistory(call, repository, name);
    const detail = commit && (await call.sources.ask(repository, ['commitDetail', { sha: commit.sha }]));
    if (detail === undefined) continue;
    // The history has the files of all but merges, and a patch counts its own lines.
    const isMerge = detail.parents.length > 1;
    return patchAnswer(call, repository, isMerge ? await withLines(call, repository, detail) : detail);
  }
  throw unknownCommit(call, name);
}

function unknownCommit(call: ActionCall, name: string): ServiceError {
  const where = call.sources.provenances.map(({ repo, commit }) => `${repo}@${commit.slice(0, 7)}`).join(', ');
  return new ServiceError('unknown_id', `No commit "${name}" is in the indexed history of ${where}.`, {
    fix: `commit-tool search query=${JSON.stringify(name)}`,
  });
}

async function showIn(
  call: ActionCall,
  repository: IndexedRepository,
  name: string,
): Promise<Findings['rows'] | undefined> {
  const [commit] = await inHistory(call, repository, name);
  if (commit === undefined) return undefined;
  const storedDetail = await call.sources.ask(repository, ['commitDetail', { sha: commit.sha }]);
  if (storedDetail === undefined) return undefined;
  const { bySha, gaps } = await call.removedExports.of(call, repository, { shas: [commit.sha] });
  const detail = await withLines(call, repository, withRemoved(storedDetail, bySha.get(commit.sha)));
  const symbolsOrReason = await symbolsOf(call, repository, detail);
  const symbols = typeof symbolsOrReason === 'string' ? undefined : symbolsOrReason;
  const untold = typeof symbolsOrReason === 'string' ? symbolsOrReason : '';
  const work = await call.naming(somePlaces(placesOf(detail, symbols ?? [])));
  const row = commitRow(call, { repository, group: '' }, detail);
  const references = shortenOwn(issueReferences(`${detail.subject}\n${detail.body}`), repository.fullName);
  const reverts = revertedCommits(detail.body);
  const json = {
    ...commitJson(detail),
    authored_date: new Date(detail.authoredAt * 1000).toISOString(),
    body: detail.body,
    parents: detail.parents,
    trailers: detail.trailers,
    refs: references,
    ...(reverts.length === 0 ? {} : { reverts }),
    ...(detail.tags.length === 0 ? {} : { tags: detail.tags }),
    files_total: detail.files.length,
    ...(detail.filesUnknown === undefined ? {} : { files_unknown: detail.filesUnknown }),
    ...(detail.counted ? totals(detail) : {}),
    files: detail.files.slice(0, MOST_FILES).map(fileJson),
    ...(symbols === undefined ? { symbols_unknown: untold } : { symbols }),
    ...(work.length === 0 ? {} : { named_by: work }),
  };
  return [
    {
      ...row,
      body: [bodyText(detail, { references, symbols, untold, work }), ...gaps].join('\n'),
      json: rowJson(call, repository, json),
    },
  ];
}

/** The text below the commit's line. */
function bodyText(
  detail: WithFiles<CommitDetail & ShownCommit>,
  {
    references,
    symbols,
    untold,
    work,
  }: {
    references: readonly string[];
    symbols: readonly LinkedSymbol[] | undefined;
    untold: string;
    work: readonly NamingWork[];
  },
): string {
  const { added, deleted } = totals(detail);
  const lines = detail.counted ? ` +${added} -${deleted}` : '';
  const files = detail.files.slice(0, MOST_FILES);
  const more = detail.files.length - files.length;
  return [
    // Within the facts of the commit its message has a mark of its own, so that it cannot add to them.
    ...(detail.body === '' ? [] : [quoteVisible(detail.body)]),
    ...(references.length === 0 ? [] : [`refs: ${references.join(', ')}`]),
    ...namingTexts(work).map(({ kind, text }) => `${kind} that name what it touched: ${visible(text)}`),
    ...(detail.tags.length === 0 ? [] : [`tags: ${detail.tags.join(', ')}`]),
    ...(detail.parents.length > 1 ? [`merge of ${detail.parents.map((sha) => sha.slice(0, 7)).join(' and ')}`] : []),
    ...(detail.removed ?? [])
      .map(({ path, name }) => visible(`removes the export ${name} of ${path}`))
      .slice(0, MOST_SYMBOLS),
    detail.filesUnknown === undefined
      ? `${counted(detail.files.length, 'file')}${lines}${detail.parents.length > 1 ? ' against the first parent' : ''}`
      : `files: not known (${detail.filesUnknown})`,
    ...files.map((file) => ` ${visible(fileText(file))}`),
    ...(more > 0 ? [` and ${more} more`] : []),
    ...(symbols === undefined
      ? [`symbols: not known (${untold})`]
      : symbols.length === 0
        ? []
        : [
            'symbols it touched that are there now:',
            ...symbols.map(({ path, line, kind, name }) => visible(` ${path}:${line} ${kind} ${name}`)),
          ]),
  ].join('\n');
}

/** The symbols that a commit touched, and its files in which none is known. */
function placesOf({ files }: CommitDetail, symbols: readonly LinkedSymbol[]): NamedPlace[] {
  const linkedPaths = new Set(symbols.map(({ path }) => path));
  const others = files.filter(({ path, omitted }) => omitted === '' && !linkedPaths.has(path));
  return [...symbols.map(({ path, name }) => ({ path, symbol: name })), ...others.map(({ path }) => ({ path }))];
}

function fileText({ path, status, oldPath, added, deleted, omitted }: CountedFile): string {
  const lines = added === undefined ? '' : ` +${added} -${deleted}`;
  return `${status} ${oldPath === undefined ? '' : `${oldPath} -> `}${path}${lines}${omitted === '' ? '' : `  (${omitted})`}`;
}

function fileJson({ path, status, oldPath, added, deleted, omitted }: CountedFile): Record<string, unknown> {
  return {
    path,
    status,
    ...(oldPath === undefined ? {} : { old_path: oldPath }),
    ...(added === undefined ? {} : { added, deleted }),
    ...(omitted === '' ? {} : { left_out: omitted }),
  };
}

function totals({ files }: { files: readonly CountedFile[] }): { added: number; deleted: number } {
  return {
    added: files.reduce((sum, file) => sum + (file.added ?? 0), 0),
    deleted: files.reduce((sum, file) => sum + (file.deleted ?? 0), 0),
  };
}

/** Symbols of the indexed commit on lines that the commit wrote or cut into, or why they are not known. */
async function symbolsOf(
  call: ActionCall,
  repository: IndexedRepository,
  { sha, parents, files: all }: CommitDetail,
): Promise<LinkedSymbol[] | string> {
  const presentFiles = all.filter(({ status, omitted }) => status !== 'D' && omitted === '');
  if (presentFiles.length === 0 || presentFiles.length > MOST_LINKED_FILES) return [];
  const gitDir = await repository.gitDir?.();
  if (gitDir === undefined) return NOT_HERE;
  const at = repository.provenance.commit;
  const gone = presentFiles.filter(({ alive }) => !alive).map(({ path }) => path);
  const renamed = await call.sources.ask(repository, ['laterPaths', { since: sha, paths: gone }]);
  const names = new Map(renamed.map(({ path, later }) => [path, later.at(-1)]));
  const files = presentFiles.map(({ path }) => ({ path, later: names.get(path) }));
  const touched = await touchedLines({ gitDir, commit: sha, parent: parents[0], at, signal: call.signal }, files);
  if (touched === undefined) return NOT_HERE;
  if (touched === 'late') return 'git needed more than 5 s; repeat the call';
  const symbols = await call.sources
    .with(CODE_QUERIES)
    .ask(repository, ['symbolsOnLines', { files: touched, limit: MOST_SYMBOLS }]);
  return symbols.map(({ path, line, kind, qualified }) => ({
    path,
    line,
    kind,
    name: qualified,
    id: `sym:${qualified}@${path}`,
  }));
}
