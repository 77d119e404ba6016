import { TERM_FIELDS } from '../../code-index/format/shard-schema.ts';
import type { ShardDatabase } from '../../indexes/shards/shards.ts';
import { VarintReader } from '../../kernel/varints.ts';
import { testFlags } from '../files/store-files.ts';
import { functionTexts } from './score-texts.ts';
import { relativeRarity } from '../../text/term-weights.ts';

/** Part of a subject that a function has. */
export interface SubjectShare {
  /** 0 to 1: the weights of its terms, each times its rarity, over those of all terms. */
  share: number;
  terms: string[];
}

/**
 * Measures how much of a subject each function has. A term counts by its weight and by how few files outside of tests have it;
 * one that no file has counts most, so that a subject that the code does not know has a small share everywhere.
 */
export function subjectShares(
  db: ShardDatabase,
  subject: readonly (readonly [string, number])[],
  functions: readonly number[],
): SubjectShare[] {
  const { fileOf } = functionTexts(db);
  const isTest = testFlags(db);
  const files = isTest.reduce((sum, flag) => sum + (flag === 1 ? 0 : 1), 0);
  const select = db.prepare('select postings from term where text = ?');
  const shares = functions.map((): SubjectShare => ({ share: 0, terms: [] }));
  const at = new Map(functions.map((id, index) => [id, index]));
  let all = 0;
  for (const [term, weight] of subject) {
    const row = select.get(term) as { postings: Uint8Array } | undefined;
    const documents = row === undefined ? [] : readDocuments(row.postings);
    const having = new Set(documents.map((document) => fileOf[document] ?? 0).filter((file) => isTest[file] !== 1));
    const score = weight * relativeRarity(files, having.size);
    if (!(score > 0)) continue;
    all += score;
    for (const document of documents) {
      const own = shares[at.get(document) ?? -1];
      if (own === undefined) continue;
      own.share += score;
      own.terms.push(term);
    }
  }
  return all === 0 ? shares : shares.map(({ share, terms }) => ({ share: share / all, terms }));
}

function readDocuments(postings: Uint8Array): number[] {
  const from = new VarintReader(postings);
  const documents: number[] = [];
  for (let document = 0; from.more;) {
    document += from.next();
    documents.push(document);
    const head = from.next();
    if ((head & 1) === 1) continue;
    for (let field = 0; field < TERM_FIELDS.length; field += 1) if ((head & (2 << field)) !== 0) from.next();
  }
  return documents;
}
