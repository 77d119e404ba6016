import { expect, test } from 'vitest';
import { SharedWork, WorkGoesOn } from './shared-work.ts';

/** Work whose end the test decides. */
function work() {
  const shared = new SharedWork<string, number>();
  const end = Promise.withResolvers<string>();
  const begun: AbortSignal[] = [];
  const begin = (signal: AbortSignal, onProgress: (progress: number) => void): Promise<string> => {
    begun.push(signal);
    onProgress(40);
    return end.promise;
  };
  const ask = (more: { signal?: AbortSignal; patienceMs?: number; onProgress?: (progress: number) => void } = {}) =>
    shared.of('key', begin, { signal: new AbortController().signal, patienceMs: 60_000, ...more });
  return { shared, end, begun, ask };
}

const fail = (): Promise<string> => Promise.reject(new Error('no'));

const hang = (signal: AbortSignal): Promise<string> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));

test('two who ask at once share one run and its progress', async () => {
  const { end, begun, ask } = work();
  const reportsByCaller: number[][] = [[], []];

  const answers = reportsByCaller.map((reports) => ask({ onProgress: (progress) => reports.push(progress) }));
  end.resolve('done');

  expect(await Promise.all(answers)).toEqual(['done', 'done']);
  expect(begun).toHaveLength(1);
  expect(reportsByCaller).toEqual([[40], [40]]);
});

test('past the patience the work goes on, whoever gives up later, and the next one gets its result', async () => {
  const { end, begun, ask } = work();
  const later = new AbortController();

  const late = ask({ patienceMs: 1 });
  await expect(late).rejects.toMatchObject({ name: 'WorkGoesOn', progress: 40 });
  await expect(late).rejects.toBeInstanceOf(WorkGoesOn);
  const cancelled = ask({ signal: later.signal });
  later.abort(new Error('the client went away'));
  await expect(cancelled).rejects.toThrow('the client went away');

  expect(begun.map(({ aborted }) => aborted)).toEqual([false]);
  const next = ask();
  end.resolve('done');
  expect(await next).toBe('done');
  expect(begun).toHaveLength(1);
});

test('work that everybody gave up is stopped, and begins anew for the next one', async () => {
  const { end, begun, ask } = work();
  const [first, second] = [new AbortController(), new AbortController()];
  const both = [ask({ signal: first.signal }), ask({ signal: second.signal })];
  await expect.poll(() => begun.length).toBe(1);

  first.abort(new Error('first'));
  await expect(both[0]).rejects.toThrow('first');
  expect(begun[0]?.aborted).toBe(false);
  second.abort(new Error('second'));
  await expect(both[1]).rejects.toThrow('second');

  expect(begun[0]?.aborted).toBe(true);
  const next = ask();
  end.resolve('anew');
  expect(await next).toBe('anew');
  expect(begun).toHaveLength(2);
});

test('a failure is not kept, and closing stops what is under way', async () => {
  const shared = new SharedWork<string, number>();
  const wait = { signal: new AbortController().signal, patienceMs: 60_000 };

  await expect(shared.of('key', fail, wait)).rejects.toThrow('no');
  expect(await shared.of('key', async () => 'yes', wait)).toBe('yes');
  const hanging = shared.of('other', hang, wait);
  const [outcome] = await Promise.allSettled([hanging, Promise.resolve().then(() => shared.close())]);

  expect(outcome).toMatchObject({ status: 'rejected', reason: new Error('The service stops.') });
});
