import type { Tenant } from '../kernel/tenant.ts';
import type { Db } from '../platform/db.ts';
import type { Watch } from '../platform/supervision.ts';
import { ThreadPool, workerUrl } from '../platform/threads.ts';
import { termsOf } from '../kernel/terms.ts';
import type { IndexLimits, IndexState, IndexTask, SearchReply } from './index-thread.ts';
import type { KnowledgeHit, KnowledgeQuery, KnowledgeResult } from './product-index.ts';
import { relatedWords } from './related/known-relations.ts';
import { snippetOf } from './snippet.ts';
import {
  type ChangePosition,
  type LargeChange,
  selectChanges,
  selectEntryPage,
  selectTexts,
  type Thing,
  type ThingChange,
} from './store.ts';
import { joinedTerms, partsOfWord } from './word-joints.ts';

/** Most heap of the thread: more than the indexes may take, because one is built beside the others. */
const HEAP_MEGABYTES = 1024;

const SEARCH_MS = 10_000;
const APPLY_MS = 60_000;

/** Times a search starts anew because its index was dropped, or more was written, before it got there. */
const MOST_ROUNDS = 5;

interface KnowledgeIndexOptions {
  db: Db;
  /** Memory of the indexes of all products together, about. Those that were not used for longest are dropped. */
  cacheBytes: number;
  /** Told when the thread ends, and when there is another. */
  watch?: Watch | undefined;
}

/** A hit with the stretch of its text that says why. */
type KnowledgeSearchHit = KnowledgeHit & { snippet: string };

/**
 * Searches what people wrote about a product, all corpora on one scale. Indexes live in memory, in a thread of their own;
 * each search first fetches what changed since the last one, by one statement of the database, so that it finds everything
 * that was committed before it, whichever process wrote it. Searches that come at a time share a statement.
 */
export class KnowledgeIndex {
  readonly #db: Db;
  readonly #pool: ThreadPool;
  /** By product: number of the last change that the thread has, unless it has dropped the product since. */
  readonly #reached = new Map<string, number>();
  /** By product: the last refresh that was asked for, and whether it has begun to read. */
  readonly #refreshes = new Map<string, { revision: Promise<number>; isReading: boolean }>();

  constructor({ db, cacheBytes, watch }: KnowledgeIndexOptions) {
    const data: IndexLimits = { cacheBytes };
    this.#db = db;
    // One thread: it is where the indexes are.
    const url = workerUrl(import.meta, './index-thread');
    this.#pool = new ThreadPool({ url, size: 1, data, heapMegabytes: HEAP_MEGABYTES, watch });
  }

  /** Hits, exact totals, and what there is of each corpus. */
  async search(
    tenant: Tenant,
    query: KnowledgeQuery,
    signal?: AbortSignal,
  ): Promise<KnowledgeResult<KnowledgeSearchHit>> {
    const result = await this.rank(tenant, query, signal);
    return { ...result, hits: await this.quote(tenant, query.query, result.hits) };
  }

  /** As `search` without the stretches of text: what is needed to choose among hits. */
  async rank(
    tenant: Tenant,
    query: KnowledgeQuery,
    signal?: AbortSignal,
  ): Promise<KnowledgeResult & { revision: number }> {
    return this.#searchCurrent(tenant, query, signal);
  }

  /** The hits, in their order, each with the stretch of its text that has most of the words. One query of the database. */
  async quote<Hit extends Thing & { part: string }>(
    tenant: Tenant,
    words: string,
    hits: readonly Hit[],
  ): Promise<(Hit & { snippet: string })[]> {
    const texts = hits.length === 0 ? [] : await selectTexts(this.#db, tenant, hits);
    const textOf = new Map(texts.map((text) => [partKey(text), text.text]));
    const otherwise = joinedTerms(words).flatMap(({ word, joined }) => [...joined, ...partsOfWord(word).flat()]);
    const terms = new Set([...termsOf(words), ...relatedWords().likeAsked(words), ...otherwise]);
    return hits.map((hit) => ({ ...hit, snippet: snippetOf(textOf.get(partKey(hit)) ?? '', terms) }));
  }

  /** Handles of all that a search finds, without their texts. */
  async matchingIds(tenant: Tenant, query: KnowledgeQuery, signal?: AbortSignal): Promise<Set<string>> {
    const { hits } = await this.#searchCurrent(tenant, query, signal);
    return new Set(hits.map((hit) => hit.id));
  }

  /** Which products are in memory, and how much they take. */
  state(): Promise<IndexState> {
    return this.#ask<IndexState>({ kind: 'state' }, SEARCH_MS);
  }

  close(): Promise<void> {
    return this.#pool.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #searchCurrent(
    tenant: Tenant,
    query: KnowledgeQuery,
    signal?: AbortSignal,
  ): Promise<KnowledgeResult & { revision: number }> {
    const product = `${tenant.accountId} ${tenant.productId}`;
    for (let round = 0; round < MOST_ROUNDS; round += 1) {
      const revision = await this.#refresh(tenant, product);
      const reply = await this.#ask<SearchReply>({ kind: 'search', product, revision, query }, SEARCH_MS, signal);
      if ('result' in reply) return { ...reply.result, revision };
      // Dropped meanwhile, to make room.
      this.#reached.delete(product);
    }
    throw new Error(`The knowledge index of the product was not kept over ${MOST_ROUNDS} rounds.`);
  }

  /**
   * Brings everything that is committed now into the thread, and gives the number of its last change. One that has begun to
   * read may have missed the newest changes, so whoever comes then shares the next one.
   */
  #refresh(tenant: Tenant, product: string): Promise<number> {
    const last = this.#refreshes.get(product);
    if (last !== undefined && !last.isReading) return last.revision;
    const read = (): Promise<number> => {
      refresh.isReading = true;
      return this.#applyChanges(tenant, product);
    };
    const refresh = { revision: (last?.revision ?? Promise.resolve(0)).then(read, read), isReading: false };
    this.#refreshes.set(product, refresh);
    const forget = (): void => {
      if (this.#refreshes.get(product) === refresh) this.#refreshes.delete(product);
    };
    refresh.revision.then(forget, forget);
    return refresh.revision;
  }

  async #applyChanges(tenant: Tenant, product: string): Promise<number> {
    const reached = this.#reached.get(product);
    let after: ChangePosition = { revision: (reached ?? 0) + 1, corpus: '', id: '' };
    let startsEmpty = reached === undefined;
    for (;;) {
      const selected = await selectChanges(this.#db, tenant, after);
      const { revision, isAll } = selected;
      if (isAll && selected.changes.length === 0 && reached === revision) return revision;
      const last = selected.changes.at(-1);
      const apply = (changes: readonly ThingChange[], upTo: number): Promise<boolean> =>
        this.#ask<boolean>({ kind: 'apply', product, changes, revision: upTo, startsEmpty }, APPLY_MS);
      for (const change of selected.changes) {
        if (change.entries !== null) continue;
        for await (const page of this.#pagesOf(tenant, change)) {
          if (!(await apply([page], 0))) return revision;
          startsEmpty = false;
        }
      }
      const changes = selected.changes.filter((change): change is ThingChange => change.entries !== null);
      // Where there are more, what was changed again while we read comes with them: only then is a number reached.
      if (!(await apply(changes, isAll ? revision : 0))) return revision;
      if (isAll) this.#reached.set(product, revision);
      if (isAll || last === undefined) return revision;
      after = last;
      startsEmpty = false;
    }
  }

  /** A thing in pieces, so that none of them holds anybody up. */
  async *#pagesOf(tenant: Tenant, change: LargeChange): AsyncGenerator<ThingChange> {
    let from = 0;
    for (;;) {
      const entries = await selectEntryPage(this.#db, tenant, change, from);
      if (entries.length === 0 && from > 0) return;
      yield { ...change, entries, isContinued: from > 0 };
      if (entries.length === 0) return;
      from += entries.length;
    }
  }

  #ask<T>(task: IndexTask, deadlineMs: number, signal?: AbortSignal): Promise<T> {
    return this.#pool.run<T>(task, { deadlineMs, signal });
  }
}

function partKey({ corpus, id, part }: Thing & { part: string }): string {
  return JSON.stringify([corpus, id, part]);
}
