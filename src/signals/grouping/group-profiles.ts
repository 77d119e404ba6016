import type { SaidText } from '../language/clean-text.ts';
import type { WordMeanings } from '../language/word-meanings.ts';
import { type ComparedText, weighText, similarityOf, type TermCounts } from './text-similarity.ts';

/** What a group is known by: the mean of its texts, so that one more text is compared with groups and not with texts. */
export interface GroupProfile {
  terms: [string, number][];
  meaning: number[];
  /** How near a text must be to belong to it. */
  least: number;
}

/** All that is needed to place one more text among groups that were made before. Goes through JSON. */
export interface Profiles {
  texts: number;
  /** Of the terms of the groups only. */
  frequency: [string, number][];
  mean: number[];
  /** Lines of forms. */
  forms: string[];
  /** By what the groups are called. */
  groups: [string, GroupProfile][];
}

/** The heaviest terms stand for the rest. */
const MOST_TERMS = 80;
/** As near as this share of what its own texts are on average. */
const LEAST_SHARE = 0.5;
const DIGITS = 1_000;

export function profileOf(members: readonly ComparedText[]): GroupProfile {
  const terms = new Map<string, number>();
  const meaning = new Float32Array(members[0]?.meaning.length ?? 0);
  for (const member of members) {
    for (const [term, weight] of member.terms) terms.set(term, (terms.get(term) ?? 0) + weight / members.length);
    for (let at = 0; at < meaning.length; at += 1)
      meaning[at] = (meaning[at] ?? 0) + (member.meaning[at] ?? 0) / members.length;
  }
  const heaviest = [...terms].toSorted(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).slice(0, MOST_TERMS);
  const centre = { terms: new Map(heaviest), meaning };
  const mean = members.reduce((sum, member) => sum + similarityOf(member, centre), 0) / Math.max(1, members.length);
  return {
    terms: heaviest.map(([term, weight]) => [term, roundWeight(weight)]),
    meaning: Array.from(meaning, roundWeight),
    least: roundWeight(LEAST_SHARE * mean),
  };
}

/** Makes what places further texts, from what grouped the first ones. */
export function profilesOf(
  groups: readonly (readonly [name: string, GroupProfile])[],
  { texts, frequency, mean }: TermCounts,
  forms: ReadonlySet<string>,
): Profiles {
  const used = new Set(groups.flatMap(([, { terms }]) => terms.map(([term]) => term)));
  return {
    texts,
    frequency: [...used].map((term) => [term, frequency.get(term) ?? 1]),
    mean: Array.from(mean, roundWeight),
    forms: [...forms],
    groups: groups.map(([name, profile]) => [name, profile]),
  };
}

/** The group that each text belongs to, undefined for one that is near to none. Its cost grows with the groups alone. */
export function placeTexts(
  said: readonly SaidText[],
  profiles: Profiles,
  meanings: WordMeanings,
): (string | undefined)[] {
  const { texts, mean } = profiles;
  const counts = { texts, frequency: new Map(profiles.frequency), mean: Float32Array.from(mean) };
  const groups = profiles.groups.map(([name, { terms, meaning, least }]) => ({
    name,
    least,
    centre: { terms: new Map(terms), meaning: Float32Array.from(meaning) },
  }));
  return said.map((text) => {
    const comparedText = weighText(text, counts, meanings);
    let [nearest, most]: [string | undefined, number] = [undefined, 0];
    for (const { name, least, centre } of groups) {
      const similarity = similarityOf(comparedText, centre);
      if (similarity >= least && similarity > most) [nearest, most] = [name, similarity];
    }
    return nearest;
  });
}

function roundWeight(value: number): number {
  return Math.round(value * DIGITS) / DIGITS;
}
