/** Words that are keywords in some places only: the grammar takes them for one at the start of a statement. */
const SOFT_WORDS =
  'open|inner|annotation|enum|data|sealed|inline|external|infix|operator|suspend|where|set|get|dynamic';

const blank = (text: string): string => text.replaceAll(/[^\r\n]/g, ' ');

/** A name that is no keyword, as long as the one given. */
const plain = (word: string): string => `${word.slice(0, -1)}_`;

/**
 * What the grammar of Kotlin does not know, written as something it does: each construct with its replacement. Names are
 * read from the text as it was, so `in_` in the place of `in1` is still a use of `in1`.
 */
const REWRITES: readonly [construct: RegExp, as: (...found: string[]) => string][] = [
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
  return text
    .replaceAll(MODIFIER_BELOW, (word) => `@${word.slice(1)}`)
    .replaceAll(CONSTRUCTOR_BELOW, (found: string, head: string, modifiers: string) => {
      const space = ' '.repeat(found.length - head.length - modifiers.length);
      return head + space + modifiers.replaceAll(/\b(?:actual|expect)\b/g, blank).replaceAll('\n', ' ');
    });
}
