/** A word, text or sign of source code. Lines are 1-based, columns 0-based. */
export interface Token {
  kind: 'word' | 'text' | 'sign';
  /** Of a text what it says, each inserted value as `:param`; of a sign one character. */
  value: string;
  line: number;
  column: number;
}

/** Spelling of comments and texts in a language. */
interface TokenRules {
  /** Starts of a comment that ends with its line. */
  lineComments: readonly string[];
  hasBlockComments: boolean;
  quotes: string;
  /** True if three quotes hold a text of several lines. */
  hasTripleQuotes: boolean;
  /** True if a name may follow a single quote without a second one, as a lifetime does. */
  hasLifetimes: boolean;
  /** Characters such as `$`, `@` or `:` with which names of variables and symbols begin. */
  sigils: string;
}

const C_LIKE: TokenRules = {
  lineComments: ['//'],
  hasBlockComments: true,
  quotes: `"'\``,
  hasTripleQuotes: false,
  hasLifetimes: false,
  sigils: '',
};

const HASHED: TokenRules = { ...C_LIKE, lineComments: ['#'], hasBlockComments: false, quotes: `"'` };

/** By language, as a shard names it. */
const RULES: Readonly<Record<string, TokenRules>> = {
  TypeScript: C_LIKE,
  JavaScript: C_LIKE,
  Vue: C_LIKE,
  Svelte: C_LIKE,
  Go: C_LIKE,
  Java: { ...C_LIKE, quotes: `"'`, hasTripleQuotes: true },
  Kotlin: { ...C_LIKE, quotes: `"'`, hasTripleQuotes: true },
  Rust: { ...C_LIKE, quotes: `"'`, hasLifetimes: true },
  Python: { ...HASHED, hasTripleQuotes: true },
  Ruby: { ...HASHED, sigils: ':@' },
  PHP: { ...C_LIKE, lineComments: ['//'], quotes: `"'`, sigils: '$' },
  GraphQL: { ...HASHED, quotes: '"', hasTripleQuotes: true, sigils: '$@' },
};

/** Returns the rules for reading a language; undefined for one that no routes are read from. */
export function tokenRules(language: string): TokenRules | undefined {
  return RULES[language];
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

/** The words, texts and signs of a source in order, without comments. Linear. */
export function readTokens(text: string, rules: TokenRules): Token[] {
  const reader = new TokenReader(text.slice(0, MOST_CHARACTERS), rules);
  return reader.read();
}

class TokenReader {
  readonly #text: string;
  readonly #rules: TokenRules;
  readonly #tokens: Token[] = [];
  #at = 0;
  #line = 1;
  #lineStart = 0;

  constructor(text: string, rules: TokenRules) {
    this.#text = text;
    this.#rules = rules;
  }

  read(): Token[] {
    while (this.#at < this.#text.length) this.#readOne();
    return this.#tokens;
  }

  #readOne(): void {
    const char = this.#text[this.#at] ?? '';
    const { lineComments, hasBlockComments, quotes, sigils } = this.#rules;
    if (char === '\n') this.#skip(1);
    else if (lineComments.some((mark) => this.#text.startsWith(mark, this.#at))) this.#skipTo('\n', 0);
    else if (hasBlockComments && this.#text.startsWith('/*', this.#at)) this.#skipTo('*/', 2);
    else if (quotes.includes(char) && !this.#isLifetime(char)) this.#readText(char);
    else if (
      startsWord(this.#text.charCodeAt(this.#at)) ||
      (sigils.includes(char) && startsWord(this.#text.charCodeAt(this.#at + 1)))
    )
      this.#readWord();
    else if (char > ' ') {
      this.#add('sign', char, this.#at);
      this.#skip(1);
    } else this.#skip(1);
  }

  #isLifetime(char: string): boolean {
    if (!this.#rules.hasLifetimes || char !== "'") return false;
    return this.#text[this.#at + 2] !== "'" && this.#text[this.#at + 1] !== '\\';
  }

  #readWord(): void {
    let end = this.#at + 1;
    while (end < this.#text.length && isInWord(this.#text.charCodeAt(end))) end += 1;
    this.#add('word', this.#text.slice(this.#at, end), this.#at);
    this.#skip(end - this.#at);
  }

  #readText(quote: string): void {
    const triple = quote.repeat(3);
    const mark = this.#rules.hasTripleQuotes && this.#text.startsWith(triple, this.#at) ? triple : quote;
    const start = this.#at;
    let end = start + mark.length;
    while (end < this.#text.length && !this.#text.startsWith(mark, end)) {
      if (mark === quote && quote !== '`' && this.#text[end] === '\n') break;
      end += this.#text[end] === '\\' ? 2 : 1;
    }
    this.#add('text', plainText(this.#text.slice(start + mark.length, end)), start);
    this.#skip(Math.min(end + mark.length, this.#text.length) - start);
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
