import { compareCounts } from '../../kernel/text-order.ts';
import type { ComparedText } from './compared-text.ts';
import { centreOf, similarityOf } from './compared-text.ts';
import { LEAST_SIMILARITY, LEAST_FIRM, LEAST_LOOSE } from './group-texts.ts';
import { type ReadText, type TextMeasures, weighText } from './weigh-texts.ts';

/** Small numbers between -1 and 1 times the largest of them, as JSON carries them. */
interface PackedVector {
  scale: number;
  /** Base64 of signed bytes. */
  bytes: string;
}

/** The mean of the texts of a group, so that one more text is compared with groups and not with texts. */
export interface GroupProfile {
  members: number;
  terms: [string, number][];
  vector: PackedVector | null;
}

/** All that is needed to place one more text among groups that were made before. Goes through JSON. */
export interface Profiles {
  /** Of the vectors; null for words alone. */
  model: string | null;
  texts: number;
  /** Of these, those that were grouped without their vector. */
  pending: number;
  /** Of the terms of the groups only. */
  frequency: [string, number][];
  /** By language. */
  means: [string, PackedVector][];
  /** Lines of forms. */
  forms: string[];
  /** By what the groups are called. */
  groups: [string, GroupProfile][];
}

/** The group of a text. */
export interface Place {
  group: string;
  isLoose: boolean;
}

/** The heaviest terms stand for the others. */
const MOST_TERMS = 80;
const DIGITS = 1_000;
const LARGEST_BYTE = 127;

export function profileOf(members: readonly ComparedText[]): GroupProfile {
  const { terms, vector } = centreOf(members);
  const heaviest = [...terms].toSorted(compareCounts).slice(0, MOST_TERMS);
  return {
    members: members.length,
    terms: heaviest.map(([term, weight]) => [term, Math.round(weight * DIGITS) / DIGITS]),
    vector: vector === undefined ? null : packVector(vector),
  };
}

/** Makes what places further texts, from what grouped the first ones. */
export function profilesOf(
  groups: Profiles['groups'],
  { texts, frequency, means }: TextMeasures,
  { model, pending, forms }: { model: string | null; pending: number; forms: ReadonlySet<string> },
): Profiles {
  const used = new Set(groups.flatMap(([, { terms }]) => terms.map(([term]) => term)));
  return {
    model,
    texts,
    pending,
    frequency: [...used].map((term) => [term, frequency.get(term) ?? 1]),
    means: Array.from(means, ([language, mean]) => [language, packVector(mean)]),
    forms: [...forms],
    groups,
  };
}

/** Returns the group of each text, undefined for one that is near to no group. The cost grows with the groups alone. */
export function placeTexts(read: readonly ReadText[], profiles: Profiles): (Place | undefined)[] {
  const measures = {
    texts: profiles.texts,
    frequency: new Map(profiles.frequency),
    means: new Map(profiles.means.map(([language, mean]) => [language, unpackVector(mean)])),
  };
  const groups = profiles.groups.map(([name, { members, terms, vector }]) => ({
    name,
    least: members >= LEAST_FIRM ? LEAST_LOOSE : LEAST_SIMILARITY,
    centre: { terms: new Map(terms), vector: vector === null ? undefined : unpackVector(vector) },
  }));
  return read.map((text) => {
    const compared = weighText(text, measures);
    let [nearest, most]: [string | undefined, number] = [undefined, 0];
    for (const { name, least, centre } of groups) {
      const similarity = similarityOf(compared, centre);
      if (similarity >= least && similarity > most) [nearest, most] = [name, similarity];
    }
    return nearest === undefined ? undefined : { group: nearest, isLoose: most < LEAST_SIMILARITY };
  });
}

function packVector(vector: Float32Array): PackedVector {
  const scale = Math.max(1e-9, ...vector.map(Math.abs));
  const bytes = Int8Array.from(vector, (value) => Math.round((value / scale) * LARGEST_BYTE));
  return { scale, bytes: Buffer.from(bytes.buffer).toString('base64') };
}

function unpackVector({ scale, bytes }: PackedVector): Float32Array {
  const buffer = Buffer.from(bytes, 'base64');
  const signed = new Int8Array(buffer.buffer, buffer.byteOffset, buffer.length);
  return Float32Array.from(signed, (value) => (value / LARGEST_BYTE) * scale);
}
