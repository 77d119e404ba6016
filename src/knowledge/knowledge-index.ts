import type { Tenant } from '../kernel/tenant.ts';
import type { Db } from '../platform/db.ts';
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
  selectRevision,
  selectTexts,
  type Thing,
  type ThingChange,
} from './store.ts';

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
}

/** A hit with the stretch of its text that says why. */
type KnowledgeSearchHit = KnowledgeHit & { snippet: string };

/**
 * Searches what people wrote about a product, all corpora on one scale. Indexes live in memory, in a thread of their own;
 * each search first reads one number from the database and fetches what changed since the last one, so that it finds
 * everything that was committed before it, whichever process wrote it.
 */
export class KnowledgeIndex {
  readonly #db: Db;
  readonly #pool: ThreadPool;
  /** Products that are being brought up to date, so that it is done once at a time. */
  readonly #refreshing = new Map<string, Promise<void>>();

  constructor({ db, cacheBytes }: KnowledgeIndexOptions) {
    const data: IndexLimits = { cacheBytes };
    this.#db = db;
    // One thread: it is where the indexes are.
    const url = workerUrl(import.meta, './index-thread');
    this.#pool = new ThreadPool({ url, size: 1, data, heapMegabytes: HEAP_MEGABYTES });
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
    const terms = new Set([...termsOf(words), ...relatedWords().likeAsked(words)]);
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
    const revision = await selectRevision(this.#db, tenant);
    for (let round = 0; round < MOST_ROUNDS; round += 1) {
      const reply = await this.#ask<SearchReply>({ kind: 'search', product, revision, query }, SEARCH_MS, signal);
      if ('result' in reply) return { ...reply.result, revision };
      await this.#refresh(tenant, product, { from: reply.behind, to: revision });
    }
    throw new Error(`The knowledge index of the product was not kept over ${MOST_ROUNDS} rounds.`);
  }

  async #refresh(tenant: Tenant, product: string, range: { from: number; to: number }): Promise<void> {
    const running = this.#refreshing.get(product);
    if (running !== undefined) return running;
    const refresh = this.#applyChanges(tenant, product, range).finally(() => this.#refreshing.delete(product));
    this.#refreshing.set(product, refresh);
    return refresh;
  }

  async #applyChanges(tenant: Tenant, product: string, { from, to }: { from: number; to: number }): Promise<void> {
    let after: ChangePosition = { revision: from + 1, corpus: '', id: '' };
    // Of the newest change that was seen: nothing written yet is no change, and the first one is still to come.
    let seen = from;
    let startsEmpty = from === 0;
    for (;;) {
      const selected = await selectChanges(this.#db, tenant, after);
      const last = selected.at(-1);
      // A number counts as reached only when all of its changes are in: more of the last one may follow.
      const revision = last === undefined ? Math.max(to, seen) : last.revision - 1;
      const apply = (changes: readonly ThingChange[], upTo: number): Promise<boolean> =>
        this.#ask<boolean>({ kind: 'apply', product, changes, revision: upTo, startsEmpty }, APPLY_MS);
      for (const change of selected) {
        if (change.entries !== null) continue;
        for await (const page of this.#pagesOf(tenant, change)) {
          if (!(await apply([page], 0))) return;
          startsEmpty = false;
        }
      }
      const changes = selected.filter((change): change is ThingChange => change.entries !== null);
      // Dropped meanwhile, to make room: the search that waits starts anew.
      if (!(await apply(changes, revision)) || last === undefined) return;
      after = last;
      seen = last.revision;
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
