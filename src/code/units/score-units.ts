import { forEachUnit } from '../../code-index/format/unit-codec.ts';
import type { ShardDatabase } from '../../indexes/shards/shards.ts';
import { unpackLength } from '../../kernel/varints.ts';
import { dense } from '../files/store-files.ts';

/** BM25: how soon a further occurrence says nothing new, and how much the length of a unit counts. */
const [K1, B] = [1.2, 0.75];
const BYTES = 256;

interface Lengths {
  /** One byte a unit. */
  packed: Uint8Array;
  /** `K1` times what the length of that byte makes of it. */
  factors: Float64Array;
}

/** Scores of all units of a shard. */
interface UnitScores {
  score: Float32Array;
  /** Number of units that have each of the terms. */
  having: ReadonlyMap<string, number>;
}

/** Scores all units for terms by BM25, reading the postings of each term once. */
export function scoreUnits(db: ShardDatabase, terms: ReadonlySet<string>): UnitScores {
  const { packed, factors } = db.derived('unit_length', () => readLengths(db));
  const score = new Float32Array(packed.length);
  const having = new Map<string, number>();
  const select = db.prepare('select units, postings from unit_term where text = ?');
  for (const term of terms) {
    const row = select.get(term) as { units: number; postings: Uint8Array } | undefined;
    having.set(term, row?.units ?? 0);
    if (row === undefined) continue;
    const idf = Math.log(1 + (packed.length - row.units + 0.5) / (row.units + 0.5));
    forEachUnit(row.postings, (unit, count) => {
      const length = factors[packed[unit] ?? 0] ?? K1;
      score[unit] = (score[unit] ?? 0) + (idf * count * (K1 + 1)) / (count + length);
    });
  }
  return { score, having };
}

function readLengths(db: ShardDatabase): Lengths {
  const packed = dense(db, 'unit_length').slice();
  let sum = 0;
  for (const byte of packed) sum += unpackLength(byte);
  const mean = sum / packed.length || 1;
  const factors = Float64Array.from({ length: BYTES }, (_, byte) => K1 * (1 - B + (B * unpackLength(byte)) / mean));
  return { packed, factors };
}
