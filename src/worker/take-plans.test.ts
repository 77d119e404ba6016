import { pino } from 'pino';
import { expect, onTestFinished, test, vi } from 'vitest';
import { recordDecision } from '../decisions/decisions.ts';
import { savePlan } from '../plans/plans.ts';
import { openPlanBench } from '../testing/plans.ts';
import { takeRepositoryPlans } from './take-plans.ts';

test('what is compared after an index run stays behind questions', async () => {
  const bench = await openPlanBench();
  onTestFinished(() => bench.close());
  const { plans, account, repositoryId } = bench;
  const source = 'export function send(): number {\n  return 1;\n}\n';
  await bench.commitAndIndex({ files: { 'src/mail.ts': source } });
  await savePlan(plans, account, {
    text: '# Mail\n\nChange `send` in `src/mail.ts`, add `src/late.ts`.',
    actor: 'system',
  });
  const decision = { title: 'Mail', decision: 'Keep `src/late.ts` apart.' };
  await recordDecision(plans, account, { wanted: decision, actor: 'system' });
  const added = { 'src/mail.ts': source.replace('1', '2'), 'src/late.ts': source };
  await bench.commitAndIndex({ files: added });
  const query = vi.spyOn(plans.readers, 'query');
  onTestFinished(() => query.mockRestore());

  const { signal } = new AbortController();
  const job = { plans, startTakingPlans: async () => undefined, log: pino({ level: 'silent' }) };
  await takeRepositoryPlans(job, { tenant: account, repositoryId, signal });

  const queries = query.mock.calls.map(([, , [name], options]) => ({ name, background: options?.background }));
  const names = new Set<string>(queries.map(({ name }) => name));
  expect([...names]).toEqual(expect.arrayContaining(['filePlaces', 'symbolPlaces', 'laterPaths', 'commitsTouching']));
  expect(queries.filter(({ background }) => background !== true)).toEqual([]);
});
