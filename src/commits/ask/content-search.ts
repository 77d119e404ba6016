import { lacksObject } from '../../platform/git/git-failure.ts';
import { type GitObjects, openObjects } from '../../platform/git/git-objects.ts';

/** git compares the contents of about 500 to 3,000 commits a second; what is not reached after this is told. */
const LIMIT_MS = 20_000;
/** Commits of one git process. A deadline is looked at in between. */
const BATCH = 200;
/** Commits that the client of a call may wait for. */
export const MOST_SEARCHED = 20_000;

/** A text that commits added or removed. */
export interface ContentQuery {
  change: 'added' | 'removed';
  text: string;
}

interface ContentAnswer {
  /** Those that did, in the order given. */
  shas: string[];
  /** Number of commits that were searched, from the first one on. */
  searched: number;
  /** Of these, commits whose contents are not here (a partial clone). */
  missing: number;
}

/**
 * Reads `+text` (commits that added it) and `-text` (that removed it); quotes around the text are taken off. Undefined for
 * other queries.
 */
export function parseContentQuery(query: string): ContentQuery | undefined {
  const [, sign, operand = ''] = /^\s*([+-])(\S.*?)\s*$/s.exec(query) ?? [];
  if (sign === undefined) return undefined;
  const text = /^"(.+)"$/s.exec(operand)?.[1] ?? operand;
  return { change: sign === '+' ? 'added' : 'removed', text };
}

/**
 * Finds the commits that changed how often a text occurs in a file, in the requested direction, in whole files like `git log
 * -S`. Merges change nothing. Stops after 20 s, or `limitMs`: `searched` then says how far it came.
 */
export async function searchContents(
  {
    gitDir,
    commits,
    signal,
    limitMs = LIMIT_MS,
    onSearched = () => {},
  }: {
    gitDir: string;
    commits: readonly string[];
    signal: AbortSignal;
    limitMs?: number | undefined;
    /** Is told of each batch how many commits it had. */
    onSearched?: (commits: number) => void;
  },
  query: ContentQuery,
): Promise<ContentAnswer> {
  const deadline = performance.now() + limitMs;
  const answer: ContentAnswer = { shas: [], searched: 0, missing: 0 };
  await using objects = await openObjects(gitDir);
  while (answer.searched < commits.length && performance.now() < deadline) {
    const batch = commits.slice(answer.searched, answer.searched + BATCH);
    const batchResult = await searchBatch(objects, { commits: batch, signal, query });
    answer.shas.push(...batchResult.shas);
    answer.missing += batchResult.missing;
    answer.searched += batch.length;
    onSearched(batch.length);
  }
  return answer;
}

interface BatchSearch {
  commits: readonly string[];
  signal: AbortSignal;
  query: ContentQuery;
}

async function searchBatch(objects: GitObjects, search: BatchSearch): Promise<{ shas: string[]; missing: number }> {
  const { commits, signal, query } = search;
  const args = [
    'log',
    '--no-walk=unsorted',
    '--stdin',
    '--no-textconv',
    '--no-color',
    '--unified=0',
    '--format=%x01%H',
  ];
  try {
    const output = await objects.run([...args, '-p', `-S${query.text}`], signal, `${commits.join('\n')}\n`);
    const shas = output
      .toString('utf8')
      .split('\u0001')
      .slice(1)
      .filter((patch) => changes(patch, query));
    return { shas: shas.map((sha) => sha.slice(0, sha.indexOf('\n'))), missing: 0 };
  } catch (error) {
    if (!lacksObject(error)) throw error;
    if (commits.length === 1) return { shas: [], missing: 1 };
    // Halving finds the commits that lack something.
    const middle = Math.ceil(commits.length / 2);
    const first = await searchBatch(objects, { ...search, commits: commits.slice(0, middle) });
    const second = await searchBatch(objects, { ...search, commits: commits.slice(middle) });
    return { shas: [...first.shas, ...second.shas], missing: first.missing + second.missing };
  }
}

/** True if a patch has more of the text on the requested side. A text of several lines is searched line by line. */
function changes(patch: string, { change, text }: ContentQuery): boolean {
  const [line = text] = text.split('\n');
  let balance = 0;
  for (const row of patch.split('\n')) {
    if (row.startsWith('+++ ') || row.startsWith('--- ')) continue;
    if (row.startsWith('+')) balance += row.split(line).length - 1;
    else if (row.startsWith('-')) balance -= row.split(line).length - 1;
  }
  return change === 'added' ? balance > 0 : balance < 0;
}
