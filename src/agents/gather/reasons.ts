import { z } from 'zod';
import { termsOf } from '../../kernel/terms.ts';
import { topicOf } from '../question/topic.ts';
import { coverage, weighTerms } from '../question/term-weights.ts';
import { withVerbs } from '../question/word-forms.ts';
import { type CommitRow, findCommits } from './around.ts';
import type { Tools } from './tools.ts';

/** A commit that speaks of a topic, with the message below its subject. */
export interface CommitMessage extends CommitRow {
  repo: string;
  body: string;
}

const MOST_REASONS = 3;
const COMMITS_READ = 20;
/** A subject is short: one that has half of the words of a question speaks of anything. */
const LEAST_COVERAGE = 0.5;

const Shown = z.looseObject({ body: z.string().default('') });

/** The commits whose subjects have most of the topic of a question, the newest first. One call, and one for each commit that is told. */
export async function findReasons(tools: Tools, words: string): Promise<CommitMessage[]> {
  const topic = topicOf(words);
  const weights = weighTerms([...new Set(termsOf(topic))], 1, {});
  const found = await findCommits(tools, withVerbs(topic), { limit: COMMITS_READ });
  const fitting = found
    .map((row) => ({ row, share: coverage(weights, [row.subject]) }))
    .filter(({ share }) => share > LEAST_COVERAGE)
    .toSorted((a, b) => b.share - a.share)
    .slice(0, MOST_REASONS)
    .map(({ row }) => row);
  const reasons = await Promise.all(
    fitting.map(async (row): Promise<CommitMessage> => ({ ...row, body: await readBody(tools, row) })),
  );
  return reasons.toSorted((a, b) => (a.date > b.date ? -1 : 1));
}

/** The message of a commit below its subject; '' when there is none. One call. */
export async function readBody(tools: Tools, { sha, repo }: { sha: string; repo: string }): Promise<string> {
  const args = { action: 'show', query: sha, ...(repo !== '' && { repo }) };
  const [shown] = (await tools.ask('commit-tool', args, Shown))?.rows ?? [];
  return shown?.body ?? '';
}
