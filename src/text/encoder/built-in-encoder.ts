import { ProcessPool } from '../../platform/processes.ts';
import type { Watch } from '../../platform/supervision.ts';
import { workerUrl } from '../../platform/threads.ts';
import { type Encoder, EncodingFailed, type TextKind } from './encoder.ts';
import type { EncoderTask } from './encoder-process.ts';

/** As `models/multilingual-e5-small.bin` calls itself. */
export const BUILT_IN_MODEL = 'multilingual-e5-small 1571fc98';

/** Cosines of questions with sections and messages of other subjects. */
const USUAL = { query: { mean: 0.81, spread: 0.025 }, passage: { mean: 0.8, spread: 0.025 } };

/** Texts of one task: a question waits for the one that is being encoded. */
const TEXTS_A_TASK = 1;

/** Later words of a text add little to what it is about, and cost as much. */
const MOST_CHARACTERS = 1_000;

/** The process holds 140 MB with the model loaded; one with more than half of the limit is replaced after its task. */
const MEMORY_MEGABYTES = 384;

/** Time that the loaded model stays for the next question. */
const IDLE_MS = 15 * 60_000;

/** For a text of 500 tokens on a busy machine, and for loading the model before. */
const DEADLINE_MS = 60_000;

/** The encoder that ships with the service, until it is closed. */
interface BuiltInEncoder extends Encoder {
  close(): Promise<void>;
}

/**
 * Multilingual-e5-small in a process of its own, which starts with the first text and steps back behind the rest of the
 * service. About 1 ms of processor time a token. Texts of a call are encoded a few at a time, so that calls take turns; a text
 * that is in a call twice is encoded once.
 */
export function builtInEncoder({ watch }: { watch?: Watch | undefined } = {}): BuiltInEncoder {
  const url = workerUrl(import.meta, './encoder-process');
  const pool = new ProcessPool({ url, size: 1, memoryMegabytes: MEMORY_MEGABYTES, idleMs: IDLE_MS, watch });
  const run = async (task: EncoderTask, signal: AbortSignal | undefined): Promise<Int8Array[]> => {
    try {
      return await pool.run<Int8Array[]>(task, { deadlineMs: DEADLINE_MS, signal });
    } catch (error) {
      signal?.throwIfAborted();
      throw new EncodingFailed('The built-in encoder stopped in the middle of its work.', { cause: error });
    }
  };
  const encode = async (texts: readonly string[], kind: TextKind, signal?: AbortSignal): Promise<Int8Array[]> => {
    const distinct = [...new Set(texts)];
    const vectors = new Map<string, Int8Array>();
    for (let from = 0; from < distinct.length; from += TEXTS_A_TASK) {
      const batch = distinct.slice(from, from + TEXTS_A_TASK);
      const encoded = await run({ texts: batch, kind }, signal);
      for (const [at, text] of batch.entries()) vectors.set(text, encoded[at] ?? new Int8Array());
    }
    return texts.map((text) => vectors.get(text) ?? new Int8Array());
  };
  return {
    model: BUILT_IN_MODEL,
    name: 'multilingual-e5-small',
    usual: USUAL,
    limits: { texts: TEXTS_A_TASK, characters: MOST_CHARACTERS },
    encode,
    close: () => pool.close(),
  };
}
