import { FINGERPRINT_TOKENS } from '../../languages/facts/syntax-hash.ts';
import type { FingerprintColumns } from '../../code-index/format/structure-codec.ts';

/** A shorter block is a signature or a list, however many tokens it has. */
const LEAST_LINES = 6;
/** A run of tokens that more places share is boilerplate. */
const MOST_PLACES = 30;
/** Runs of equal tokens that are looked at; of more, the longest half goes on. */
const MOST_RUNS = 1_000_000;
/** Knuth's multiplier, which spreads hashes that differ little over the table. */
const SPREAD = 0x9e3779b1;

/** Columns of the table of hashes. */
const Slot = { hash: 0, first: 1, last: 2, rows: 3, stride: 4 } as const;

/** Lines of a file, from 1, both included. */
export interface Block {
  file: number;
  line: number;
  end: number;
}

/** A block of code and its copy, which comes later by file and line. */
export interface Duplicate {
  block: Block;
  copy: Block;
  /** From the first to the last common fingerprint: up to 14 fewer than are equal. */
  tokens: number;
}

/** A duplicate with the rows of its last fingerprints, which put those of one size at one place in order. */
interface Run extends Duplicate {
  last: number;
  copyLast: number;
}

interface Duplicates {
  duplicates: Duplicate[];
  /** True if there are more, all of them shorter. */
  isCut: boolean;
}

/** Rows by their hash. A row whose hash nothing else has, or too many have, has no group. */
interface Groups {
  /** Same number, same hash; -1 for none. */
  groups: Int32Array;
  /** The next row of the same hash, or -1. */
  next: Int32Array;
}

/**
 * Blocks of at least `leastTokens` tokens and 6 lines that stand in two places, the longest first. What lies in places that
 * are told already is left out, so of three copies two rows remain. About 0.3 s for a million fingerprints.
 */
export function findDuplicates(prints: FingerprintColumns, leastTokens: number, mostRuns = MOST_RUNS): Duplicates {
  const { groups, next } = groupRows(prints);
  let runs: Run[] = [];
  let [least, isCut] = [leastTokens, false];
  for (let row = 0; row < prints.count; row += 1) {
    const group = groups[row] ?? -1;
    if (group < 0) continue;
    const before = groups[row - 1] ?? -1;
    for (let copy = next[row] ?? -1; copy >= 0; copy = next[copy] ?? -1) {
      // It goes on from the row before, where it was found.
      if (before >= 0 && groups[copy - 1] === before) continue;
      let more = 1;
      while ((groups[row + more] ?? -1) >= 0 && groups[row + more] === groups[copy + more]) more += 1;
      const run = runAt(prints, { row, copy, more: more - 1 });
      if (run !== undefined && run.tokens >= least) runs.push(run);
    }
    if (runs.length <= mostRuns) continue;
    runs = runs.toSorted(byLength).slice(0, mostRuns / 2);
    [least, isCut] = [runs.at(-1)?.tokens ?? least, true];
  }
  return { duplicates: withoutCovered(runs.toSorted(byLength)), isCut };
}

function byLength(a: Run, b: Run): number {
  return (
    b.tokens - a.tokens ||
    a.block.file - b.block.file ||
    a.block.line - b.block.line ||
    a.last - b.last ||
    a.copyLast - b.copyLast
  );
}

/**
 * Equal rows are found in a table with open addressing. What is asked of a hash lies side by side in it, and rows that no
 * other equals, which are most, are met only there: each costs the memory one look.
 */
function groupRows({ count, files, hashes }: FingerprintColumns): Groups {
  const bits = Math.ceil(Math.log2(count * 1.4 + 8));
  const table = new Int32Array(2 ** bits * Slot.stride);
  const groups = new Int32Array(count).fill(-1);
  const next = new Int32Array(count).fill(-1);
  for (let row = 0; row < count; row += 1) {
    if ((files[row] ?? -1) < 0) continue;
    const hash = hashes[row] ?? 0;
    let at = (Math.imul(hash, SPREAD) >>> (32 - bits)) * Slot.stride;
    while (table[at + Slot.rows] !== 0 && table[at + Slot.hash] !== hash) at = (at + Slot.stride) & (table.length - 1);
    const rows = table[at + Slot.rows] ?? 0;
    if (rows === 0) {
      table[at + Slot.hash] = hash;
      table[at + Slot.first] = row;
    } else {
      const first = table[at + Slot.first] ?? 0;
      groups[first] = groups[row] = first;
      next[table[at + Slot.last] ?? 0] = row;
    }
    table[at + Slot.last] = row;
    table[at + Slot.rows] = rows + 1;
  }
  for (let at = 0; at < table.length; at += Slot.stride) {
    if ((table[at + Slot.rows] ?? 0) <= MOST_PLACES) continue;
    for (let row = table[at + Slot.first] ?? -1; row >= 0; row = next[row] ?? -1) groups[row] = -1;
  }
  return { groups, next };
}

/** Run that `more` rows after two equal ones make, or undefined when it is too small or overlaps itself. */
function runAt(
  { files, tokens, lines, endLines }: FingerprintColumns,
  { row, copy, more }: { row: number; copy: number; more: number },
): Run | undefined {
  const [last, copyLast] = [row + more, copy + more];
  const [file = 0, line = 0, end = 0] = [files[row], lines[row], endLines[last]];
  const [copyFile = 0, copyLine = 0, copyEnd = 0] = [files[copy], lines[copy], endLines[copyLast]];
  const isOverlapping = copyFile === file && copyLine <= end;
  if (isOverlapping || end - line + 1 < LEAST_LINES) return undefined;
  return {
    block: { file, line, end },
    copy: { file: copyFile, line: copyLine, end: copyEnd },
    tokens: (tokens[last] ?? 0) - (tokens[row] ?? 0) + FINGERPRINT_TOKENS,
    last,
    copyLast,
  };
}

function withoutCovered(sorted: readonly Duplicate[]): Duplicate[] {
  const reported = new Map<number, Block[]>();
  const isReported = ({ file, line, end }: Block): boolean =>
    reported.get(file)?.some((block) => block.line <= line && end <= block.end) === true;
  return sorted.filter(({ block, copy }) => {
    if (isReported(block) && isReported(copy)) return false;
    for (const copyOf of [block, copy]) {
      const blocks = reported.get(copyOf.file);
      if (blocks === undefined) reported.set(copyOf.file, [copyOf]);
      else blocks.push(copyOf);
    }
    return true;
  });
}
