import { workerData } from 'node:worker_threads';
import { serveTasks } from '../platform/thread-tasks.ts';
import { type KnowledgeQuery, type KnowledgeResult, ProductIndex } from './product-index.ts';
import type { ThingChange } from './store.ts';

/** Settings of the thread. */
export interface IndexLimits {
  /** Memory of the indexes of all products together, about. The one at hand is kept whatever its size. */
  cacheBytes: number;
}

/** What the thread is asked. `product` is any text that tells products apart. */
export type IndexTask =
  | { kind: 'search'; product: string; revision: number; query: KnowledgeQuery }
  | ApplyTask
  | { kind: 'state' };

/** Changes to bring in, after which the index has everything up to `revision`. */
interface ApplyTask {
  kind: 'apply';
  product: string;
  changes: readonly ThingChange[];
  revision: number;
  /** They are the first ones of all: an index may begin with them. */
  startsEmpty: boolean;
}

/** The result, or the revision that the thread has (0 for a product it does not know) when that is too old. */
export type SearchReply = { result: KnowledgeResult } | { behind: number };

/** What the thread holds. */
export interface IndexState {
  products: string[];
  sizeBytes: number;
}

/** Indexes of products, the one that was not used for longest first. */
class ProductIndexes {
  readonly #limits: IndexLimits;
  readonly #indexes = new Map<string, { index: ProductIndex; revision: number }>();

  constructor(limits: IndexLimits) {
    this.#limits = limits;
  }

  search({ product, revision, query }: { product: string; revision: number; query: KnowledgeQuery }): SearchReply {
    const known = this.#indexes.get(product);
    if (known === undefined || known.revision < revision) return { behind: known?.revision ?? 0 };
    this.#use(product, known);
    return { result: known.index.search(query) };
  }

  /** False when the index that the changes continue is not there any more. */
  apply({ product, changes, revision, startsEmpty }: ApplyTask): boolean {
    const known = this.#indexes.get(product) ?? (startsEmpty ? { index: new ProductIndex(), revision: 0 } : undefined);
    if (known === undefined) return false;
    known.index.apply(changes);
    known.revision = Math.max(known.revision, revision);
    this.#use(product, known);
    for (const oldest of this.#indexes.keys()) {
      if (oldest === product || this.state().sizeBytes <= this.#limits.cacheBytes) break;
      this.#indexes.delete(oldest);
    }
    return true;
  }

  state(): IndexState {
    const sizes = [...this.#indexes.values()].map(({ index }) => index.sizeBytes);
    return { products: [...this.#indexes.keys()], sizeBytes: sizes.reduce((sum, size) => sum + size, 0) };
  }

  #use(product: string, known: { index: ProductIndex; revision: number }): void {
    this.#indexes.delete(product);
    this.#indexes.set(product, known);
  }
}

serveTasks(workerData as { data: IndexLimits; stop: Int32Array }, (limits) => {
  const indexes = new ProductIndexes(limits);
  return (task: IndexTask): SearchReply | IndexState | boolean => {
    if (task.kind === 'search') return indexes.search(task);
    if (task.kind === 'state') return indexes.state();
    return indexes.apply(task);
  };
});
