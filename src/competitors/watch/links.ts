import type { Tenant } from '../../kernel/tenant.ts';
import { partsOf } from '../../text/terms.ts';
import type { KnowledgeHit, KnowledgeIndex } from '../../knowledge/knowledge.ts';
import { wordDifference } from '../detect/compare.ts';
import type { ChangeRow } from '../store/store-changes.ts';

/** Of each change; more would not be read. */
const MOST_LINKS = 3;
/** Words of a change that are looked up among ours, those that it says most often first. */
const MOST_WORDS = 40;
/** Texts of a change that are looked at one by one, of each side. */
const MOST_TEXTS = 6;
/** Topics of a whole change, those that it says most often. */
const MOST_TOPICS = 6;
/** A word is a topic when few of ours have it. */
const FEW_SHARE = 0.06;
/** So few of ours are few, however small the number of all. */
const FEW = 4;
/** A thing of ours is about the same when it has so many topics of a change, or of one of its texts, which say more words. */
const SHARED = 2;
const SHARED_WITH_TEXT = 3;
const OURS = ['plans', 'decisions', 'signals'] as const;

type Linked = Pick<ChangeRow, 'id' | 'competitor' | 'url' | 'added' | 'removed'>;
type Knowledge = Pick<KnowledgeIndex, 'rank'>;

/** A word that tells what a change is about. */
interface Topic {
  term: string;
  word: string;
  count: number;
}

/**
 * Plans, decisions and signals of ours that are about the same as changes, by the id of the change. What came or
 * went is compared, not what stands around it, as a whole and text by text. A search for each word that was not looked up for
 * a change before, and at most 13 more a change.
 */
export async function linksOf(
  knowledge: Knowledge,
  tenant: Tenant,
  changes: readonly Linked[],
): Promise<Map<string, KnowledgeHit[]>> {
  const links = new Map<string, KnowledgeHit[]>();
  const rarity = new Rarity(knowledge, tenant);
  for (const change of changes) {
    const topics = await topicsOf(rarity, change);
    if (topics.size < SHARED) continue;
    const hits = await aboutWhole(knowledge, tenant, [...topics.values()]);
    for (const side of [change.added, change.removed])
      for (const text of side.slice(0, MOST_TEXTS))
        if (hits.length < MOST_LINKS) hits.push(...(await aboutText(knowledge, tenant, { text, topics })));
    const distinct = new Map(hits.map((hit) => [hit.id, hit]));
    if (distinct.size > 0) links.set(change.id, [...distinct.values()].slice(0, MOST_LINKS));
  }
  return links;
}

/** Words that came or went and that few of ours have, those that come or go most often first, by their terms. */
async function topicsOf(rarity: Rarity, { competitor, url, added, removed }: Linked): Promise<Map<string, Topic>> {
  const own = new Set(partsOf(`${competitor} ${new URL(url).hostname}`));
  const topics = new Map<string, Topic>();
  const words = wordDifference(added, removed);
  for (const word of [...words.added, ...words.removed])
    for (const term of partsOf(word)) {
      if (own.has(term) || !/^\p{L}{3,}$/u.test(term)) continue;
      topics.set(term, { term, word, count: (topics.get(term)?.count ?? 0) + 1 });
    }
  const frequent = [...topics.values()].toSorted((a, b) => b.count - a.count).slice(0, MOST_WORDS);
  const rare = await Promise.all(frequent.map((topic) => rarity.isRare(topic)));
  return new Map(frequent.filter((_, at) => rare[at]).map((topic) => [topic.term, topic]));
}

/**
 * Returns the hits that have the word that the change says most, and another one that it says more than once, or that is one of
 * few.
 */
async function aboutWhole(knowledge: Knowledge, tenant: Tenant, topics: readonly Topic[]): Promise<KnowledgeHit[]> {
  const repeated = topics.length > MOST_TOPICS ? topics.filter(({ count }) => count > 1) : topics;
  const topTopics = repeated.slice(0, MOST_TOPICS);
  const [leading] = topTopics;
  if (leading === undefined || topTopics.length < SHARED) return [];
  const hits = await hitsOf(knowledge, tenant, topTopics);
  return hits.filter((hit) => sharedBy(hit, SHARED).includes(leading.term));
}

/** Returns the hits that have half of the topics of one text. */
async function aboutText(
  knowledge: Knowledge,
  tenant: Tenant,
  { text, topics }: { text: string; topics: ReadonlyMap<string, Topic> },
): Promise<KnowledgeHit[]> {
  const textTopics = [...new Set(partsOf(text))].flatMap((term) => topics.get(term) ?? []);
  if (textTopics.length < SHARED_WITH_TEXT) return [];
  const least = Math.max(SHARED_WITH_TEXT, Math.ceil(textTopics.length / 2));
  const hits = await hitsOf(knowledge, tenant, textTopics);
  return hits.filter((hit) => sharedBy(hit, least).length > 0);
}

async function hitsOf(knowledge: Knowledge, tenant: Tenant, topics: readonly Topic[]): Promise<KnowledgeHit[]> {
  const query = topics.map(({ word }) => word).join(' ');
  return (await knowledge.rank(tenant, { query, corpora: OURS, limit: MOST_LINKS * 4 })).hits;
}

/** Terms that a thing shares: in its title or section when it has one. None when there are fewer than `least`. */
function sharedBy({ title, terms, headTerms }: KnowledgeHit, least: number): readonly string[] {
  const shared = title === '' ? terms : headTerms;
  return shared.length >= least ? shared : [];
}

/** Finds the words that few of our texts have. Changes are searched too, and contain the words of changes: they do not count. */
class Rarity {
  readonly #answers = new Map<string, Promise<boolean>>();
  readonly #knowledge: Knowledge;
  readonly #scope: Tenant;

  constructor(knowledge: Knowledge, tenant: Tenant) {
    this.#knowledge = knowledge;
    this.#scope = tenant;
  }

  isRare({ term, word }: Topic): Promise<boolean> {
    const answer = this.#answers.get(term) ?? this.#look(word);
    this.#answers.set(term, answer);
    return answer;
  }

  async #look(query: string): Promise<boolean> {
    const { totals, coverage } = await this.#knowledge.rank(this.#scope, { query, corpora: OURS, limit: 1 });
    const having = OURS.reduce((sum, corpus) => sum + totals[corpus], 0);
    const all = OURS.reduce((sum, corpus) => sum + coverage[corpus].entries, 0);
    return having > 0 && having <= Math.max(FEW, all * FEW_SHARE);
  }
}
