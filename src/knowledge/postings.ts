import { VarintReader } from '../kernel/varints.ts';
import { type Counts, FIELDS } from './entry-terms.ts';

/** Entries of one block, as a power of two. A term has one row of postings a block. */
const BLOCK_BITS = 11;
export const BLOCK_ENTRIES = 1 << BLOCK_BITS;

export const blockOf = (entry: number): number => entry >> BLOCK_BITS;
export const offsetOf = (entry: number): number => entry & (BLOCK_ENTRIES - 1);
export const firstOf = (block: number): number => block << BLOCK_BITS;

/**
 * Appends a posting: the entry's offset in its block, then how often which field has the term. Offsets are absolute, so that
 * postings are added to a row without reading it. Two bytes when the text has the term once and nothing else has it.
 */
export function pushPosting(bytes: number[], offset: number, counts: Counts): void {
  const isPlain = counts[0] === 1 && counts[1] === 0 && counts[2] === 0 && counts[3] === 0;
  pushVarint(bytes, offset * 2 + (isPlain ? 1 : 0));
  if (isPlain) return;
  let mask = 0;
  for (let field = 0; field < FIELDS.length; field += 1) if (counts[field] !== 0) mask |= 1 << field;
  bytes.push(mask);
  for (const count of counts) if (count !== 0) pushVarint(bytes, count);
}

/** Calls `visit` for each posting, in ascending order. `counts` is the same array each time. */
export function readPostings(data: Uint8Array, visit: (offset: number, counts: Counts) => void): void {
  const from = new VarintReader(data);
  const counts: Counts = [0, 0, 0, 0];
  while (from.more) {
    const head = from.next();
    const mask = (head & 1) === 1 ? 0 : from.next();
    counts[0] = 1;
    counts[1] = counts[2] = counts[3] = 0;
    if ((head & 1) === 0)
      for (let field = 0; field < FIELDS.length; field += 1)
        counts[field] = (mask & (1 << field)) === 0 ? 0 : from.next();
    visit(head >> 1, counts);
  }
}

function pushVarint(bytes: number[], value: number): void {
  let more = value;
  while (more > 127) {
    bytes.push((more & 127) | 128);
    more >>>= 7;
  }
  bytes.push(more);
}
