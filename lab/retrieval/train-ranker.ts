import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Extractors } from '../../src/languages/extract/extract.ts';
import { FEATURES, featuresOf } from '../../src/code/ranking/rank-features.ts';
import { CODE_FORMAT } from '../../src/code-index/format/shard-schema.ts';
import { candidatesOf } from '../../src/code/ranking/store-rank.ts';
import { openShard } from '../../src/indexes/shards/shards.ts';
import { termsOf } from '../../src/text/terms.ts';
import { runIndexProcess } from '../../src/worker/index-process.ts';
import { sha256Of, writeTrained } from '../trained-model.ts';
import { blankedFiles, type Documented } from './documented.ts';
import { corpus, mirrorOf } from './corpus.ts';
import { evenPoint, type Example, learn, meanReciprocalRank } from './linear-ranker.ts';

/**
 * Learns the weights of the ranked search and writes them to `src/code/ranking/rank-weights.json`:
 * `RETRIEVAL_MIRROR=<folder> node lab/retrieval/train-ranker.ts`. Each of the `ranker` repositories of `corpus.json` is
 * indexed without its documentation; the first sentence of a function's documentation, without the function's name, is
 * the question, the function the answer. Word vectors come from other repositories. Prints the mean reciprocal rank
 * among the first ten, over all questions and over those that hold no word of the name: with
 * weights learned from other repositories, then with those of all. The same corpus gives the same file. About 30
 * minutes on four busy cores, and 90 s of one to learn.
 */

const MOST_QUESTIONS = 80;
const MOST_OF_A_FILE = 6;
const LEAST_LINES = 5;
const WORDS = { least: 5, most: 30, terms: 4 };
/** Repositories of one fold are held back together. */
const FOLDS = 4;
const EXAMPLE_PATHS = /test|fixture|example|mock/i;

const mirror = mirrorOf(process.env);
const examples: (Example & { repository: string; isNamed: boolean })[] = [];
for (const { repository, commit } of corpus.ranker) {
  const folder = mkdtempSync(join(tmpdir(), 'svc-ranker-'));
  try {
    const questions = await prepare(join(mirror, repository.replace('/', '+'), 'repo'), commit, folder);
    examples.push(...ask(join(folder, 'code.db'), questions).map((example) => ({ ...example, repository })));
    console.log(`${repository}: ${questions.length} questions`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const unseenRanks: number[] = [];
const unseenUnnamedRanks: number[] = [];
for (let fold = 0; fold < FOLDS; fold++) {
  const held = new Set(corpus.ranker.filter((_, index) => index % FOLDS === fold).map(({ repository }) => repository));
  const others = learn(examples.filter(({ repository }) => !held.has(repository)));
  const own = examples.filter(({ repository }) => held.has(repository));
  unseenRanks.push(...own.map((example) => meanReciprocalRank([example], others)));
  unseenUnnamedRanks.push(
    ...own.filter(({ isNamed }) => !isNamed).map((example) => meanReciprocalRank([example], others)),
  );
}
const weights = learn(examples);
const metrics = {
  questions: examples.length,
  mrr_at_10_left_out: mean(unseenRanks),
  mrr_at_10_left_out_without_name: mean(unseenUnnamedRanks),
  mrr_at_10_seen: meanReciprocalRank(examples, weights),
};
console.log(metrics);
const rounded = Object.fromEntries(FEATURES.map((feature, at) => [feature, round(weights[at] ?? 0)]));
writeTrained(
  { weights: rounded, even: round(evenPoint(examples, weights)) },
  {
    modelFile: 'src/code/ranking/rank-weights.json',
    metricsFile: 'lab/retrieval/ranker-metrics.json',
    script: 'lab/retrieval/train-ranker.ts',
    corpus: { list: 'lab/retrieval/corpus.json', sha256: sha256Of(corpus.ranker) },
    metrics,
  },
);

/** Indexes a repository without its documentation and gives the questions that the documentation makes. */
async function prepare(gitDir: string, commit: string, folder: string): Promise<Documented[]> {
  const tree = join(folder, 'tree');
  const all: Documented[] = [];
  for await (const file of blankedFiles(gitDir, commit, new Extractors())) {
    mkdirSync(dirname(join(tree, file.path)), { recursive: true });
    writeFileSync(join(tree, file.path), file.text);
    if (!EXAMPLE_PATHS.test(file.path)) all.push(...file.documented.filter(isQuestion).slice(0, MOST_OF_A_FILE));
  }
  const bare = join(folder, 'repository');
  git(['init', '--quiet', '--bare', bare]);
  const at = [`--git-dir=${bare}`, `--work-tree=${tree}`];
  git([...at, 'add', '--all', '--force']);
  git([...at, '-c', 'user.name=bench', '-c', 'user.email=bench@localhost', 'commit', '--quiet', '--message=tree']);
  await runIndexProcess(
    {
      kind: 'code',
      gitDir: bare,
      commit: git([`--git-dir=${bare}`, 'rev-parse', 'HEAD']),
      repository: 'bench',
      factsCache: join(folder, 'facts.db'),
      targetFile: join(folder, 'code.db'),
    },
    { signal: new AbortController().signal, onProgress: () => undefined },
  );
  const bySentence = Map.groupBy(all, ({ sentence }) => sentence.toLowerCase());
  const unique = [...bySentence.values()].filter(({ length }) => length === 1).flat();
  // Spread over the repository: every so many, in the order of its files.
  const step = Math.max(1, unique.length / MOST_QUESTIONS);
  return Array.from(
    { length: Math.min(MOST_QUESTIONS, unique.length) },
    (_, index) => unique[Math.floor(index * step)],
  ).filter((documented) => documented !== undefined);
}

function isQuestion({ sentence, start, end }: Documented): boolean {
  const words = sentence.split(' ').length;
  const isUsable = words >= WORDS.least && words <= WORDS.most && new Set(termsOf(sentence)).size >= WORDS.terms;
  return isUsable && end - start + 1 >= LEAST_LINES;
}

function ask(shardFile: string, questions: readonly Documented[]): (Example & { isNamed: boolean })[] {
  const db = openShard(shardFile, CODE_FORMAT);
  const selectLocation = db.prepare('select f.path, s.line from symbol s join file f on f.id = s.file where s.id = ?');
  const ranked = questions.map(({ path, name, start, end, sentence }) => {
    const { candidates, question } = candidatesOf(db, { query: sentence, limit: 1, offset: 0 });
    const words = new Set(termsOf(sentence));
    const rows = featuresOf(db, candidates, question);
    const answers = rows.map(({ document }) => {
      const at = selectLocation.get(document) as { path: string; line: number } | undefined;
      return at !== undefined && at.path === path && at.line >= start && at.line <= end ? 1 : 0;
    });
    return {
      width: FEATURES.length,
      values: Float32Array.from(rows.flatMap(({ features }) => FEATURES.map((feature) => features[feature]))),
      isAnswer: Uint8Array.from(answers),
      isNamed: termsOf(name).some((term) => words.has(term)),
    };
  });
  db.close();
  return ranked;
}

function git(args: readonly string[]): string {
  return execFileSync('git', args, { encoding: 'utf8' }).trim();
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
