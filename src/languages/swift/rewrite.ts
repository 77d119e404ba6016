const blank = (text: string): string => text.replaceAll(/[^\r\n]/g, ' ');

/** A value that means nothing, as long as what stood there. */
const nothing = (text: string): string => `0${blank(text.slice(1))}`;

/** Each branch of a condition is whole by itself in Swift, so that all of them can be read; the grammar knows few places for one. */
const DIRECTIVES = /^[ \t]*#(?:if|elseif|else|endif|warning|error|sourceLocation)\b[^\n]*/gm;

/** Modifiers that are names in all other places: the grammar takes them for one at the start of a statement. */
const SOFT_WORDS =
  'prefix|postfix|infix|open|optional|required|convenience|override|mutating|indirect|dynamic|lazy|weak|unowned|final|package';

/** Constructs that the grammar of Swift does not know, each with a replacement that it does. */
const REWRITES: readonly [construct: RegExp, as: (match: string) => string][] = [
  // `if #available(iOS 11, *)`, and what the compiler fills in: `#fileID`, `#function`.
  [/#(?:un)?available\([^()\n]*\)/g, nothing],
  [/#(?:file|fileID|filePath|function|line|column|dsohandle|_sourceLocation)\b/g, nothing],
  // Macros are read as calls: `#expect(a == b)`, `#selector(A.b)`.
  [/#(?=[A-Za-z]\w*[({])/g, blank],
  // Raw strings, and `consume a`.
  [/#"[^"\n]*(?:"(?!#)[^"\n]*)*"#/g, nothing],
  [/\bconsume(?=[ \t]+\w)/g, blank],
  // Typed throws.
  [/(?<=\bthrows)\([\w.<>]+\)/g, blank],
  // The empty tuple as an argument, and as a statement.
  [/(?<=[(,:]\s*)\(\)(?=\s*[,)])/g, nothing],
  [/(?<=^[ \t]*)\(\)(?=[ \t]*$)/gm, nothing],
  // `prefix = x` at the start of a statement.
  [new RegExp(`(?<=^[ \\t]*)(?:${SOFT_WORDS})(?=[ \\t]*[-+*/%]?=(?!=))`, 'gm'), (word) => `${word.slice(0, -1)}_`],
  // `switch try await x`: what is awaited is read without the words.
  [/(?<=\bswitch[ \t]+)(?:try[?!]?[ \t]+)?(?:await[ \t]+)?(?=[\w(])/g, blank],
  // Who owns a parameter, and `unsafe` before an expression.
  [/(?<=:[ \t]*)(?:(?:sending|consuming|borrowing|isolated)[ \t]+)+(?=[\w@([])/g, blank],
  [/\(unsafe\)(?=[ \t]+(?:let|var)\b)/g, blank],
  [/(?<![\w.@])unsafe(?=[ \t]+\w)/g, blank],
];

/** A text of the same length without the directives of the compiler. */
export function withoutDirectives(text: string): string {
  return text.includes('#') ? text.replaceAll(DIRECTIVES, blank) : text;
}

/** A text of the same length in which constructs that the grammar does not know are written as others. */
export function rewriteSwift(text: string): string {
  return REWRITES.reduce((written, [construct, as]) => written.replaceAll(construct, as), withoutDirectives(text));
}
