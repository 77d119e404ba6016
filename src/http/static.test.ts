import { Hono } from 'hono';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import type { WebEnv } from '../platform/web.ts';
import { testFolder } from '../testing/git.ts';
import { webApplication } from './static.ts';

const PAGE = '<!doctype html><div id="root"></div>';
const SCRIPT = 'console.log("app");';
const folder = testFolder();
let app: Hono<WebEnv>;

function serving(options: { folder: string; isSecure: boolean }): Hono<WebEnv> {
  const served = new Hono<WebEnv>();
  served.use(webApplication(options));
  return served;
}

beforeAll(() => {
  mkdirSync(join(folder, 'web', 'assets'), { recursive: true });
  writeFileSync(join(folder, 'secret.js'), 'outside');
  writeFileSync(join(folder, 'web', 'index.html'), PAGE);
  writeFileSync(join(folder, 'web', '.hidden.js'), 'hidden');
  writeFileSync(join(folder, 'web', 'notes.txt'), 'no type');
  writeFileSync(join(folder, 'web', 'assets', 'main-a1b2.js'), SCRIPT);
  writeFileSync(join(folder, 'web', 'assets', 'main-a1b2.js.br'), brotliCompressSync(SCRIPT));
  app = serving({ folder: join(folder, 'web'), isSecure: false });
});
afterAll(() => rmSync(folder, { recursive: true }));

test('every page of the application is the same document, protected against foreign script and frames', async () => {
  const paths = ['/', '/settings/api-keys', '/r/owner/mail@3316dc92f01a/src/send.ts'];

  for (const path of paths) {
    const response = await app.request(path);
    expect(response.status).toBe(200);
    expect(await response.text()).toBe(PAGE);
    const headers = Object.fromEntries(response.headers);
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
    });
    const policy = headers['content-security-policy']?.split('; ') ?? [];
    expect(policy).toEqual(
      expect.arrayContaining([
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
        "require-trusted-types-for 'script'",
      ]),
    );
    expect(policy.join()).not.toMatch(/unsafe|\*|data:/);
  }
});

test('https is asked for from then on only where the service is reached by https', async () => {
  const secure = serving({ folder: join(folder, 'web'), isSecure: true });

  expect((await app.request('/')).headers.get('strict-transport-security')).toBeNull();
  expect((await secure.request('/')).headers.get('strict-transport-security')).toBe('max-age=31536000');
});

test('files with a hash in their name are kept for ever, and come compressed to whoever takes that', async () => {
  const plain = await app.request('/assets/main-a1b2.js');
  const small = await app.request('/assets/main-a1b2.js', { headers: { 'accept-encoding': 'gzip, br' } });

  expect(await plain.text()).toBe(SCRIPT);
  expect(plain.headers.get('content-encoding')).toBeNull();
  expect(brotliDecompressSync(Buffer.from(await small.arrayBuffer())).toString()).toBe(SCRIPT);
  expect(Object.fromEntries(small.headers)).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'content-encoding': 'br',
    'cache-control': 'public, max-age=31536000, immutable',
    vary: 'Accept-Encoding',
  });
});

test('a file that is known already is not sent again', async () => {
  const tag = (await app.request('/')).headers.get('etag') ?? '';

  const again = await app.request('/', { headers: { 'if-none-match': tag } });

  expect(again.status).toBe(304);
  expect(await again.text()).toBe('');
});

const outside = [
  '/../secret.js',
  '/%2e%2e/secret.js',
  '/..%2fsecret.js',
  '/assets/..%2f..%2fsecret.js',
  '/.hidden.js',
  '/notes.txt',
  '/assets/main-gone.js',
  '//secret.js',
];

test.each(outside)('%s is not found', async (path) => {
  const response = await app.request(`http://localhost${path}`);

  expect(response.status).toBe(404);
});

test.each(['/v1', '/v1/anything', '/app/api/nothing', '/.well-known/oauth', '/register', '/healthz'])(
  '%s is no page: programs are not told HTML',
  async (path) => {
    expect((await app.request(path)).status).toBe(404);
    expect((await app.request('/settings', { method: 'POST' })).status).toBe(404);
  },
);

test('a program that asks for JSON or a stream at a wrong path is not given the page, a browser is', async () => {
  const accepted = ['application/json', 'text/event-stream', 'text/html,application/xhtml+xml,*/*;q=0.8'];

  const answers = await Promise.all(accepted.map(async (accept) => app.request('/sse', { headers: { accept } })));

  expect(answers.map(({ status }) => status)).toEqual([404, 404, 200]);
});

test('without a build the page says how to make one', async () => {
  const response = await serving({ folder: join(folder, 'absent'), isSecure: false }).request('/');

  expect(response.status).toBe(503);
  expect(await response.text()).toContain('npm run build');
});
