import type { FileInput, SymbolInput } from './shard-input.ts';
import type { Unit } from './unit-codec.ts';
import { isPathOf } from '../../kernel/path-kinds.ts';

/** A symbol of fewer lines says what it is in its place; one of more is cut into its header and its members. */
const FEWEST_LINES = 3;
const MOST_LINES = 120;
/** Lines outside of symbols end at an empty line from the first on, and at the second in any case. */
const [BLOCK_LINES, LONGEST_BLOCK] = [15, 46];
/** Larger files without symbols are data. */
const MOST_CHARACTERS = 400_000;

/** Texts of which a line of `=`, `-` or `#` makes a heading. Where a parser reads the headings, they are symbols. */
const TEXTS: ReadonlySet<string> = new Set('AsciiDoc,Text,reStructuredText'.split(','));
const [HEADING, UNDERLINE] = [/^[#=]{1,4} \S/, /^(?:={4,}|-{4,}|~{4,})\s*$/];
/** Attributes, decorators and annotations in front of what they are about. */
const ATTRIBUTE = /^\s*(?:@\w|#!?\[|\[[A-Z]\w*)/;
/** A line of a comment in a file whose comments no parser reported. */
const COMMENT = /^\s*(?:\/\/|#(?!include)|\*|\/\*|--)/;

/**
 * Cuts a file into units: a symbol of 3 to 120 lines with the comment above it; a longer one as its header with the lines
 * between its members, which are units of their own; the lines between symbols; and a file without symbols by blocks, a
 * document by its headings. Every line with text is in exactly one unit. None for what a tool wrote, and for data.
 */
export function cutUnits(file: FileInput, starts: Int32Array): Unit[] {
  const { text, path } = file;
  if (text === '' || file.generated || file.isTextOnly || isPathOf('list', path)) return [];
  if (file.symbols.length === 0 && text.length > MOST_CHARACTERS) return [];
  return new UnitCutter(file, starts).cut();
}

class UnitCutter {
  readonly #file: FileInput;
  readonly #lines: readonly string[];
  /** By line (from 1): 1 for those that are in the unit of a symbol. */
  readonly #taken: Uint8Array;
  /** By line: 1 + the index of the long symbol around it, which has no unit of its own. */
  readonly #around: Int32Array;
  readonly #comments: Uint8Array | undefined;
  readonly #units: Unit[] = [];

  constructor(file: FileInput, starts: Int32Array) {
    this.#file = file;
    this.#lines = Array.from(starts, (start, line) => file.text.slice(start, starts[line + 1] ?? file.text.length));
    this.#taken = new Uint8Array(this.#lines.length + 2);
    this.#around = new Int32Array(this.#lines.length + 2);
    this.#comments = file.comments.length === 0 ? undefined : commentLines(file, starts);
  }

  cut(): Unit[] {
    for (const { symbol, index } of longestFirst(this.#file.symbols)) this.#cutSymbol(symbol, index);
    this.#cutBetween();
    return this.#units.toSorted((a, b) => a.start - b.start);
  }

  #cutSymbol({ line, end }: SymbolInput, index: number): void {
    if (end > this.#lines.length || this.#taken[line] === 1) return;
    let start = line;
    while (start > 1 && this.#taken[start - 1] === 0 && this.#isAbove(start - 1)) start -= 1;
    if (end - line >= MOST_LINES) {
      this.#around.fill(index + 1, start, end + 1);
      return;
    }
    this.#taken.fill(1, start, end + 1);
    this.#add({ start, end, symbol: index, signature: line });
  }

  /** The lines that no symbol has taken. */
  #cutBetween(): void {
    const headings = this.#headings();
    let title = -1;
    for (let line = 1; line <= this.#lines.length;) {
      if (this.#taken[line] === 1 || this.#isEmpty(line)) {
        line += 1;
        continue;
      }
      title = headings.get(line) ?? title;
      let end = line;
      while (this.#continues(line, end + 1) && !headings.has(end + 1)) end += 1;
      const around = this.#around[line] ?? 0;
      this.#add({ start: line, end, symbol: around > 0 ? around - 1 : title, signature: line });
      line = end + 1;
    }
  }

  /** True if a line belongs to the block that begins at `start`. */
  #continues(start: number, line: number): boolean {
    if (line > this.#lines.length || this.#taken[line] === 1 || this.#around[line] !== this.#around[start])
      return false;
    const length = line - start;
    return length < LONGEST_BLOCK && (length < BLOCK_LINES || !this.#isEmpty(line));
  }

  /** Lines of headings, with the index of their symbol; -1 where the parser knows of none. */
  #headings(): ReadonlyMap<number, number> {
    const headings = new Map<number, number>();
    for (const [index, { kind, line }] of this.#file.symbols.entries())
      if (kind === 'heading') headings.set(line, index);
    if (headings.size > 0 || !TEXTS.has(this.#file.language)) return headings;
    for (const [at, text] of this.#lines.entries()) {
      if (HEADING.test(text)) headings.set(at + 1, -1);
      else if (at > 0 && UNDERLINE.test(text) && !this.#isEmpty(at)) headings.set(at, -1);
    }
    return headings;
  }

  #isAbove(line: number): boolean {
    const text = this.#lines[line - 1] ?? '';
    if (ATTRIBUTE.test(text)) return true;
    return this.#comments === undefined ? COMMENT.test(text) : this.#comments[line] === 1;
  }

  #isEmpty(line: number): boolean {
    return (this.#lines[line - 1] ?? '').trim() === '';
  }

  #add({ start, end, symbol, signature }: Unit): void {
    let [first, last] = [start, end];
    while (first < last && this.#isEmpty(first)) first += 1;
    while (last > first && this.#isEmpty(last)) last -= 1;
    this.#units.push({ start: first, end: last, symbol, signature: Math.max(signature, first) });
  }
}

/** Symbols of enough lines with their indices, by line; those that begin at one line from the longest on. */
function longestFirst(symbols: readonly SymbolInput[]): { symbol: SymbolInput; index: number }[] {
  return symbols
    .map((symbol, index) => ({ symbol, index }))
    .filter(({ symbol: { kind, line, end } }) => kind !== 'heading' && end - line + 1 >= FEWEST_LINES)
    .toSorted(({ symbol: a }, { symbol: b }) => a.line - b.line || b.end - a.end);
}

/** Lines that hold nothing but a comment or a part of one: 1 for those. */
function commentLines({ text, comments }: FileInput, starts: Int32Array): Uint8Array {
  const lines = new Uint8Array(starts.length + 2);
  let line = 0;
  for (let pair = 0; pair < comments.length; pair += 2) {
    const [start = 0, end = 0] = comments.subarray(pair, pair + 2);
    while (line + 1 < starts.length && (starts[line + 1] ?? 0) <= start) line += 1;
    if (text.slice(starts[line], start).trim() === '') lines[line + 1] = 1;
    for (let next = line + 1; next < starts.length && (starts[next] ?? 0) < end; next += 1) lines[next + 1] = 1;
  }
  return lines;
}
