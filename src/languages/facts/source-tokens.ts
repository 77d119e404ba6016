import type { Language } from './facts.ts';
import { type TokenRules, tokenRules } from './syntax-rules.ts';
import { quotesAround, regexEnd, stringEnd, WORDS_BEFORE_EXPRESSION } from './syntax-text.ts';

/** A word, text or sign of source code. Lines are 1-based, columns 0-based. */
export interface Token {
  kind: 'word' | 'text' | 'sign';
  /** Of a text what it says, each inserted value as `:param`; of a sign one character. */
  value: string;
  line: number;
  column: number;
}

/** Spelling of comments and names in a language. */
interface SpellingRules {
  /** Language whose strings it has. */
  strings: Language;
  /** Start of a comment that ends with its line. */
  lineComment: '//' | '#';
  /** Characters such as `$`, `@` or `:` with which names of variables and symbols begin. */
  sigils: string;
}

/** By language, as a shard names it. */
const RULES: Readonly<Record<string, SpellingRules>> = {
  TypeScript: { strings: 'typescript', lineComment: '//', sigils: '' },
  JavaScript: { strings: 'javascript', lineComment: '//', sigils: '' },
  Vue: { strings: 'typescript', lineComment: '//', sigils: '' },
  Svelte: { strings: 'typescript', lineComment: '//', sigils: '' },
  Go: { strings: 'go', lineComment: '//', sigils: '' },
  Java: { strings: 'java', lineComment: '//', sigils: '' },
  Kotlin: { strings: 'kotlin', lineComment: '//', sigils: '' },
  Rust: { strings: 'rust', lineComment: '//', sigils: '' },
  PHP: { strings: 'php', lineComment: '//', sigils: '$' },
  Python: { strings: 'python', lineComment: '#', sigils: '' },
  Ruby: { strings: 'ruby', lineComment: '#', sigils: ':@' },
  GraphQL: { strings: 'java', lineComment: '#', sigils: '$@' },
};

/** True for a language, by its display name, whose sources are read as tokens. */
export function hasTokens(language: string): boolean {
  return RULES[language] !== undefined;
}

/** Most characters of a file that are read. */
const MOST_CHARACTERS = 400_000;
const LETTER = /\p{L}/u;

function startsWord(unit: number): boolean {
  if (unit < 128) return (unit >= 97 && unit <= 122) || (unit >= 65 && unit <= 90) || unit === 95;
  return LETTER.test(String.fromCharCode(unit));
}

function isInWord(unit: number): boolean {
  return startsWord(unit) || (unit >= 48 && unit <= 57);
}

/** The words, texts and signs of a source in order, without comments; none of a language that is not read. Linear. */
export function readTokens(language: string, text: string): Token[] {
  const rules = RULES[language];
  return rules === undefined ? [] : new TokenReader(text.slice(0, MOST_CHARACTERS), rules).read();
}

class TokenReader {
  readonly #text: string;
  readonly #rules: SpellingRules;
  readonly #strings: TokenRules;
  readonly #tokens: Token[] = [];
  #at = 0;
  #line = 1;
  #lineStart = 0;

  constructor(text: string, rules: SpellingRules) {
    this.#text = text;
    this.#rules = rules;
    this.#strings = tokenRules(rules.strings);
  }

  read(): Token[] {
    while (this.#at < this.#text.length) this.#readOne();
    return this.#tokens;
  }

  #readOne(): void {
    const char = this.#text[this.#at] ?? '';
    const { lineComment, sigils } = this.#rules;
    if (char === '\n') this.#skip(1);
    else if (this.#text.startsWith(lineComment, this.#at)) this.#skipTo('\n', 0);
    else if (lineComment === '//' && this.#text.startsWith('/*', this.#at)) this.#skipTo('*/', 2);
    else if (
      startsWord(this.#text.charCodeAt(this.#at)) ||
      (sigils.includes(char) && startsWord(this.#text.charCodeAt(this.#at + 1)))
    )
      this.#readWord();
    else if (char > ' ') this.#readMark(char);
    else this.#skip(1);
  }

  #readWord(): void {
    let end = this.#at + 1;
    while (end < this.#text.length && isInWord(this.#text.charCodeAt(end))) end += 1;
    this.#add('word', this.#text.slice(this.#at, end), this.#at);
    this.#skip(end - this.#at);
  }

  #readMark(char: string): void {
    const start = this.#at;
    const end = this.#stringEnd(char);
    if (end > start) {
      const quotes = quotesAround(this.#text, start, end);
      this.#add('text', plainText(this.#text.slice(start + quotes, end - quotes)), start);
      return this.#skip(end - start);
    }
    const behind = char === '/' && this.#startsRegex() ? regexEnd(this.#text, start, this.#text.length) : -1;
    this.#add('sign', char, start);
    this.#skip(behind > start ? behind - start : 1);
  }

  /** Returns the end of the string that starts here, or -1. Of one in single quotes that goes on below, its first line is read. */
  #stringEnd(char: string): number {
    const end = stringEnd(this.#text, this.#at, this.#strings);
    return end === -1 && char === "'" && this.#strings.isMultiline && this.#strings.hasSingleQuoted
      ? this.#text.indexOf('\n', this.#at) + 1
      : end;
  }

  #startsRegex(): boolean {
    const last = this.#tokens.at(-1);
    if (!this.#strings.isScript || last?.kind === 'text') return false;
    return last?.kind === 'word' ? WORDS_BEFORE_EXPRESSION.includes(last.value) : !')]}<'.includes(last?.value ?? '(');
  }

  #skipTo(mark: string, more: number): void {
    const end = this.#text.indexOf(mark, this.#at);
    this.#skip((end === -1 ? this.#text.length : end + more) - this.#at);
  }

  #skip(count: number): void {
    for (const end = this.#at + count; this.#at < end; this.#at += 1)
      if (this.#text[this.#at] === '\n') {
        this.#line += 1;
        this.#lineStart = this.#at + 1;
      }
  }

  #add(kind: Token['kind'], value: string, start: number): void {
    this.#tokens.push({ kind, value, line: this.#line, column: start - this.#lineStart });
  }
}

/** A text with what is inserted into it as `:param`. */
function plainText(text: string): string {
  return text.replaceAll(/\$\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}|#\{[^}]*\}/g, ':param').replaceAll(/\\(.)/g, '$1');
}
