import type { ShardDatabase } from '../../indexes/shards/shards.ts';
import { sourceOf } from '../files/store-files.ts';

/** Counts and texts that a search over several corpora needs to compare hits of the code with others. */
export interface HitTexts {
  /** Symbols and files that the search goes through. */
  documents: number;
  /** Number of them that have each of the terms. */
  having: number[];
  /** The lines of each place, in the order of the places; '' for one that is not there. */
  texts: string[];
}

/** Counts how common terms are in the code, and reads the source of some locations. */
export function hitTexts(
  db: ShardDatabase,
  { terms, places }: { terms: readonly string[]; places: readonly { path: string; from: number; to: number }[] },
): HitTexts {
  const documents = db.derived('searched_documents', () => {
    const row = db.prepare('select (select count(*) from symbol) + (select count(*) from file) as documents').get();
    return Number(row?.['documents'] ?? 0);
  });
  const count = db.prepare('select documents from term where text = ?');
  return {
    documents,
    having: terms.map((term) => Number(count.get(term)?.['documents'] ?? 0)),
    texts: places.map((place) => sourceOf(db, place)?.lines.join('\n') ?? ''),
  };
}
