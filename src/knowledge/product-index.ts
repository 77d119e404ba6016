import { roundTo } from '../kernel/shown-values.ts';
import { type QueryTerm, queryTermsOf } from './query-terms.ts';
import { BestHits, compareHits, type Ranked } from './best-hits.ts';
import { type BlockFacts, summarize } from './facts.ts';
import type { Block, IndexFile } from './index-file.ts';
import { BLOCK_ENTRIES, firstOf } from './postings.ts';
import { type BlockFilter, filterOf } from './query-filter.ts';
import { JoinedScores } from './joined-scores.ts';
import { MASK_BITS, QueryScores } from './query-scores.ts';
import type {
  CorpusCoverage,
  KnowledgeHit,
  KnowledgeQuery,
  KnowledgeResult,
  QuestionMeaning,
  VectorCounts,
} from './query.ts';
import { CORPORA, type Corpus } from './store.ts';
import { nearSpellings } from '../kernel/edit-distance.ts';

/** Letters of a term in which one may be wrong, and two. */
const ONE_ERROR_FROM = 5;
const TWO_ERRORS_FROM = 9;
/** Terms that are compared with a misspelt one: all with its first letter and about its length, unless most are ids. */
const MOST_COMPARED = 20_000;

/** Hits by score, then the newest, then in the order of corpora and of writing. Memory depends on the limit, not on the product. */
export function searchIndex(file: IndexFile, query: KnowledgeQuery, meaning?: QuestionMeaning): KnowledgeResult {
  return file.read(() => {
    const search = openSearch(file, query, meaning);
    const totals = byCorpus(() => 0);
    const best = bestOf(query);
    search.visitHits((hit) => {
      totals[CORPORA[hit.corpus] ?? 'documents'] += 1;
      best.add(hit);
    });
    const terms = search.queryTerms.map(({ term }) => term);
    return {
      hits: best.page().map((hit) => hitOf(file, hit, terms)),
      totals,
      coverage: coverageOf(file, search.blocks, query),
      unknownTerms: terms.filter((_, at) => search.having[at] === 0),
      entriesWith: Object.fromEntries(terms.map((term, at) => [term, search.having[at] ?? 0])),
      ...(search.vectors !== undefined && { vectors: search.vectors }),
    };
  });
}

/** Handles of the things of the best hits, as many hits as the query asks for, and the terms that no entry has. */
export function matchingIds(file: IndexFile, query: KnowledgeQuery): { ids: string[]; unknownTerms: string[] } {
  return file.read(() => {
    const best = new BestHits(query.limit);
    const { visitHits, queryTerms, having } = openSearch(file, query);
    visitHits((hit) => best.add(hit));
    return {
      ids: [...new Set(best.sorted().map(({ entry }) => file.idOf(entry) ?? ''))],
      unknownTerms: queryTerms.flatMap(({ term }, at) => (having[at] === 0 ? [term] : [])),
    };
  });
}

interface Search {
  blocks: Block[];
  queryTerms: readonly QueryTerm[];
  having: readonly number[];
  vectors: VectorCounts | undefined;
  /** Calls `visit` for each hit, with the same object: a broad question has a hit in every second entry. */
  visitHits: (visit: (hit: Readonly<Ranked>) => void) => void;
}

function openSearch(file: IndexFile, query: KnowledgeQuery, meaning?: QuestionMeaning): Search {
  const blocks = file.blocks();
  const isAll = query.query.trim() === '';
  const index = { has: (term: string) => file.has(term), nearest: (term: string) => nearestTerms(file, term) };
  const queryTerms = isAll ? [] : queryTermsOf(query.query, index);
  const words = isAll ? undefined : new QueryScores(file, blocks, queryTerms);
  const filters = filterOf(file, query);
  const joined = words && meaning && new JoinedScores(file, blocks, { words, meaning, filters });
  const scores = joined ?? words;
  // The same bits as those of an entry, which are kept without a sign.
  const allTerms = queryTerms.slice(0, MASK_BITS).reduce((mask, _, at) => (mask | (1 << at)) >>> 0, 0);
  return { blocks, queryTerms, having: words?.having ?? [], vectors: joined?.vectors, visitHits };

  function visitHits(visit: (hit: Readonly<Ranked>) => void): void {
    const hit: Ranked = { entry: 0, score: 0, meaning: 0, date: Number.NaN, corpus: 0, any: 0, head: 0 };
    for (const block of blocks) {
      let read: BlockFacts | undefined;
      const scored: (ReturnType<QueryScores['score']> & { meanings?: Float64Array }) | undefined = scores?.score(
        block,
        () => (read ??= file.facts(block.number)),
      );
      if (scores !== undefined && scored === undefined) continue;
      const facts = read ?? file.facts(block.number);
      const passes = filters(block.number, facts);
      for (let offset = 0; offset < BLOCK_ENTRIES; offset += 1) {
        hit.score = scored?.scores[offset] ?? 0;
        if (scored === undefined ? !facts.isAlive(offset) : hit.score === 0) continue;
        if (passes?.(offset) === false) continue;
        hit.any = scored?.any[offset] ?? 0;
        if (query.every === true && hit.any !== allTerms) continue;
        hit.head = scored?.head[offset] ?? 0;
        hit.meaning = scored?.meanings?.[offset] ?? 0;
        hit.entry = firstOf(block.number) + offset;
        hit.date = facts.date(offset);
        hit.corpus = facts.corpus(offset);
        visit(hit);
      }
    }
  }
}

/** The best hits of a query: of all, or of each corpus. */
function bestOf({ limit, offset = 0, perCorpus = false }: KnowledgeQuery): {
  add: (hit: Readonly<Ranked>) => void;
  page: () => Ranked[];
} {
  const lists = CORPORA.map(() => new BestHits(offset + limit));
  const listOf = ({ corpus }: Readonly<Ranked>): BestHits | undefined => lists[perCorpus ? corpus : 0];
  const page = (list: BestHits): Ranked[] => list.sorted().slice(offset);
  return {
    add: (hit) => listOf(hit)?.add(hit),
    page: () => lists.flatMap(page).toSorted(compareHits),
  };
}

function hitOf(
  file: IndexFile,
  { entry, score, meaning, any, head }: Ranked,
  queryTerms: readonly string[],
): KnowledgeHit {
  const stored = file.entry(entry);
  if (stored === undefined) throw new Error(`The index has no entry ${entry}.`);
  const termsIn = (mask: number): string[] => queryTerms.filter((_, at) => at < MASK_BITS && (mask & (1 << at)) !== 0);
  return {
    ...stored,
    date: stored.date === null ? undefined : new Date(stored.date),
    tags: JSON.parse(stored.tags) as string[],
    score: roundTo(4, score),
    meaning: roundTo(4, meaning),
    terms: termsIn(any),
    headTerms: termsIn(head),
  };
}

/** All that there is, or what is of one repository or of none. */
function coverageOf(file: IndexFile, blocks: readonly Block[], { from }: KnowledgeQuery): KnowledgeResult['coverage'] {
  const filters = from === undefined ? undefined : filterOf(file, { from });
  const coverage = byCorpus((): CorpusCoverage => ({ things: 0, entries: 0, newest: undefined }));
  for (const block of blocks) {
    const { corpora } = filters === undefined ? block.summary : summaryOf(file, block, filters);
    for (const [place, { things, entries, newest }] of corpora.entries()) {
      const own = coverage[CORPORA[place] ?? 'documents'];
      own.things += things;
      own.entries += entries;
      if (newest !== null && newest > (own.newest?.getTime() ?? -Infinity)) own.newest = new Date(newest);
    }
  }
  return coverage;
}

function summaryOf(file: IndexFile, { number }: Block, filters: ReturnType<typeof filterOf>): Block['summary'] {
  const facts = file.facts(number);
  const passes: BlockFilter | undefined = filters(number, facts);
  return summarize(facts, BLOCK_ENTRIES, passes);
}

function byCorpus<T>(make: () => T): Record<Corpus, T> {
  // Every corpus is a key.
  return Object.fromEntries(CORPORA.map((corpus) => [corpus, make()])) as Record<Corpus, T>;
}

/**
 * Terms of the index that a misspelt one may mean, by name: as many letters are wrong in each, one of five and two of nine
 * letters at most.
 */
function nearestTerms(file: IndexFile, term: string): string[] {
  const most = term.length >= TWO_ERRORS_FROM ? 2 : term.length >= ONE_ERROR_FROM ? 1 : 0;
  if (most === 0) return [];
  const near = nearSpellings(term, file.similarTerms(term, most, MOST_COMPARED), most);
  return near.flatMap(({ text, edits }) => (edits === near[0]?.edits ? text : []));
}
