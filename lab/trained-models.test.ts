import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { readQuestions } from '../lab/answers/questions.ts';
import { PROJECTS as CLASSIFIED } from '../lab/classify/projects.ts';
import { PROJECTS as COUPLED } from '../lab/coupling/projects.ts';
import { general } from '../lab/feedback/corpus.ts';
import { readIntentMessages } from '../lab/feedback/intents.ts';
import { corpus as retrieval } from '../lab/retrieval/corpus.ts';
import { modelHash, sha256Of } from '../lab/trained-model.ts';
import { FIXED_PROJECTS as FIXED, PROJECTS as AUTHORED } from '../lab/training/projects.ts';
import { codeShardAt, historyShardAt } from '../lab/training/snapshots.ts';
import { testFolder, testRepository } from '../src/testing/git.ts';

const ROOT = dirname(import.meta.dirname);
const SHA256 = /^[0-9a-f]{64}$/;

const Origin = z.strictObject({
  script: z.string(),
  corpus: z.strictObject({ list: z.string(), sha256: z.string().regex(SHA256) }),
  date: z.iso.date(),
  metrics: z.record(z.string(), z.unknown()),
});

/** Files with the figures of a model. */
const METRICS: Record<string, string> = {
  'code-index/format/word-vectors.json': 'lab/retrieval/vectors-metrics.json',
  'code/localise/localise-weights.json': 'lab/training/localise-metrics.json',
  'code/ranking/question-weights.json': 'lab/retrieval/question-ranker-metrics.json',
  'code/ranking/rank-weights.json': 'lab/retrieval/ranker-metrics.json',
  'commits/classify/commit-types.json': 'lab/classify/metrics.json',
  'commits/files/next-author-weights.json': 'lab/training/next-author-metrics.json',
  'commits/queries/coupling-weights.json': 'lab/coupling/metrics.json',
  'signals/grouping/general-mean.json': 'lab/feedback/mean-metrics.json',
  'signals/language/intent-head.json': 'lab/feedback/intent-metrics.json',
};

const readJson = (path: string): object => JSON.parse(readFileSync(join(ROOT, path), 'utf8')) as object;

function readModel(file: string): { model: object; origin: z.output<typeof Origin> } {
  const model = readJson(`src/${file}`);
  return { model, origin: Origin.parse((model as { origin?: unknown }).origin) };
}

test('every file of weights says where it comes from, and is listed here', () => {
  const files = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' }).filter(
    (file) =>
      // What the operations of the service are called is no weight.
      file.endsWith('.json') && file !== 'cli/tools.json',
  );

  expect(files.toSorted()).toEqual(Object.keys(METRICS));
  for (const file of files) expect(Object.values(readModel(file).origin.corpus).join('')).not.toBe('');
});

test.each(Object.entries(METRICS))(
  '%s has the weights and figures that its script wrote to %s',
  (file, metricsFile) => {
    const { model, origin } = readModel(file);
    const { model_sha256: hash, ...metrics } = readJson(metricsFile) as { model_sha256: string };

    expect(modelHash(model)).toBe(hash);
    expect(origin.metrics).toEqual(metrics);
    expect(dirname(origin.script)).toBe(dirname(metricsFile));
    const script = readFileSync(join(ROOT, origin.script), 'utf8');
    expect(script).toContain(`src/${file}`);
    expect(existsSync(join(ROOT, origin.corpus.list))).toBe(true);
    expect(script).toContain(`/${basename(origin.corpus.list).replace(/\.jsonl?$/, '')}`);
  },
);

test('a changed weight changes the hash of a model, a word about its origin does not', () => {
  const { model } = readModel('code/ranking/rank-weights.json');

  expect(modelHash({ ...model, origin: 'elsewhere' })).toBe(modelHash(model));
  expect(modelHash({ ...model, even: 13.04 })).not.toBe(modelHash(model));
});

test('the corpora are those that the models were learnt from', () => {
  const hashOf = (file: string): string => readModel(file).origin.corpus.sha256;

  expect(hashOf('code-index/format/word-vectors.json')).toBe(sha256Of(retrieval.vectors));
  expect(hashOf('code/ranking/rank-weights.json')).toBe(sha256Of(retrieval.ranker));
  expect(hashOf('code/ranking/question-weights.json')).toBe(sha256Of(readQuestions()));
  expect(hashOf('signals/grouping/general-mean.json')).toBe(sha256Of(general));
  expect(hashOf('signals/language/intent-head.json')).toBe(sha256Of(readIntentMessages()));
  // These hash what was read from the projects, which needs the repositories: their numbers must do.
  const classified = readModel('commits/classify/commit-types.json').origin;
  expect(classified.metrics).toMatchObject({
    corpus: { sha256: classified.corpus.sha256, projects: CLASSIFIED.length },
  });
  const authored = readModel('commits/files/next-author-weights.json').origin;
  expect(authored.metrics).toMatchObject({ corpus: { sha256: authored.corpus.sha256, projects: AUTHORED.length } });
  const localised = readModel('code/localise/localise-weights.json').origin;
  expect(localised.metrics).toMatchObject({ corpus: { sha256: localised.corpus.sha256, projects: FIXED.length } });
  const coupled = readModel('commits/queries/coupling-weights.json').origin;
  expect(coupled.metrics).toMatchObject({ corpus: { sha256: coupled.corpus.sha256, projects: COUPLED.length } });
});

test('shards that a trainer kept from a format before are made anew', async () => {
  const repository = testRepository([{ files: { 'a.ts': 'export const first = 1;\n' } }]);
  const cache = testFolder();
  onTestFinished(() => [repository.path, cache].forEach((folder) => rmSync(folder, { recursive: true, force: true })));
  const source = { project: 'own/shop', gitDir: join(repository.path, '.git'), cache };
  const commit = repository.git('rev-parse', 'HEAD');
  const versions = async (): Promise<number[]> => {
    const shards = [await codeShardAt(source, commit), await historyShardAt(source, commit)];
    return shards.map((shard) => {
      shard.close();
      return shard.meta.version;
    });
  };
  const made = await versions();
  for (const file of readdirSync(cache).filter((name) => name.endsWith('.db'))) {
    const shard = new DatabaseSync(join(cache, file));
    shard.exec("update meta set value = '1' where key = 'format_version'");
    shard.close();
  }

  expect(await versions()).toEqual(made);
});
