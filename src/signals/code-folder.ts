import { CODE_QUERIES } from '../code/code.ts';
import type { IndexedRepository } from '../indexes/indexes.ts';
import { ShardDamaged, type ShardReaders } from '../indexes/shards/shards.ts';

/** Hits that vote, each with its score. */
const VOTERS = 8;
/** Levels of folders that make a part of a product. */
const FOLDER_LEVELS = 3;
/** Share of the votes that a folder needs. */
const LEAST_SHARE = 0.4;
/** Score (0..1) of the first hit from which on it is about the question at all. */
const LEAST_SCORE = 0.3;
/** Longest text that is searched for: more words only blur it. */
const QUERY_CHARACTERS = 600;

/** The folder of the code that a text is about. */
interface CodeFolder {
  /** Name of the repository and folder: `shop:src/mail`. */
  place: string;
  /** Share of the votes, 0..1. */
  share: number;
}

/**
 * Searches the code of all repositories for a text and lets the best hits vote for their folder; nothing when they
 * disagree or none of them is near.
 */
export async function findCodeFolder(
  readers: ShardReaders,
  repositories: readonly IndexedRepository[],
  { text, signal }: { text: string; signal: AbortSignal },
): Promise<CodeFolder | undefined> {
  const search = { query: text.slice(0, QUERY_CHARACTERS), limit: VOTERS, offset: 0, tests: 'exclude' } as const;
  const hits = await Promise.all(
    repositories.map(async ({ shard, provenance }) => {
      const { rows } = await readers
        .query(shard, CODE_QUERIES, ['semanticSearch', search], { signal, background: true })
        .catch((error: unknown) => {
          // Somebody who asks for its code has it built anew.
          if (error instanceof ShardDamaged) return { rows: [] };
          throw error;
        });
      return rows.map(({ path, score }) => ({ place: `${provenance.repo}:${folderOf(path)}`, score }));
    }),
  );
  return electFolder(hits.flat());
}

/** The folder with the most votes. */
export function electFolder(hits: readonly { place: string; score: number }[]): CodeFolder | undefined {
  const best = hits.toSorted((a, b) => b.score - a.score).slice(0, VOTERS);
  if ((best[0]?.score ?? 0) < LEAST_SCORE) return undefined;
  const votes = new Map<string, number>();
  for (const { place, score } of best) votes.set(place, (votes.get(place) ?? 0) + score);
  const total = best.reduce((sum, { score }) => sum + score, 0);
  const [first] = [...votes].toSorted(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
  if (first === undefined || first[1] < LEAST_SHARE * total) return undefined;
  return { place: first[0], share: Math.round((first[1] / total) * 100) / 100 };
}

function folderOf(path: string): string {
  return path.split('/').slice(0, -1).slice(0, FOLDER_LEVELS).join('/');
}
