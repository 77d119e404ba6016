import type { Language } from './facts.ts';
import { type TokenRules, tokenRules } from './syntax-rules.ts';
import {
  endWithin,
  hashOf,
  isWordCode,
  quotesAround,
  rawStringEnd,
  regexEnd,
  stringEnd,
  templatePieceEnd,
  unquotedHash,
  WORDS_BEFORE_EXPRESSION,
} from './syntax-text.ts';
import { Sort, TokenList } from './token-list.ts';

/**
 * The tokens of a text as hashes, so that two spellings of one program are the same stream.
 *
 * Not counted: white space, comments, documentation strings; `'` or `"` around a string where the language treats them
 * alike; a comma before a closing bracket (but the one that makes a tuple); a semicolon that the end of the line stands
 * for as well; the parentheses around a lone arrow parameter; a `|` or `&` before the first member of a union.
 * Counted: everything else, so the text of strings, the order of things, and the nesting that Python shows by indentation.
 */
export interface SyntaxTokens {
  count: number;
  /** Hash of each token. */
  hashes: Int32Array;
  /** Code of each token: its character when it is punctuation, else a `Sort`. */
  codes: Uint16Array;
  /** Start and end of each token in the text. A token for an end of line or an indentation is empty. */
  starts: Int32Array;
  ends: Int32Array;
}

const LINE_FEED = 10;
const TAB = 9;
const SPACE = 32;
const BACKTICK = 0x60;
const BACKSLASH = 0x5c;
const OPEN = 0x28;
const CLOSE = 0x29;
const COMMA = 0x2c;
const SEMICOLON = 0x3b;
const LESS = 0x3c;
const EQUALS = 0x3d;
const GREATER = 0x3e;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const SLASH = 0x2f;
const PLUS = 0x2b;
const MINUS = 0x2d;
const DOLLAR = 0x24;
const HASH_SIGN = 0x23;

/** After these a slash begins a regular expression and a semicolon-free line goes on. */
const BEFORE_EXPRESSION: ReadonlySet<number> = new Set(WORDS_BEFORE_EXPRESSION.map(wordHash));
const CONTROLS: ReadonlySet<number> = new Set(['if', 'while', 'for', 'with'].map(wordHash));
const ELSE = wordHash('else');
/** Words after which a new line ends the statement. */
const RESTRICTED: ReadonlySet<number> = new Set(['return', 'break', 'continue', 'throw', 'yield'].map(wordHash));
const RAW_STRING_WORDS: ReadonlySet<number> = new Set(['r', 'br', 'cr'].map(wordHash));

/** Tokens that go on with the statement of the line before, so that a semicolon in between is no formatting. */
const GOES_ON: ReadonlySet<number> = new Set(codesOf('([+-*/,.<>=&|?:%^`'));
/** After these a union's first `|` adds nothing. */
const BEFORE_UNION: ReadonlySet<number> = new Set(codesOf('=(<:,[>'));

function codesOf(characters: string): number[] {
  return Array.from({ length: characters.length }, (_, at) => characters.charCodeAt(at));
}

/** Hash of a word as a token: FNV-1a over its UTF-16 units, so that equal words of all files are equal. */
export function wordHash(word: string): number {
  return hashOf(word, 0, word.length, Sort.word);
}

/**
 * Reads the tokens of a text. `skipped` are pairs of offsets, start then end, ascending and apart: comments, and strings
 * that are documentation. Linear in the text; never throws, whatever the text is.
 */
export function readTokens(language: Language, text: string, skipped: readonly number[]): TokenList {
  const lexer = new Lexer(tokenRules(language), text, skipped);
  return lexer.read();
}

/** An open bracket. */
interface Bracket {
  code: number;
  commas: number;
  /** True if what precedes it is called, declared or indexed, so that it makes no tuple. */
  isApplied: boolean;
  /** The head of an `if`, `while`, `for`. */
  isControl: boolean;
  /** It closes a `${` of a template. */
  isTemplate: boolean;
}

class Lexer {
  readonly #rules: TokenRules;
  readonly #text: string;
  readonly #skipped: readonly number[];
  readonly #tokens: TokenList;
  #at = 0;
  #skip = 0;
  #lineStart = 0;
  #isLineBroken = false;
  #isSemicolonPending = false;
  #closedControl = -1;
  readonly #brackets: Bracket[] = [];
  readonly #indents: number[] = [0];

  constructor(rules: TokenRules, text: string, skipped: readonly number[]) {
    this.#rules = rules;
    this.#text = text;
    this.#skipped = skipped;
    this.#tokens = new TokenList(text.length);
  }

  read(): TokenList {
    const text = this.#text;
    while (this.#at < text.length) {
      if (this.#at >= (this.#skipped[this.#skip] ?? Number.POSITIVE_INFINITY)) this.#leaveOut();
      else this.#next(text.charCodeAt(this.#at));
    }
    return this.#tokens;
  }

  #leaveOut(): void {
    const [start = 0, end = 0] = [this.#skipped[this.#skip], this.#skipped[this.#skip + 1]];
    if (this.#text.lastIndexOf('\n', end - 1) >= start) this.#isLineBroken = true;
    this.#at = Math.max(this.#at, end);
    this.#skip += 2;
  }

  #next(code: number): void {
    if (code === LINE_FEED) {
      this.#at += 1;
      this.#isLineBroken = true;
      this.#lineStart = this.#at;
    } else if (code <= SPACE || code === 0xa0 || code === 0xfeff) this.#at += 1;
    else if (code === BACKSLASH && /[\r\n]/.test(this.#text.charAt(this.#at + 1))) {
      // The line goes on: neither its end nor its indentation count.
      this.#at = this.#text.indexOf('\n', this.#at) + 1 || this.#text.length;
    } else {
      if (this.#isLineBroken) this.#startLine(code);
      if (isWordCode(code)) this.#word();
      else this.#mark(code);
    }
  }

  /** The first token of a line. */
  #startLine(code: number): void {
    this.#isLineBroken = false;
    const last = this.#tokens.count - 1;
    if (last < 0) return;
    if (this.#rules.isIndented) this.#indent();
    else if (this.#rules.isScript && this.#tokens.codes[last] === Sort.word && code !== CLOSE_BRACE) {
      const isMember = this.#tokens.codes[last - 1] === 0x2e;
      if (!isMember && RESTRICTED.has(this.#tokens.hashes[last] ?? 0)) this.#addEmpty(SEMICOLON);
    }
  }

  /** Ends the line before and compares the indentation, outside of brackets. */
  #indent(): void {
    if (this.#brackets.length > 0) return;
    this.#endLine();
    let width = 0;
    for (let at = this.#lineStart; at < this.#at; at += 1) {
      width = this.#text.charCodeAt(at) === TAB ? (width | 7) + 1 : width + 1;
    }
    if (width > (this.#indents.at(-1) ?? 0)) {
      this.#indents.push(width);
      this.#addEmpty(Sort.indent);
    }
    while (width < (this.#indents.at(-1) ?? 0)) {
      this.#indents.pop();
      this.#addEmpty(Sort.dedent);
    }
  }

  #endLine(): void {
    const last = this.#tokens.codes[this.#tokens.count - 1];
    if (last === undefined || last === Sort.line) return;
    this.#addEmpty(Sort.line);
  }

  #word(): void {
    const start = this.#at;
    let at = start + 1;
    while (at < this.#text.length && isWordCode(this.#text.charCodeAt(at))) at += 1;
    // A comment can start right behind a word, never inside one.
    this.#at = at;
    this.#add(Sort.word, hashOf(this.#text, start, at, Sort.word), start, at);
  }

  #mark(code: number): void {
    const start = this.#at;
    if (code === BACKTICK && this.#rules.isScript) return this.#template(start);
    const end = this.#stringEnd(code);
    if (end > start) return this.#string(code, end);
    if (code === SLASH && this.#rules.isScript && this.#isExpressionNext()) {
      const close = regexEnd(this.#text, start, this.#limit());
      if (close > start) return this.#take(Sort.string, start, close);
    }
    this.#at = start + 1;
    if ((code === PLUS || code === MINUS) && this.#text.charCodeAt(start + 1) === code) {
      this.#at += 1;
      return this.#add(code, code | 0x100, start, this.#at);
    }
    this.#punctuation(code, start);
  }

  /** Returns the end of the string that starts here, or -1. */
  #stringEnd(code: number): number {
    const isRaw = code === HASH_SIGN && this.#isRawString();
    const end = isRaw ? rawStringEnd(this.#text, this.#at) : stringEnd(this.#text, this.#at, this.#rules);
    return endWithin(end, this.#limit());
  }

  #isRawString(): boolean {
    const last = this.#tokens.count - 1;
    return this.#tokens.ends[last] === this.#at && RAW_STRING_WORDS.has(this.#tokens.hashes[last] ?? 0);
  }

  /** Returns the start of the next comment: no string goes past it. */
  #limit(): number {
    return this.#skipped[this.#skip] ?? this.#text.length;
  }

  #string(code: number, end: number): void {
    const start = this.#at;
    if (!this.#rules.isQuoteFree || code === BACKTICK) return this.#take(Sort.string, start, end);
    const quotes = quotesAround(this.#text, start, end);
    this.#at = end;
    const hash = unquotedHash(this.#text, start + quotes, end - quotes, Sort.string + quotes * 16);
    this.#add(Sort.string, hash, start, end);
  }

  #take(sort: number, start: number, end: number): void {
    this.#at = end;
    this.#add(sort, hashOf(this.#text, start, end, sort), start, end);
  }

  /** One piece of a template: up to the next `${`, whose inside is read as code, or to its end. */
  #template(start: number): void {
    const text = this.#text;
    const at = templatePieceEnd(text, start + 1);
    const isOpen = text.charCodeAt(at) === DOLLAR;
    this.#take(Sort.string, start, Math.min(text.length, at + (isOpen ? 2 : 1)));
    // A comment mark inside a template is text.
    while ((this.#skipped[this.#skip + 1] ?? Number.POSITIVE_INFINITY) <= this.#at) this.#skip += 2;
    if (isOpen)
      this.#brackets.push({ code: OPEN_BRACE, commas: 0, isApplied: true, isControl: false, isTemplate: true });
  }

  /** True if an operand is due: after an operator, an opening bracket, a word such as `return`. `</` closes a tag. */
  #isExpressionNext(): boolean {
    const last = this.#tokens.count - 1;
    const code = this.#tokens.codes[last] ?? OPEN;
    if (code === Sort.word)
      return BEFORE_EXPRESSION.has(this.#tokens.hashes[last] ?? 0) && this.#tokens.codes[last - 1] !== 0x2e;
    return code !== Sort.string && code !== CLOSE && code !== CLOSE_BRACKET && code !== CLOSE_BRACE && code !== LESS;
  }

  #punctuation(code: number, start: number): void {
    switch (code) {
      case OPEN:
      case OPEN_BRACKET:
      case OPEN_BRACE:
        return this.#open(code, start);
      case CLOSE:
      case CLOSE_BRACKET:
      case CLOSE_BRACE:
        return this.#close(code, start);
      case COMMA: {
        const around = this.#brackets.at(-1);
        if (around !== undefined) around.commas += 1;
        break;
      }
      case SEMICOLON:
        if (this.#rules.isIndented) return this.#endLine();
        if (this.#isOptionalSemicolon()) {
          this.#isSemicolonPending = true;
          return;
        }
        break;
      case GREATER:
        if (this.#tokens.codes[this.#tokens.count - 1] === COMMA) this.#tokens.drop(1);
        else if (this.#tokens.codes[this.#tokens.count - 1] === EQUALS && this.#rules.isScript) this.#bareArrow();
        break;
      case 0x7c:
      case 0x26:
        if (this.#rules.isScript && BEFORE_UNION.has(this.#tokens.codes[this.#tokens.count - 1] ?? 0)) return;
        break;
      default:
    }
    this.#add(code, code, start, start + 1);
  }

  #isOptionalSemicolon(): boolean {
    if (!this.#rules.isSemicolonFree || this.#brackets.at(-1)?.code === OPEN) return false;
    const last = this.#tokens.count - 1;
    // An empty statement: `while (next());`, `else;`.
    return this.#closedControl !== last && this.#tokens.hashes[last] !== ELSE;
  }

  #open(code: number, start: number): void {
    const last = this.#tokens.codes[this.#tokens.count - 1] ?? 0;
    const isWord = last === Sort.word;
    const word = this.#tokens.hashes[this.#tokens.count - 1] ?? 0;
    const isKeyword = isWord && BEFORE_EXPRESSION.has(word);
    const isApplied = (isWord && !isKeyword) || last === CLOSE || last === CLOSE_BRACKET || last === GREATER;
    this.#add(code, code, start, start + 1);
    const isControl = isWord && CONTROLS.has(word);
    this.#brackets.push({ code, commas: 0, isApplied, isControl, isTemplate: false });
  }

  #close(code: number, start: number): void {
    const opened = this.#brackets.pop();
    if (code === CLOSE_BRACE && opened?.isTemplate === true) return this.#template(start);
    if (this.#tokens.codes[this.#tokens.count - 1] === COMMA && !this.#isMeant(opened)) this.#tokens.drop(1);
    // A semicolon before a brace says nothing, whatever follows the brace.
    if (code === CLOSE_BRACE) this.#isSemicolonPending = false;
    this.#add(code, code, start, start + 1);
    if (opened?.isControl === true) this.#closedControl = this.#tokens.count - 1;
  }

  /** True if the comma before a closing bracket makes a tuple, or an empty element. */
  #isMeant(opened: Bracket | undefined): boolean {
    const before = this.#tokens.codes[this.#tokens.count - 2];
    if (before === COMMA || before === OPEN_BRACKET) return true;
    return opened?.code === OPEN && opened.commas === 1 && !opened.isApplied && !this.#rules.isScript;
  }

  /** `(x) =>` is `x =>`: the `>` comes now. */
  #bareArrow(): void {
    const at = this.#tokens.count - 4;
    if (
      at < 0 ||
      this.#tokens.codes[at] !== OPEN ||
      this.#tokens.codes[at + 1] !== Sort.word ||
      this.#tokens.codes[at + 2] !== CLOSE
    )
      return;
    this.#tokens.move(at + 1, at);
    this.#tokens.move(at + 3, at + 1);
    this.#tokens.drop(2);
  }

  /** A token without text belongs to what is before it: the declaration that comes next does not begin with it. */
  #addEmpty(code: number): void {
    const end = this.#tokens.ends[this.#tokens.count - 1] ?? 0;
    this.#add(code, code, end, end);
  }

  #add(code: number, hash: number, start: number, end: number): void {
    if (this.#isSemicolonPending) {
      this.#isSemicolonPending = false;
      if (GOES_ON.has(code) || (code === Sort.string && this.#text.charCodeAt(start) === BACKTICK))
        this.#addEmpty(SEMICOLON);
    }
    this.#tokens.add(code, hash, start, end);
  }
}
