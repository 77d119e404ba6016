import { sql } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import { createLog } from '../../platform/log.ts';
import type { Caller } from '../../platform/operation/operation.ts';
import { testAccount } from '../../testing/account.ts';
import { type RunContext, Runs, type Workflow } from './runs.ts';

const opened: Runs[] = [];
afterEach(() => Promise.all(opened.splice(0).map((runs) => runs.close())));

const STEPS = ['read', 'search', 'conclude'];

/** A process that runs workflows, a caller of an account of its own, and what steps were done how often. */
async function openRuns() {
  const { db, accountId, productId } = await testAccount();
  const caller: Caller = { accountId, productId, keyId: 'k', scopes: ['read'] };
  const done: string[] = [];
  const open = (more: (name: string, context: RunContext) => Promise<void> = async () => {}): Runs => {
    const runs = new Runs({ db, now: () => new Date(), log: createLog('silent') });
    const workflow: Workflow = {
      kind: 'count',
      steps: STEPS,
      run: async (context) => {
        const given: string[] = [];
        for (const name of STEPS)
          given.push(
            await context.step(name, async () => {
              await more(name, context);
              done.push(name);
              return `${name} of ${String(context.input['what'])}`;
            }),
          );
        return { given };
      },
    };
    runs.define(workflow);
    opened.push(runs);
    return runs;
  };
  /** As if the process that works on it had been killed a while ago. */
  const abandon = async (id: string): Promise<void> => {
    await sql`update workflow_run set held_until = ${new Date(0)} where account_id = ${accountId} and id = ${id}`.execute(
      db,
    );
  };
  const waiter = (more: object = {}) => ({
    caller,
    signal: new AbortController().signal,
    waitMs: 60_000,
    progress: () => {},
    ...more,
  });
  return { caller, done, open, abandon, waiter };
}

/** Until the run is stopped. */
const hang = ({ signal }: RunContext): Promise<void> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));

test('a run is done step by step, and can be read again with what its steps gave', async () => {
  const { caller, done, open, waiter } = await openRuns();
  const runs = open();
  const stages: string[] = [];
  const id = await runs.start(caller, 'count', { what: 'bugs' });
  await runs.wait(
    id,
    waiter({ progress: (pct: number, total: number, message: string) => stages.push(`${pct}/${total} ${message}`) }),
  );

  const view = await open().view(caller, `run:${id}`);
  expect(view).toMatchObject({ state: 'done', pct: 100, result: { given: STEPS.map((name) => `${name} of bugs`) } });
  expect([...view.steps.keys()]).toEqual(STEPS);
  expect(done).toEqual(STEPS);
  expect(stages[0]).toMatch(/^\d+\/100 (?:waiting for a turn|read|search|conclude)$/);
});

test('what a killed process left is continued by another one, with no step done twice', async () => {
  const { caller, done, open, abandon, waiter } = await openRuns();
  const reached = Promise.withResolvers<undefined>();
  const killed = open(async (name, context) => {
    if (name !== 'search') return;
    reached.resolve(undefined);
    await hang(context);
  });
  const id = await killed.start(caller, 'count', { what: 'bugs' });
  await reached.promise;
  expect(await killed.view(caller, id)).toMatchObject({ state: 'running', stage: 'search', pct: 33 });

  const next = open();
  await next.resumeAbandoned();
  expect(done).toEqual(['read']);
  await abandon(id);
  await next.resumeAbandoned();
  const view = await next.wait(id, waiter());

  expect(view).toMatchObject({ state: 'done', result: { given: STEPS.map((name) => `${name} of bugs`) } });
  expect(done).toEqual(STEPS);
});

test('a process that stops lets go of its runs, and whoever waits for one takes it over', async () => {
  const { caller, done, open, waiter } = await openRuns();
  const reached = Promise.withResolvers<undefined>();
  const stopping = open(async (name, context) => {
    if (name !== 'search') return;
    reached.resolve(undefined);
    await hang(context);
  });
  const id = await stopping.start(caller, 'count', { what: 'bugs' });
  await reached.promise;
  await stopping.close();

  expect(await open().wait(id, waiter())).toMatchObject({ state: 'done' });
  expect(done).toEqual(STEPS);
});

test('a run is waited for and taken over by the id that its answer gives, too', async () => {
  const { caller, open, waiter } = await openRuns();
  const reached = Promise.withResolvers<undefined>();
  const first = open(async (name, context) => {
    if (name !== 'search') return;
    reached.resolve(undefined);
    await hang(context);
  });
  const id = await first.start(caller, 'count', { what: 'bugs' });
  await reached.promise;
  expect(await first.wait(`run:${id}`, waiter({ waitMs: 1 }))).toMatchObject({ state: 'running' });
  await first.close();

  expect(await open().wait(`run:${id.toUpperCase()}`, waiter())).toMatchObject({ state: 'done' });
});

test('a run is cancelled by whoever waits for it, and its work is stopped', async () => {
  const { caller, done, open, waiter } = await openRuns();
  const [reached, stopped] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
  const runs = open(async (name, context) => {
    if (name !== 'search') return;
    context.signal.addEventListener('abort', () => stopped.resolve(undefined));
    reached.resolve(undefined);
    await hang(context);
  });
  const id = await runs.start(caller, 'count', { what: 'bugs' });
  await reached.promise;
  const client = new AbortController();
  const waiting = runs.wait(id, waiter({ signal: client.signal }));
  client.abort(new Error('the client cancelled'));

  await expect(waiting).rejects.toThrow('the client cancelled');
  await stopped.promise;
  expect(await runs.view(caller, id)).toMatchObject({ state: 'cancelled', result: null });
  expect(done).toEqual(['read']);
});

test('a fault fails the run, and runs of others are not found', async () => {
  const { caller, open, waiter } = await openRuns();
  const runs = open(async () => {
    throw new Error('a bug');
  });
  const id = await runs.start(caller, 'count', {});

  expect(await runs.wait(id, waiter())).toMatchObject({ state: 'failed', error: { code: 'internal' } });
  const stranger = (await openRuns()).caller;
  await expect(runs.view(stranger, id)).rejects.toMatchObject({ code: 'run_not_found' });
  await expect(runs.view(caller, 'run:7')).rejects.toMatchObject({ code: 'run_not_found' });
});

test('a key has ten unfinished runs at most', async () => {
  const { caller, open } = await openRuns();
  const runs = open((_, context) => hang(context));
  for (let count = 0; count < 10; count += 1) await runs.start(caller, 'count', {});

  await expect(runs.start(caller, 'count', {})).rejects.toMatchObject({ code: 'rate_limited' });
  await runs.start({ ...caller, keyId: 'another' }, 'count', {});
});
