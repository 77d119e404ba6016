import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { LRUCache } from 'lru-cache';
import { CODE_FORMAT } from '../../code-index/format/shard-schema.ts';
import type { IndexedRepository } from '../../indexes/indexes.ts';
import {
  PARTIAL,
  queryModule,
  ShardDamaged,
  type ShardFormat,
  type ShardReaders,
  type ShardRef,
} from '../../indexes/shards/shards.ts';
import type { Tenant } from '../../kernel/tenant.ts';
import { DAY_MS } from '../../kernel/time.ts';
import { workerUrl } from '../../platform/threads.ts';
import { CATALOG_FORMAT } from './catalog-schema.ts';
import type { CatalogEntry, CatalogQuestion } from './store-catalog.ts';
import type * as queries from './store-catalog.ts';

export type { CatalogQuestion } from './store-catalog.ts';

const STORE = workerUrl(import.meta, './store-catalog');
const CATALOG = queryModule<typeof queries>(STORE, CATALOG_FORMAT);
const WRITER = queryModule<typeof queries>(STORE, CODE_FORMAT);

/** Of fewer repositories all are asked. */
const FEWEST = 8;
/** A repository with a larger shard has most of what is looked for: it is always asked, and in no catalog. */
const LARGEST_BYTES = 64 * 1024 * 1024;
/** Bytes of shards that one task adds. */
const BYTES_AT_ONCE = 64 * 1024 * 1024;
/** Products whose catalogs are known to this process. */
const MOST_PRODUCTS = 256;
/** Outdated slots, beside as many as there are repositories, with which a catalog is made again. */
const MOST_OUTDATED = 64;
/** A catalog is deleted when nothing was added to it for so long. */
const UNUSED_MS = 30 * DAY_MS;

interface ProductCatalog {
  ref: ShardRef & { file: string };
  /** By the shards that they stand for. */
  slots: ReadonlyMap<string, number>;
}

interface Product {
  /** Undefined until the first shards are in it. */
  catalog: ProductCatalog | undefined;
  isExtending: boolean;
  /** Shards that could not be read. */
  unreadable: Set<string>;
}

/** Repositories of a call by what the catalog says. */
export interface Selection {
  /** Those that may have an answer, in their order. */
  may: readonly IndexedRepository[];
  /** Those with files that could not be read whole. */
  unread: readonly IndexedRepository[];
  /** Those that are in no catalog: counts are without theirs. */
  apart: readonly IndexedRepository[];
  files: number;
  documents: number;
  having: readonly number[];
}

interface SelectingCall {
  caller: Tenant;
  repositories: readonly IndexedRepository[];
  signal: AbortSignal;
}

/** What is to be asked about a question; all where there are no catalogs. */
export async function selectIn(
  catalogs: Catalogs | undefined,
  call: SelectingCall,
  question: CatalogQuestion,
): Promise<Selection> {
  return catalogs?.select(call, question) ?? selectAll(call.repositories, question);
}

function selectAll(all: readonly IndexedRepository[], { counted = [] }: CatalogQuestion): Selection {
  return { may: all, unread: all, apart: all, files: 0, documents: 0, having: counted.map(() => 0) };
}

interface CatalogsParts {
  readers: ShardReaders;
  blobs: { path: (hash: string) => string | Promise<string> };
  /** Holds the catalogs: files that may be deleted. */
  folder: string;
  historyFormat: ShardFormat;
  onFault: (error: unknown) => void;
}

/**
 * The catalogs of all products: a question to many repositories opens only the indexes that may have an answer. A repository that
 * was indexed since is asked until the catalog has it, which the first call afterwards begins.
 */
export class Catalogs {
  readonly #parts: CatalogsParts;
  readonly #products = new LRUCache<string, Promise<Product>>({ max: MOST_PRODUCTS });
  readonly #extending = new Set<Promise<void>>();
  #isClosed = false;

  constructor(parts: CatalogsParts) {
    this.#parts = parts;
  }

  async select({ caller, repositories, signal }: SelectingCall, question: CatalogQuestion): Promise<Selection> {
    const { productId } = caller;
    const none = selectAll(repositories, question);
    if (repositories.length < FEWEST) return none;
    const product = await this.#productOf(productId);
    this.#follow(productId, product, repositories);
    if (product.catalog === undefined) return none;
    const { ref, slots } = product.catalog;
    const bySlot = new Map<number, IndexedRepository>();
    for (const repository of repositories) {
      const slot = slots.get(shardsOf(repository));
      if (slot !== undefined) bySlot.set(slot, repository);
    }
    const request = { ...question, slots: [...bySlot.keys()] };
    const findings = await this.#parts.readers
      .query(ref, CATALOG, ['lookUp', request], { signal })
      .catch((error: unknown) => {
        if (!(error instanceof ShardDamaged)) throw error;
        // It is a cache: the next call makes another one.
        this.#products.delete(productId);
        return undefined;
      });
    if (findings === undefined) return none;
    const [may, unread] = [findings.may, findings.unread].map(
      (numbers) => new Set((numbers ?? [...bySlot.keys()]).map((slot) => bySlot.get(slot))),
    );
    const catalogued = new Set(bySlot.values());
    return {
      may: repositories.filter((repository) => !catalogued.has(repository) || may?.has(repository)),
      unread: repositories.filter((repository) => !catalogued.has(repository) || unread?.has(repository)),
      apart: repositories.filter((repository) => !catalogued.has(repository)),
      files: findings.files,
      documents: findings.documents,
      having: findings.having,
    };
  }

  /** Waits until what is being written is written. */
  async settle(): Promise<void> {
    await Promise.all(this.#extending);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.settle();
  }

  #productOf(productId: string): Promise<Product> {
    const cached = this.#products.get(productId);
    if (cached !== undefined) return cached;
    const opening = this.#open(productId).then((catalog) => ({
      catalog,
      isExtending: false,
      unreadable: new Set<string>(),
    }));
    this.#products.set(productId, opening);
    return opening;
  }

  /** The newest catalog that this build can read; others of the product are deleted. */
  async #open(productId: string): Promise<ProductCatalog | undefined> {
    const { folder } = this.#parts;
    const files = (await datedFiles(folder)).filter(({ file }) => basename(file).startsWith(`${productId}.`));
    let opened: ProductCatalog | undefined;
    for (const { file } of files) {
      if (!file.endsWith(PARTIAL)) opened ??= await this.#read(file).catch(() => undefined);
      if (opened?.ref.file !== file) await rm(file, { force: true });
    }
    return opened;
  }

  /**
   * Deletes catalogs that nothing was added to for a month, as those of products that have few repositories by now: the next call
   * that needs one makes it again.
   */
  async sweep(): Promise<void> {
    for (const { file, ms } of await datedFiles(this.#parts.folder))
      if (Date.now() - ms > UNUSED_MS) await rm(file, { force: true });
  }

  async #read(file: string): Promise<ProductCatalog> {
    const { size } = await stat(file);
    const ref = { hash: randomUUID(), sizeBytes: size, file, isChecked: true };
    const entries = await this.#parts.readers.query(ref, CATALOG, ['listEntries', {}]);
    return { ref, slots: new Map(entries.map(({ shards, slot }) => [shards, slot])) };
  }

  /** Begins to add what the catalog of a product lacks; nothing waits for it. */
  #follow(productId: string, product: Product, repositories: readonly IndexedRepository[]): void {
    if (product.isExtending || this.#isClosed) return;
    const outdated = (product.catalog?.slots.size ?? 0) - repositories.length;
    const isOld = outdated > repositories.length + MOST_OUTDATED;
    const slots = isOld ? undefined : product.catalog?.slots;
    const missing = repositories.filter(
      (repository) =>
        repository.forget === undefined &&
        repository.shard.sizeBytes <= LARGEST_BYTES &&
        slots?.has(shardsOf(repository)) !== true &&
        !product.unreadable.has(shardsOf(repository)),
    );
    if (missing.length === 0) return;
    product.isExtending = true;
    const work = this.#extend(productId, product, { missing, base: isOld ? undefined : product.catalog })
      .catch((error: unknown) => {
        // Another process of the same folder may have replaced the file: the next call looks for the newest.
        this.#products.delete(productId);
        this.#parts.onFault(error);
      })
      .finally(() => {
        product.isExtending = false;
        this.#extending.delete(work);
      });
    this.#extending.add(work);
  }

  async #extend(
    productId: string,
    product: Product,
    { missing, base }: { missing: readonly IndexedRepository[]; base: ProductCatalog | undefined },
  ): Promise<void> {
    const { folder, readers, blobs, historyFormat } = this.#parts;
    await mkdir(folder, { recursive: true });
    const pathOf = async ({ file, hash }: ShardRef): Promise<string> => file ?? (await blobs.path(hash));
    let current = base;
    for (const batch of batchesOf(missing)) {
      const [first] = batch;
      if (first === undefined || this.#isClosed) return;
      const entries = await Promise.all(
        batch.map(async (repository): Promise<CatalogEntry> => {
          const { shard, history } = repository;
          const historyFile = history === undefined ? undefined : await pathOf(history);
          return { shards: shardsOf(repository), codeFile: await pathOf(shard), historyFile };
        }),
      );
      const target = join(folder, `${productId}.${randomUUID()}`);
      const order = { base: current?.ref.file, target, entries, historyFormat };
      const failed = await readers.query(first.shard, WRITER, ['extendCatalog', order], { background: true });
      for (const shards of failed) product.unreadable.add(shards);
      const before = product.catalog;
      current = await this.#read(target);
      product.catalog = current;
      if (before !== undefined) await rm(before.ref.file, { force: true });
    }
  }
}

/** The files of a folder, newest first; none when there is no folder. */
async function datedFiles(folder: string): Promise<{ file: string; ms: number }[]> {
  const names = await readdir(folder).catch(() => []);
  const dated = await Promise.all(
    names.map(async (name) => {
      const file = join(folder, name);
      return { file, ms: (await stat(file).catch(() => undefined))?.mtimeMs ?? 0 };
    }),
  );
  return dated.toSorted((a, b) => b.ms - a.ms);
}

/** What a slot stands for. */
function shardsOf({ shard, history }: IndexedRepository): string {
  return `${shard.hash} ${history?.hash ?? ''}`;
}

function batchesOf(repositories: readonly IndexedRepository[]): IndexedRepository[][] {
  const batches: IndexedRepository[][] = [];
  let bytes = Infinity;
  for (const repository of repositories) {
    bytes += repository.shard.sizeBytes;
    if (bytes > BYTES_AT_ONCE) {
      batches.push([]);
      bytes = repository.shard.sizeBytes;
    }
    batches.at(-1)?.push(repository);
  }
  return batches;
}
