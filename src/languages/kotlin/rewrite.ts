/** Words that are keywords in some places only: the grammar takes them for one at the start of a statement. */
const SOFT_WORDS =
  'open|inner|annotation|enum|data|sealed|inline|external|infix|operator|suspend|where|set|get|dynamic';

const blank = (text: string): string => text.replaceAll(/[^\r\n]/g, ' ');

/** A name that is no keyword, as long as the one given. */
const plain = (word: string): string => `${word.slice(0, -1)}_`;

/**
 * Constructs that the grammar of Kotlin does not know, each with a replacement that it does. Names are read from the original
 * text, so `in_` in place of `in1` is still a use of `in1`.
 */
const REWRITES: readonly [construct: RegExp, as: (...matches: string[]) => string][] = [
  // `in1`: it reads the keyword `in`, and 1.
  [/\b(in|is|as)(?=\d)/g, (word) => plain(word)],
  // `open = x`, `where?.let {}`, `set or x` at the start of a statement.
  [
    new RegExp(
      `(?<=^[ \\t]*)(?:${SOFT_WORDS})(?=(?:[ \\t]*(?:\\?\\.|!!|\\.|[-+*/%]?=|\\+\\+|--|\\[)|[ \\t]+(?:or|and|xor|shl)\\b))`,
      'gm',
    ),
    (word) => plain(word),
  ],
  // Their own functions, and calls of those: `fun suspend(x: Int)`, `suspend { }`, `open(a)`; `suspend (A) -> B` is a type.
  [
    new RegExp(`(?<=\\bfun[ \\t]+(?:<[^>\\n]*>[ \\t]*)?(?:[\\w<>?, *]+\\.)?)(?:${SOFT_WORDS})(?=\\()`, 'g'),
    (word) => plain(word),
  ],
  [
    new RegExp(
      `(?<=(?:^|[={(,;]|->|\\breturn)[ \\t]*)(?!get|set)(?:${SOFT_WORDS})(?=\\((?![^\\n]*\\)[ \\t]*->))`,
      'gm',
    ),
    (word) => plain(word),
  ],
  [/(?<=(?:^|[={(,;]|->|\breturn)[ \t]*)suspend(?=[ \t]*\{)/gm, (word) => plain(word)],
  // A call of `get` behind a declaration, which is no accessor of it: `get("/") {}`, `get {}`, `set(a, b)`.
  [/(?<=^[ \t]*)get(?=\((?!\))|[ \t]*\{)/gm, (word) => plain(word)],
  [/(?<=^[ \t]*)set(?=\([^()\n]*[^()\n\w: ])/gm, (word) => plain(word)],
  // `insert { } get id`, `bit and set`.
  [/(?<=[})\w][ \t]+)get(?=[ \t]+[\w(])/g, (word) => plain(word)],
  [/(?<=\b(?:and|or|xor)[ \t]+)set\b/g, (word) => plain(word)],
  // The type `dynamic` stands behind a colon.
  [/(?<![:<,.@"$]\s*)\bdynamic\b(?=[ \t]*(?:=|\+\+|--|[<>)]))/g, (word) => plain(word)],
  // Guards: `is A if b ->` as `is A, b ->`.
  [/(?<=^[ \t]*!?(?:is|in)[ \t][^"\n]*?)[ \t]if(?=[ \t][^\n]*(?:->|\()\s*[^\n]*$)/gm, () => ' , '],
  [/(?<=^[ \t]*)else[ \t]+if(?=[ \t][^\n]*->)/gm, blank],
  // Context parameters, and fields behind a property: `field = a` as `get() = a`.
  [/(?<=^[ \t]*)context\([^()\n]*(?:\([^()\n]*\)[^()\n]*)*\)(?=\s+[@a-z])/gm, blank],
  [/(?<=^[ \t]*(?:[a-z]+[ \t]+)*va[lr][ \t][^\n=]*\n[ \t]+)field(?=[ \t]*=)/gm, () => 'get()'],
  // Modifiers on the line of a constructor, and of a function type in brackets.
  [/(?<=^[ \t]*)(?:actual|expect)(?=[ \t]+constructor\b)/gm, blank],
  [/\bsuspend(?=[ \t]+\(\()/g, blank],
];

/** A text of the same length in which constructs that the grammar does not know are written as others. */
export function rewriteKotlin(text: string): string {
  // Strings of several dollars: a single one in their text is no template.
  const dollars = text.replaceAll(
    /\$\$+("""[\s\S]*?"""|"(?:[^"\\\n]|\\.)*")/g,
    (token, quoted: string) => ' '.repeat(token.length - quoted.length) + quoted.replaceAll('$', ' '),
  );
  return REWRITES.reduce((written, [construct, as]) => written.replaceAll(construct, as), dollars);
}

/** The first word of a declaration below a line of annotations, which the grammar may take for a name: `private fun` for `a fun b`. */
const MODIFIER_BELOW =
  /(?<=^[ \t]{0,40}@[^\n]{0,200}\n[ \t]{0,40})(?:private|internal|public|protected|annotation)(?=[ \t]+(?:[a-z]+[ \t]+){0,4}(?:fun|class|interface|object|val|var)\b)/gm;
/** A constructor below the line of its class. */
const CONSTRUCTOR_BELOW =
  /(\bclass[ \t]+\w+(?:<[^>\n]*>)?)[ \t]*\n([ \t]*(?:@\w+(?:\([^()\n]*\))?\s+){0,4}(?:(?:private|internal|public|protected|actual|expect)[ \t]+){0,3})(?=constructor\b)/g;

/**
 * A text of the same length in which declarations that the grammar reads wrongly, with or without an error, are plain: a
 * modifier below an annotation is written as one more, a constructor on the line of its class.
 */
export function plainKotlin(text: string): string {
  return withEndedMembers(text)
    .replaceAll(MODIFIER_BELOW, (word) => `@${word.slice(1)}`)
    .replaceAll(CONSTRUCTOR_BELOW, (match: string, head: string, modifiers: string) => {
      const space = ' '.repeat(match.length - head.length - modifiers.length);
      return head + space + modifiers.replaceAll(/\b(?:actual|expect)\b/g, blank).replaceAll('\n', ' ');
    });
}

/** Literals and comments, in which braces mean nothing. */
const OPAQUE = /\/\*[\s\S]*?\*\/|\/\/[^\n]*|"""[\s\S]*?"""|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/g;
/** A body that ends on the line of its last member. */
const ENDS_ON_LINE = /[^\s{][ \t]\}/;
const HEAD_OF_TYPE = /\b(?:class|interface|object)\b[^;{}]*$/;
const ENTRY_OF_ENUM = /^[\s,;]*(?:@\w+\s+)?[A-Z]\w*\s*(?:\([^{}]*\)\s*)?$/;

/** A text of the same length in which the last member on the line of a body ends: `class A { val b = 1 }`, which the grammar does not know. */
function withEndedMembers(text: string): string {
  if (!ENDS_ON_LINE.test(text)) return text;
  const code = text.replaceAll(OPAQUE, (match) => match.replaceAll(/[^\r\n]/g, '_'));
  const open: boolean[] = [];
  const ends: number[] = [];
  let head = 0;
  for (const { 0: mark, index } of code.matchAll(/[{};\n]/g)) {
    if (mark === '{') {
      const written = code.slice(head, index);
      open.push(HEAD_OF_TYPE.test(written) || (open.at(-1) === true && ENTRY_OF_ENUM.test(written)));
    } else if (mark === '}' && open.pop() === true && /[^\s{;][ \t]$/.test(code.slice(Math.max(0, index - 2), index)))
      ends.push(index - 1);
    if (mark !== '\n' || !/[:,(]\s*$/.test(code.slice(Math.max(0, index - 3), index))) head = index + 1;
  }
  return ends.length === 0 ? text : withMarks(text, ends, ';');
}

/** A text with a mark in the place of some of its characters. */
function withMarks(text: string, places: readonly number[], mark: string): string {
  const pieces: string[] = [];
  let from = 0;
  for (const position of places) {
    pieces.push(text.slice(from, position), mark);
    from = position + 1;
  }
  return pieces.join('') + text.slice(from);
}
