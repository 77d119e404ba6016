import { onlyUnit, soleChar } from './grep-charset.ts';
import type { Pattern } from './grep-pattern.ts';

/** Most alternatives of one query; a pattern with more is not narrowed by that part. */
const OPTION_LIMIT = 40;

/** Literals that a matching line must hold: a text of three characters and more in any case, all of these, or one of these. */
export type Need =
  | { type: 'text'; text: string }
  | { type: 'all'; needs: readonly Need[] }
  | { type: 'any'; needs: readonly Need[] };

/** Literals that every line that matches the pattern holds, or nothing when there is none of three characters in it. */
export function needOf(pattern: Pattern): Need | undefined {
  switch (pattern.type) {
    case 'char':
      return textNeed(soleChar(pattern.set) ?? '');
    case 'assertion':
      return undefined;
    case 'sequence':
      return sequenceNeed(pattern.parts);
    case 'choice': {
      const needs = pattern.options.map(needOf);
      if (needs.length > OPTION_LIMIT) return undefined;
      const stated = needs.filter((need) => need !== undefined);
      return stated.length === needs.length ? { type: 'any', needs: stated } : undefined;
    }
    case 'repeat':
      return pattern.least === 0 ? undefined : needOf(pattern.part);
  }
}

/** The text that a pattern matches as it stands and nothing else, of three characters and more; undefined for other patterns. */
export function literalOf(pattern: Pattern): string | undefined {
  if (pattern.type !== 'sequence') return undefined;
  const units = flat(pattern.parts).map((part) => (part.type === 'char' ? onlyUnit(part.set) : undefined));
  if (units.length < 3 || units.includes(undefined)) return undefined;
  return String.fromCharCode(...units.map(Number));
}

/** Joins neighbouring characters to one text; what stands between them is a need of its own. */
function sequenceNeed(parts: readonly Pattern[]): Need | undefined {
  const needs: (Need | undefined)[] = [];
  let run = '';
  for (const part of flat(parts)) {
    const char = part.type === 'char' ? soleChar(part.set) : undefined;
    if (char !== undefined) {
      run += char;
      continue;
    }
    // An assertion takes no room: the text goes on behind it.
    if (part.type === 'assertion') continue;
    needs.push(textNeed(run), needOf(part));
    run = '';
  }
  needs.push(textNeed(run));
  const stated = needs.filter((need) => need !== undefined);
  return stated.length > 1 ? { type: 'all', needs: stated } : stated[0];
}

function flat(parts: readonly Pattern[]): Pattern[] {
  return parts.flatMap((part) => (part.type === 'sequence' ? flat(part.parts) : [part]));
}

function textNeed(text: string): Need | undefined {
  return text.length < 3 ? undefined : { type: 'text', text };
}

/** The FTS5 query for all trigrams of a text, each quoted. A character beyond U+FFFF is one character to FTS5. */
export function grams(text: string): string | undefined {
  const chars = Array.from(text);
  const literals = new Set<string>();
  for (let at = 0; at + 3 <= chars.length; at++) literals.add(chars.slice(at, at + 3).join(''));
  if (literals.size === 0) return undefined;
  return [...literals].map((gram) => `"${gram.replaceAll('"', '""')}"`).join(' AND ');
}
