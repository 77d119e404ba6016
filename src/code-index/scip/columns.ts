import { lineStarts } from '../format/line-starts.ts';
import type { ColumnUnit } from './scip-index.ts';

/** A text by lines, for places that are written as line and column. */
export class TextPlaces {
  readonly #text: string;
  readonly #starts: Int32Array;

  constructor(text: string) {
    this.#text = text;
    this.#starts = Int32Array.from(lineStarts(text));
  }

  /**
   * The offset (UTF-16) of a place; -1 when the text has no such line, or the line is shorter. Lines and columns start at
   * 0, and a column may be just behind the last character.
   */
  offset(line: number, column: number, unit: ColumnUnit): number {
    // What follows the last line break is a line as well, if only an empty one.
    const isEnd = line === this.#starts.length && (this.#text === '' || this.#text.endsWith('\n')) && column === 0;
    if (isEnd) return this.#text.length;
    const start = this.#starts[line];
    if (start === undefined) return -1;
    const text = this.#text.slice(start, this.#starts[line + 1] ?? this.#text.length);
    const within = unit === 'utf16' ? column : unitsBefore(text, column, unit);
    return within >= 0 && within <= text.length ? start + within : -1;
  }
}

/** Counts the UTF-16 units of the first `column` characters or bytes of a line; -1 when it has not so many. */
function unitsBefore(line: string, column: number, unit: 'utf8' | 'utf32'): number {
  let [units, remaining] = [0, column];
  for (const character of line) {
    if (remaining <= 0) break;
    remaining -= unit === 'utf32' ? 1 : Buffer.byteLength(character);
    units += character.length;
  }
  return remaining === 0 ? units : -1;
}
