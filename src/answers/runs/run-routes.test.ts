import { expect, test } from 'vitest';
import { createLog } from '../../platform/log.ts';
import { newRoutes } from '../../platform/web.ts';
import { HANG_LIMIT_MS } from '../../testing/limits.ts';
import { testAccount } from '../../testing/account.ts';
import { runRoutes } from './run-routes.ts';
import { type RunContext, Runs } from './runs.ts';

/** The routes over runs of a new account, whose workflow ends or, for the question "hang", does not. */
async function openRoutes() {
  const { db, accountId, productId } = await testAccount();
  const caller = { accountId, productId, keyId: 'k', scopes: ['read' as const] };
  // Ids are in the order of milliseconds.
  let nowMs = Date.now();
  const runs = new Runs({ db, now: () => new Date((nowMs += 1)), log: createLog('silent') });
  const hangs = Promise.withResolvers<undefined>();
  const run = async ({ input, signal, step }: RunContext): Promise<object> => {
    await step('search', async () => ({ calls: ['code-tool overview'] }));
    if (input['question'] !== 'hang') return {};
    return step('conclude', () => {
      hangs.resolve(undefined);
      return new Promise((_, fail) => signal.addEventListener('abort', () => fail(signal.reason)));
    });
  };
  runs.define({ kind: 'deep_research', steps: ['search', 'conclude'], run });
  const begin = async (question: string): Promise<string> => {
    const id = await runs.start(caller, 'deep_research', { question });
    const waiter = { caller, signal: new AbortController().signal, waitMs: HANG_LIMIT_MS, progress: () => {} };
    await Promise.race([runs.wait(id, waiter), hangs.promise]);
    return id;
  };
  const app = newRoutes();
  app.use(async (c, next) => {
    c.set('requester', { ...caller, by: 'key' });
    await next();
  });
  app.route('/', runRoutes({ runs, nameCallers: async () => (keyId) => `API key ${keyId}` }).routes);
  const ask = async (path: string, method = 'GET'): Promise<Record<string, unknown>> =>
    (await (await app.request(path, { method })).json()) as Record<string, unknown>;
  return { runs, begin, ask };
}

test('runs are listed newest first, a page at a time, by their state', async () => {
  const { runs, begin, ask } = await openRoutes();
  const ids = [];
  for (const question of ['first', 'second', 'third']) ids.unshift(`run:${await begin(question)}`);

  const first = await ask('/runs?limit=2');
  const rest = await ask(`/runs?limit=2&cursor=${String(first['next'])}`);

  expect(first['runs']).toMatchObject([
    { id: ids[0], title: 'third', state: 'done', pct: 100, by: 'API key k', ended_at: expect.any(String) },
    { id: ids[1], title: 'second' },
  ]);
  expect(rest).toMatchObject({ runs: [{ id: ids[2], title: 'first' }], next: null });
  expect(await ask('/runs?state=running')).toEqual({ runs: [], next: null });
  await runs.close();
});

test('a traceback is called by its last line', async () => {
  const { runs, begin, ask } = await openRoutes();
  await begin('Traceback (most recent call last):\n  File "a.py", line 2, in f\nOSError: [Errno 11] busy\n');

  expect(await ask('/runs')).toMatchObject({ runs: [{ title: 'OSError: [Errno 11] busy' }] });
  await runs.close();
});

test('a run tells its steps with their calls, and can be cancelled once', async () => {
  const { runs, begin, ask } = await openRoutes();
  const id = await begin('hang');

  expect(await ask(`/runs/run:${id}`)).toMatchObject({ state: 'running', stage: 'conclude', ended_at: null });
  const cancelled = await ask(`/runs/run:${id}/cancel`, 'POST');

  expect(cancelled).toMatchObject({ state: 'cancelled', input: { question: 'hang' }, ended_at: expect.any(String) });
  expect(cancelled['steps']).toEqual([
    { name: 'search', ended_at: expect.any(String), calls: ['code-tool overview'] },
    { name: 'conclude', ended_at: null, calls: [] },
  ]);
  expect(await ask(`/runs/${id}/cancel`, 'POST')).toMatchObject({ ended_at: cancelled['ended_at'] });
  await runs.close();
});
