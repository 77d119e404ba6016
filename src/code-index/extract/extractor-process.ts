import { enableCompileCache, flushCompileCache } from 'node:module';
import type { ExtractorAnswer, ExtractorReady, ExtractorRequest } from './pool.ts';

/**
 * Entry of an extractor process: answers each file of a batch by itself, in order, and ends when its parent is gone.
 * An answer is on its way before the next file is begun, so the parent knows which file was the process's last.
 */
enableCompileCache();
const [{ encodeFacts }, { Extractors, NotExtracted }, { compressFacts }] = await Promise.all([
  import('../../languages/facts/facts-codec.ts'),
  import('../../languages/extract/extract.ts'),
  import('./facts-cache.ts'),
]);
const extractors = new Extractors();
let queue = Promise.resolve();

process.on('disconnect', () => process.exit(0));
process.on('message', (batch: ExtractorRequest[]) => {
  queue = queue.then(() => answerAll(batch));
});
process.once('message', () => {
  // This process is killed when its work is done, so what was compiled is kept after the first batch.
  queue = queue.then(() => flushCompileCache());
});
await send({ ready: true });

async function answerAll(batch: readonly ExtractorRequest[]): Promise<void> {
  for (const file of batch) await send(await answer(file));
}

async function answer({ id, parser, text }: ExtractorRequest): Promise<ExtractorAnswer> {
  try {
    const facts = encodeFacts(await extractors.extract(parser, text));
    return { id, facts, packed: compressFacts(facts), rssBytes: process.memoryUsage.rss() };
  } catch (error) {
    if (error instanceof NotExtracted) return { id, reason: error.message, rssBytes: process.memoryUsage.rss() };
    // A fault of ours in one file must not cost the others: it is shown in the coverage, with what is needed to find it.
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { id, reason: `the extractor failed: ${message.slice(0, 300)}`, rssBytes: process.memoryUsage.rss() };
  }
}

function send(message: ExtractorAnswer | ExtractorReady): Promise<void> {
  return new Promise((resolve, reject) => {
    if (process.send === undefined) throw new Error('extractor-process runs only as a forked process');
    process.send(message, undefined, {}, (error) => (error === null ? resolve() : reject(error)));
  });
}
