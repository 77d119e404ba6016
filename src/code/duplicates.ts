import type { FingerprintRow } from './structure-codec.ts';
import { FINGERPRINT_TOKENS } from './syntax-hash.ts';

/** A shorter block is a signature or a list, however many tokens it has. */
const LEAST_LINES = 6;
/** A run of tokens that more places share is boilerplate. */
const MOST_PLACES = 30;
/** More than the fingerprints of any file. */
const FILE_STEP = 2 ** 24;

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

interface Run {
  first: number;
  copyFile: number;
  copyFirst: number;
  copyLast: number;
}

/**
 * Blocks of at least `leastTokens` tokens and 6 lines that stand in two places, the longest first. What lies in places that
 * are told already is left out, so of three copies two rows remain. `prints` are the fingerprints by file id.
 */
export function findDuplicates(
  prints: ReadonlyMap<number, readonly FingerprintRow[]>,
  leastTokens: number,
): Duplicate[] {
  const places = placesByHash(prints);
  const found: Duplicate[] = [];
  for (const [file, rows] of prints) {
    let runs = new Map<number, Run>();
    rows.forEach((row, index) => {
      const next = new Map<number, Run>();
      for (const place of places.get(row.hash) ?? []) {
        const [copyFile, copyIndex] = [Math.floor(place / FILE_STEP), place % FILE_STEP];
        if (copyFile < file || (copyFile === file && copyIndex <= index)) continue;
        const run = runs.get(place - 1) ?? { first: index, copyFile, copyFirst: copyIndex, copyLast: copyIndex };
        run.copyLast = copyIndex;
        next.set(place, run);
      }
      for (const [place, run] of runs)
        if (next.get(place + 1) !== run) addRun(found, prints, { file, last: index - 1, run });
      runs = next;
    });
    for (const run of runs.values()) addRun(found, prints, { file, last: rows.length - 1, run });
  }
  found.sort((a, b) => b.tokens - a.tokens || a.block.file - b.block.file || a.block.line - b.block.line);
  return withoutCovered(found.filter(({ tokens }) => tokens >= leastTokens));
}

/** Places of each hash that more than one has: file and index in one number. */
function placesByHash(prints: ReadonlyMap<number, readonly FingerprintRow[]>): Map<number, number[]> {
  const places = new Map<number, number[]>();
  for (const [file, rows] of prints) {
    rows.forEach(({ hash }, index) => {
      const known = places.get(hash);
      if (known === undefined) places.set(hash, [file * FILE_STEP + index]);
      else known.push(file * FILE_STEP + index);
    });
  }
  for (const [hash, list] of places) if (list.length < 2 || list.length > MOST_PLACES) places.delete(hash);
  return places;
}

function addRun(
  found: Duplicate[],
  prints: ReadonlyMap<number, readonly FingerprintRow[]>,
  { file, last, run }: { file: number; last: number; run: Run },
): void {
  const [from, to] = [prints.get(file)?.[run.first], prints.get(file)?.[last]];
  const copy = prints.get(run.copyFile);
  const [copyFrom, copyTo] = [copy?.[run.copyFirst], copy?.[run.copyLast]];
  if (from === undefined || to === undefined || copyFrom === undefined || copyTo === undefined) return;
  const tokens = to.token - from.token + FINGERPRINT_TOKENS;
  const isOverlapping = run.copyFile === file && copyFrom.line <= to.endLine;
  if (isOverlapping || to.endLine - from.line + 1 < LEAST_LINES) return;
  found.push({
    block: { file, line: from.line, end: to.endLine },
    copy: { file: run.copyFile, line: copyFrom.line, end: copyTo.endLine },
    tokens,
  });
}

function withoutCovered(sorted: readonly Duplicate[]): Duplicate[] {
  const told = new Map<number, Block[]>();
  const isTold = ({ file, line, end }: Block): boolean =>
    (told.get(file) ?? []).some((one) => one.line <= line && end <= one.end);
  return sorted.filter(({ block, copy }) => {
    if (isTold(block) && isTold(copy)) return false;
    for (const one of [block, copy]) told.set(one.file, [...(told.get(one.file) ?? []), one]);
    return true;
  });
}
