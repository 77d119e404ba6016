import { isFunctionWord, type Word, wordsOf } from '../language/text-terms.ts';
import type { WordMeanings } from '../language/word-meanings.ts';

const LONGEST_PHRASE = 3;
/** Articles, pronouns and the like that may stand between two words of a phrase: "delete my account". */
const MOST_BETWEEN = 2;
/** A phrase begins and ends with words that tell at least so much. */
const LEAST_WEIGHT = 0.3;
/** What each further word of a phrase adds to it. */
const LENGTH_BONUS = 0.3;
/** Further phrases are said when so large a share of the group has them. */
const FURTHER_SHARE = 0.4;
const MOST_WORDS = 3;
/**
 * What people write of every subject: what is to be done, what kind of message it is, how they find it, and the product itself.
 * Phrases of such words alone name no theme.
 */
const SAID_OF_ANYTHING = new Set(
  `add allow ask broken bug change create crash error fail feature feedback fix handle help implement improve introduce issue
  make need problem question remove replace report request should support suggestion try update use want work
  app application bad best better excellent experience good great nice poor product service software thing useless worst
  Anfrage Änderung Bitte Fehler Frage Problem Vorschlag Wunsch ändern einführen fehlt funktioniert gut schlecht verbessern`
    .split(/\s+/)
    .flatMap((word) => wordsOf(word).map(({ stem }) => stem)),
);
/** Keeps phrases of few texts from looking certain. */
const PRIOR = 0.02;

/** Words that link sentences: they may stand inside of a phrase, not at its ends. */
const LINKS = new Set(
  'after although aber before but doch every however jedoch obwohl since sondern though till unless until while'.split(
    ' ',
  ),
);

interface Phrase {
  stems: string[];
  /** How it is written, with how often. */
  written: Map<string, number>;
  /** Texts of the group that have it. */
  count: number;
}

/**
 * Names each group by the phrase that most of its texts share and others lack, in their own words; others follow
 * where many share them. Empty for a group without words.
 */
export function labelGroups(
  groups: ReadonlyMap<string, readonly string[]>,
  meanings: WordMeanings,
): Map<string, string> {
  const phrases = new Map(Array.from(groups, ([group, texts]) => [group, phrasesOf(texts, meanings)]));
  const everywhere = new Map<string, number>();
  for (const own of phrases.values())
    for (const [key, { count }] of own) everywhere.set(key, (everywhere.get(key) ?? 0) + count);
  const total = [...groups.values()].reduce((sum, texts) => sum + texts.length, 0);
  return new Map(
    Array.from(groups, ([group, texts]) => {
      const size = texts.length;
      const ranked = [...(phrases.get(group) ?? [])]
        .filter(([, { count }]) => count >= Math.min(2, size))
        .map(([key, phrase]) => {
          const inside = phrase.count / size;
          const outside = ((everywhere.get(key) ?? 0) - phrase.count) / Math.max(1, total - size);
          const told = phrase.stems.reduce((most, stem) => Math.max(most, meanings.weightOf(stem)), 0);
          const length = 1 + LENGTH_BONUS * (phrase.stems.length - 1);
          return {
            key,
            phrase,
            inside,
            worth: inside * told * length * Math.log((inside + PRIOR) / (outside + PRIOR)),
          };
        })
        .toSorted((a, b) => b.worth - a.worth || (a.key < b.key ? -1 : 1));
      const telling = ranked.filter(({ phrase }) => !phrase.stems.every((stem) => SAID_OF_ANYTHING.has(stem)));
      return [
        group,
        chosenOf(telling.length > 0 ? telling : ranked)
          .map(asWritten)
          .join(', '),
      ];
    }),
  );
}

interface Ranked {
  phrase: Phrase;
  inside: number;
  worth: number;
}

/** The best phrase and those that many share beside it. Words that the group says together are said together. */
function chosenOf(ranked: readonly Ranked[]): Phrase[] {
  const chosen: Phrase[] = [];
  for (const [at, { phrase, inside, worth }] of ranked.entries()) {
    const stems = chosen.flatMap((other) => other.stems);
    if (stems.some((stem) => phrase.stems.includes(stem)) || stems.length + phrase.stems.length > MOST_WORDS) continue;
    if (at > 0 && (worth <= 0 || inside < FURTHER_SHARE)) continue;
    const whole = chosen.findIndex((other) => together(other, phrase, ranked) !== undefined);
    const joined = whole === -1 ? undefined : together(chosen[whole], phrase, ranked);
    if (joined === undefined) chosen.push(phrase);
    else chosen[whole] = joined;
  }
  return chosen;
}

/** The phrase that has the words of both and no others. */
function together(known: Phrase | undefined, added: Phrase, ranked: readonly Ranked[]): Phrase | undefined {
  const key = [...(known?.stems ?? []), ...added.stems].toSorted((a, b) => (a < b ? -1 : 1)).join(' ');
  return ranked.find(({ phrase }) => phrase.stems.toSorted((a, b) => (a < b ? -1 : 1)).join(' ') === key)?.phrase;
}

function phrasesOf(texts: readonly string[], meanings: WordMeanings): Map<string, Phrase> {
  const phrases = new Map<string, Phrase>();
  for (const text of texts) {
    const seen = new Set<string>();
    for (const line of text.split(/[\n.!?;:,()"]+/)) {
      for (const part of phrasesIn(wordsOf(line), meanings)) {
        // "delete account" and "delete the account" are one phrase.
        const stems = part.flatMap(({ written, stem }) => (isFunctionWord(written) ? [] : [stem]));
        const key = stems.join(' ');
        const phrase = phrases.get(key) ?? { stems, written: new Map<string, number>(), count: 0 };
        const written = part.map((word) => word.written).join(' ');
        phrase.written.set(written, (phrase.written.get(written) ?? 0) + 1);
        if (!seen.has(key)) phrase.count += 1;
        seen.add(key);
        phrases.set(key, phrase);
      }
    }
  }
  return phrases;
}

/** Runs of up to three words that say something, with the words of grammar between them. */
function phrasesIn(words: readonly Word[], meanings: WordMeanings): Word[][] {
  const found: Word[][] = [];
  for (const from of words.keys()) {
    let [told, between] = [0, 0];
    for (let to = from; to < words.length && told < LONGEST_PHRASE && between <= MOST_BETWEEN; to += 1) {
      if (isFunctionWord(words[to]?.written ?? '')) between += 1;
      else told += 1;
      const part = words.slice(from, to + 1);
      if (isPhrase(part, meanings)) found.push(part);
    }
  }
  return found;
}

function isPhrase(words: readonly Word[], meanings: WordMeanings): boolean {
  return [words[0], words.at(-1)].every(
    (word) =>
      word !== undefined &&
      !isFunctionWord(word.written) &&
      !LINKS.has(word.written.toLowerCase()) &&
      meanings.weightOf(word.stem) >= LEAST_WEIGHT,
  );
}

/** The most frequent spelling; a capital at the start of a sentence does not count where there is one without. */
function asWritten({ written }: Phrase): string {
  const ranked = [...written].toSorted(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).map(([spelling]) => spelling);
  const [best = ''] = ranked;
  return ranked.find((spelling) => spelling === best.toLowerCase()) ?? best;
}
