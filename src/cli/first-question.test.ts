import { expect, test } from 'vitest';
import { ServiceError } from '../kernel/errors.ts';
import type { Client } from './client.ts';
import { findFirstQuestion } from './first-question.ts';

const none = (): Promise<never> => Promise.reject(new Error('Nothing else is read.'));

/** A service with these central symbols by repository, and how often each name or handle is used. */
function clientOf(central: Record<string, object[]>, usages: Record<string, number>): Client {
  return {
    where: 'a test',
    isLogin: false,
    send: async <Body>(_: string, __: string, body?: unknown) => {
      const { action, repo, symbol = '' } = body as { action: string; repo: string; symbol?: string };
      if (action === 'map') return { rows: central[repo] } as Body;
      const total = usages[symbol];
      if (total === undefined) throw new ServiceError('bad_argument', `${symbol} is ambiguous.`, { fix: 'Use an id.' });
      return { total, rows: [] } as Body;
    },
    text: none,
    get: none,
    download: none,
    request: none,
    close: async () => {},
  };
}

const send = { part: 'symbols', qualified: 'send', symbol: 'sym:send@src/mail.ts' };
const run = { part: 'symbols', qualified: 'run', symbol: 'sym:run@src/run.ts' };

test('asks for the first central symbol that has usages, by its name', async () => {
  const client = clientOf({ shop: [{ part: 'packages' }, run, send] }, { run: 0, [run.symbol]: 0, send: 3 });

  expect(await findFirstQuestion(client, ['shop'])).toEqual({ action: 'usages', symbol: 'send', repo: 'shop' });
});

test('asks by handle where several symbols have the name, and in the next repository where nothing is used', async () => {
  const client = clientOf({ empty: [], shop: [send] }, { [send.symbol]: 1 });

  const question = { action: 'usages', symbol: send.symbol, repo: 'shop' };
  expect(await findFirstQuestion(client, ['unread', 'empty', 'shop'])).toEqual(question);
});

test('asks nothing where the map is refused or no central symbol is used', async () => {
  expect(await findFirstQuestion(clientOf({ shop: [run] }, { run: 0 }), ['shop', 'unread'])).toBeUndefined();
});
