import type { ServerResponse } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { SseTransport } from './sse.ts';

test('a result leaves a turn of the event loop after a notification, however busy the process was', async () => {
  const order: string[] = [];
  const response = {
    write: (text: string): boolean => order.push(text.includes('"method"') ? 'notification' : 'result') > 0,
  };
  // Of a response, a stream that is never started only writes to it.
  const transport = new SseTransport('/', response as unknown as ServerResponse);
  const turn = nextTurn().then(() => order.push('turn'));

  await transport.send({ jsonrpc: '2.0', method: 'notifications/progress' });
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 30);
  await transport.send({ jsonrpc: '2.0', id: 1, result: {} });
  await turn;

  expect(order).toEqual(['notification', 'turn', 'result']);
});
