import { expect, test } from 'vitest';
import { amountsOf } from '../detect/amounts.ts';
import { retryAfterMs } from './fetch-page.ts';
import { HostTurns } from './host-turns.ts';
import { RobotFiles } from './robots.ts';

const signal = new AbortController().signal;

test('requests to one host come one after the other with a pause; other hosts do not wait', async () => {
  const log: string[] = [];
  let clock = 0;
  const turns = new HostTurns(
    async (delayMs) => {
      log.push(`wait ${delayMs}`);
      clock += delayMs;
    },
    () => clock,
  );
  const open = Promise.withResolvers<void>();
  const first = turns.run('a', { pauseMs: 100, signal }, async () => {
    log.push('a1');
    await open.promise;
    log.push('a1 ends');
    clock += 5;
  });
  const second = turns.run('a', { pauseMs: 100, signal }, async () => void log.push('a2'));
  await turns.run('b', { pauseMs: 100, signal }, async () => void log.push('b1'));
  open.resolve();
  await Promise.all([first, second]);

  expect(log).toEqual(['a1', 'b1', 'a1 ends', 'wait 100', 'a2']);
  await expect(
    turns.run('a', { pauseMs: 0, signal: AbortSignal.abort(new Error('stopped')) }, async () => {}),
  ).rejects.toThrow('stopped');
});

test('robots.txt is read once an hour; without it all is allowed, and while a site fails nothing is', async () => {
  let now = new Date('2026-03-01T00:00:00Z');
  const files = new RobotFiles(() => now);
  const url = new URL('https://acme.example/private/page');
  const requests: string[] = [];
  const answer =
    (status: number, text = '') =>
    async (address: string) => {
      requests.push(address);
      return { status, text, headers: {}, bytes: Buffer.from(text) };
    };
  const rules =
    'User-agent: *\nDisallow: /\n\nUser-agent: svc-watch\nDisallow: /private/\nCrawl-delay: 400\nSitemap: https://acme.example/map.xml';

  expect(await files.rulesFor(url, answer(200, rules))).toEqual({
    isAllowed: false,
    delayMs: 30_000,
  });
  expect(files.sitemapsOf(url)).toEqual(['https://acme.example/map.xml']);
  expect(files.sitemapsOf(new URL('https://other.example/'))).toEqual([]);
  expect((await files.rulesFor(new URL('https://acme.example/pricing'), answer(500))).isAllowed).toBe(true);
  expect(requests).toEqual(['https://acme.example/robots.txt']);
  now = new Date(now.getTime() + 61 * 60_000);
  await expect(files.rulesFor(url, answer(503))).rejects.toThrow('answers 503');
  expect((await files.rulesFor(url, answer(404))).isAllowed).toBe(true);
});

test('amounts of money, as pages write them', () => {
  expect(
    amountsOf('$1,200.50, 9,99 €, EUR 30, 1.200 USD; 5 users, $ sign').map(({ value, currency }) => [value, currency]),
  ).toEqual([
    [1200.5, 'USD'],
    [9.99, 'EUR'],
    [30, 'EUR'],
    [1200, 'USD'],
  ]);
});

test('Retry-After is seconds or a date', () => {
  const now = new Date('2026-03-01T00:00:00Z');
  expect([
    retryAfterMs('120', now),
    retryAfterMs('Sun, 01 Mar 2026 00:01:00 GMT', now),
    retryAfterMs('soon', now),
  ]).toEqual([120_000, 60_000, undefined]);
});
