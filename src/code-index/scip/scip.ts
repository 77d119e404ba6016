import { readFile } from 'node:fs/promises';
import { ServiceError } from '../../kernel/errors.ts';
import { explainGit } from '../../platform/git/git-failure.ts';
import { openObjects } from '../../platform/git/git-objects.ts';
import { TextPlaces } from './columns.ts';
import { documentsOf, type ScipDocument, toolOf } from './scip-index.ts';
import { decodeAnyText } from '../../text/decode.ts';

/** Paths that an error names. */
const NAMED_PATHS = 5;

/** An index to look at. Crosses a process border: plain data. */
export interface ScipTask {
  gitDir: string;
  /** In full. */
  commit: string;
  /** The index on this machine. */
  file: string;
  /** Folder of the repository that its paths start in, '' for the whole. */
  root: string;
}

/** Description that an index gives of itself. */
export interface ScipSummary {
  /** Name and version of the indexer. */
  tool: string;
  documents: number;
  occurrences: number;
}

/**
 * Compares an index with the commit: its documents must be files of it, and all that it names must lie inside their
 * texts. Reads each of the files once.
 *
 * @throws ServiceError `bad_argument` for what is no index, or one of another commit, with the first places that say so.
 */
export async function checkScip({ gitDir, commit, file, root }: ScipTask, signal: AbortSignal): Promise<ScipSummary> {
  const index = await readFile(file);
  const { name, version } = toolOf(index);
  try {
    await using objects = await openObjects(gitDir);
    const tree = await objects.listTree(commit, signal);
    const blobs = new Map(tree.files.map(({ path, blob }) => [path, blob]));
    const inRepository = (path: string): string => (root === '' ? path : `${root}/${path}`);
    const documents = [...documentsOf(index)];
    const strangers = documents.map(({ path }) => inRepository(path)).filter((path) => !blobs.has(path));
    if (documents.length === 0) throw emptyIndexError();
    if (strangers.length > 0) throw otherFiles(commit, strangers, documents.length);
    const texts = objects.readBlobs(
      documents.map(({ path }) => blobs.get(inRepository(path)) ?? ''),
      signal,
    );
    for (const document of documents) {
      const { bytes } = (await texts.next()).value ?? {};
      if (bytes !== undefined) checkPlaces(document, decodeAnyText(bytes, { path: document.path }), commit);
    }
    const occurrences = documents.reduce((sum, document) => sum + document.occurrences.length, 0);
    return { tool: `${name} ${version}`.trim(), documents: documents.length, occurrences };
  } catch (error) {
    throw explainGit(error, 'The repository');
  }
}

function checkPlaces({ path, columns, occurrences }: ScipDocument, text: string, commit: string): void {
  const places = new TextPlaces(text);
  for (const { line, column, endLine, endColumn } of occurrences) {
    const [start, end] = [places.offset(line, column, columns), places.offset(endLine, endColumn, columns)];
    if (start >= 0 && end >= start) continue;
    throw new ServiceError(
      'bad_argument',
      `The index refers to a position that ${path} does not have at ${commit.slice(0, 7)}: ` +
        `${line + 1}:${column} to ${endLine + 1}:${endColumn}.`,
      {
        fix: 'Make the index from exactly this commit, without local changes, or name the commit that it was made from.',
      },
    );
  }
}

function otherFiles(commit: string, strangers: readonly string[], total: number): ServiceError {
  const named = strangers.slice(0, NAMED_PATHS).join(', ');
  const more = strangers.length > NAMED_PATHS ? ', …' : '';
  return new ServiceError(
    'bad_argument',
    `${strangers.length} of ${total} documents of the index are not files of ${commit.slice(0, 7)}: ${named}${more}.`,
    {
      fix: 'Make the index from this commit. If it was made in a folder of the repository, name that folder as root.',
    },
  );
}

function emptyIndexError(): ServiceError {
  return new ServiceError('bad_argument', 'The index has no documents.', {
    fix: 'Check the output of the indexer: it found no sources, or ran in another folder.',
  });
}
