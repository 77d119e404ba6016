/** Comments and strings: of languages whose comments begin with a hash, and of the others. */
const HASH =
  /"""[\s\S]*?"""|'''[\s\S]*?'''|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|(?<![$\\])#[^\n]*|^=begin[\s\S]*?^=end/gm;
const SLASH =
  /\/\*[\s\S]*?\*\/|\/\/[^\n]*|"""[\s\S]*?"""|`(?:[^`\\]|\\[\s\S])*`|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)'|r#+"[\s\S]*?"#+/g;
/** As `SLASH`, where `'` begins a string of any length. */
const QUOTED =
  /\/\*[\s\S]*?\*\/|\/\/[^\n]*|^[ \t]*#(?!\[)[^\n]*|`(?:[^`\\]|\\[\s\S])*`|"(?:[^"\\]|\\[\s\S])*"|'(?:[^'\\\n]|\\[\s\S])*'/gm;
/** As `HASH`, with symbols, which are values: `:name`, `name: 1`, `%i[name]`. */
const RUBY = new RegExp(
  String.raw`%[iwIW][\[({][^\])}]*|(?<![:\w]):[A-Za-z_]\w*[?!=]?|\b\w+[?!]?:(?=\s*[^\s:,)}])|${HASH.source}`,
  'gm',
);
/** Text between the tags of a page. */
const MARKUP = />[^<>{}();=]*(?=<\/|<[A-Za-z]|\{)/g;
const PATTERNS: Readonly<Record<string, RegExp>> = {
  Python: HASH,
  Ruby: RUBY,
  Shell: HASH,
  TypeScript: QUOTED,
  JavaScript: QUOTED,
  PHP: QUOTED,
};

const HAS_MARKUP = new Set(['TypeScript', 'JavaScript']);

/** A text as blanks of the same length and lines. */
export const blank = (token: string): string => token.replaceAll(/[^\n]/g, ' ');

/** A text with blanks instead of comments and strings, as a scan without a parser finds them: strings with all that is in them. */
export function withoutCommentsAndStrings(language: string, text: string): string {
  const code = text.replaceAll(PATTERNS[language] ?? SLASH, blank);
  return HAS_MARKUP.has(language) ? code.replaceAll(MARKUP, blank) : code;
}
