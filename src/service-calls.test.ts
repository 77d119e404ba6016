import { cpSync, readFileSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { OpenService } from './cli/command.ts';
import { readConfig } from './platform/config.ts';
import { createLog } from './platform/log.ts';
import { openService } from './service.ts';
import { testFolder, testRepository, type TestRepository } from './testing/git.ts';

const FIXTURES = fileURLToPath(new URL('../fixtures/calls/', import.meta.url));
const TOOLS: Record<string, string> = {
  code: 'code-tool',
  commit: 'commit-tool',
  search: 'search-tool',
  entity: 'entity-analysis-tool',
};
/** Of all calls, so many must be answered rightly at the first try. */
const GOAL = 0.95;
const NOW = new Date('2026-01-10T12:00:00Z');

/** One line of the list: a call, and what its first answer must have. */
interface NaturalCall {
  tool: string;
  args: Record<string, unknown>;
  expected: string[];
}

type Row = Record<string, unknown>;

const dataDir = testFolder();
const repositories: Record<string, TestRepository> = {};
let service: OpenService;

beforeAll(async () => {
  const config = readConfig({
    SVC_DATA_DIR: dataDir,
    SVC_LOG_LEVEL: 'silent',
    SVC_EXTRACT_PROCESSES: '1',
    SVC_EXACT_PASS: 'off',
    SVC_ENCODER: 'off',
    SVC_BACKGROUND_PRIORITY: '0',
  });
  const how = { serve: false, work: true };
  service = await openService(config, how, { log: createLog('silent'), version: '0.0.0', now: () => NOW });
  repositories['webshop'] = webshop();
  for (const name of ['ledger', 'queue']) repositories[name] = madeOf(name, `feat: add ${name}`);
});
afterAll(async () => {
  await service.close();
  for (const repository of Object.values(repositories)) repository.remove();
  rmSync(dataDir, { recursive: true, force: true });
});

/** The files of a fixture as one commit. */
function madeOf(name: string, message: string): TestRepository {
  const made = testRepository();
  cpSync(join(FIXTURES, name), made.path, { recursive: true });
  made.git('remote', 'add', 'origin', `https://github.com/acme/${name}.git`);
  made.commit({ message });
  return made;
}

/** A history of three commits, two tags and a branch. */
function webshop(): TestRepository {
  const source = (path: string): string => readFileSync(join(FIXTURES, 'webshop', path), 'utf8');
  const [orders, client] = [source('src/orders/orders.ts'), source('src/mail/client.ts')];
  const made = testRepository();
  cpSync(join(FIXTURES, 'webshop'), made.path, { recursive: true });
  made.git('remote', 'add', 'origin', 'git@github.com:acme/webshop.git');
  const before = {
    'src/orders/orders.ts': orders.slice(0, orders.indexOf('\n/** The sum')),
    'src/mail/client.ts': client.replace('retries = 3', 'retries = 1'),
  };
  made.commit({ files: before, message: 'feat: take orders' });
  made.git('tag', 'v1.0.0');
  made.commit({
    files: { 'src/mail/client.ts': client },
    message: 'fix(mail): close the connection when a mail fails',
  });
  made.commit({
    files: { 'src/orders/orders.ts': orders },
    message: 'feat(orders): tell what is still to be paid',
    author: 'Second Author <second@example.org>',
  });
  made.git('tag', 'v1.1.0');
  made.git('checkout', '--quiet', '-b', 'feature/refunds');
  const refund = `import type { Order } from './orders.ts';\n\n/** Pays an order back. */\nexport function refund(order: Order): number {\n  return -order.total;\n}\n`;
  made.commit({ files: { 'src/orders/refund.ts': refund }, message: 'feat: pay back' });
  made.git('checkout', '--quiet', 'main');
  return made;
}

async function add(url: string, name: string): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ url, name });
  const { status } = await service.request('/v1/repositories', { method: 'POST', headers, body });
  expect(status).toBe(201);
  await expect
    .poll(async () => {
      const listed = (await (await service.request('/v1/repositories')).json()) as { repositories: Row[] };
      return listed.repositories.find((repository) => repository['name'] === name)?.['status'];
    })
    .toBe('ready');
}

/** The calls of the list, those below a heading with its repository. */
function naturalCalls(): NaturalCall[] {
  let repo = '';
  return readFileSync(join(FIXTURES, 'calls.txt'), 'utf8')
    .split('\n')
    .flatMap((line) => {
      if (line.startsWith('## ')) repo = line.slice(3);
      const [, tool, args, expected = ''] = /^([a-z]+) (\{.*\}) =>(.*)$/.exec(line) ?? [];
      if (tool === undefined || args === undefined) return [];
      const given = args.replaceAll(/<(\w+)>/g, (_, name: string) => repositories[name]?.path ?? name);
      return [{ tool, args: { repo, ...(JSON.parse(given) as Row) }, expected: expected.split(' ').filter(Boolean) }];
    });
}

/** Returns what an answer lacks of what a call expects; nothing when it is right. */
async function lacks({ tool, args, expected }: NaturalCall): Promise<string[]> {
  const response = await service.request(`/v1/tools/${TOOLS[tool]}`, { method: 'POST', body: JSON.stringify(args) });
  const json = (await response.json()) as { total?: number; rows?: (Row | string)[]; error?: { message: string } };
  if (response.status !== 200) return [json.error?.message ?? String(response.status)];
  const rows = (json.rows ?? []).map(textOf);
  return expected.filter((candidate) => {
    if (candidate.startsWith('=')) return json.total !== Number(candidate.slice(1));
    const [, first = '', needle = ''] = /^([13*]):(.*)$/.exec(candidate) ?? [];
    const looked = first === '*' ? rows : rows.slice(0, Number(first));
    const text = needle.replaceAll('_', ' ');
    return !looked.some((row) => row.includes(/:\d+$/.test(needle) ? `${needle} ` : text) || row.includes(needle));
  });
}

/** A row as text, its place as `path:line ` first. */
function textOf(row: Row | string): string {
  if (typeof row === 'string') return row;
  return `${String(row['path'])}:${String(row['line'] ?? row['start'])} ${JSON.stringify(row)}`;
}

test('calls as agents write them are right at the first try', async () => {
  for (const [name, { path }] of Object.entries(repositories)) await add(path, name);
  const calls = naturalCalls();
  const wrong: string[] = [];
  for (const call of calls) {
    const lacking = await lacks(call);
    if (lacking.length > 0) wrong.push(`${call.tool} ${JSON.stringify(call.args)} lacks ${lacking.join(', ')}`);
  }
  expect(calls.length).toBeGreaterThanOrEqual(150);
  const isEnough = wrong.length <= calls.length * (1 - GOAL);
  expect(isEnough ? [] : wrong).toEqual([]);
});

const MESSAGE = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

async function createKey(scopes?: string[]): Promise<string> {
  const body = JSON.stringify({ name: `client ${String(scopes)}`, ...(scopes && { scopes }) });
  const made = await service.request('/v1/api-keys', { method: 'POST', headers: MESSAGE, body });
  return ((await made.json()) as { key: string }).key;
}

/** Sends a message of MCP; returns its result, or the message of its error. */
async function request(key: string, method: string, params: object): Promise<unknown> {
  const answer = await service.request('/v1/mcp', {
    method: 'POST',
    headers: { ...MESSAGE, authorization: `Bearer ${key}` },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const [, json = ''] = /^(?:.*\ndata: )?(\{.*\})\s*$/s.exec(await answer.text()) ?? [];
  const { result, error } = JSON.parse(json) as { result?: unknown; error?: { message: string } };
  return result ?? error?.message;
}

test('clients offer plans and documents of the product, and prompts for the commonest jobs', async () => {
  const key = await createKey();
  const saved = await service.request('/v1/plans', {
    method: 'POST',
    headers: MESSAGE,
    body: JSON.stringify({ slug: 'refunds', text: '# Refunds at once\n\n- [ ] Pay back\n' }),
  });
  expect(saved.status).toBe(200);
  const form = new FormData();
  form.append('file', new File(['# Tone\n\nWe write short walrus sentences.\n'], 'tone.md'));
  form.append('file', new File(['%PDF-1.7 and no more'], 'torn.pdf'));
  await service.request('/v1/documents', { method: 'POST', body: form });

  const { resources } = (await request(key, 'resources/list', {})) as { resources: { uri: string; name: string }[] };
  expect(resources[0]).toMatchObject({
    uri: 'svc://plan/refunds',
    title: 'Refunds at once',
    mimeType: 'text/markdown',
  });
  const tone = resources.find(({ name }) => name === 'tone.md');
  const read = (uri: string | undefined): Promise<unknown> => request(key, 'resources/read', { uri });
  expect(await read('svc://plan/refunds')).toMatchObject({ contents: [{ text: expect.stringContaining('Pay back') }] });
  await expect.poll(async () => JSON.stringify(await read(tone?.uri))).toContain('walrus');
  const torn = resources.find(({ name }) => name === 'torn.pdf');
  await expect.poll(() => read(torn?.uri)).toContain('"torn.pdf" could not be read');
  expect(await read('svc://plan/other')).toContain('error unknown_id');
  expect(await read('svc://plan/refunds%00')).toContain('There is no resource');
  expect(await read('svc://plan/%E0%A4%A')).toContain('There is no resource');
  expect(await read('file:///etc/passwd')).toContain('There is no resource');
  expect(await request(key, 'resources/list', { cursor: '9'.repeat(20) })).toContain('is no cursor');
  expect(await request(await createKey(['plans:write']), 'resources/list', {})).toContain('scope "read"');

  const { prompts } = (await request(key, 'prompts/list', {})) as { prompts: { name: string }[] };
  expect(prompts.map(({ name }) => name)).toEqual(['review_change', 'find_cause', 'plan_feature']);
  expect(await request(key, 'prompts/get', { name: 'review_change' })).toMatchObject({
    messages: [{ role: 'user', content: { text: expect.stringContaining('query=".."') } }],
  });
  expect(await request(key, 'prompts/get', { name: 'find_cause' })).toContain('argument is missing');
});

test('a client is told when it connects which repositories there are, and their languages', async () => {
  const clientInfo = { name: 'test', version: '1' };
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
  const result = await request(await createKey(), 'initialize', params);

  expect(JSON.stringify(result)).toMatch(/ledger \(Python[^)]*\), queue \(Go[^)]*\), webshop \(TypeScript/);
});
