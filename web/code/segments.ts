/** A coloured part of a line. `offset` counts from the start of the line, in UTF-16. */
export interface Token {
  offset: number;
  length: number;
  color: string;
}

/** A name in a line, and the symbol of the file that it refers to. */
export interface Name {
  column: number;
  length: number;
  symbol: number;
}

/** A stretch of a line of one colour. */
interface Stretch {
  text: string;
  color: string;
}

/** A stretch of a line that refers to a symbol, or to none. */
export interface Segment {
  symbol: number | undefined;
  stretches: Stretch[];
}

const WORD = /[\p{L}\p{N}_$]+/uy;

/** Returns the length of the word at a column; 0 where there is none. */
export function wordLength(line: string, column: number): number {
  WORD.lastIndex = column;
  return WORD.exec(line)?.[0].length ?? 0;
}

/** Cuts a line where a colour or a name begins or ends. `tokens` and `names` are in order and do not overlap. */
export function segmentsOf(line: string, tokens: readonly Token[], names: readonly Name[]): Segment[] {
  const segments: Segment[] = [];
  let at = 0;
  for (const { column, length, symbol } of names) {
    if (column < at || length === 0 || column + length > line.length) continue;
    if (column > at) segments.push({ symbol: undefined, stretches: stretchesOf(line, tokens, [at, column]) });
    segments.push({ symbol, stretches: stretchesOf(line, tokens, [column, column + length]) });
    at = column + length;
  }
  if (at < line.length) segments.push({ symbol: undefined, stretches: stretchesOf(line, tokens, [at, line.length]) });
  return segments;
}

function stretchesOf(line: string, tokens: readonly Token[], [from, to]: readonly [number, number]): Stretch[] {
  const stretches: Stretch[] = [];
  let at = from;
  for (const { offset, length, color } of tokens) {
    const [start, end] = [Math.max(offset, from), Math.min(offset + length, to)];
    if (start >= end) continue;
    if (start > at) stretches.push({ text: line.slice(at, start), color: '' });
    stretches.push({ text: line.slice(start, end), color });
    at = end;
  }
  if (at < to) stretches.push({ text: line.slice(at, to), color: '' });
  return stretches;
}
