import type { Language } from './facts.ts';

/** Rules of a language for its tokenizer. All else is the same everywhere. */
export interface TokenRules {
  /** Both quotes make strings, and the same ones. */
  isQuoteFree: boolean;
  /** `'` makes strings of any length; elsewhere it encloses one character. */
  hasSingleQuoted: boolean;
  /** A string in `"` may go over several lines. */
  isMultiline: boolean;
  /** Templates with `${}`, regular expressions, arrows, lines that end statements. */
  isScript: boolean;
  /** Lines end statements and indentation nests. */
  isIndented: boolean;
  /** A semicolon only says what the end of the line says. */
  isSemicolonFree: boolean;
}

const PLAIN: TokenRules = {
  isQuoteFree: false,
  hasSingleQuoted: false,
  isMultiline: false,
  isScript: false,
  isIndented: false,
  isSemicolonFree: false,
};
const SCRIPT: TokenRules = {
  ...PLAIN,
  isQuoteFree: true,
  hasSingleQuoted: true,
  isScript: true,
  isSemicolonFree: true,
};
const WORDED: TokenRules = { ...PLAIN, hasSingleQuoted: true, isMultiline: true };

/** Languages by name; those that are not here are read by the plain rules. */
const RULES: Readonly<Record<string, TokenRules>> = {
  typescript: SCRIPT,
  tsx: SCRIPT,
  javascript: SCRIPT,
  vue: SCRIPT,
  svelte: SCRIPT,
  python: { ...PLAIN, isQuoteFree: true, hasSingleQuoted: true, isIndented: true },
  go: { ...PLAIN, isSemicolonFree: true },
  kotlin: { ...PLAIN, isSemicolonFree: true },
  swift: { ...PLAIN, isSemicolonFree: true },
  scala: { ...PLAIN, isSemicolonFree: true },
  rust: { ...PLAIN, isMultiline: true },
  ruby: WORDED,
  php: WORDED,
  bash: WORDED,
  sql: WORDED,
};

export function tokenRules(language: Language): TokenRules {
  // Not every language needs rules of its own.
  const rules: Readonly<Record<string, TokenRules | undefined>> = RULES;
  return rules[language] ?? PLAIN;
}
