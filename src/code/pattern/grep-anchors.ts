import type { Need } from './grep-literals.ts';
import type { LineMatcher } from './grep-matcher.ts';

// oxlint-disable-next-line no-control-regex -- what folds to one character of its own
const ASCII = /^[\x01-\x7F]+$/;

/**
 * Texts in small letters of which every line that satisfies a need has at least one; undefined when that is not sure, as for texts
 * beyond ASCII, whose case is not a matter of single characters.
 */
export function anchorsOf(need: Need): readonly string[] | undefined {
  if (need.type === 'text') return ASCII.test(need.text) ? [need.text.toLowerCase()] : undefined;
  const parts = need.needs.map(anchorsOf);
  const literals = parts.filter((part) => part !== undefined);
  if (need.type === 'any') return literals.length < parts.length ? undefined : [...new Set(literals.flat())];
  // A line that satisfies all needs has an anchor of each: the longest ones are met least.
  return literals.toSorted((a, b) => shortest(b) - shortest(a))[0];
}

function shortest(texts: readonly string[]): number {
  return Math.min(...texts.map((text) => text.length));
}

/** As `matchLines`, for a pattern whose lines have one of the anchors: only lines with one are matched. */
export function matchAnchored(
  matcher: LineMatcher,
  { text, anchors }: { text: string; anchors: readonly string[] },
  report: (line: number, start: number, end: number) => void,
): void {
  const lowerCase = text.toLowerCase();
  // Small letters of some characters are longer: places in the one are not those in the other.
  if (lowerCase.length !== text.length) return matcher.matchLines(text, report);
  const next = anchors.map((anchor) => ({ anchor, at: lowerCase.indexOf(anchor) })).filter(({ at }) => at !== -1);
  let line = 0;
  let counted = 0;
  while (next.length > 0) {
    const at = Math.min(...next.map((one) => one.at));
    const start = text.lastIndexOf('\n', at) + 1;
    const feed = text.indexOf('\n', at);
    const end = feed === -1 ? text.length : feed;
    matcher.matchLines(text.slice(start, end), () => {
      for (; counted < start; line += 1) counted = text.indexOf('\n', counted) + 1;
      report(line, start, end);
    });
    for (const one of next) if (one.at < end) one.at = lowerCase.indexOf(one.anchor, end);
    for (let index = next.length - 1; index >= 0; index -= 1) if (next[index]?.at === -1) next.splice(index, 1);
  }
}
