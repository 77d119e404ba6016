import { termsOf, termsOfWord } from '../kernel/terms.ts';

/** How near to the first text of a cluster one must be to belong to it (cosine of TF-IDF). */
const LEAST_COSINE = 0.28;

const WORD = /[\p{L}\p{N}][\p{L}\p{N}'-]*/gu;
/** Phrases that name a theme. */
const LABEL_PHRASES = 2;

export interface ClusterText {
  id: string;
  text: string;
}

/**
 * Puts each text to the leader that it is nearest to, or makes it a leader itself: one pass, in the order given, so that
 * what was put somewhere stays there. `leaders` are the texts that clusters began with.
 */
export function clusterTexts(texts: readonly ClusterText[], leaders: readonly ClusterText[]): Map<string, string> {
  const frequency = documentFrequency([...leaders, ...texts]);
  const total = leaders.length + texts.length;
  const index = new Map<string, { leader: string; weight: number }[]>();
  const lead = (id: string, vector: ReadonlyMap<string, number>): void => {
    for (const [term, weight] of vector) {
      const list = index.get(term);
      if (list === undefined) index.set(term, [{ leader: id, weight }]);
      else list.push({ leader: id, weight });
    }
  };
  for (const { id, text } of leaders) lead(id, vectorOf(text, frequency, total));
  const placed = new Map<string, string>();
  for (const { id, text } of texts) {
    const vector = vectorOf(text, frequency, total);
    const cosines = new Map<string, number>();
    for (const [term, weight] of vector)
      for (const one of index.get(term) ?? [])
        cosines.set(one.leader, (cosines.get(one.leader) ?? 0) + weight * one.weight);
    const [nearest] = [...cosines].toSorted(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
    if (nearest !== undefined && nearest[1] >= LEAST_COSINE) placed.set(id, nearest[0]);
    else {
      placed.set(id, id);
      lead(id, vector);
    }
  }
  return placed;
}

/** What each group talks about and others do not: its best words and pairs of words (class-based TF-IDF). */
export function labelsOf(groups: ReadonlyMap<string, readonly string[]>): Map<string, string> {
  const counts = new Map<string, Map<string, number>>();
  const all = new Map<string, number>();
  for (const [group, texts] of groups) {
    const own = new Map<string, number>();
    for (const text of texts)
      for (const phrase of phrasesOf(text)) {
        own.set(phrase, (own.get(phrase) ?? 0) + 1);
        all.set(phrase, (all.get(phrase) ?? 0) + 1);
      }
    counts.set(group, own);
  }
  const mean = [...all.values()].reduce((sum, count) => sum + count, 0) / Math.max(1, groups.size);
  const labels = new Map<string, string>();
  for (const [group, own] of counts) {
    const least = Math.min(2, groups.get(group)?.length ?? 1);
    const best = [...own]
      .filter(([, count]) => count >= least)
      .map(([phrase, count]) => {
        // A pair says more than each of its words.
        const pair = phrase.includes(' ') ? 1.5 : 1;
        return { phrase, weight: pair * count * Math.log(1 + mean / (all.get(phrase) ?? 1)) };
      })
      .toSorted((a, b) => b.weight - a.weight || (a.phrase < b.phrase ? -1 : 1));
    const chosen: string[] = [];
    for (const { phrase } of best) {
      if (chosen.length === LABEL_PHRASES) break;
      const words = phrase.split(' ');
      if (!words.some((word) => chosen.join(' ').split(' ').includes(word))) chosen.push(phrase);
    }
    labels.set(group, chosen.join(', '));
  }
  return labels;
}

/** Words that say something, and neighbours of them, each once. */
function phrasesOf(text: string): Set<string> {
  const words = (text.toLowerCase().match(WORD) ?? []).map((word) => (termsOfWord(word).length > 0 ? word : ''));
  const phrases = new Set<string>();
  for (const [at, word] of words.entries()) {
    if (word === '') continue;
    phrases.add(word);
    const next = words[at + 1] ?? '';
    if (next !== '' && next !== word) phrases.add(`${word} ${next}`);
  }
  return phrases;
}

function documentFrequency(texts: readonly ClusterText[]): Map<string, number> {
  const frequency = new Map<string, number>();
  for (const { text } of texts)
    for (const term of new Set(termsOf(text))) frequency.set(term, (frequency.get(term) ?? 0) + 1);
  return frequency;
}

/** TF-IDF of length 1. */
function vectorOf(text: string, frequency: ReadonlyMap<string, number>, total: number): Map<string, number> {
  const vector = new Map<string, number>();
  for (const term of termsOf(text)) vector.set(term, (vector.get(term) ?? 0) + 1);
  let square = 0;
  for (const [term, count] of vector) {
    const weight = (1 + Math.log(count)) * Math.log(1 + total / (frequency.get(term) ?? 1));
    vector.set(term, weight);
    square += weight * weight;
  }
  for (const [term, weight] of vector) vector.set(term, weight / Math.sqrt(square));
  return vector;
}
