import { compareWords, type Stretch } from '../word-diff.ts';

/** One side of a changed line. */
export interface Side {
  line: number;
  /** Text in pieces; words that only this side has are marked where the two sides are similar. */
  stretches: Stretch[];
}

/** A row of a comparison: the head of a hunk, a line that both have, or what was there before and after. */
export type DiffRow =
  | { kind: 'hunk'; text: string }
  | { kind: 'same'; before: number; after: number; text: string }
  | { kind: 'change'; before: Side | undefined; after: Side | undefined };

/** Names and numbers, white space, and each other character: what changes in code. */
const PARTS = /[\p{L}\p{N}_$]+|\s+|./gsu;
/** Two lines that share less are different lines: marks would be noise. */
const LEAST_SHARED = 0.4;

/** Reads a patch as git writes it, from its first `@@` on. Removed lines stand beside the added ones that follow them. */
export function readPatch(patch: string): DiffRow[] {
  const rows: DiffRow[] = [];
  let [old, now] = [0, 0];
  let removed: PatchLine[] = [];
  let added: PatchLine[] = [];
  const flush = (): void => {
    for (let at = 0; at < Math.max(removed.length, added.length); at += 1) rows.push(changeOf(removed[at], added[at]));
    [removed, added] = [[], []];
  };
  for (const line of patch.split('\n')) {
    const [, first, next] = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/.exec(line) ?? [];
    if (first !== undefined) {
      flush();
      [old, now] = [Number(first), Number(next)];
      rows.push({ kind: 'hunk', text: line });
    } else if (line.startsWith('-')) {
      if (added.length > 0) flush();
      removed.push({ line: old++, text: line.slice(1) });
    } else if (line.startsWith('+')) added.push({ line: now++, text: line.slice(1) });
    else if (line.startsWith(' ')) {
      flush();
      rows.push({ kind: 'same', before: old++, after: now++, text: line.slice(1) });
    }
    // `\ No newline at end of file` and the end of the text say nothing about a line.
  }
  flush();
  return rows;
}

/** A line of a patch. */
interface PatchLine {
  line: number;
  text: string;
}

function changeOf(before: PatchLine | undefined, after: PatchLine | undefined): DiffRow {
  const unmarked = { kind: 'change', before: before && wholeSide(before), after: after && wholeSide(after) } as const;
  if (before === undefined || after === undefined) return unmarked;
  const marked = compareWords(before.text, after.text, (text) => text.match(PARTS) ?? []);
  if (sharedOf(marked.before) < LEAST_SHARED || sharedOf(marked.after) < LEAST_SHARED) return unmarked;
  return {
    kind: 'change',
    before: { line: before.line, stretches: marked.before },
    after: { line: after.line, stretches: marked.after },
  };
}

function wholeSide({ line, text }: PatchLine): Side {
  return { line, stretches: [{ text, isOwn: false }] };
}

/** The share of a line that the other one has too, white space not counted. */
function sharedOf(stretches: readonly Stretch[]): number {
  return lengthOf(stretches.filter(({ isOwn }) => !isOwn)) / Math.max(1, lengthOf(stretches));
}

function lengthOf(stretches: readonly Stretch[]): number {
  return stretches.reduce((sum, { text }) => sum + text.replaceAll(/\s/g, '').length, 0);
}
