import { shorten } from '../../kernel/shown-values.ts';
import { languageOf, languageOfPath } from '../../languages/languages.ts';
import type { FileInput } from './shard-input.ts';

/** Marks that people leave in comments, in the words that clients filter by. */
export const COMMENT_TAGS = ['TODO', 'FIXME', 'HACK', 'XXX', 'NOTE', 'WHY', 'DEPRECATED'] as const;

export type CommentTag = (typeof COMMENT_TAGS)[number];

/** A tag in a comment. `text` is its line from the tag on, at most 200 characters. */
export interface TaggedComment {
  line: number;
  tag: CommentTag;
  text: string;
}

const TEXT_LIMIT = 200;

const ANY_TAG = /todo|fixme|hack|xxx|note|why|deprecated/i;

/** Pattern of what precedes the words of a comment line: marks of comments, lists and directives. */
const MARKS = String.raw`[\s/*#;!<>%"'.-]*`;

/**
 * Patterns of tags: `@deprecated` or `Note:` in any case where a line of the comment starts, TODO and its like in capitals
 * anywhere, the words of prose in capitals where a line starts or before a colon.
 */
const WRITTEN: readonly RegExp[] = [
  new RegExp(String.raw`^${MARKS}(@(todo|fixme|hack|note|deprecated)\b)`, 'i'),
  new RegExp(String.raw`^${MARKS}((todo|fixme|hack|xxx|note|why|deprecated)\s*(?:\([^)]*\))?\s*:)`, 'i'),
  new RegExp(String.raw`^${MARKS}((NOTE|WHY|DEPRECATED)\b)`),
  /(?<![\w'"`-])((TODO|FIXME|HACK|XXX)(?![\w-]))/,
  /(?<![\w'"`-])((NOTE|WHY|DEPRECATED)[:(])/,
];

/** A tag right after the mark that starts a comment, for texts whose comments no parser has found. */
const AFTER_MARK = /(?:\/\/|#|--|;|\/\*|<!--|^\s*\*)\s*((TODO|FIXME|HACK|XXX|NOTE|WHY|DEPRECATED)\b)/;
const AFTER_MARKUP = /<!--\s*((TODO|FIXME|HACK|XXX|NOTE|WHY|DEPRECATED)\b)/;

/** Texts in which `#` or `;` start no comment. */
const PROSE: ReadonlySet<string> = new Set(
  'AsciiDoc,CSV,HTML,JSON,MDX,Markdown,SVG,Text,XML,reStructuredText'.split(','),
);

/**
 * The tagged comments of a file, by line; at most one a line. Where a parser reported the comments they are read, else only
 * what plainly looks like one. `starts` holds the offset of each line, as `lineStarts` gives it.
 */
export function taggedComments(file: FileInput, starts: Int32Array): TaggedComment[] {
  const { text, comments, parsed, language, path } = file;
  if (comments.length === 0) {
    const { parser } = languageOfPath(path);
    const tellsComments = parser !== undefined && languageOf(parser).isProse !== true;
    const isRead = (parsed === 'full' || parsed === 'partial') && tellsComments;
    if (isRead || language === '' || !ANY_TAG.test(text)) return [];
    return plainComments(text, PROSE.has(language) ? AFTER_MARKUP : AFTER_MARK);
  }
  const tags: TaggedComment[] = [];
  let line = 0;
  for (let at = 0; at < comments.length; at += 2) {
    const start = comments[at] ?? 0;
    const comment = text.slice(start, comments[at + 1]);
    if (!ANY_TAG.test(comment)) continue;
    while ((starts[line + 1] ?? text.length) <= start) line++;
    const last = tags.at(-1)?.line;
    tags.push(...tagsOf(comment.split('\n'), line + 1).filter((taggedComment) => taggedComment.line !== last));
  }
  return tags;
}

function tagsOf(lines: readonly string[], first: number): TaggedComment[] {
  return lines.flatMap((line, index) => {
    for (const pattern of WRITTEN) {
      const match = pattern.exec(line);
      if (match !== null) return [readTag(match, lines[index + 1] ?? '', first + index)];
    }
    return [];
  });
}

function plainComments(text: string, mark: RegExp): TaggedComment[] {
  return text.split('\n').flatMap((line, index) => {
    const match = mark.exec(line);
    return match === null ? [] : [readTag(match, '', index + 1)];
  });
}

/** `match` has the tag with what belongs to it, then the tag alone. A tag that stands alone takes the next line along. */
function readTag(match: RegExpExecArray, next: string, line: number): TaggedComment {
  const [, whole = '', word = ''] = match;
  const start = match.index + match[0].indexOf(whole, match[0].length - whole.length);
  const tail = match.input.slice(start).replace(/\s*(?:\*\/|-->)?\s*$/, '');
  const isBare = /^\W*\w+\W*$/.test(tail);
  const more = isBare ? next.replace(new RegExp(`^${MARKS}`), '').replace(/\s*(?:\*\/|-->)?\s*$/, '') : '';
  const text = (more === '' ? tail : `${tail} ${more}`).replace(/\s+/g, ' ');
  const tag = COMMENT_TAGS.find((commentTag) => commentTag === word.toUpperCase()) ?? 'NOTE';
  return { line, tag, text: shorten(text, TEXT_LIMIT) };
}
