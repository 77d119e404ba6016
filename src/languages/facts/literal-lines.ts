import { lineOf } from './lines.ts';
import { Sort } from './token-list.ts';
import { type SyntaxTokens, wordHash } from './syntax-tokens.ts';

/** Lines of a text by what they hold; those of comments, documentation and brackets alone are neither. */
interface LineContents {
  /** Lines that hold nothing but literals, and entries of collections made of them. */
  literalLines: number;
  /** Lines with anything else: a declaration, a statement, a reference. */
  codeLines: number;
}

const COLON = 0x3a;
const EQUALS = 0x3d;
const GREATER = 0x3e;
const MINUS = 0x2d;
const PLUS = 0x2b;
const DOT = 0x2e;
const COMMA = 0x2c;
const OPEN = 0x28;
const CLOSE = 0x29;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** Characters that separate and enclose values: a line of nothing else says nothing of its file. */
const NEUTRAL: ReadonlySet<number> = new Set([
  OPEN,
  CLOSE,
  OPEN_BRACKET,
  CLOSE_BRACKET,
  OPEN_BRACE,
  CLOSE_BRACE,
  COMMA,
  0x3b,
  Sort.line,
  Sort.indent,
  Sort.dedent,
]);
/** Signs inside of literals: `-1.5`, `&"x"`, `@"x"`. */
const SIGNS: ReadonlySet<number> = new Set([MINUS, PLUS, DOT, 0x26, 0x40]);
/** Values that are words, and the word between a key and its value in Kotlin. */
const VALUES: ReadonlySet<number> = new Set(
  'true false null undefined nil None True False NULL nullptr to'.split(' ').map(wordHash),
);
const NEW = wordHash('new');

/** Counts the lines of a text by what they hold, from its tokens. */
export function readLineContents(text: string, tokens: SyntaxTokens, lines: Int32Array): LineContents {
  const contents = { literalLines: 0, codeLines: 0 };
  const reader = new LineReader(text, tokens);
  let at = 0;
  while (at < tokens.count) {
    const line = lineOf(lines, tokens.starts[at] ?? 0);
    const lineEnd = lines[line + 1] ?? text.length;
    let end = at;
    while (end < tokens.count && (tokens.starts[end] ?? 0) < lineEnd) end += 1;
    const last = lineOf(lines, Math.max(0, (tokens.ends[end - 1] ?? 0) - 1));
    const kind = reader.read(at, end);
    // A string over several lines: what follows its end on the last line is a line by itself.
    const inside = Math.max(0, last - line - 1);
    if (kind === 'literal') contents.literalLines += 1;
    else if (kind === 'code') contents.codeLines += 1;
    if (reader.isTagged(end - 1)) contents.codeLines += inside;
    else contents.literalLines += inside;
    at = end;
  }
  return contents;
}

/** Tells lines of literals from others. Follows the brackets, so lines are read in order. */
class LineReader {
  readonly #text: string;
  readonly #tokens: SyntaxTokens;
  #depth = 0;

  constructor(text: string, tokens: SyntaxTokens) {
    this.#text = text;
    this.#tokens = tokens;
  }

  /** Classifies the line of the tokens from `start` up to `end`. */
  read(start: number, end: number): 'literal' | 'code' | 'neutral' {
    let [isLiteral, isCode] = [false, false];
    const isEntry = this.#isEntry(end);
    for (let at = start; at < end; at += 1) {
      const code = this.#code(at);
      if (code === OPEN || code === OPEN_BRACKET || code === OPEN_BRACE) this.#depth += 1;
      else if (code === CLOSE || code === CLOSE_BRACKET || code === CLOSE_BRACE) this.#depth -= 1;
      if (NEUTRAL.has(code)) continue;
      if (this.#isLiteral(at, isEntry)) isLiteral = true;
      else isCode = true;
    }
    return isCode ? 'code' : isLiteral ? 'literal' : 'neutral';
  }

  /** True if a string is the text of a call or template: code in another language. */
  isTagged(at: number): boolean {
    if (at < 1 || this.#code(at) !== Sort.string) return false;
    const before = this.#code(at - 1);
    const isAdjacent = this.#tokens.ends[at - 1] === this.#tokens.starts[at];
    return (
      isAdjacent && (before === Sort.word || before === CLOSE || before === GREATER) && this.#character(at) === '`'
    );
  }

  /** True if the entry of a collection ends with the line. */
  #isEntry(end: number): boolean {
    return this.#depth > 0 && this.#code(end - 1) === COMMA;
  }

  #isLiteral(at: number, isEntry: boolean): boolean {
    const code = this.#code(at);
    if (code === Sort.string)
      return !this.isTagged(at) && !this.#text.startsWith('${', (this.#tokens.ends[at] ?? 0) - 2);
    if (code === Sort.word) return this.#isLiteralWord(at, isEntry);
    if (SIGNS.has(code)) return this.#depth > 0;
    if (this.#depth === 0) return false;
    if (code === COLON) return true;
    if (code === EQUALS) return this.#isKey(at - 1);
    // Of `=>` and `->`.
    return code === GREATER && (this.#code(at - 1) === EQUALS ? this.#isKey(at - 2) : this.#code(at - 1) === MINUS);
  }

  #isLiteralWord(at: number, isEntry: boolean): boolean {
    if (/[0-9]/.test(this.#character(at)) || VALUES.has(this.#tokens.hashes[at] ?? 0)) return true;
    if (this.#depth === 0) return false;
    const next = this.#code(at + 1);
    if (next === COLON && this.#code(at + 2) !== COLON) return true;
    if (next === EQUALS && this.#code(at + 2) !== EQUALS) return true;
    // `:symbol`, `[KEY] =`, `new Item(…),`, `Item{…},`.
    if (this.#code(at - 1) === COLON && this.#tokens.ends[at - 1] === this.#tokens.starts[at]) return true;
    if (next === CLOSE_BRACKET && this.#code(at - 1) === OPEN_BRACKET && this.#code(at + 2) === EQUALS) return true;
    return isEntry && (next === OPEN || next === OPEN_BRACE || this.#tokens.hashes[at] === NEW);
  }

  /** True if a key of a collection ends here. */
  #isKey(at: number): boolean {
    const code = this.#code(at);
    return code === Sort.word || code === Sort.string || code === CLOSE_BRACKET;
  }

  /** Returns the code of a token: its character when it is punctuation, else a `Sort`. */
  #code(at: number): number {
    return at < 0 || at >= this.#tokens.count ? 0 : (this.#tokens.codes[at] ?? 0);
  }

  #character(at: number): string {
    return this.#text.charAt(this.#tokens.starts[at] ?? 0);
  }
}
