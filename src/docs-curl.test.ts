import { createHmac } from 'node:crypto';
import { globSync, rmSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { OpenService } from './cli/command.ts';
import { readConfig } from './platform/config.ts';
import { createLog } from './platform/log.ts';
import { openService } from './service.ts';
import { curlBlocks, curlRequests, type CurlValues } from './testing/curl-commands.ts';
import { testFolder, testRepository } from './testing/git.ts';
import { HANG_LIMIT_MS } from './testing/limits.ts';
import { zipOf } from './testing/zip.ts';

const ROOT = dirname(import.meta.dirname);
const BLOCKS = ['README.md', 'CONTRIBUTING.md', ...globSync('docs/**/*.md', { cwd: ROOT })].flatMap((path) =>
  curlBlocks(ROOT, path),
);
/** Blocks that cannot run, by where they begin, with the reason. */
const NOT_RUN: Record<string, string> = {};

const WORD_FILE = zipOf({
  '[Content_Types].xml':
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>',
  '_rels/.rels':
    '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="a" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>',
  'word/document.xml':
    '<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body><w:p><w:r><w:t>Orders</w:t></w:r></w:p></w:body></w:document>',
});

const dataDir = testFolder();
const FEATURES = ['checkout', 'cart', 'voucher', 'misc'].flatMap((name) => [
  [`src/${name}/${name}.ts`, `export function ${name}() {\n  return 1;\n}\n`],
  [`src/${name}/route.ts`, `import { ${name} } from './${name}.ts';\nexport const ${name}Route = ${name}();\n`],
]);
const shop = testRepository([
  { files: { 'src/cart/voucher.ts': 'export function sendMail() {}\n', ...Object.fromEntries(FEATURES) } },
]);
let service: OpenService;
let values: CurlValues;

beforeAll(async () => {
  const settings = {
    SVC_DATA_DIR: dataDir,
    SVC_PORT: '0',
    SVC_EXTRACT_PROCESSES: '1',
    SVC_EXACT_PASS: 'off',
    SVC_ENCODER: 'off',
  };
  const context = { log: createLog('silent'), version: '0.0.0', now: () => new Date() };
  service = await openService(readConfig(settings), { serve: true, work: true }, context);
  await send('/v1/repositories', { url: shop.path, name: 'shop' });
  await vi.waitFor(
    async () => {
      const listed = await (await service.request('/v1/repositories')).text();
      if (!listed.includes('"status":"ready"')) throw new Error(`The repository is not indexed yet: ${listed}`);
    },
    { timeout: HANG_LIMIT_MS },
  );
  const scopes = ['read', 'plans:write', 'decisions:write'];
  const { key } = await send<{ key: string }>('/v1/api-keys', { name: 'docs', scopes });
  const { path, secret } = await send<{ path: string; secret: string }>('/v1/signal-webhooks', { name: 'CI' });
  values = {
    texts: { 'svc_live_…': key, 'http://127.0.0.1:4000': service.url ?? '', '<address>': basename(path) },
    variables: {
      SIGNATURE: ({ BODY = '' }) => createHmac('sha256', secret).update(BODY).digest('hex'),
    },
    files: { 'guide.md': Buffer.from('# Guide\n'), 'a.md': Buffer.from('# A\n'), 'b.docx': WORD_FILE },
  };
});
afterAll(async () => {
  await service.close();
  shop.remove();
  rmSync(dataDir, { recursive: true, force: true });
});

async function send<Body>(path: string, body: object): Promise<Body> {
  const headers = { 'content-type': 'application/json' };
  const answer = await service.request(path, { method: 'POST', headers, body: JSON.stringify(body) });
  return (await answer.json()) as Body;
}

test('blocks that are not run still exist, and each has a reason', () => {
  const headings = new Set(BLOCKS.map(({ at }) => at));

  expect(Object.entries(NOT_RUN).filter(([at, reason]) => !headings.has(at) || reason === '')).toEqual([]);
  expect(BLOCKS.length).toBeGreaterThan(4);
});

test.each(BLOCKS.filter(({ at }) => NOT_RUN[at] === undefined))(
  'the service accepts each curl of $at',
  async ({ script }) => {
    for (const { command, url, method, headers, body, isStream } of curlRequests(script, values)) {
      const stop = new AbortController();
      const answer = await fetch(url, { method, headers, signal: stop.signal, ...(body !== undefined && { body }) });
      const text = isStream ? await firstOf(answer) : await answer.text();
      stop.abort();

      expect(answer.status, `${command}\n${text}`).toBeGreaterThanOrEqual(200);
      expect(answer.status, `${command}\n${text}`).toBeLessThan(300);
      expect(text).not.toBe('');
    }
  },
);

/** Returns the first event of a stream. */
async function firstOf(answer: Response): Promise<string> {
  const { value } = (await answer.body?.getReader().read()) ?? {};
  return Buffer.from(value ?? []).toString();
}
