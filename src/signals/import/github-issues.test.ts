import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { type GitHubIssues, readGitHubIssues } from './github-issues.ts';
import { importRecords } from './import-file.ts';

const issue = (number: number, more: object = {}): object => ({
  number,
  html_url: `https://github.com/acme/shop/issues/${number}`,
  title: `Exports are slow ${number}`,
  body: 'They take a minute.',
  user: { login: 'customer-one' },
  labels: [{ name: 'export' }],
  created_at: '2026-03-01T10:00:00Z',
  ...more,
});

async function github(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const api = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return api;
}

const second = (number: number): string => new Date(Date.UTC(2026, 2, 1, 0, 0, number)).toISOString();

const requestOf = (api: string, more: Partial<GitHubIssues> = {}): GitHubIssues => ({
  repository: 'acme/shop',
  api,
  token: undefined,
  state: 'all',
  since: undefined,
  ...more,
});

test('all pages are read with the token, and become signals without pull requests', async () => {
  const requests: string[] = [];
  const api = await github((request, response) => {
    requests.push(`${request.headers.authorization} ${request.url}`);
    response.end(JSON.stringify([issue(1), issue(2, { pull_request: {} }), issue(3)]));
  });

  const pages = await Array.fromAsync(
    readGitHubIssues(requestOf(api, { token: 'secret', since: new Date('2026-01-01T00:00:00Z') })),
  );

  expect(requests).toEqual([
    'Bearer secret /repos/acme/shop/issues?state=all&sort=updated&direction=asc&per_page=100&page=1&since=2026-01-01T00%3A00%3A00.000Z',
  ]);
  expect(importRecords(pages.flat(), {}).signals).toEqual([
    expect.objectContaining({
      external_id: '1',
      source: 'github:acme/shop',
      customer: 'customer-one',
      tags: ['export'],
    }),
    expect.objectContaining({ external_id: '3' }),
  ]);
});

test('an issue that changes while pages are read moves none of the others to a page that was read', async () => {
  let all = Array.from({ length: 150 }, (_, at) => ({ number: at + 1, updated_at: second(at + 1) }));
  const api = await github((request, response) => {
    const query = new URLSearchParams(request.url?.split('?')[1]);
    const since = query.get('since') ?? '';
    const from = (Number(query.get('page')) - 1) * 100;
    const page = all.filter((one) => one.updated_at >= since).slice(from, from + 100);
    response.end(JSON.stringify(page.map((one) => issue(one.number, one))));
    // The first one is commented on meanwhile.
    all = [...all.filter(({ number }) => number !== 1), { number: 1, updated_at: second(500) }];
  });

  const pages = await Array.fromAsync(readGitHubIssues(requestOf(api)));

  const numbers = pages.flat().map(({ number }) => number);
  expect(numbers).toEqual([...Array.from({ length: 150 }, (_, at) => at + 1), 1]);
});

test.each([
  [401, {}, 'invalid_key'],
  [404, {}, 'not_found'],
  [410, {}, 'not_found'],
  [403, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1772359200' }, 'rate_limited'],
  [429, { 'retry-after': '60' }, 'rate_limited'],
  [500, {}, 'upstream_failed'],
  [200, {}, 'upstream_failed'],
])('status %i with %o is %s', async (status, headers, code) => {
  const api = await github((_, response) => response.writeHead(status, headers).end('{"message":"no"}'));

  await expect(Array.fromAsync(readGitHubIssues(requestOf(api)))).rejects.toMatchObject({ code });
});

test('a name that is none is refused before anything is sent', async () => {
  await expect(
    Array.fromAsync(readGitHubIssues(requestOf('http://127.0.0.1:1', { repository: '../x' }))),
  ).rejects.toMatchObject({ code: 'bad_argument' });
});
