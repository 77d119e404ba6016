import { termsOf } from '../text/terms.ts';

/** Bands of hashes: texts that share a band are compared. 8 bands of 4 find 99 % of pairs that share 85 % of their words. */
const BANDS = 8;
const BAND_HASHES = 4;

/** Share of their words that two texts must have in common. */
const LEAST_SHARED = 0.8;
/** With fewer words only the same ones are the same text. */
const LEAST_WORDS = 4;
/** Most texts of a band that one is compared with. */
const MOST_CANDIDATES = 30;

/** A text to compare, oldest first. */
export interface FoldText {
  id: string;
  text: string;
}

/** For each text that says nearly the same as an older one, the oldest of these. */
export function foldTexts(texts: readonly FoldText[]): Map<string, string> {
  const bands = new Map<string, { id: string; words: Set<string> }[]>();
  const originals = new Map<string, string>();
  for (const { id, text } of texts) {
    const words = new Set(termsOf(text));
    const keys = bandsOf(words);
    const twin = keys.flatMap((key) => bands.get(key) ?? []).find((other) => isSame(other.words, words));
    if (twin !== undefined) {
      originals.set(id, twin.id);
      continue;
    }
    for (const key of keys) {
      const band = bands.get(key);
      if (band === undefined) bands.set(key, [{ id, words }]);
      else if (band.length < MOST_CANDIDATES) band.push({ id, words });
    }
  }
  return originals;
}

function isSame(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  let shared = 0;
  for (const word of a) if (b.has(word)) shared += 1;
  const all = a.size + b.size - shared;
  const least = Math.min(a.size, b.size) < LEAST_WORDS ? 1 : LEAST_SHARED;
  return all > 0 && shared >= least * all;
}

/** Keys under which texts with many words in common meet. */
function bandsOf(words: ReadonlySet<string>): string[] {
  if (words.size === 0) return [];
  const least = new Uint32Array(BANDS * BAND_HASHES).fill(0xffffffff);
  for (const word of words) {
    const hash = hashOf(word);
    for (let index = 0; index < least.length; index += 1) {
      const mixed = mix(hash, index);
      if (mixed < (least[index] ?? 0)) least[index] = mixed;
    }
  }
  return Array.from(
    { length: BANDS },
    (_, band) => `${band}:${least.subarray(band * BAND_HASHES, (band + 1) * BAND_HASHES).join('.')}`,
  );
}

/** FNV-1a. */
function hashOf(word: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < word.length; at += 1) hash = Math.imul(hash ^ word.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}

/** Another hash for each index (the finaliser of MurmurHash3 over both). */
function mix(hash: number, index: number): number {
  let mixed = hash ^ Math.imul(index + 1, 0x9e3779b1);
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
