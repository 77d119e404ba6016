import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { levelOf } from '../../src/agents/confidence.ts';
import {
  type ProductFit,
  productConfidenceOf,
  type ProductWeights,
} from '../../src/agents/product/product-confidence.ts';
import { gatherProduct, productFitOf } from '../../src/agents/product/product-findings.ts';
import { Tools } from '../../src/agents/gather/tools.ts';
import { parseQuestion } from '../../src/agents/question/question.ts';
import { serve, type Serving } from '../serving.ts';
import { sha256Of, writeTrained } from '../trained-model.ts';
import { readThemeSet, type ThemedMessage, type ThemeSet, themeSets } from './theme-sets.ts';

/**
 * Learns how likely most of what an answer about the product quotes is about what was asked, and writes
 * `src/agents/product/product-confidence.json`: `FEEDBACK_MIRROR=<folder of <owner>+<name>/repo> node
 * bench/feedback/train-product-confidence.ts [--keep]`, which writes nothing. The customers of three products say what they are
 * asked about in one question each, and so are the customers of the two others, who cannot have said it. About five minutes.
 */

const MESSAGES_A_REQUEST = 500;
const POLL_MS = 1_000;
/** Themes that stay the same so long are those that there will be. */
const SETTLED_MS = 5_000;
const ROUNDS = 20_000;
const RATE = 0.5;
/** Draws weights that little speaks for to nothing. */
const DECAY = 1e-3;

/** A question to the customers of a product, and whether most of what was quoted was about it. */
interface Case {
  set: ThemeSet;
  fit: ProductFit;
  isRight: boolean;
}

const mirror = process.env['FEEDBACK_MIRROR'];
if (mirror === undefined) throw new Error('Set FEEDBACK_MIRROR; the head of this script says to what.');
const sets = Object.keys(themeSets) as ThemeSet[];
const messages = new Map(sets.map((set) => [set, readThemeSet(mirror, set)]));
const cases: Case[] = [];
for (const [set, own] of messages) {
  const found = await askCustomers(set, own);
  console.log(`${set}: ${own.length} messages, ${found.length} questions, ${found.filter(wasRight).length} right`);
  cases.push(...found);
}
const kept = fitWeights(cases);
const unseen = sets.flatMap((set) => {
  const learnt = fitWeights(cases.filter((example) => example.set !== set));
  return cases.filter((example) => example.set === set).map((example) => toTold(example, learnt));
});
const sha256 = sha256Of({ themeSets, messages: [...messages] });
const metrics = {
  corpus: { sha256, sets: sets.length, questions: cases.length },
  of_products_held_back: describeTold(unseen),
  seen: describeTold(cases.map((example) => toTold(example, kept))),
};
console.log(JSON.stringify({ weights: kept, metrics }, undefined, 2));
if (!process.argv.includes('--keep'))
  writeTrained(kept, {
    script: 'bench/feedback/train-product-confidence.ts',
    corpus: { list: 'bench/feedback/theme-sets.ts', sha256 },
    metrics,
    modelFile: 'src/agents/product/product-confidence.json',
    metricsFile: 'bench/feedback/product-confidence-metrics.json',
  });

/** Asks one product the questions of all. */
async function askCustomers(set: ThemeSet, own: readonly ThemedMessage[]): Promise<Case[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'svc-training-'));
  const service = await serve(dataDir);
  try {
    const themeOf = await saveMessages(service, own);
    await waitForThemes(service);
    const found: Case[] = [];
    for (const [asked, all] of messages)
      for (const theme of new Set(all.map((message) => message.theme))) {
        const tools = toolsOf(service);
        const question = parseQuestion(`What do customers say about ${theme}?`);
        const findings = await gatherProduct(tools, question, { effort: 'standard' });
        const { quoted } = findings;
        const right = quoted.filter(({ id }) => asked === set && themeOf.get(id) === theme);
        found.push({ set, fit: productFitOf(findings), isRight: right.length > quoted.length / 2 });
      }
    return found;
  } finally {
    await service.end('SIGTERM');
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** Saves messages as signals; gives the theme of each by its handle. */
async function saveMessages({ owner }: Serving, own: readonly ThemedMessage[]): Promise<Map<string, string>> {
  const themeOf = new Map<string, string>();
  for (let from = 0; from < own.length; from += MESSAGES_A_REQUEST) {
    const batch = own.slice(from, from + MESSAGES_A_REQUEST);
    const signals = batch.map(({ text }, at) => ({ text, external_id: `m${from + at}` }));
    const { ids } = await owner<{ ids: string[] }>('POST', '/v1/signals', { signals });
    for (const [at, id] of ids.entries()) themeOf.set(id.startsWith('sig:') ? id : `sig:${id}`, batch[at]?.theme ?? '');
  }
  return themeOf;
}

async function waitForThemes({ owner }: Serving): Promise<void> {
  const count = async (): Promise<number> => {
    const args = { action: 'themes', limit: 1, format: 'json' };
    return (await owner<{ total: number }>('POST', '/v1/tools/document-search-tool', args)).total;
  };
  let [last, since] = [0, performance.now()];
  while (last === 0 || performance.now() - since < SETTLED_MS) {
    await setTimeout(POLL_MS);
    const now = await count();
    if (now !== last) [last, since] = [now, performance.now()];
  }
}

/** The tools of an agent, asked over REST. */
function toolsOf({ owner }: Serving): Tools {
  const names = ['search-tool', 'document-search-tool'];
  return new Tools(
    {
      offered: () => names,
      ask: (name, args) => owner('POST', `/v1/tools/${name}`, { ...args, format: 'json', max_tokens: 20_000 }),
      budget: { left: async () => 0, record: async () => {} },
      onFault: (error) => {
        throw error;
      },
    },
    {
      caller: { accountId: '', productId: '', keyId: '', scopes: ['read'] },
      now: () => new Date(),
      signal: new AbortController().signal,
      progress: () => {},
    },
    undefined,
  );
}

/** Logistic regression by gradient descent. */
function fitWeights(examples: readonly Case[]): ProductWeights {
  let weights: ProductWeights = { constant: 0, coverage: 0, titled: 0, quoted: 0 };
  for (let round = 0; round < ROUNDS; round += 1) {
    const errors = examples.map((example) => ({
      fit: example.fit,
      error: productConfidenceOf(example.fit, weights) - Number(example.isRight),
    }));
    const slope = (of: (fit: ProductFit) => number): number =>
      errors.reduce((sum, { fit, error }) => sum + error * of(fit), 0) / errors.length;
    const step = (name: keyof ProductFit): number =>
      weights[name] - RATE * (slope((fit) => fit[name]) + DECAY * weights[name]);
    const constant = weights.constant - RATE * slope(() => 1);
    weights = { constant, coverage: step('coverage'), titled: step('titled'), quoted: step('quoted') };
  }
  return weights;
}

/** How sure an answer was, and whether it was right. */
interface Told {
  confidence: number;
  isRight: boolean;
}

function toTold({ fit, isRight }: Case, learnt: ProductWeights): Told {
  return { confidence: productConfidenceOf(fit, learnt), isRight };
}

/** Answers of each level, the share of them that is right, and of all the mean square of what was told amiss. */
function describeTold(told: readonly Told[]): Record<string, unknown> {
  const levels = Map.groupBy(told, ({ confidence }) => levelOf(confidence));
  const rows = (['high', 'medium', 'low'] as const).map((level) => {
    const own = levels.get(level) ?? [];
    return [level, { answers: own.length, right: roundShare(own.filter(wasRight).length / Math.max(1, own.length)) }];
  });
  const squares = told.map((one) => (one.confidence - Number(one.isRight)) ** 2);
  const brier = squares.reduce((sum, square) => sum + square, 0) / told.length;
  return { ...Object.fromEntries(rows), brier: roundShare(brier) };
}

function wasRight(example: { isRight: boolean }): boolean {
  return example.isRight;
}

function roundShare(value: number): number {
  return Math.round(1000 * value) / 1000;
}
