import type { ShardDatabase } from '../../indexes/shards/shards.ts';
import { type BestLine, bestLine } from '../../text/best-lines.ts';
import { termFinder } from '../../text/terms.ts';
import { sourceOf } from '../files/store-files.ts';

/** Counts and texts that a search over several corpora needs to compare hits of the code with others. */
export interface HitTexts {
  /** Symbols and files that the search goes through. */
  documents: number;
  /** Number of them that have each of the terms. */
  having: number[];
  /** In the order of the places; without terms for one that is not there. */
  texts: BestLine[];
}

/** Counts how common terms are in the code, and compares the source of some locations with them. */
export function hitTexts(
  db: ShardDatabase,
  { terms, places }: { terms: readonly string[]; places: readonly { path: string; from: number; to: number }[] },
): HitTexts {
  const documents = db.derived('searched_documents', () => {
    const row = db.prepare('select (select count(*) from symbol) + (select count(*) from file) as documents').get();
    return Number(row?.['documents'] ?? 0);
  });
  const count = db.prepare('select documents from term where text = ?');
  const termsIn = termFinder((term) => terms.includes(term));
  return {
    documents,
    having: terms.map((term) => Number(count.get(term)?.['documents'] ?? 0)),
    texts: places.map((place) => bestLine(sourceOf(db, place)?.lines ?? [], termsIn)),
  };
}
