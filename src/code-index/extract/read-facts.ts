import { decodeFacts } from '../../languages/facts/facts-codec.ts';
import type { FileFacts } from '../../languages/facts/facts.ts';
import { languageOfPath, LARGEST_FILE_BYTES } from '../../languages/languages.ts';
import { ExtractorPool } from './pool.ts';

/** Longest time that one text may take before its process is killed: far more than any takes, however busy the machine is. */
const TEXT_DEADLINE_MS = 60_000;

/** A file as it was in some commit. */
export interface PastText {
  path: string;
  text: string;
}

/**
 * Reads texts that are in no index, and gives what is made of the facts of each, in their order; undefined where a text could
 * not be read: another language, too large, a parser that gave up. Starts one process that parses and ends it: 0.3 s, and a
 * few ms a text.
 *
 * @throws the signal's reason when cancelled.
 */
export async function readPastFacts<Made>(
  texts: readonly PastText[],
  make: (facts: FileFacts, text: PastText) => Made,
  signal: AbortSignal,
): Promise<(Made | undefined)[]> {
  const results = texts.map((): Made | undefined => undefined);
  using pool = new ExtractorPool({
    size: 1,
    deadlineMs: TEXT_DEADLINE_MS,
    onResult: (result) => {
      const facts = 'facts' in result ? decodeFacts(result.facts) : undefined;
      const text = texts[result.id];
      if (facts !== undefined && text !== undefined) results[result.id] = make(facts, text);
    },
  });
  for (const [id, { path, text }] of texts.entries()) {
    signal.throwIfAborted();
    const { parser } = languageOfPath(path);
    if (parser !== undefined && text.length <= LARGEST_FILE_BYTES) await pool.add({ id, parser, text });
  }
  const cancelled = Promise.withResolvers<never>();
  const stop = (): void => cancelled.reject(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  try {
    await Promise.race([pool.finish(), cancelled.promise]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
  return results;
}
