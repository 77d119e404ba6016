import { sql } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import { createLog } from '../../platform/log.ts';
import type { Caller } from '../../platform/operation/operation.ts';
import { testAccount } from '../../testing/account.ts';
import { type RunContext, Runs, type RunView } from './runs.ts';

const opened: Runs[] = [];
afterEach(() => Promise.all(opened.splice(0).map((runs) => runs.close())));

const STEPS = ['read', 'search', 'conclude'];

/** A run, and processes that take it over one after another. */
async function openRun() {
  const { db, accountId, productId } = await testAccount();
  const caller: Caller = { accountId, productId, keyId: 'k', scopes: ['read'] };
  const begun: string[] = [];
  /** A process that does not come through a step. */
  const open = (endsIn = '') => {
    const reached = Promise.withResolvers<'reached'>();
    const doStep = (name: string, { signal }: RunContext): Promise<string> => {
      begun.push(name);
      if (name !== endsIn) return Promise.resolve(name);
      reached.resolve('reached');
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    };
    const run = async (context: RunContext): Promise<void> => {
      for (const name of STEPS) await context.step(name, () => doStep(name, context));
    };
    const runs = new Runs({ db, now: () => new Date(), log: createLog('silent') });
    runs.define({ kind: 'count', steps: STEPS, run });
    opened.push(runs);
    return { runs, reached: reached.promise };
  };
  let id = '';
  /** Begins the run, or takes it over, and gives it when it has ended. */
  const work = async (runs: Runs): Promise<RunView> => {
    if (id === '') id = await runs.start(caller, 'count', {});
    return runs.wait(id, { caller, signal: new AbortController().signal, waitMs: 60_000, progress: () => {} });
  };
  /** A process works on the run until a step ends it; the next one finds it a while later. */
  const lose = async (endsIn: string): Promise<void> => {
    const { runs, reached } = open(endsIn);
    expect(await Promise.race([reached, work(runs)])).toBe('reached');
    await sql`update workflow_run set held_until = ${new Date(0)} where account_id = ${accountId}`.execute(db);
  };
  return { begun, open, lose, finish: () => work(open().runs), stop: () => opened.at(-1)?.close() };
}

test.each(['read', 'search'])('a run fails once its step “%s” has ended three processes', async (step) => {
  const { begun, lose, finish } = await openRun();
  for (let count = 0; count < 3; count += 1) await lose(step);
  const { state, error } = await finish();

  expect(begun.filter((name) => name === step)).toHaveLength(3);
  expect(state).toBe('failed');
  expect(error).toMatchObject({
    code: 'internal',
    message: `The service was killed or crashed 3 times during the step “${step}” of this run.`,
    fix: expect.stringContaining('memory'),
  });
});

test('a run whose steps end two processes each is finished', async () => {
  const { begun, lose, finish } = await openRun();
  for (const step of STEPS) {
    await lose(step);
    await lose(step);
  }

  expect(await finish()).toMatchObject({ state: 'done' });
  expect(begun).toEqual(STEPS.flatMap((step) => [step, step, step]));
});

test('a process that stops in order does not count as lost', async () => {
  const { lose, finish, stop } = await openRun();
  for (let count = 0; count < 5; count += 1) {
    await lose('search');
    await stop();
  }

  expect(await finish()).toMatchObject({ state: 'done' });
});
