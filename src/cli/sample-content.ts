import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { DAY_MS } from '../kernel/time.ts';
import type { Client } from './client.ts';

/** Tag that separates invented content from real content, in lists and searches. */
const TAG = 'sample';

const SampleSignal = z.looseObject({ external_id: z.string(), days_ago: z.number() });
const SampleDecisions = z.array(z.looseObject({ title: z.string(), decision: z.string() }));

/** Amount of sample content that was added. */
interface SampleContent {
  signals: number;
  decisions: number;
}

/**
 * Adds invented feedback and some decisions about this project, if the served repository is the checkout of this project: the
 * content of `demo/`. It is processed as a user's is: nothing is placed or labelled by hand. Undefined for any other source,
 * and in a package without that folder. Costs half a second.
 */
export async function addSampleContent(
  client: Client,
  { root, sources, now }: { root: string; sources: readonly string[]; now: Date },
): Promise<SampleContent | undefined> {
  const folder = join(root, 'demo');
  if (sources.length !== 1 || !isSameFolder(sources[0] ?? '', root) || !existsSync(folder)) return undefined;
  const lines = readFileSync(join(folder, 'signals.jsonl'), 'utf8').split('\n').filter(Boolean);
  const samples = lines.map((line) => SampleSignal.parse(JSON.parse(line)));
  const signals = samples.map(({ days_ago: age, ...signal }) => ({
    ...signal,
    date: new Date(now.getTime() - age * DAY_MS).toISOString(),
    tags: [TAG],
  }));
  const decisions = SampleDecisions.parse(JSON.parse(readFileSync(join(folder, 'decisions.json'), 'utf8')));
  await client.send('POST', '/v1/signals', { signals });
  for (const decision of decisions) await client.send('POST', '/v1/decisions', decision);
  return { signals: signals.length, decisions: decisions.length };
}

function isSameFolder(left: string, right: string): boolean {
  return existsSync(left) && realpathSync(left) === realpathSync(right);
}
