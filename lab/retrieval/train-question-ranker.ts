import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FEATURES, featuresOf } from '../../src/code/ranking/rank-features.ts';
import documented from '../../src/code/ranking/rank-weights.json' with { type: 'json' };
import { candidatesOf } from '../../src/code/ranking/store-rank.ts';
import { symbolRows } from '../../src/code/symbols/store-symbols.ts';
import type { ShardDatabase } from '../../src/indexes/shards/shards.ts';
import { type GoldQuestion, isLead, readQuestions } from '../answers/questions.ts';
import { codeShardAt, sourceIn } from '../training/snapshots.ts';
import { sha256Of, writeTrained } from '../trained-model.ts';
import { mirrorOf } from './corpus.ts';
import { evenPoint, type Example, learn, meanReciprocalRank } from './linear-ranker.ts';

/**
 * Learns the weights of the ranked search for questions, and writes `src/code/ranking/question-weights.json`:
 * `RETRIEVAL_MIRROR=<folder> node lab/retrieval/train-question-ranker.ts [<folder for shards>]`. The questions of
 * `lab/answers/questions.jsonl` were written by hand; their answers are what was found by reading. The weights are held near those
 * that documentation taught, since there are few questions. Prints how often the first one of the list is right, and the mean
 * reciprocal rank among the first ten: with the weights of documentation, with those learned from the questions about the other
 * repositories, then with those of all. Some ten minutes of one core, and one of them where the shards are there.
 */

/** Pull of the weights towards those that documentation taught. */
const DECAY = 0.03;

interface RepositoryExample extends Example {
  repository: string;
}

const cache = process.argv[2] ?? join(tmpdir(), 'svc-training');
const questions = readQuestions();
const examples: RepositoryExample[] = [];
for (const [repository, own] of Map.groupBy(questions, (question) => question.repository)) {
  const db = await codeShardAt(sourceIn(mirrorOf(process.env), repository, cache), own[0]?.commit ?? '');
  examples.push(...own.map((question) => ({ ...ask(db, question), repository })));
  db.close();
  console.log(`${repository}: ${own.length} questions`);
}
// What only questions have is not among what documentation taught.
const taught: Partial<Record<string, number>> = documented.weights;
const prior = FEATURES.map((feature) => taught[feature] ?? 0);
const fit = (some: readonly RepositoryExample[]): Float64Array => learn(some, { prior, decay: DECAY });
const heldBack = [...Map.groupBy(examples, ({ repository }) => repository)].flatMap(([repository, own]) => {
  const others = fit(examples.filter((example) => example.repository !== repository));
  return own.map((example) => ({ example, weights: others }));
});
const weights = fit(examples);
const documentedWeights = Float64Array.from(prior);
const metrics = {
  questions: examples.length,
  repositories: new Set(examples.map(({ repository }) => repository)).size,
  documentation: measureRanks(examples.map((example) => ({ example, weights: documentedWeights }))),
  left_out: measureRanks(heldBack),
  seen: measureRanks(examples.map((example) => ({ example, weights }))),
};
console.log(metrics);
writeTrained(
  {
    weights: Object.fromEntries(FEATURES.map((feature, at) => [feature, round(weights[at] ?? 0)])),
    even: round(evenPoint(examples, weights)),
  },
  {
    modelFile: 'src/code/ranking/question-weights.json',
    metricsFile: 'lab/retrieval/question-ranker-metrics.json',
    script: 'lab/retrieval/train-question-ranker.ts',
    corpus: { list: 'lab/answers/questions.jsonl', sha256: sha256Of(questions) },
    metrics,
  },
);

function ask(db: ShardDatabase, gold: GoldQuestion): Example {
  const { candidates, question } = candidatesOf(db, { query: gold.question, limit: 1, offset: 0 });
  const rows = featuresOf(db, candidates, question);
  const pathOf = db.prepare('select path from file where id = ?');
  const answers = rows.map(({ document, file }) => {
    const [symbol] = document < question.scores.symbols ? symbolRows(db, [document]) : [];
    const { path } = pathOf.get(file) as { path: string };
    return isLead(gold, { path, symbol: symbol?.qualified ?? '' }) ? 1 : 0;
  });
  return {
    width: FEATURES.length,
    values: Float32Array.from(rows.flatMap(({ features }) => FEATURES.map((feature) => features[feature]))),
    isAnswer: Uint8Array.from(answers),
  };
}

/** The share of questions whose first row is right, and the mean reciprocal rank, each with the weights of its case. */
function measureRanks(cases: readonly { example: Example; weights: Float64Array }[]): Record<string, number> {
  const ranks = cases.map(({ example, weights: own }) => meanReciprocalRank([example], own));
  return {
    first_right: round(ranks.filter((rank) => rank === 1).length / ranks.length),
    mrr_at_10: round(ranks.reduce((sum, rank) => sum + rank, 0) / ranks.length),
  };
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
