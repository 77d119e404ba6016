import { ProcessPool } from '../platform/processes.ts';
import type { Watch } from '../platform/supervision.ts';
import { workerUrl } from '../platform/threads.ts';
import type { FoldText } from './fold.ts';
import type { Profiles } from './grouping/group-profiles.ts';
import type { GroupedSignals, ThemeReplies, ThemeTask } from './theme-process.ts';

/** Text of one message, in characters: the service is held up for as long as it takes to copy it. */
const MESSAGE_CHARACTERS = 500_000;

/** Of the process, all of it. */
const MEMORY_MEGABYTES = 1024;

/** Nothing that ends takes as long. */
const LIMIT_MS = 30 * 60_000;

/**
 * Compares the texts of a product's signals, in a process of its own: it takes seconds and memory for some thousand, and the
 * service answers questions meanwhile. The process ends when this is disposed.
 */
export class ThemeTexts {
  readonly #pool: ProcessPool;
  readonly #signal: AbortSignal;

  constructor({ signal, watch }: { signal: AbortSignal; watch: Watch | undefined }) {
    this.#pool = new ProcessPool({
      url: workerUrl(import.meta, './theme-process'),
      size: 1,
      memoryMegabytes: MEMORY_MEGABYTES,
      isStateful: true,
      watch,
    });
    this.#signal = signal;
  }

  /** Sends texts, older ones before newer ones. They stay in the process, and are then named by id. */
  async add(texts: readonly FoldText[]): Promise<void> {
    for (const batch of batchesOf(texts)) await this.#ask({ kind: 'add', texts: batch });
  }

  /** For each text of these that says nearly the same as an older one, or as one of `before`, the oldest of these. */
  fold(ids: readonly string[], before: readonly FoldText[] = []): Promise<Map<string, string>> {
    return this.#ask({ kind: 'fold', before, ids });
  }

  /** Groups texts by what they say; what is in no group stands alone. Each of `repeated` stands for several. */
  group(ids: readonly string[], repeated: ReadonlySet<string>): Promise<GroupedSignals> {
    return this.#ask({ kind: 'group', ids, repeated });
  }

  /** Which of the groups made before each text belongs to; those that are near to none are left out. */
  place(ids: readonly string[], profiles: Profiles): Promise<Map<string, string>> {
    return this.#ask({ kind: 'place', ids, profiles });
  }

  /** What each group of texts talks about and others do not. */
  label(groups: ReadonlyMap<string, readonly string[]>): Promise<Map<string, string>> {
    return this.#ask({ kind: 'label', groups });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#pool.close();
  }

  #ask<Kind extends ThemeTask['kind']>(task: ThemeTask & { kind: Kind }): Promise<ThemeReplies[Kind]> {
    return this.#pool.run<ThemeReplies[Kind]>(task, { signal: this.#signal, deadlineMs: LIMIT_MS });
  }
}

/** The texts in lists that are sent at a time. */
export function* batchesOf(texts: readonly FoldText[]): Generator<FoldText[]> {
  let batch: FoldText[] = [];
  let characters = 0;
  for (const { id, text } of texts) {
    batch.push({ id, text });
    characters += text.length;
    if (characters < MESSAGE_CHARACTERS) continue;
    yield batch;
    batch = [];
    characters = 0;
  }
  if (batch.length > 0) yield batch;
}
