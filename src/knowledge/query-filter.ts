import type { BlockFacts } from './facts.ts';
import type { IndexFile } from './index-file.ts';
import { blockOf, firstOf, offsetOf, readPostings } from './postings.ts';
import type { KnowledgeQuery, Origin } from './query.ts';
import { CORPORA } from './store.ts';

/** True if the entry at an offset passes. */
export type BlockFilter = (offset: number) => boolean;

/** The filter of each block; undefined where everything passes. */
export type BlockFilters = (block: number, facts: BlockFacts) => BlockFilter | undefined;

/** Begins the terms under which the tags of entries are stored, whole and in lower case. No word has it. */
const TAG = '#';

export function tagTerm(tag: string): string {
  return TAG + tag.toLowerCase();
}

/**
 * Returns the conditions of a query besides its words, as a filter for each block; `undefined` for one that lets everything
 * through.
 */
export function filterOf(file: IndexFile, query: Omit<KnowledgeQuery, 'query' | 'limit'>): BlockFilters {
  const makers = [corpusFilter(query), kindFilter(file, query), originFilter(file, query.from), dateFilter(query)];
  makers.push(
    customerFilter(file, query),
    thingFilter(file, query),
    ...(query.tags ?? []).map((tag) => tagFilter(file, tag)),
  );
  const given = makers.filter((maker) => maker !== undefined);
  return (block, facts) => {
    if (given.length === 0) return undefined;
    const filters = given.map((maker) => maker(block, facts));
    return (offset) => filters.every((passes) => passes(offset));
  };
}

type FilterMaker = ((block: number, facts: BlockFacts) => BlockFilter) | undefined;

function corpusFilter({ corpora }: Pick<KnowledgeQuery, 'corpora'>): FilterMaker {
  if (corpora === undefined) return undefined;
  const places = new Set(corpora.map((corpus) => CORPORA.indexOf(corpus)));
  return (_, facts) => (offset) => places.has(facts.corpus(offset));
}

function kindFilter(file: IndexFile, { kinds }: Pick<KnowledgeQuery, 'kinds'>): FilterMaker {
  if (kinds === undefined) return undefined;
  const ids = new Set(kinds.map((kind) => file.nameOf(kind)));
  return (_, facts) => (offset) => ids.has(facts.name(offset, 'kind'));
}

function dateFilter({ since, until }: Pick<KnowledgeQuery, 'since' | 'until'>): FilterMaker {
  if (since === undefined && until === undefined) return undefined;
  const [from, to] = [since?.getTime() ?? -Infinity, until?.getTime() ?? Infinity];
  // What has no date is in no period.
  return (_, facts) => (offset) => facts.date(offset) >= from && facts.date(offset) <= to;
}

/** A customer, segment or source, whole and in any case. */
function customerFilter(file: IndexFile, { customer = '' }: Pick<KnowledgeQuery, 'customer'>): FilterMaker {
  const name = customer.trim();
  if (name === '') return undefined;
  const ids = file.namesLike(name);
  return (_, facts) => (offset) =>
    ids.has(facts.name(offset, 'customer')) ||
    ids.has(facts.name(offset, 'segment')) ||
    ids.has(facts.name(offset, 'source'));
}

function tagFilter(file: IndexFile, tag: string): FilterMaker {
  const term = tagTerm(tag);
  return (block) => {
    const offsets = new Set<number>();
    const data = file.postings(term, block);
    if (data !== undefined) readPostings(data, (offset) => void offsets.add(offset));
    return (offset) => offsets.has(offset);
  };
}

/** Only the entries of some things. */
function thingFilter(file: IndexFile, { only }: Pick<KnowledgeQuery, 'only'>): FilterMaker {
  if (only === undefined) return undefined;
  const entries = new Set(entriesOf(file, only));
  return (block) => (offset) => entries.has(firstOf(block) + offset);
}

/** Leaves out what was taken from another repository. */
function originFilter(file: IndexFile, from: Origin | undefined): FilterMaker {
  if (from === undefined) return undefined;
  const doc = file.nameOf('product_doc');
  const sources = file.namesFrom(`${from.repository}/`);
  const excluded = new Map<number, Set<number>>();
  for (const entry of entriesOf(file, from.without))
    excluded.set(blockOf(entry), (excluded.get(blockOf(entry)) ?? new Set()).add(offsetOf(entry)));
  return (block, facts) => {
    const here = excluded.get(block);
    return (offset) =>
      here?.has(offset) !== true && (facts.name(offset, 'kind') !== doc || sources.has(facts.name(offset, 'source')));
  };
}

function* entriesOf(file: IndexFile, ids: readonly string[]): Generator<number> {
  for (const id of ids)
    for (const corpus of CORPORA) {
      const { first, entries } = file.thing({ corpus, id }) ?? { first: firstOf(0), entries: 0 };
      for (let entry = first; entry < first + entries; entry += 1) yield entry;
    }
}
