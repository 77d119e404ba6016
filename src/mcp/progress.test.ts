import type { ServerContext } from '@modelcontextprotocol/server';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { trackProgress } from './progress.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

interface Sent {
  params: { progress: number; total?: number; message: string };
}

/** A call of a client that wants progress; `write` is what each notification waits for. */
function contextOf(sent: string[], write: (params: Sent['params']) => Promise<void> = async () => {}): ServerContext {
  const notify = ({ params }: Sent): Promise<void> => {
    sent.push(params.message);
    return write(params);
  };
  const mcpReq = { _meta: { progressToken: 1 }, signal: new AbortController().signal, notify };
  // Of all that a server knows of a call, only this is looked at.
  return { mcpReq } as unknown as ServerContext;
}

test('a heartbeat says what is done, of how much, and since when the call runs', async () => {
  const sent: string[] = [];
  const progress = trackProgress(contextOf(sent));

  progress.report(1, 2, '1 of 2 indexes have answered');
  vi.advanceTimersByTime(20_000);
  await progress.stop();

  const last = '1 of 2 indexes have answered';
  expect(sent).toEqual([last, `${last}, 10 s so far`, `${last}, 20 s so far`]);
});

test('the last step is told even when it comes at once, and nothing after the end of the call', async () => {
  const sent: string[] = [];
  const progress = trackProgress(contextOf(sent));

  for (const step of [0, 1, 2]) progress.report(step, 3, `${step} of 3`);
  await progress.stop();
  vi.advanceTimersByTime(60_000);
  progress.report(3, 3, 'by an operation that was given up');

  expect(sent).toEqual(['0 of 3', '2 of 3']);
});

test('a call ends when what it told is written', async () => {
  const write = Promise.withResolvers<void>();
  const progress = trackProgress(contextOf([], () => write.promise));
  const order: string[] = [];
  progress.report(1, 1, '1 of 1');

  const ended = progress.stop().then(() => order.push('ended'));
  // Whatever is ready has happened by the time a chain this long has.
  for (let turn = 0; turn < 50; turn++) await Promise.resolve();
  order.push('written');
  write.resolve();
  await ended;

  expect(order).toEqual(['written', 'ended']);
});

test('what a client is told always rises, and is never more than all of it', async () => {
  const shares: string[] = [];
  const progress = trackProgress(
    contextOf([], async ({ progress: done, total = 0 }) => void shares.push(`${done} of ${total}`)),
  );

  progress.report(22, 23, 'asking');
  for (const step of [1, 2]) {
    vi.advanceTimersByTime(200);
    progress.report(step, 2, 'checking the sources');
  }
  await progress.stop();

  expect(shares).toEqual(['22 of 23', '22.001 of 22.001', '22.002 of 22.002']);
});
