import { CODE_QUERIES, forEachMatch } from '../../code/code.ts';
import { LRUCache } from 'lru-cache';
import type { IndexedRepository } from '../../indexes/indexes.ts';
import { openObjects } from '../../platform/git/git-objects.ts';
import { type Break, findBreaks, type LostName, mayBreak } from '../compare/breaks.ts';
import type { SymbolChange } from '../compare/compare-symbols.ts';
import { compareCommits, type ComparedFile, type Comparison } from '../compare/comparison.ts';
import type { HistorySources } from '../queries/history-queries.ts';

/**
 * Returns a predicate for paths that are the file, lie in the folder, or fit the glob that a client names; without one every
 * path passes.
 */
export function isPathOf(filterPath: string | undefined): (path: string) => boolean {
  const pattern = (filterPath ?? '')
    .trim()
    .replace(/^(?:\.?\/)+/, '')
    .replace(/\/+$/, '');
  if (pattern === '' || pattern === '.') return () => true;
  return (path) => {
    if (path === pattern || path.startsWith(`${pattern}/`)) return true;
    if (!/[*?[{]/.test(pattern)) return false;
    let fits = false;
    forEachMatch(path.replaceAll('\n', ' '), pattern, () => (fits = true));
    return fits;
  };
}

/** Comparisons that are remembered, so that their pages are not computed again. */
const MOST_CACHED = 8;
/** Symbols of whose users the index is asked. */
const MOST_SYMBOLS = 2_000;
/** Files that use a symbol which are looked at for entries of a package. */
const MOST_USERS = 50;

/** A comparison with what it breaks. */
export interface ComparisonWithBreaks extends Comparison {
  breaks: ReadonlyMap<ComparedFile, { bySymbol: ReadonlyMap<SymbolChange, Break>; lost: readonly LostName[] }>;
}

/** The commits to compare, and the repository or path. */
interface ComparisonRequest {
  gitDir: string;
  from: string;
  to: string;
  path: string | undefined;
}

/** Compares commits, one comparison at a time, and remembers the last ones. */
export class Comparisons {
  readonly #cache = new LRUCache<string, ComparisonWithBreaks>({ max: MOST_CACHED });
  #last: Promise<unknown> = Promise.resolve();

  /** See `compareCommits` and `findBreaks`. The same index and commits give the same answer. */
  of(
    call: { sources: HistorySources; signal: AbortSignal },
    repository: IndexedRepository,
    request: ComparisonRequest,
  ): Promise<ComparisonWithBreaks> {
    const key = JSON.stringify([repository.id, repository.shard.hash, request.from, request.to, request.path ?? '']);
    const turn = this.#last.then(async () => {
      const compared = this.#cache.get(key) ?? (await compareIn(call, repository, request));
      this.#cache.set(key, compared);
      return compared;
    });
    this.#last = turn.catch(() => undefined);
    return turn;
  }
}

async function compareIn(
  { sources, signal }: { sources: HistorySources; signal: AbortSignal },
  repository: IndexedRepository,
  { gitDir, from, to, path }: ComparisonRequest,
): Promise<ComparisonWithBreaks> {
  signal.throwIfAborted();
  const code = sources.with(CODE_QUERIES);
  await using objects = await openObjects(gitDir);
  const comparison = await compareCommits(objects, { from, to }, { signal, isIncluded: isPathOf(path) });
  const offered = new Set(await code.ask(repository, ['offeredFiles', {}]));
  const symbols = comparison.files
    .flatMap((file) =>
      file.symbols.filter((symbol) => mayBreak(file, symbol)).flatMap((symbol) => collectLookups(file, symbol)),
    )
    .slice(0, MOST_SYMBOLS);
  const users = await code.ask(repository, ['usersOf', { symbols, most: MOST_USERS }]);
  const usersByKey = new Map(symbols.map(({ path: at, qualified }, index) => [`${at} ${qualified}`, users[index]]));
  const usersOf = (at: string, qualified: string): (typeof users)[number] => usersByKey.get(`${at} ${qualified}`);
  const breaks = findBreaks(comparison.files, { offered, usersOf });
  // The words of whole files are needed no more.
  for (const file of comparison.files) delete file.words;
  return { ...comparison, breaks };
}

/** A symbol and the one at the top that it is a member of, where the index may have them. */
function collectLookups({ change }: ComparedFile, symbolChange: SymbolChange): { path: string; qualified: string }[] {
  const path = symbolChange.change === 'removed' ? (change.oldPath ?? change.path) : change.path;
  const { qualified } = symbolChange.before ?? symbolChange.symbol;
  const [top = qualified] = qualified.split('/');
  return top === qualified
    ? [{ path, qualified }]
    : [
        { path, qualified: top },
        { path, qualified },
      ];
}
