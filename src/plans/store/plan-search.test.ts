import { afterAll, beforeAll, expect, test } from 'vitest';
import { testKnowledge } from '../../testing/knowledge.ts';
import type { KnowledgeIndex } from '../../knowledge/knowledge.ts';
import { openPlanBench, type PlanBench } from '../../testing/plans.ts';
import { savePlan } from '../plans.ts';
import { removePlan, setPlanStatus } from '../keep/change-plan.ts';

const actor = 'system' as const;
let bench: PlanBench;
let knowledge: KnowledgeIndex;

beforeAll(async () => {
  bench = await openPlanBench();
  knowledge = testKnowledge(bench.plans.db);
});
afterAll(async () => {
  await knowledge.close();
  await bench.close();
});

async function findPlans(query: string): Promise<[string, string, readonly string[]][]> {
  const { hits } = await knowledge.search(bench.account, { query, corpora: ['plans'], limit: 10 });
  return hits.map(({ id, section, tags }) => [id, section, tags]);
}

test('a plan is found section by section as soon as it is saved, and no more once it is deleted', async () => {
  const text = '# Faster mail\n\n## Goal\n\nLetters travel at once.\n\n## Context\n\nPigeons are slow.\n';

  await savePlan(bench.plans, bench.account, { text, actor });
  const saved = await findPlans('pigeons');
  await savePlan(bench.plans, bench.account, { text: text.replace('Pigeons', 'Horses'), actor });
  await setPlanStatus(bench.plans, bench.account, { slug: 'faster-mail', status: 'active', actor });
  const [old, changed] = [await findPlans('pigeons'), await findPlans('horses')];
  await removePlan(bench.plans, bench.account, { slug: 'faster-mail', actor });
  const removed = await findPlans('horses');

  expect(saved).toEqual([['plan:faster-mail', 'Context', ['draft']]]);
  expect(old).toEqual([]);
  expect(changed).toEqual([['plan:faster-mail', 'Context', ['active']]]);
  expect(removed).toEqual([]);
});
