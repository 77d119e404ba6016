import { stem } from './stem.ts';
import { identifierParts, termsOfWord } from './terms.ts';
import { wordsOf } from './words.ts';

/** Shortest word that may be two written together, and shortest part of it. */
const LEAST_WORD = 5;
const LEAST_PART = 3;
/** Words of two letters that English writes together with a verb or apart from it: "log in", "sign up", "add-on". */
const SHORT_PARTICLES = new Set(['in', 'on', 'up']);
/** Letters that join the parts of a German compound. */
const JOINTS = ['', 's', 'es', 'n', 'en'];

/** Two terms that a word may be made of. */
type WordParts = readonly [string, string];

/** For each word of a text, in order: the terms of what it makes with the word before and the one behind, written together. */
export function joinedTerms(text: string): { word: string; joined: string[] }[] {
  const words = wordsOf(text, 'term');
  return words.map((word, at) => {
    const [before, after] = [words[at - 1], words[at + 1]];
    const joined = [
      ...(before === undefined ? [] : joinedOf(before, word)),
      ...(after === undefined ? [] : joinedOf(word, after)),
    ];
    return { word, joined: [...new Set(joined)] };
  });
}

/** "logged in" is "loggedin" and "login". */
function joinedOf(first: string, second: string): string[] {
  const [left, right] = [first.toLowerCase(), second.toLowerCase()];
  if (!/^\p{L}+$/u.test(left + right) || left.length + right.length < LEAST_WORD) return [];
  return [...new Set([left, stem(left)])].map((start) => stem(start + right));
}

/**
 * A verb and the word of two letters behind it that is no term of its own, so that "login" is found where "log in" stands:
 * its term; undefined for other words. What has longer words behind is found by its parts.
 */
export function particleTerm(before: string, word: string): string | undefined {
  if (!SHORT_PARTICLES.has(word) || termsOfWord(word).length > 0 || before.length < LEAST_PART) return undefined;
  const [start, ...others] = identifierParts(before);
  return start === undefined || others.length > 0 ? undefined : stem(stem(start) + word);
}

/** The terms that a word may be made of, two each, the most even parts first: "shutdown" is "shut" and "down". */
export function partsOfWord(word: string): WordParts[] {
  const whole = word.toLowerCase();
  if (!/^\p{L}+$/u.test(whole) || whole.length < LEAST_WORD || termsOfWord(word).length !== 1) return [];
  const parts: { parts: WordParts; shorter: number }[] = [];
  for (let cut = LEAST_PART; cut <= whole.length - 2; cut += 1) {
    const [left, right] = [whole.slice(0, cut), whole.slice(cut)];
    if (right.length < LEAST_PART && !SHORT_PARTICLES.has(right)) continue;
    for (const joint of JOINTS) {
      const start = left.slice(0, left.length - joint.length);
      if (!left.endsWith(joint) || start.length < LEAST_PART) continue;
      const [one, other] = [termsOfWord(start)[0], termsOfWord(right)[0]];
      if (one === undefined || other === undefined) continue;
      parts.push({ parts: [one, other], shorter: Math.min(start.length, right.length) });
    }
  }
  return parts.toSorted((a, b) => b.shorter - a.shorter).map((one) => one.parts);
}
