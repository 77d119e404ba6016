import { ServiceError } from '../kernel/errors.ts';
import { type IndexedRepository, type Indexes, IndexSources } from '../indexes/indexes.ts';
import { decodePath, type GitObjects, openObjects, splitBytes } from '../platform/git/git-objects.ts';
import { isTreePath } from '../platform/git/tree-path.ts';
import type { Caller } from '../platform/operation/operation.ts';
import { symbolHandle } from './answers/rows.ts';
import { CODE_QUERIES } from './queries/code-queries.ts';
import {
  type Content,
  DefinedSymbol,
  type FileNames,
  type Folder,
  NamedSymbol,
  type SourceFile,
} from './source-bodies.ts';
import { bodyOfRow } from '../platform/row-body.ts';
import { decodeText } from '../text/decode.ts';

/** Larger files are not indexed either. */
const MOST_BYTES = 1_000_000;
const MOST_README_BYTES = 200_000;
/** A page marks no more names, and lists no more symbols. */
const MOST_NAMES = 20_000;
const MOST_SYMBOLS = 5_000;

const README = /^readme(?:\.(?:md|markdown|txt|rst|adoc))?$/i;

/** A question of a page about one file or folder. */
interface SourceRequest {
  caller: Caller;
  signal: AbortSignal;
  /** Id, name or `owner/name`. */
  repo: string;
  /** A branch, tag or commit; what the index holds when absent. */
  ref?: string | undefined;
  path: string;
}

interface Entry {
  kind: Folder['entries'][number]['kind'];
  blob: string;
  sizeBytes: number | undefined;
  name: string;
}

/** Data for the pages about files and symbols, beside `code-tool`. */
export interface SourcePages {
  /**
   * A file or folder as a commit has it. A file of more than 1 MB, and one that is no text, comes without its text.
   * @throws ServiceError `unknown_id` for a path or ref that there is not; `unknown_repo`, `not_indexed`.
   */
  content(request: SourceRequest): Promise<Content>;
  /**
   * Resolves the names in a file. At another commit than the indexed one that is indexed first, as for `code-tool`.
   *
   * @throws ServiceError as `content`.
   */
  names(request: SourceRequest): Promise<FileNames>;
}

export function sourcePages(indexes: Indexes): SourcePages {
  return {
    content: (request) => readContent(indexes, request),
    names: (request) => readNames(indexes, request),
  };
}

async function readContent(indexes: Indexes, request: SourceRequest): Promise<Content> {
  const { caller, signal, repo } = request;
  const repository = onlyOne(await indexes.repositories(caller, repo));
  const { provenance } = repository;
  const commit = await commitOf(repository, request);
  const path = cleanPath(request.path);
  const place = {
    repo: provenance.repo,
    commit,
    indexed_commit: provenance.commit,
    branch: provenance.ref,
    path,
  };
  const gitDir = await repository.gitDir?.();
  if (gitDir === undefined) throw unreadableSource(repository);
  await using objects = await openObjects(gitDir);
  const at = { commit, path };
  const entry = path === '' ? undefined : await entryAt(objects, at, signal);
  if (path !== '' && entry === undefined) throw unknownPath(repository, at);
  if (entry === undefined || entry.kind === 'folder') return await readFolder(objects, place, signal);
  return { ...place, kind: 'file', ...(await readFile(objects, entry)) };
}

async function readNames(indexes: Indexes, request: SourceRequest): Promise<FileNames> {
  const { caller, signal, repo, ref } = request;
  const served = onlyOne(await indexes.repositories(caller, repo));
  const isServed = ref === undefined || (await commitOf(served, request)) === served.provenance.commit;
  const repository = isServed
    ? served
    : onlyOne(await indexes.repositories(caller, repo, { ref, signal, progress: () => {} }));
  const sources = new IndexSources(indexes, CODE_QUERIES, { caller, signal, repositories: [repository] });
  const path = cleanPath(request.path);
  const { commit } = repository.provenance;
  const references = await sources.ask(repository, ['fileReferences', { path, limit: MOST_NAMES }]);
  if (references === undefined) return { commit, symbols: [], places: [], defined: [], is_cut: false };
  const defined = await sources.ask(repository, ['definedIn', { path, limit: MOST_SYMBOLS }]);
  return {
    commit,
    symbols: references.symbols.map((row) => bodyOfRow(NamedSymbol, row, { id: symbolHandle(row) })),
    places: references.places,
    defined: defined.map((row) => bodyOfRow(DefinedSymbol, row, { id: symbolHandle(row) })),
    is_cut: references.isCut || defined.length === MOST_SYMBOLS,
  };
}

/** The commit that is asked for. @throws ServiceError `unknown_id`. */
async function commitOf(
  { provenance, named }: IndexedRepository,
  { ref = '', signal }: Pick<SourceRequest, 'ref' | 'signal'>,
): Promise<string> {
  const isIndexed = ref === '' || (/^[0-9a-f]{7,64}$/.test(ref) && provenance.commit.startsWith(ref));
  if (isIndexed) return provenance.commit;
  const commit = await named?.(ref, { signal, progress: () => {} });
  if (commit !== undefined) return commit;
  throw new ServiceError('unknown_id', `${provenance.repo} has no commit, tag or branch "${ref.slice(0, 100)}".`, {
    fix: `Use a commit, a tag or a branch, such as ${provenance.ref}.`,
  });
}

/** Entry of a path in a commit; undefined where there is none. */
async function entryAt(
  objects: GitObjects,
  { commit, path }: { commit: string; path: string },
  signal: AbortSignal,
): Promise<Entry | undefined> {
  if (!isTreePath(path)) return undefined;
  const output = await objects.run(['ls-tree', '-z', '-l', '--full-tree', commit, '--', path], signal);
  return entriesOf(output).find(({ name }) => name === path);
}

async function readFolder(
  objects: GitObjects,
  place: Omit<Folder, 'kind' | 'entries' | 'readme'>,
  signal: AbortSignal,
): Promise<Folder> {
  const below = place.path === '' ? [] : ['--', `${place.path}/`];
  const output = await objects.run(['ls-tree', '-z', '-l', '--full-tree', place.commit, ...below], signal);
  const start = place.path === '' ? 0 : place.path.length + 1;
  const entries = entriesOf(output).map((entry) => ({ ...entry, name: entry.name.slice(start) }));
  const order = new Intl.Collator('en', { numeric: true });
  const sorted = entries.toSorted(
    (a, b) => Number(b.kind === 'folder') - Number(a.kind === 'folder') || order.compare(a.name, b.name),
  );
  return {
    ...place,
    kind: 'folder',
    entries: sorted.map(({ name, kind, sizeBytes }) => ({ name, kind, size_bytes: sizeBytes ?? null })),
    readme: await readReadme(objects, sorted),
  };
}

/** The text that introduces a folder; Markdown goes first. */
async function readReadme(objects: GitObjects, entries: readonly Entry[]): Promise<Folder['readme']> {
  const readmes = entries.filter(
    ({ kind, name, sizeBytes = Infinity }) => kind === 'file' && README.test(name) && sizeBytes <= MOST_README_BYTES,
  );
  const entry = readmes.find(({ name }) => /\.(?:md|markdown)$/i.test(name)) ?? readmes[0];
  if (entry === undefined) return null;
  const { text } = await readFile(objects, entry);
  return text === null ? null : { name: entry.name, text };
}

async function readFile(
  objects: GitObjects,
  { kind, name, blob, sizeBytes }: Entry,
): Promise<Pick<SourceFile, 'size_bytes' | 'text' | 'left_out'>> {
  const without = (reason: string) => ({ size_bytes: sizeBytes ?? 0, text: null, left_out: reason });
  if (kind === 'submodule') return without('A submodule: a repository of its own.');
  if (sizeBytes === undefined) return without('Its content is missing: the clone is partial.');
  if (sizeBytes > MOST_BYTES) return without('Larger than 1 MB.');
  for await (const { bytes } of objects.readBlobs([blob])) {
    if (bytes === undefined) return without('Its content is missing: the clone is partial.');
    const decoded = decodeText(bytes, { path: name });
    if (decoded === undefined) return without('Binary.');
    return { size_bytes: sizeBytes, text: decoded.text, left_out: null };
  }
  return without('Its content is missing: the clone is partial.');
}

/** Reads `ls-tree -z -l`: `<mode> <type> <id> <size>\t<path>`. */
function entriesOf(output: Buffer): Entry[] {
  return [...splitBytes(output, 0)].map((entry) => {
    const tab = entry.indexOf(0x09);
    const [mode = '', type = '', blob = '', size = ''] = entry.toString('latin1', 0, tab).split(/ +/);
    const kind = type === 'tree' ? 'folder' : type === 'commit' ? 'submodule' : mode === '120000' ? 'link' : 'file';
    const sizeBytes = /^\d+$/.test(size) ? Number(size) : undefined;
    return { kind, blob, sizeBytes, name: decodePath(entry.subarray(tab + 1)) };
  });
}

function cleanPath(path: string): string {
  return path.replace(/^(?:\.?\/)+/, '').replace(/\/+$/, '');
}

function onlyOne([repository]: readonly IndexedRepository[]): IndexedRepository {
  if (repository === undefined) throw new Error('a name matches one repository');
  return repository;
}

function unknownPath(
  { provenance }: IndexedRepository,
  { commit, path }: { commit: string; path: string },
): ServiceError {
  const where = `${provenance.repo}@${commit.slice(0, 7)}`;
  return new ServiceError('unknown_id', `There is no file or folder "${path.slice(0, 200)}" in ${where}.`, {
    fix: 'It may have been moved or removed: look at the newest commit, or search for its name.',
  });
}

function unreadableSource({ provenance }: IndexedRepository): ServiceError {
  return new ServiceError('conflict', `The git objects of ${provenance.repo} cannot be read now.`, {
    fix: 'Check that its folder or mirror is there, then index it again.',
  });
}
