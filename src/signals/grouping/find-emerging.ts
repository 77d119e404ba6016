import { poissonTail } from '../../kernel/poisson.ts';
import { averageLink } from './average-link.ts';
import { centreOf, type ComparedText, similarityOf, similarityRows } from './compared-text.ts';
import { LEAST_SIMILARITY, meanSimilarity, medoidOf } from './group-texts.ts';

/** A text with who says it. */
export interface VoicedText extends ComparedText {
  /** A customer, or a message whose customer is not known. What one says several times counts once. */
  voice: string;
  /** The oldest message that has nearly the same words; itself when there is none. */
  copyOf: string;
}

/** A subject of recent texts that is more frequent than chance allows. */
export interface Emerging {
  /** `new`: hardly anybody spoke of it before. `rising`: fewer speak of it, or it is known, and it is more than usual. */
  kind: 'new' | 'rising';
  /** Places in the list of recent texts. */
  members: number[];
  /** The one that is most like the others. */
  medoid: number;
  /** Recent voices as near to it as its own members, these included. */
  voices: number;
  /** The same of the texts before. */
  before: number;
  /** The probability of so many voices if nothing has changed. */
  chance: number;
}

interface Rule {
  kind: Emerging['kind'];
  least: number;
  /** Mean similarity of its members, by meaning and words, and by words alone. */
  cohesion: number;
  cohesionByWords: number;
  /** Chance below which it is no accident. */
  chance: number;
  /** Voices of all the time before that it may have, as a share of the recent ones. */
  mostBefore: number;
}

const NEW: Rule = { kind: 'new', least: 6, cohesion: 0.12, cohesionByWords: 0.08, chance: 1e-6, mostBefore: 0.5 };
const RISING: Rule = {
  kind: 'rising',
  least: 4,
  cohesion: 0.2,
  cohesionByWords: 0.2,
  chance: 1e-3,
  mostBefore: Infinity,
};
const MOST_MEMBERS = 60;
/** The share of members that may be farther from the others than what counts as near. */
const FAR_MEMBERS = 0.1;
/** Voices that are expected at least: what was never said before is no proof that nobody thought it. */
export const LEAST_EXPECTED = 0.35;
/** Recent texts that are so similar are copies: they are one voice. */
const COPY = 0.95;

/**
 * Subjects of the recent texts that are no accident beside the texts before. Every node of the tree that average link makes of the
 * recent ones is tested: how many voices of both periods are as near to it as nine in ten of its own members, against the Poisson
 * distribution. Time grows with the square of the recent ones, and with their nodes times all texts.
 *
 * @param share the length of the recent period, as a share of the time before.
 */
export function findEmerging(recent: readonly VoicedText[], before: readonly VoicedText[], share: number): Emerging[] {
  if (recent.length < RISING.least) return [];
  const rows = similarityRows(recent);
  const voices = joinCopies(recent, rows);
  const isMeant = recent.every(({ vector }) => vector !== undefined);
  const nodes = nodesOf(averageLink(rows.map((row) => row.slice())), recent.length);
  const tested = nodes.flatMap(({ members, children }) => {
    const cohesion = members.reduce((sum, at) => sum + meanSimilarity(at, members, rows), 0) / members.length;
    const rules = [NEW, RISING].filter(
      (rule) => members.length >= rule.least && cohesion >= (isMeant ? rule.cohesion : rule.cohesionByWords),
    );
    if (rules.length === 0) return [];
    const counted = countVoices(members, { recent, before, rows, voices });
    const chance = poissonTail(counted.voices, Math.max(LEAST_EXPECTED, counted.before * share));
    const kind = rules.find((rule) => chance < rule.chance && counted.before <= rule.mostBefore * counted.voices)?.kind;
    return kind === undefined ? [] : [{ kind, members, children, cohesion, chance, ...counted }];
  });
  return chooseNodes(tested).map(({ kind, members, voices: heard, before: earlier, chance }) => {
    return { kind, members, medoid: medoidOf(members, rows), voices: heard, before: earlier, chance };
  });
}

interface Node {
  members: number[];
  children: readonly Node[];
}

interface TestedNode extends Omit<Emerging, 'medoid'> {
  children: readonly Node[];
  cohesion: number;
}

/** Groups that were joined on the way, those of their parts before them, as far as they are small enough to be one subject. */
function nodesOf(merges: readonly { left: number; right: number }[], count: number): Node[] {
  const current = new Map<number, Node>(
    Array.from({ length: count }, (_, at) => [at, { members: [at], children: [] }]),
  );
  const nodes: Node[] = [];
  for (const { left, right } of merges) {
    const children = [current.get(left), current.get(right)].filter((node) => node !== undefined);
    const node = { members: children.flatMap(({ members }) => members), children };
    current.set(left, node);
    if (node.members.length <= MOST_MEMBERS) nodes.push(node);
  }
  return nodes;
}

/** The voice of each recent text; those of copies, by their words or by all that they mean, are one. */
function joinCopies(recent: readonly VoicedText[], rows: readonly Float32Array[]): string[] {
  const voices: string[] = [];
  for (const [at, { voice, copyOf, vector }] of recent.entries()) {
    const copied = recent.findIndex(
      (other, place) =>
        place < at && (other.copyOf === copyOf || (vector !== undefined && (rows[at]?.[place] ?? 0) > COPY)),
    );
    voices.push(voices[copied] ?? voice);
  }
  return voices;
}

function countVoices(
  members: readonly number[],
  {
    recent,
    before,
    rows,
    voices,
  }: {
    recent: readonly VoicedText[];
    before: readonly VoicedText[];
    rows: readonly Float32Array[];
    voices: readonly string[];
  },
): { voices: number; before: number } {
  const nearness = members.map((at) => meanSimilarity(at, members, rows)).toSorted((a, b) => a - b);
  const least = nearness[Math.floor(FAR_MEMBERS * (members.length - 1))] ?? 0;
  const own = new Set(members);
  const centre = centreOf(members.flatMap((at) => recent[at] ?? []));
  const isNear = (text: ComparedText): boolean => similarityOf(text, centre) >= least;
  const heard = recent.flatMap((text, at) => (own.has(at) || isNear(text) ? [voices[at]] : []));
  const earlier = before.flatMap((text) => (isNear(text) ? [text.voice] : []));
  return { voices: new Set(heard).size, before: new Set(earlier).size };
}

/**
 * Nodes that do not overlap. New subjects go first, the surest of them before others; one that themes would keep apart gives way
 * to its parts where these are new by themselves. Of rising ones the smallest go first: a larger node mixes in what does not rise.
 */
function chooseNodes(tested: readonly TestedNode[]): TestedNode[] {
  const isNew = new Set(tested.filter(({ kind }) => kind === 'new').map(({ members }) => members.join(' ')));
  const fresh = tested
    .filter(({ kind }) => kind === 'new')
    .filter(
      ({ cohesion, children }) =>
        cohesion >= LEAST_SIMILARITY || !children.every(({ members }) => isNew.has(members.join(' '))),
    )
    .toSorted((a, b) => a.chance - b.chance || b.members.length - a.members.length);
  const rising = tested
    .filter(({ kind }) => kind === 'rising')
    .toSorted((a, b) => a.members.length - b.members.length || a.chance - b.chance);
  const taken = new Set<number>();
  return [...fresh, ...rising].filter(({ members }) => {
    if (members.some((at) => taken.has(at))) return false;
    for (const at of members) taken.add(at);
    return true;
  });
}
