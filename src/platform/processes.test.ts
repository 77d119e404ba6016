import { getPriority } from 'node:os';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { childProcesses } from '../testing/processes.ts';
import { ProcessPool } from './processes.ts';
import { workerUrl } from './threads.ts';

const url = workerUrl(import.meta, '../testing/odd-process');
const options = { deadlineMs: 60_000 };

let pool: ProcessPool;
beforeEach(() => {
  pool = new ProcessPool({ url, size: 1, memoryMegabytes: 256 });
});
afterEach(() => pool.close());

test('a task whose memory lies outside of the heap is ended at the limit, and the next one is done', async () => {
  const [greedy, next] = [pool.run('memory', options), pool.run<number>('echo', options)];

  await expect(greedy).rejects.toThrow('at its limit of 256 MB of memory');
  expect(await next).toBeGreaterThan(0);
});

test('a task that goes on for ever is ended at its deadline', async () => {
  await pool.run('echo', options);

  await expect(pool.run('loop', { deadlineMs: 200 })).rejects.toThrow('at its limit of 0.2 s');
  expect(await pool.run<number>('echo', options)).toBeGreaterThan(0);
});

test('a process that ends takes its own task with it alone', async () => {
  const [ending, next] = [pool.run('exit', options), pool.run<number>('echo', options)];

  await expect(ending).rejects.toThrow('ended with code 3');
  expect(await next).toBeGreaterThan(0);
});

test('what is wrong with a task arrives as it was thrown, and the process stays', async () => {
  const process = await pool.run<number>('echo', options);

  await expect(pool.run('refuse', options)).rejects.toMatchObject({ code: 'too_large', fix: 'Make it smaller.' });
  expect(await pool.run<number>('echo', options)).toBe(process);
});

test('a process that holds much of its limit makes way for a new one', async () => {
  const large = await pool.run<number>({ hold: 150 }, options);

  expect(await pool.run<number>('echo', options)).not.toBe(large);
});

test('tasks that go on from earlier ones keep their process, and are refused when it is gone', async () => {
  await using stateful = new ProcessPool({ url, size: 1, memoryMegabytes: 256, isStateful: true });
  const large = await stateful.run<number>({ hold: 150 }, options);

  expect(await stateful.run<number>('echo', options)).toBe(large);
  await expect(stateful.run('exit', options)).rejects.toThrow('ended with code 3');
  await expect(stateful.run('echo', options)).rejects.toThrow('with what earlier tasks left in it');
});

test('a task that is not wanted any more ends with its process', async () => {
  const stop = new AbortController();
  const process = await pool.run<number>('echo', options);
  const running = pool.run('loop', { ...options, signal: stop.signal });
  const waiting = pool.run('echo', { ...options, signal: stop.signal });

  stop.abort(new Error('not wanted'));

  await expect(running).rejects.toThrow('not wanted');
  await expect(waiting).rejects.toThrow('not wanted');
  expect(await pool.run<number>('echo', options)).not.toBe(process);
});

test('a pool that is closed leaves no process', async () => {
  const running = pool.run('loop', options).catch((error: unknown) => error);

  await pool.close();

  expect(await running).toMatchObject({ name: 'PoolClosed' });
  expect(childProcesses('odd-process')).toEqual([]);
  await expect(pool.run('echo', options)).rejects.toThrow('is closed');
});

test('its processes step back behind what answers questions', async () => {
  vi.stubEnv('SVC_BACKGROUND_PRIORITY', '5');
  onTestFinished(() => void vi.unstubAllEnvs());

  expect(getPriority(await pool.run<number>('echo', options))).toBe(5);
});
