import { join } from 'node:path';
import { ServiceError } from '../kernel/errors.ts';
import type { Tenant } from '../kernel/tenant.ts';
import { termsOf } from '../text/terms.ts';
import { DAY_MS } from '../kernel/time.ts';
import type { Db } from '../platform/db.ts';
import { cacheBytesOf } from '../platform/memory.ts';
import type { Watch } from '../platform/supervision.ts';
import { ThreadPool, workerUrl } from '../platform/threads.ts';
import type { Encoder, TextKind } from '../text/encoder/encoder.ts';
import { QuestionVectors } from '../text/encoder/question-vectors.ts';
import { cosine } from '../text/encoder/vector.ts';
import { encodedEntry, encodedText, kindOf } from './encoded-text.ts';
import { FairTurns } from '../platform/fair-turns.ts';
import { sweepIndexFiles } from './index-sweep.ts';
import type { IndexLimits, IndexReply, IndexTask } from './index-thread.ts';
import { type IndexOf, IndexUpdates } from './index-updates.ts';
import type { KnowledgeHit, KnowledgeQuery, KnowledgeResult, QuestionMeaning } from './query.ts';
import { snippetOf } from '../text/best-lines.ts';
import { countChanges, type PartText, selectTexts, type Thing } from './store.ts';
import { joinedTerms, partsOfWord } from '../text/word-joints.ts';

/** One thread is always free for searches when the other one updates an index. */
const THREADS = 2;

/** Of the memory, what the page caches take; the remainder is divided among the heaps of the threads. */
const CACHE_SHARE = 0.2;
const MEGABYTE = 1024 * 1024;

const SEARCH_MS = 10_000;

/** Time that a search waits for earlier writes. Then it answers from what is indexed, and says so. */
const PATIENCE_MS = 2_000;

/** Hits among which a search looks for those that say the same. */
const NEAR_HITS = 10;
/**
 * Spreads above the usual similarity to a question from which on two texts say the same; sections are nearer to each other
 * than to a question. With the encoder that ships these are cosines of .91 and .925: of 425 short messages in seven languages
 * 121 have another one as near, mostly a translation or the same wish or fault, and of 14,000 pairs of sections of a public
 * documentation the ten nearest, nine of them on one subject.
 */
const LEAST_SPREADS: Record<TextKind, number> = { query: 4, passage: 5 };
/** Score from which on two texts say the same by their words: the middle of the scale. */
const LEAST_WORDS = 0.5;

/** Times a search begins again because its index was deleted before it got there. */
const MOST_ROUNDS = 5;

export interface KnowledgeIndexOptions {
  db: Db;
  /** Reads questions, and has encoded what is searched; undefined where texts are compared by their words alone. */
  encoder?: Encoder | undefined;
  /** Folder of the index files. They can be deleted at any time: they are made again from the database. */
  folder: string;
  /** Heaps of the threads, and the page caches beside them. */
  memoryBytes: number;
  /** Hears of faults of updates, which go on without a caller. */
  onFault?: (error: unknown) => void;
  patienceMs?: number;
  /** Receives a report when a thread ends, and when there is another. */
  watch?: Watch | undefined;
}

/** A hit with the stretch of its text that says why. */
type KnowledgeSearchHit = KnowledgeHit & { snippet: string };

/** A part that says the same as another one, with the beginning of its text; its score is their similarity. */
type SimilarPart = KnowledgeHit & { text: string };

/** Currency of a search. */
interface Currency {
  /** The last change that it reflects; below 0, and another one each time, while changes are pending. */
  revision: number;
  /** Things that changed before the search and are not in the index yet; 0 when it has everything. */
  pending: number;
}

interface RankedResult<Hit = KnowledgeHit> extends KnowledgeResult<Hit>, Currency {
  /** Reason why meanings were not compared although the query asked for that. */
  failure?: string;
}

/**
 * Searches what people wrote about a product, all corpora on one scale. Each product has an index in a file of its own, read and
 * written in threads. A search first fetches what changed since the last one, by one statement of the database, so that it
 * finds everything that was committed before it, whichever process wrote it. Searches that come at a time share a statement.
 */
export class KnowledgeIndex {
  readonly #db: Db;
  readonly #folder: string;
  readonly #patienceMs: number;
  readonly #pool: ThreadPool;
  readonly #turns = new FairTurns(THREADS);
  readonly #updates: IndexUpdates;
  readonly #onFault: (error: unknown) => void;
  readonly #encoder: Encoder | undefined;
  readonly #questions: QuestionVectors | undefined;

  constructor(options: KnowledgeIndexOptions) {
    const { db, encoder, folder, memoryBytes, onFault = () => {}, patienceMs = PATIENCE_MS, watch } = options;
    const cacheBytes = memoryBytes * CACHE_SHARE;
    const heapMegabytes = Math.floor((memoryBytes - cacheBytes) / THREADS / MEGABYTE);
    const heapBytes = cacheBytesOf(heapMegabytes * MEGABYTE);
    const data: IndexLimits = { cacheBytes: Math.floor(cacheBytes / THREADS), heapBytes };
    const url = workerUrl(import.meta, './index-thread');
    this.#db = db;
    this.#folder = folder;
    this.#patienceMs = patienceMs;
    this.#onFault = onFault;
    this.#pool = new ThreadPool({ url, size: THREADS, data, heapMegabytes, watch });
    this.#updates = new IndexUpdates({ db, model: encoder?.model, pool: this.#pool, onFault });
    this.#encoder = encoder;
    this.#questions = encoder && new QuestionVectors(encoder, { now: () => new Date() });
  }

  /** Hits, exact totals, and what there is of each corpus. */
  async search(tenant: Tenant, query: KnowledgeQuery, signal?: AbortSignal): Promise<RankedResult<KnowledgeSearchHit>> {
    const result = await this.rank(tenant, query, signal);
    return { ...result, hits: await this.quote(tenant, query.query, result.hits) };
  }

  /** As `search` without the stretches of text: what is needed to choose among hits. */
  async rank(tenant: Tenant, query: KnowledgeQuery, signal?: AbortSignal): Promise<RankedResult> {
    const { meaning, failure } = query.byMeaning === true ? await this.#read(query.query) : {};
    const search = { kind: 'search' as const, query, ...(meaning !== undefined && { meaning }) };
    const { result, revision, pending } = await this.#answer(tenant, search, signal);
    if (result === undefined) throw new Error('The index gave no result.');
    return { ...result, revision, pending, ...(failure !== undefined && { failure }) };
  }

  /** Returns the meaning of a question, or why it is not known. */
  async #read(text: string): Promise<{ meaning?: QuestionMeaning; failure?: string }> {
    const { embedding, failure } = (await this.#questions?.of(encodedText(text, 'query'))) ?? {};
    if (embedding === undefined) return failure === undefined ? {} : { failure };
    return { meaning: { vector: embedding.vector, usual: this.#encoder?.usual } };
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
    const terms = new Set([...termsOf(words), ...otherwise]);
    return hits.map((hit) => ({ ...hit, snippet: snippetOf(textOf.get(partKey(hit)) ?? '', terms) }));
  }

  /**
   * Returns parts of other things of the same corpus that say the same as one part, nearest first: by their stored vectors, by
   * their words where there are none, or where it is not known how similar texts usually are to the encoder. Encodes nothing.
   */
  async similar(
    tenant: Tenant,
    part: Thing & { part: string },
    { limit, signal }: { limit: number; signal?: AbortSignal },
  ): Promise<SimilarPart[]> {
    const kind = kindOf(part.corpus);
    const usual = this.#encoder?.usual?.[kind];
    const model = usual && this.#encoder?.model;
    const [own] = await selectTexts(this.#db, tenant, [part], model);
    const query = own === undefined ? '' : encodedEntry(own, own.corpus);
    if (own === undefined || query === '') return [];
    const vector = vectorIn(own);
    const search = { query, corpora: [part.corpus], limit: NEAR_HITS };
    const meaning = vector && { vector, usual: this.#encoder?.usual };
    const { result } = await this.#answer(
      tenant,
      { kind: 'search', query: search, ...(meaning && { meaning }) },
      signal,
    );
    const others = result?.hits.filter((hit) => hit.id !== part.id) ?? [];
    const texts = new Map((await selectTexts(this.#db, tenant, others, model)).map((text) => [partKey(text), text]));
    return others
      .flatMap((hit) => {
        const text = texts.get(partKey(hit));
        const other = text && vectorIn(text);
        if (text === undefined) return [];
        if (vector === undefined || other === undefined || usual === undefined)
          return hit.score < LEAST_WORDS ? [] : { ...hit, text: text.text };
        const score = cosine(vector, other);
        return score < usual.mean + LEAST_SPREADS[kind] * usual.spread ? [] : { ...hit, text: text.text, score };
      })
      .toSorted((a, b) => b.score - a.score)
      .slice(0, limit);
  }

  /** Handles of the things that the best hits belong to, without their texts, and terms of the query that no entry has. */
  async matchingIds(
    tenant: Tenant,
    query: KnowledgeQuery,
    signal?: AbortSignal,
  ): Promise<Currency & { ids: Set<string>; unknownTerms: string[] }> {
    const reply = await this.#answer(tenant, { kind: 'match', query }, signal);
    const { ids = [], unknownTerms = [], revision, pending } = reply;
    return { ids: new Set(ids), unknownTerms, revision, pending };
  }

  /** Deletes indexes of products that are gone or were not searched for a month: now, and each day. */
  sweepRegularly(): Disposable {
    const sweep = (): void => {
      sweepIndexFiles(this.#db, this.#folder, this.#updates.writing).catch(this.#onFault);
    };
    sweep();
    const timer = setInterval(sweep, DAY_MS).unref();
    return { [Symbol.dispose]: () => clearInterval(timer) };
  }

  close(): Promise<void> {
    this.#updates.close();
    return this.#pool.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #pathOf({ accountId, productId }: Tenant): string {
    return join(this.#folder, accountId, `${productId}.db`);
  }

  async #answer(
    tenant: Tenant,
    question:
      | { kind: 'search'; query: KnowledgeQuery; meaning?: QuestionMeaning }
      | { kind: 'match'; query: KnowledgeQuery },
    signal: AbortSignal | undefined,
  ): Promise<IndexReply & Currency> {
    const path = this.#pathOf(tenant);
    for (let round = 0; round < MOST_ROUNDS; round += 1) {
      const revision = await this.#waitUntilCurrent({ tenant, path }, signal);
      const reply = await this.#ask({ ...question, path }, signal);
      // Damaged, or deleted since.
      if (reply === undefined || (revision !== undefined && reply.position.revision <= revision)) {
        this.#updates.forget(path);
        continue;
      }
      if (revision !== undefined) return { ...reply, revision, pending: 0 };
      const pending = await countChanges(this.#db, tenant, reply.position);
      return { ...reply, revision: -1 - reply.sequence, pending };
    }
    throw new Error(`The knowledge index of the product was deleted ${MOST_ROUNDS} times while it was read.`);
  }

  /** The last change that the index has when it has all; undefined when that takes too long or fails: the search says so. */
  async #waitUntilCurrent(index: IndexOf, signal: AbortSignal | undefined): Promise<number | undefined> {
    signal?.throwIfAborted();
    const { promise: aborted, reject } = Promise.withResolvers<never>();
    const { promise: late, resolve } = Promise.withResolvers<undefined>();
    const onAbort = (): void => reject(signal?.reason);
    signal?.addEventListener('abort', onAbort, { once: true });
    const timer = setTimeout(() => resolve(undefined), this.#patienceMs);
    // Who updates it reports what failed.
    const revision = this.#updates.refresh(index).catch(() => undefined);
    try {
      return await Promise.race([revision, late, aborted]);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    }
  }

  /** The answer of a thread; undefined when the file was damaged, which is deleted then. */
  async #ask(task: IndexTask, signal: AbortSignal | undefined): Promise<IndexReply | undefined> {
    const run = (): Promise<IndexReply> => {
      return this.#pool.run<IndexReply>(task, { deadlineMs: SEARCH_MS, ...(signal && { signal }) });
    };
    try {
      return await this.#turns.run(task.path, signal, run);
    } catch (error) {
      if (!(error instanceof ServiceError && error.code === 'content_damaged')) throw error;
      this.#onFault(error);
      this.#updates.discard(task.path);
      return undefined;
    }
  }
}

function vectorIn({ vector }: PartText): Int8Array | undefined {
  return vector === null ? undefined : new Int8Array(Buffer.from(vector, 'base64'));
}

function partKey({ corpus, id, part }: Thing & { part: string }): string {
  return JSON.stringify([corpus, id, part]);
}
