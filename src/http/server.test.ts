import { expect, test } from 'vitest';
import { startService, TestKeys } from '../testing/http.ts';
import { listen } from './server.ts';

test('a port that is taken is one clear sentence with the way out', async () => {
  const first = await startService({ operations: [], gate: new TestKeys() });
  const port = Number(new URL(first.url).port);

  const second = listen({ fetch: () => new Response() }, { host: '127.0.0.1', port, variable: 'SVC_PORT' });

  await expect(second).rejects.toMatchObject({
    code: 'conflict',
    message: `Another program already uses port ${port} on 127.0.0.1.`,
    fix: `Stop that program, or choose another port, for example SVC_PORT=${port + 1}.`,
  });
  await first.close();
});

test('an address this machine does not have is refused in words', async () => {
  const listening = listen({ fetch: () => new Response() }, { host: '192.0.2.1', port: 0, variable: 'SVC_PORT' });

  await expect(listening).rejects.toMatchObject({
    code: 'bad_argument',
    message: expect.stringContaining('192.0.2.1'),
  });
});

test('closing lets the answer in flight end, and cuts it when it takes too long', async () => {
  const quick = Promise.withResolvers<void>();
  const begun = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const app = {
    async fetch(request: Request) {
      const isQuick = request.url.endsWith('/quick');
      begun[isQuick ? 0 : 1]?.resolve();
      await (isQuick ? quick.promise : new Promise(() => {}));
      return new Response('done');
    },
  };
  const listener = await listen(app, { host: '127.0.0.1', port: 0, variable: 'SVC_PORT', drainLimitMs: 300 });
  const answer = fetch(`http://127.0.0.1:${listener.port}/quick`);
  const never = fetch(`http://127.0.0.1:${listener.port}/never`).catch((error: unknown) => error);
  await Promise.all(begun.map(({ promise }) => promise));

  const closed = listener.close();
  quick.resolve();

  expect(await (await answer).text()).toBe('done');
  expect(await never).toBeInstanceOf(TypeError);
  await closed;
  await expect(fetch(`http://127.0.0.1:${listener.port}/quick`)).rejects.toThrow('fetch failed');
});
