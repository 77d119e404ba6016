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
  [/@available\([^()\n]*\)(?=\s*#[A-Za-z])/g, blank],
  // Macros are read as calls: `#expect(a == b)`, `#Preview { … }`, `#Predicate<A> { … }`, and without arguments as names.
  [/(?<![#\w"])#(?=[A-Za-z])/g, blank],
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

/** A string, a comment, a brace, or a macro at the start of a line with its arguments. */
const PARTS =
  /"{3}[\s\S]*?"{3}|"(?:\\.|[^"\\\n])*"|\/\/[^\n]*|\/\*[\s\S]*?\*\/|[{}]|(?<=^[ \t]*)#[A-Za-z]\w*(?:<[^<>\n]*>)?(?:\([^()]*(?:\([^()]*\)[^()]*)*\))?/gm;
/** Characters in which the end of a type is looked for behind a macro. */
const MOST_SPACE = 200;
const TYPE_HEAD = /\b(?:class|struct|enum|extension|actor|protocol)\s+(?!func\b|var\b|let\b|subscript\b)\w/;

/** A text of the same length in which macros among the members of a type are attributes of the next member, if there is one. */
function withMemberMacros(text: string): string {
  if (!text.includes('#')) return text;
  const areTypes: boolean[] = [];
  let [head, last] = ['', 0];
  return text.replaceAll(PARTS, (part, offset: number) => {
    head += text.slice(last, offset);
    last = offset + part.length;
    if (part === '{') areTypes.push(TYPE_HEAD.test(head));
    else if (part === '}') areTypes.pop();
    else if (!part.startsWith('#') || areTypes.at(-1) !== true) return part;
    else return /^\s*\}/.test(text.slice(last, last + MOST_SPACE)) ? blank(part) : `@${part.slice(1)}`;
    head = '';
    return part;
  });
}

/** A text of the same length in which constructs that the grammar does not know are written as others. */
export function rewriteSwift(text: string): string {
  const plain = withMemberMacros(withoutDirectives(text));
  return REWRITES.reduce((written, [construct, as]) => written.replaceAll(construct, as), plain);
}
