import { ProcessPool } from '../platform/processes.ts';
import type { Watch } from '../platform/supervision.ts';
import { workerUrl } from '../platform/threads.ts';
import { type Encoder, EncodingFailed } from '../text/encoder/encoder.ts';
import type { FoldText } from './fold.ts';
import type { Place, Profiles } from './grouping/group-profiles.ts';
import { chooseLabel, type LabelCandidate } from './grouping/label-groups.ts';
import type {
  EmergeTask,
  EmergingSignals,
  GroupedSignals,
  GroupTask,
  SentText,
  ThemeReplies,
  ThemeTask,
} from './theme-tasks.ts';

/** Text of one message, in characters: the service is held up for as long as it takes to copy it. */
const MESSAGE_CHARACTERS = 500_000;

/** Of the process, all of it. */
const MEMORY_MEGABYTES = 1024;

/** Nothing that ends takes as long. */
const LIMIT_MS = 30 * 60_000;

/** Phrases whose meaning is compared for the labels of one call, those of the largest groups: some 7 ms of the encoder each. */
const MOST_PHRASES = 300;

/**
 * Compares the texts of a product's signals, in a process of its own: it takes seconds and memory for some thousand, and the
 * service answers questions meanwhile. The process ends when this is disposed.
 */
export class ThemeTexts {
  readonly #pool: ProcessPool;
  readonly #signal: AbortSignal;
  readonly #encoder: Encoder | undefined;

  constructor({
    signal,
    watch,
    encoder,
  }: {
    signal: AbortSignal;
    watch?: Watch | undefined;
    encoder?: Encoder | undefined;
  }) {
    this.#pool = new ProcessPool({
      url: workerUrl(import.meta, './theme-process'),
      size: 1,
      memoryMegabytes: MEMORY_MEGABYTES,
      isStateful: true,
      watch,
    });
    this.#signal = signal;
    this.#encoder = encoder;
  }

  /** Sends texts, older ones before newer ones. They stay in the process, and are then named by id. */
  async add(texts: readonly SentText[]): Promise<void> {
    for (const batch of batchesOf(texts)) await this.#ask({ kind: 'add', texts: batch });
  }

  /** For each text of these that says nearly the same as an older one, or as one of `before`, the oldest of these. */
  fold(ids: readonly string[], before: readonly FoldText[] = []): Promise<Map<string, string>> {
    return this.#ask({ kind: 'fold', before, ids });
  }

  /** Groups texts by what they say; what is in no group stands alone. */
  group(task: Omit<GroupTask, 'kind' | 'model'>): Promise<GroupedSignals> {
    return this.#ask({ kind: 'group', model: this.#model, ...task });
  }

  /** Places each text among the groups made before; those that are near to none are left out. */
  place(ids: readonly string[], profiles: Profiles): Promise<Map<string, Place>> {
    return this.#ask({ kind: 'place', ids, profiles });
  }

  /** Subjects of recent texts that are more frequent than chance allows. */
  emerge(task: Omit<EmergeTask, 'kind' | 'model'>): Promise<EmergingSignals[]> {
    return this.#ask({ kind: 'emerge', model: this.#model, ...task });
  }

  /**
   * Labels each group of texts by what it talks about and others do not, the largest first: no label is that of a larger group
   * of its level where another one fits, so that a name means one of them.
   *
   * @param levels groups, then parts of these, whose names may be theirs.
   * @param taken labels of groups that are not labelled now, in small letters.
   * @param byMeaning whether phrases are encoded for it. While vectors are pending they would wait behind these.
   */
  async label(
    levels: readonly ReadonlyMap<string, readonly string[]>[],
    { byMeaning = true, taken: others = [] }: { byMeaning?: boolean; taken?: Iterable<string> } = {},
  ): Promise<Map<string, string>> {
    const ranked = levels.flatMap((groups, level) => bySize(groups).map(([name, ids]) => ({ level, name, ids })));
    if (ranked.length === 0) return new Map();
    const groups = new Map(ranked.map(({ name, ids }) => [name, ids]));
    const candidates = await this.#ask({ kind: 'label', groups, model: this.#model });
    const nearness = byMeaning ? await this.#nearness(groups, candidates) : new Map<string, number[]>();
    const labels = new Map<string, string>();
    const taken = levels.map(() => new Set(others));
    for (const { level, name } of ranked) {
      const label = chooseLabel(candidates.get(name) ?? [], nearness.get(name), taken[level]);
      labels.set(name, label);
      taken[level]?.add(label.toLowerCase());
    }
    return labels;
  }

  /** Nearness of the candidates of the first groups to the mean of their group. */
  async #nearness(
    groups: ReadonlyMap<string, readonly string[]>,
    candidates: ReadonlyMap<string, readonly LabelCandidate[]>,
  ): Promise<Map<string, number[]>> {
    if (this.#encoder === undefined) return new Map();
    const chosen: (readonly [string, readonly LabelCandidate[]])[] = [];
    let phrases = 0;
    for (const name of groups.keys()) {
      const own = candidates.get(name) ?? [];
      phrases += own.length;
      if (phrases > MOST_PHRASES) break;
      chosen.push([name, own]);
    }
    const texts = chosen.flatMap(([, own]) => own.map(({ written }) => written));
    const vectors = await this.#encode(this.#encoder, texts);
    if (vectors === undefined) return new Map();
    let from = 0;
    const encoded = chosen.map(([name, own]) => {
      const part = vectors.slice(from, from + own.length);
      from += own.length;
      return [name, { ids: groups.get(name) ?? [], phrases: part }] as const;
    });
    return this.#ask({ kind: 'nearness', groups: new Map(encoded), model: this.#model });
  }

  /** Undefined where the encoder does not work: words alone then choose. */
  async #encode(encoder: Encoder, texts: readonly string[]): Promise<Int8Array[] | undefined> {
    try {
      return await encoder.encode(texts, 'query', this.#signal);
    } catch (error) {
      if (error instanceof EncodingFailed) return undefined;
      throw error;
    }
  }

  get #model(): string | null {
    return this.#encoder?.model ?? null;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#pool.close();
  }

  #ask<Kind extends ThemeTask['kind']>(task: ThemeTask & { kind: Kind }): Promise<ThemeReplies[Kind]> {
    return this.#pool.run<ThemeReplies[Kind]>(task, { signal: this.#signal, deadlineMs: LIMIT_MS });
  }
}

/** The texts in lists that are sent at a time. */
export function* batchesOf(texts: readonly SentText[]): Generator<SentText[]> {
  let batch: SentText[] = [];
  let characters = 0;
  for (const sent of texts) {
    batch.push(sent);
    characters += sent.text.length;
    if (characters < MESSAGE_CHARACTERS) continue;
    yield batch;
    batch = [];
    characters = 0;
  }
  if (batch.length > 0) yield batch;
}

function bySize(groups: ReadonlyMap<string, readonly string[]>): [string, readonly string[]][] {
  return [...groups].toSorted(([, a], [, b]) => b.length - a.length);
}
