import { compareCounts, compareTexts } from '../../kernel/text-order.ts';
import { isFunctionWord } from '../../text/function-words.ts';
import { stemOf } from '../../text/prose-words.ts';
import { contrastOf } from '../../text/term-weights.ts';
import { wordsOf } from '../../text/words.ts';

/** A text in which labels are looked for. */
export interface LabelText {
  text: string;
  /** ISO 639-1. */
  language: string;
}

/** A phrase that may name a group. */
export interface LabelCandidate {
  /** As the group writes it most often. */
  written: string;
  /** Preference of the group for it over the others. */
  contrast: number;
  words: number;
}

const LONGEST_PHRASE = 4;
/** Texts of a group that must say a phrase; a single one is enough for a group of one. */
const LEAST_TEXTS = 2;
const MOST_CANDIDATES = 12;
/** Contrast that phrases are measured by where none of them has more. */
const LEAST_CONTRAST = 0.01;
/** Bonus of two words and more over one, which seldom names a subject. */
const SEVERAL_WORDS = 0.2;
/** Weight of nearness to the centre of the group beside the contrast, of which the best candidate has 1. */
const MEANING = 2;

/** Of longer texts the beginning says what they are about. */
const READ_CHARACTERS = 600;

interface Phrase {
  /** Spellings of it, with how often each occurs. */
  written: Map<string, number>;
  /** Texts that have it. */
  texts: number;
  words: number;
}

/**
 * Phrases that may name each group, the best first: runs of up to four words that two of its texts have, without a function word or
 * number at an end, which more of the group say than of all others.
 *
 * @param others texts of all kinds that the groups are compared with.
 */
export function labelCandidates(
  groups: ReadonlyMap<string, readonly LabelText[]>,
  others: readonly LabelText[],
): Map<string, LabelCandidate[]> {
  const own = new Map(Array.from(groups, ([group, texts]) => [group, phrasesOf(texts)]));
  const ownKeys = new Set([...own.values()].flatMap((phrases) => [...phrases.keys()]));
  const everywhere = countPhrases(others, ownKeys);
  return new Map(
    Array.from(groups, ([group, { length: size }]) => {
      const least = Math.min(LEAST_TEXTS, size);
      const ranked = Array.from(own.get(group) ?? [], ([key, { written, texts, words }]) => {
        const having = { group: texts, all: everywhere.get(key) ?? 0 };
        const contrast = contrastOf(having, { group: size, all: others.length });
        return { written: asWritten(written), contrast, words, texts };
      })
        .filter(({ texts }) => texts >= least)
        .toSorted((a, b) => b.contrast - a.contrast || b.words - a.words || compareTexts(a.written, b.written));
      return [group, ranked.slice(0, MOST_CANDIDATES)];
    }),
  );
}

/**
 * The candidate that says best what a group is about; empty where there is none.
 *
 * @param nearness how near each candidate is to the centre of the group, 0 to 1; absent without an encoder.
 * @param taken labels of other groups in small letters, which this one gets only when it has no other candidate.
 */
export function chooseLabel(
  candidates: readonly LabelCandidate[],
  nearness: readonly number[] = [],
  taken: ReadonlySet<string> = new Set(),
): string {
  const most = Math.max(LEAST_CONTRAST, ...candidates.map(({ contrast }) => contrast));
  const ranked = candidates
    .map(({ written, contrast, words }, at) => ({
      written,
      score: contrast / most + MEANING * (nearness[at] ?? 0) + (words > 1 ? SEVERAL_WORDS : 0),
    }))
    .toSorted((a, b) => b.score - a.score);
  const free = ranked.find(({ written }) => !taken.has(written.toLowerCase()));
  return (free ?? ranked[0])?.written ?? '';
}

function phrasesOf(texts: readonly LabelText[]): Map<string, Phrase> {
  const phrases = new Map<string, Phrase>();
  for (const text of texts) {
    const counted = new Set<string>();
    for (const { key, written, words } of runsIn(text)) {
      const phrase = phrases.get(key) ?? { written: new Map<string, number>(), texts: 0, words };
      phrase.written.set(written, (phrase.written.get(written) ?? 0) + 1);
      if (!counted.has(key)) phrase.texts += 1;
      counted.add(key);
      phrases.set(key, phrase);
    }
  }
  return phrases;
}

/** Counts the texts that have each of these phrases. */
function countPhrases(texts: readonly LabelText[], keys: ReadonlySet<string>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts) {
    const own = new Set(runsIn(text).flatMap(({ key }) => (keys.has(key) ? [key] : [])));
    for (const key of own) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

interface Token {
  written: string;
  stem: string;
  /** It may begin and end a phrase. */
  isContent: boolean;
}

/** Runs of up to four neighbours inside a sentence, which begin and end with a word of content. */
function runsIn({ text, language }: LabelText): { key: string; written: string; words: number }[] {
  return text
    .slice(0, READ_CHARACTERS)
    .split(/[\n.!?;:,()"“”]+/u)
    .flatMap((part) => {
      const tokens = wordsOf(part, 'compound').map((written) => tokenOf(written, language));
      return tokens.flatMap((token, from) =>
        token.isContent
          ? tokens.slice(from, from + LONGEST_PHRASE).flatMap((last, length) => {
              if (!last.isContent) return [];
              const run = tokens.slice(from, from + length + 1);
              return {
                key: run.map(({ stem }) => stem).join(' '),
                written: run.map(({ written }) => written).join(' '),
                words: run.length,
              };
            })
          : [],
      );
    });
}

function tokenOf(written: string, language: string): Token {
  const isContent = !/\p{N}/u.test(written) && written.length > 1 && !isFunctionWord(written, language);
  return { written, stem: stemOf(written), isContent };
}

/** The most frequent spelling; a capital at the start of a sentence does not count where there is one without. */
function asWritten(written: ReadonlyMap<string, number>): string {
  const ranked = [...written].toSorted(compareCounts).map(([spelling]) => spelling);
  const [best = ''] = ranked;
  return ranked.find((spelling) => spelling === best.toLowerCase()) ?? best;
}
