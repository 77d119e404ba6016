/** How a text is cut into words, by what is read in it. */
const RULES = {
  /**
   * Words of code and prose that are searched: letters of any script, digits, `_` and `$`, or a number of two digits and more.
   * A word may begin with digits (`2FA`).
   */
  term: /[A-Za-z_$\u00aa-\uffff][\w$\u00aa-\uffff]*|\d+[A-Za-z\u00aa-\uffff][\w$\u00aa-\uffff]*|\d{2,}/g,
  /** Names of code in any script, and numbers. */
  name: /[\p{L}\p{N}_$]+/gu,
  /** Names that code may declare. */
  identifier: /[\p{L}_$][\p{L}\p{N}_$]*/gu,
  asciiName: /[\w$]+/g,
  asciiIdentifier: /[A-Za-z_$][\w$]*/g,
  /** Names behind the names of what they are members of. */
  qualifiedName: /[A-Za-z_$][\w$]*(?:(?:\.|::|#|->)[A-Za-z_$][\w$]*)*/g,
  /** Names with the marks that some languages allow in them: `empty?`, `#secret`. */
  markedName: /[\w$#@?!-]+/g,
  /** Names of repositories, folders and files. */
  pathName: /[\p{L}\p{N}_]+(?:[./-][\p{L}\p{N}_]+)*/gu,
  /** Parts of an identifier: `parseHTTPRequest2` is parse, HTTP, Request, 2; `getPDFs` get, PDFs; `IPv6` IP, v, 6. */
  asciiPart: /[A-Z]{2,}s(?![a-z])|[A-Z]{2,}(?=[a-z]\d)|[A-Z]+(?![a-z])|[A-Z][a-z]+|[a-z]+|\d+/g,
  /** The same for any script: letters without case make one part. */
  part: /\p{Lu}{2,}s(?!\p{Ll})|\p{Lu}{2,}(?=\p{Ll}\p{N})|\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\p{N}+|[^\p{Lu}\p{Ll}\p{N}\s_$]+/gu,
  /** Parts of an identifier without digits, as the classifier of commits was trained with. */
  asciiHump: /[A-Z]+(?![a-z])|[A-Z][a-z]+|[a-z]+/g,
  word: /[\p{L}\p{N}_]+/gu,
  asciiWord: /\w+/g,
  plain: /[\p{L}\p{N}]+/gu,
  asciiPlain: /[A-Za-z0-9]+/g,
  hyphenated: /[\p{L}\p{N}-]+/gu,
  letters: /\p{L}+/gu,
  asciiLetters: /[A-Za-z]+/g,
  /** Words of people with their apostrophes: `don't`. */
  spoken: /\p{L}+(?:['’]\p{L}+)?/gu,
  /** The same with digits inside: `covid19's`. */
  prose: /\p{L}[\p{L}\p{N}]*(?:['’]\p{L}+)?/gu,
  /** The same with hyphens: `follow-up`. */
  compound: /[\p{L}\p{N}]+(?:['’][\p{L}\p{N}]+)*(?:-[\p{L}\p{N}]+)*/gu,
  /** Words of a question about people's texts, and of one about code. */
  asked: /[\p{L}\p{N}][\p{L}\p{N}'’-]*/gu,
  askedName: /[\p{L}\p{N}_$][\p{L}\p{N}_$'’-]*/gu,
  /** Words and amounts with their currency. */
  amount: /[\p{L}\p{N}$€£%]+(?:[.,'][\p{L}\p{N}]+)*/gu,
} as const;

type WordRule = keyof typeof RULES;

/** The words of a text in order, repeats included. */
export function wordsOf(text: string, rule: WordRule): string[] {
  return text.match(RULES[rule]) ?? [];
}

/** The same with where each begins. */
export function wordMatches(text: string, rule: WordRule): RegExpStringIterator<RegExpExecArray> {
  return text.matchAll(RULES[rule]);
}

/** A text with each word replaced. */
export function replaceWords(text: string, rule: WordRule, replace: (word: string) => string): string {
  return text.replaceAll(RULES[rule], replace);
}
