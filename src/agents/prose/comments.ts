import { lastPart } from '../gather/around.ts';
import type { CodePlace } from '../gather/code.ts';
import type { Citer } from './cite.ts';
import { type Paragraph, quote, type Sentence } from './prose.ts';

/**
 * The comments in some bodies that say most about the question, quoted, the best of each: what a person wrote beside the code about
 * why it is so. None when none speaks of it.
 */
export function quoteComments(cite: Citer, places: readonly CodePlace[]): Sentence[] {
  const found = places.flatMap((place) => {
    const [best] = commentsIn(place.body)
      .map((comment) => ({ ...comment, place, worth: cite.worthOf(comment.text) }))
      .toSorted((a, b) => b.worth - a.worth);
    const isTold =
      place.symbol !== '' && best !== undefined && best.worth >= LEAST_WORTH && best.text.length >= SHORTEST_COMMENT;
    return isTold ? [best] : [];
  });
  const worthOf = ({ text, worth }: (typeof found)[number]): number => (GIVES_REASON.test(text) ? 2 * worth : worth);
  return found
    .toSorted((a, b) => worthOf(b) - worthOf(a))
    .slice(0, MOST_COMMENTS)
    .map(({ place, from, to, text }) => ({
      text: `A comment in \`${lastPart(place.symbol)}\` says: ${quote(text, 220)}.`,
      sources: [cite.linesOf(place, from, to)],
    }));
}

/** What the comments in a body say, in their order; none when there are too few to tell its steps. */
export function listComments(cite: Citer, place: CodePlace): Paragraph[] {
  if (!/^(?:function|method)$/.test(place.kind)) return [];
  const lines = place.body.split('\n');
  const depthOf = ({ from }: { from: number }): number => (lines[from] ?? '').search(/\S/);
  // What stands as far out as the head is said of what follows the function.
  const isInside = (comment: { from: number }): boolean => depthOf(comment) > depthOf({ from: 0 });
  const all = commentsIn(place.body).filter(
    (comment) => comment.from > 0 && comment.text.length <= LONGEST_STEP && isInside(comment),
  );
  const outermost = Math.min(...all.map(depthOf));
  // What stands deeper is said of one of the steps, and what is said again says nothing more.
  const outer = all.filter((comment) => depthOf(comment) === outermost);
  const said = outer.filter(({ text }, at) => outer.findIndex((other) => other.text === text) === at);
  if (said.length < LEAST_STEPS) return [];
  const told = said.slice(0, MOST_COMMENTED);
  const text = `Comments in \`${lastPart(place.symbol)}\`, in their order: ${told.map((comment) => quote(comment.text)).join(', ')}.`;
  return [{ sentences: [{ text, sources: told.map(({ from, to }) => cite.linesOf(place, from, to)) }] }];
}

/** Comments that together tell the steps of a function, how long one is, and how many are told. */
const LEAST_STEPS = 3;
const LONGEST_STEP = 140;
const MOST_COMMENTED = 10;

const MOST_COMMENTS = 2;
/** Words with which people say why. */
const GIVES_REASON =
  /\b(?:because|since|so that|so as|otherwise|in order to|avoids?|prevents?|ensures?|due to|instead of|must not|needed)\b/i;

/** A comment with less of the weight of the question is about something else. */
const LEAST_WORTH = 0.25;
const SHORTEST_COMMENT = 25;
/** A line of a comment and its text: `#keep()`, `#[test]`, `#include` and `*pointer = 1` are code in the languages that have them. */
const COMMENT_LINE = /^\s*(?:#+\s+(?!(?:type|noqa|pragma|region|endregion|fmt|pylint)\b)|\/\/+!?\s*|\*\s+)(.*)$/;

/** Comments for a tool, of a licence, of something still to be done, and rulers between sections: they say nothing of the code. */
const SAYS_NOTHING =
  /^(?:eslint|prettier|biome|tslint|ts|istanbul|v8|c8|clang|noinspection|nolint|rubocop|rustfmt|mypy|pyright|coverage|checkstyle)\b[-:\w]*(?: |$)|^(?:TODO|FIXME|XXX|HACK)\b|\b(?:copyright|SPDX-License-Identifier|all rights reserved)\b|^\W*$|([-=*#~_])\1{3}/i;
/** Code that was taken out: what ends as a statement does, assigns, or is nothing but a call. */
const IS_CODE =
  /^(?=.*[=([.]|return\b|break\b).*;\s*$|[{}]\s*$|^[\w.$[\]]+\s*(?:[-+*/|]|:)?=[^=]|^(?:[\w$]+\s*(?:\.|::|->)\s*)*[\w$]+\([^()]*\)$/;

/** The blocks of comment lines of a body with their lines, counted from 0. */
function commentsIn(body: string): { from: number; to: number; text: string }[] {
  const blocks: { from: number; to: number; text: string }[] = [];
  let isOpen = false;
  body.split('\n').forEach((line, at) => {
    // A line that begins with a star belongs to a comment only where one is open: lists in texts begin with one, too.
    const isOfOpen = isOpen;
    if (line.includes('/*')) isOpen = true;
    if (line.lastIndexOf('*/') > line.lastIndexOf('/*')) isOpen = false;
    const said = !isOfOpen && /^\s*\*/.test(line) ? undefined : COMMENT_LINE.exec(line)?.[1]?.trim();
    if (said === undefined || said === '' || SAYS_NOTHING.test(said) || IS_CODE.test(said)) return;
    const last = blocks.at(-1);
    if (last !== undefined && last.to === at - 1)
      blocks[blocks.length - 1] = { from: last.from, to: at, text: `${last.text} ${said}` };
    else blocks.push({ from: at, to: at, text: said });
  });
  return blocks;
}
