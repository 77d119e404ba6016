import { CommentKind, Definition } from '../facts/facts.ts';
import type { SyntaxTree } from './tree.ts';
import type { Walk } from './tree-walk.ts';

const NEWLINE = 10;
const CARRIAGE_RETURN = 13;
const SPACE = 32;

/** Rules for the comments that document what follows them, in one language. */
export interface CommentRules {
  /** A comment that starts so is documentation wherever it stands. */
  documentation: RegExp;
  /** Any comment right before a declaration documents it, unless it matches. */
  ordinary?: RegExp;
}

/**
 * Writes the comments of a file, and joins each documentation comment to the definition that follows it.
 *
 * A documentation comment ends on the line before its definition (annotations and attributes between belong to the
 * definition) and starts its own line. Line comments on consecutive lines are one.
 */
export function writeComments(
  walk: Pick<Walk<never>, 'facts' | 'documented'> & { tree: Pick<SyntaxTree, 'text' | 'comments'> },
  rules: CommentRules,
): void {
  const { text, comments } = walk.tree;
  const owners = new Int32Array(comments.length >> 1).fill(-1);
  for (let at = 0; at < walk.documented.length; at += 2) {
    const definition = walk.documented[at] ?? 0;
    const span = documentationBefore(text, comments, { before: walk.documented[at + 1] ?? 0, rules });
    if (span === undefined) continue;
    walk.facts.definitions.set(definition, Definition.docStart, comments[span.first * 2] ?? 0);
    walk.facts.definitions.set(definition, Definition.docEnd, endOf(text, comments, span.last));
    for (let line = span.first; line <= span.last; line += 1) if (owners[line] === -1) owners[line] = definition;
  }
  owners.forEach((definition, index) => {
    const start = comments[index * 2] ?? 0;
    const end = endOf(text, comments, index);
    const isBlock = text.startsWith('/*', start);
    const isDocumentation = definition !== -1 || rules.documentation.test(text.slice(start, start + 4));
    const plain = isBlock ? CommentKind.block : CommentKind.line;
    walk.facts.comments.add(start, end, isDocumentation ? CommentKind.documentation : plain, definition);
  });
}

/** The end of a comment. Some grammars count the end of the line to a line comment. */
function endOf(text: string, comments: readonly number[], index: number): number {
  let end = comments[index * 2 + 1] ?? 0;
  while (text.charCodeAt(end - 1) === NEWLINE || text.charCodeAt(end - 1) === CARRIAGE_RETURN) end -= 1;
  return end;
}

/** The comments that end right before an offset: the places of the first and the last. */
function documentationBefore(
  text: string,
  comments: readonly number[],
  { before, rules }: { before: number; rules: CommentRules },
): { first: number; last: number } | undefined {
  const isDocumentation = (index: number): boolean => {
    const start = comments[index * 2] ?? 0;
    const opening = text.slice(start, start + 12);
    return rules.documentation.test(opening) || (rules.ordinary !== undefined && !rules.ordinary.test(opening));
  };
  const last = lastEndingBefore(comments, before);
  if (last === -1 || !isDocumentation(last)) return undefined;
  let first = last + 1;
  for (let next = before; first > 0;) {
    const start = comments[first * 2 - 2] ?? 0;
    const end = endOf(text, comments, first - 1);
    const isLine = !text.startsWith('/*', start);
    if (!isNextLine(text, end, next) || !startsItsLine(text, start) || !isDocumentation(first - 1)) break;
    if (!isLine && first <= last) break;
    first -= 1;
    next = start;
    if (!isLine) break;
  }
  return first > last ? undefined : { first, last };
}

function lastEndingBefore(comments: readonly number[], offset: number): number {
  let [low, high] = [0, comments.length >> 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((comments[middle * 2 + 1] ?? 0) <= offset) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** True if there is only white space with at most one line end between two offsets. Line comments may include theirs. */
function isNextLine(text: string, from: number, to: number): boolean {
  let lineEnds = 0;
  for (let at = from; at < to; at += 1) {
    const code = text.charCodeAt(at);
    if (code > SPACE) return false;
    if (code === NEWLINE) lineEnds += 1;
  }
  return lineEnds <= 1;
}

function startsItsLine(text: string, offset: number): boolean {
  for (let at = offset - 1; at >= 0; at -= 1) {
    const code = text.charCodeAt(at);
    if (code === NEWLINE) return true;
    if (code > SPACE) return false;
  }
  return true;
}
