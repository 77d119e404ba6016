import { termsOf } from '../../src/kernel/terms.ts';
import { germanStem, RelatedWords } from '../../src/knowledge/related/related-words.ts';
import { sha256Of, writeTrained } from '../trained-model.ts';
import { corpus } from './related-corpus.ts';
import { type Pair, readPairs } from './translations.ts';

/**
 * Learns which words say much the same, and writes it to `src/knowledge/related/related-words.json`:
 * `SEARCH_MIRROR=<folder of <owner>+<name>/repo> node bench/search/train-related.ts`. Texts of interfaces are aligned word by
 * word with their translations (IBM model 1, both ways). German words keep the English terms that translate them; English terms
 * are related when one language after the other renders them alike. About two minutes.
 */

const ROUNDS = 6;
/** How much of each text may be explained by no word of the other. */
const NOTHING = 0.5;
/** Sightings of nothing that a word is given, so that rare words are sure of nothing. */
const DOUBT = 1;
const LEAST_SHARE = 0.005;
const MOST_WORDS = 25;

const MOST_TRANSLATIONS = 3;
const LEAST_TRANSLATION = 0.12;
const LEAST_RARE_TRANSLATION = 0.3;
/** A word that was seen less often needs a clearer translation. */
const RARE = 4;
const MOST_RELATED = 4;
const LEAST_RELATED = 0.05;

/** Every so many pairs one is kept back for the figures. */
const HELD = 20;

/** Distinct words of a text and of its counterpart. */
type Aligned = readonly [from: readonly string[], to: readonly string[]];
type Shares = Map<string, Map<string, number>>;

const mirror = process.env['SEARCH_MIRROR'];
if (mirror === undefined) throw new Error('Set SEARCH_MIRROR; the head of this script says to what.');
const pairs = new Map(
  Object.entries(corpus.languages).map(([language, names]) => {
    const all = corpus.projects.flatMap((project) => readPairs(mirror, project, names));
    return [language, [...new Map(all.map((pair) => [pair.join('\0'), pair])).values()]];
  }),
);
const german = pairs.get('de') ?? [];
const held = german.filter((_, at) => at % HELD === 0);
const metrics = {
  corpus_sha256: sha256Of(corpus),
  pairs: Object.fromEntries(Array.from(pairs, ([language, { length }]) => [language, length])),
  german_words_with_a_right_translation: {
    of_texts_kept_back: held.length,
    ...rightTranslations(held, translationsOf(german.filter((_, at) => at % HELD !== 0))),
  },
};
writeTrained(
  { english: writeShares(relationsOf([...pairs.values()])), german: writeShares(translationsOf(german)) },
  {
    modelFile: 'src/knowledge/related/related-words.json',
    metricsFile: 'bench/search/related-metrics.json',
    script: 'bench/search/train-related.ts',
    corpus: { list: 'bench/search/related-corpus.ts', sha256: metrics.corpus_sha256 },
    metrics,
  },
);
console.log(JSON.stringify(metrics, undefined, 2));

/** German words and the English terms that translate them, each with its share. */
function translationsOf(known: readonly Pair[]): Shares {
  const texts = alignWords(known, germanWords);
  const seen = new Map<string, number>();
  for (const [words] of texts) for (const word of words) seen.set(word, (seen.get(word) ?? 0) + 1);
  const found: Shares = new Map();
  for (const [word, shares] of align(texts)) {
    const times = seen.get(word) ?? 0;
    if (times < 2 || word.length < 3) continue;
    const least = times < RARE ? LEAST_RARE_TRANSLATION : LEAST_TRANSLATION;
    keepBest(found, word, shares, { least, most: MOST_TRANSLATIONS });
  }
  return found;
}

/** English terms and those that the languages render alike, each with the mean share over the languages. */
function relationsOf(languages: readonly (readonly Pair[])[]): Shares {
  const sums: Shares = new Map();
  for (const known of languages) {
    const texts = alignWords(known, foreignWords);
    const there = align(texts);
    const back = align(texts.map(([from, to]): Aligned => [to, from]));
    for (const [term, words] of back) {
      const sum = sums.get(term) ?? new Map<string, number>();
      sums.set(term, sum);
      for (const [word, share] of words)
        for (const [other, again] of there.get(word) ?? [])
          sum.set(other, (sum.get(other) ?? 0) + (share * again) / languages.length);
    }
  }
  const found: Shares = new Map();
  for (const [term, shares] of sums) keepBest(found, term, shares, { least: LEAST_RELATED, most: MOST_RELATED });
  return found;
}

function keepBest(
  found: Shares,
  word: string,
  shares: ReadonlyMap<string, number>,
  { least, most }: { least: number; most: number },
): void {
  const best = [...shares]
    .filter(([other, share]) => other !== word && share >= least)
    .toSorted((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    .slice(0, most);
  if (best.length > 0) found.set(word, new Map(best));
}

function alignWords(known: readonly Pair[], wordsOf: (text: string) => string[]): Aligned[] {
  return known.flatMap(([foreign, english]): Aligned[] => {
    const from = [...new Set(wordsOf(stripPlaceholders(foreign)))];
    const to = [...new Set(termsOf(stripPlaceholders(english)).filter((term) => /^[a-z]{2,}$/.test(term)))];
    const isShort = Math.max(from.length, to.length) < MOST_WORDS;
    return from.length > 0 && to.length > 0 && isShort ? [[from, to]] : [];
  });
}

/** Without the marks of menus and the places of values. */
function stripPlaceholders(text: string): string {
  return text.replaceAll(/[&_]/g, '').replaceAll(/%\S|\{[^}]*\}|:\w+|<[^>]*>/g, ' ');
}

function germanWords(text: string): string[] {
  return (text.match(/\p{L}{2,}/gu) ?? []).map(germanStem);
}

/** Words of any language without their last letters, which is near enough to a stem to bring forms together. */
function foreignWords(text: string): string[] {
  return (text.match(/\p{L}{2,}/gu) ?? []).map((word) => {
    const plain = word.toLowerCase().normalize('NFD').replaceAll(/\p{M}/gu, '');
    return plain.length > 6 ? plain.slice(0, Math.max(5, plain.length - 2)) : plain;
  });
}

/** By word: how likely each word of the other side is what it became. */
function align(texts: readonly Aligned[]): Shares {
  const shares: Shares = new Map();
  const frequency = new Map<string, number>();
  for (const [from, to] of texts) {
    for (const word of to) frequency.set(word, (frequency.get(word) ?? 0) + 1);
    for (const word of from) {
      const own = shares.get(word) ?? new Map<string, number>();
      shares.set(word, own);
      for (const other of to) own.set(other, 1);
    }
  }
  for (const own of shares.values()) for (const other of own.keys()) own.set(other, 1 / own.size);
  for (let round = 0; round < ROUNDS; round += 1) improve(shares, texts, frequency);
  return shares;
}

function improve(shares: Shares, texts: readonly Aligned[], frequency: ReadonlyMap<string, number>): void {
  const counts: Shares = new Map();
  for (const [from, to] of texts)
    for (const other of to) {
      const all = from.reduce((sum, word) => sum + (shares.get(word)?.get(other) ?? 0), 0);
      const nothing = (NOTHING * (frequency.get(other) ?? 0)) / texts.length;
      for (const word of from) {
        const share = (shares.get(word)?.get(other) ?? 0) / (all + nothing);
        const own = counts.get(word) ?? new Map<string, number>();
        counts.set(word, own);
        own.set(other, (own.get(other) ?? 0) + share);
      }
    }
  for (const [word, own] of counts) {
    const all = [...own.values()].reduce((sum, count) => sum + count, DOUBT);
    const likely = [...own].map(([other, count]) => [other, count / all] as const);
    shares.set(word, new Map(likely.filter(([, share]) => share > LEAST_SHARE)));
  }
}

function writeShares(found: Shares): string {
  return [...found]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([word, shares]) =>
      [word, ...Array.from(shares, ([other, share]) => `${other}:${Math.round(100 * share)}`)].join(' '),
    )
    .join('\n');
}

/** Of the German words of a text that have translations, those with one that stands in its English. */
function rightTranslations(texts: readonly Pair[], known: Shares): { known: number; right: number } {
  const words = new RelatedWords({ english: '', german: writeShares(known) });
  let [all, translated, right] = [0, 0, 0];
  for (const [foreign, english] of texts) {
    const terms = new Set(termsOf(stripPlaceholders(english)));
    for (const word of stripPlaceholders(foreign).match(/\p{L}{4,}/gu) ?? []) {
      all += 1;
      const found = words.of(word);
      if (found.length === 0) continue;
      translated += 1;
      if (found.some(({ term }) => terms.has(term))) right += 1;
    }
  }
  return { known: partOf(translated, all), right: partOf(right, translated) };
}

function partOf(part: number, whole: number): number {
  return Math.round((1000 * part) / Math.max(1, whole)) / 1000;
}
