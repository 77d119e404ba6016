import { z } from 'zod';
import { isTestPath } from '../../languages/languages.ts';
import { partsOf } from '../../kernel/terms.ts';
import { topicOf } from '../question/topic.ts';
import { coverage, type TermWeights, weighTerms } from '../question/term-weights.ts';
import { type CommitRow, findCommits } from './around.ts';
import type { Tools } from './tools.ts';

/** A commit that did what a question asks how to do, and the files that it changed, tests last. */
export interface CommitAlike extends CommitRow {
  repo: string;
  paths: string[];
}

const MOST_ALIKE = 2;
const COMMITS_READ = 30;
/** A subject with fewer of the words of a question did something else, and one with more words of its own did other things. */
const LEAST_COVERAGE = 0.6;
const LEAST_OWN = 0.5;
/** A commit that touches more did other things too. */
const MOST_FILES = 40;

/** What a question about how to do a thing calls it: the next of its kind, and the person who asks. */
const ANOTHER =
  /\b(?:another|new|own|custom|additional|different|other|more|how|do|to|i|we|you|should|would|can|a|an|the|for|of)\b/gi;
/** What is done, which many other things are too. */
const DONE = /\b(?:adds?|supports?|introduces?|implements?|creates?|changes?|extends?|replaces?)\b/gi;
const NO_DEED = /^(?:revert|merge|docs?|test|chore|ci|style|build)\b/i;
const Shown = z.looseObject({ files: z.array(z.looseObject({ path: z.string(), status: z.string() })).default([]) });

/** The newest commits whose subjects say that they did what a question asks how to do. One call, and one for each that is told. */
export async function findAlike(tools: Tools, words: string): Promise<CommitAlike[]> {
  const topic = topicOf(words.replaceAll(ANOTHER, ' '));
  const all = weigh(topic);
  const subject = weigh(topic.replaceAll(DONE, ' '));
  if (subject.size === 0) return [];
  const found = await findCommits(tools, topic, { limit: COMMITS_READ });
  const fitting = found
    .map((row) => ({ row, share: coverage(all, [row.subject]) }))
    .filter(
      ({ row }) =>
        !NO_DEED.test(row.subject) &&
        coverage(subject, [row.subject]) >= LEAST_COVERAGE &&
        coverage(weigh(row.subject), [topic]) >= LEAST_OWN,
    )
    .toSorted((a, b) => b.share - a.share || (a.row.date > b.row.date ? -1 : 1))
    .slice(0, 2 * MOST_ALIKE);
  const read = await Promise.all(
    fitting.map(async ({ row }): Promise<CommitAlike> => {
      const args = { action: 'show', query: row.sha, ...(row.repo !== '' && { repo: row.repo }) };
      const [shown] = (await tools.ask('commit-tool', args, Shown))?.rows ?? [];
      const paths = (shown?.files ?? []).map(({ path }) => path);
      return { ...row, paths: paths.toSorted((a, b) => Number(isTestPath(a)) - Number(isTestPath(b))) };
    }),
  );
  return read.filter(({ paths }) => paths.length > 0 && paths.length <= MOST_FILES).slice(0, MOST_ALIKE);
}

/** The words of a text, each as much as the others. */
function weigh(text: string): TermWeights {
  return weighTerms([...new Set(partsOf(text))], 1, {});
}
