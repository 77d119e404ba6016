import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { type IncomingHttpHeaders, request } from 'node:http';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testSite } from '../../src/testing/competitors.ts';
import { testFolder, type TestRepository, testRepository } from '../../src/testing/git.ts';
import { INPUT_FILES } from './input-files.ts';
import { eventually, type OnEnd, serverFile, startSvc, svc } from './service-process.ts';

const ends: Parameters<OnEnd>[0][] = [];
let repository: TestRepository;
let url: string;
let authorization: string;
let dataDir: string;

beforeAll(async () => {
  repository = testRepository();
  ends.push(() => repository.remove());
  for (const [path, content] of Object.entries(INPUT_FILES)) {
    const file = join(repository.path, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
  symlinkSync('src', join(repository.path, 'links/link'));
  repository.commit({ message: 'feat: first' });
  dataDir = join(testFolder(), 'data');
  const env = { SVC_PRIVATE_HOSTS: '127.0.0.1' };
  const service = await startSvc(['serve', '--data-dir', dataDir], {
    cwd: repository.path,
    env,
    onEnd: (work) => ends.unshift(work),
  });
  url = service.url;
  authorization = `Bearer ${serverFile(dataDir).token}`;
  await ask('POST', '/v1/repositories', { url: repository.path, name: 'inputs', awaited: true });
  await service.until(/ indexed repository="?inputs/);
  const { key } = await ask<{ key: string }>('POST', '/v1/api-keys', { name: 'inputs' });
  authorization = `Bearer ${key}`;
});
afterAll(async () => {
  for (const end of ends) await end();
});

async function ask<Answer>(method: string, path: string, body?: object): Promise<Answer> {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { authorization, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const answer: unknown = await response.json();
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${JSON.stringify(answer)}`);
  // Each test says what it expects of it.
  return answer as Answer;
}

interface CodeRow {
  kind: string;
  name: string;
  depth: number;
  line: number;
  end: number;
  path: string;
  use: string;
  certainty: string;
}

interface CodeAnswer {
  rows: CodeRow[];
  total: number;
  notes?: string[];
}

const code = (action: string, args: object): Promise<CodeAnswer> =>
  ask('POST', '/v1/tools/code-tool', { action, repo: 'inputs', limit: 100, ...args });
const outline = async (path: string): Promise<CodeRow[]> => (await code('outline', { path })).rows;
const usesOf = async (query: string): Promise<string[]> =>
  (await code('usages', { query })).rows.map(({ path, line, use }) => `${path}:${line} ${use}`).toSorted();

test('C#: a string that begins with an escaped brace does not end the class', async () => {
  const rows = await outline('cs/Labels.cs');

  expect(rows.filter(({ depth }) => depth === 1).map(({ name }) => name)).toEqual(['names', 'First', 'Wrap', 'After']);
  expect(rows[0]).toMatchObject({ name: 'Labels', line: 2, end: 12 });
});

test('C and C++: macros in the place of types and members neither lose nor invent definitions', async () => {
  const names = (await outline('c/os.h')).map(({ name }) => name);
  const events = (await outline('cpp/ev.cpp')).map(({ kind, name }) => `${kind} ${name}`);

  expect(names).toEqual(expect.arrayContaining(['app_create_process', 'app_hook', 'app_plain']));
  expect(events).toEqual(expect.arrayContaining(['struct MoveEvent', 'struct ZoomEvent']));
  expect(events).not.toContain('function IMPLEMENT_VISIT');
});

test('Kotlin: a context parameter does not take the class above with it', async () => {
  const rows = (await outline('kt/Ctx.kt')).map(({ kind, name }) => `${kind} ${name}`);

  expect(rows).toEqual(expect.arrayContaining(['class Scope', 'class Particle']));
  expect(await usesOf('Scope/rect')).toEqual(['kt/Ctx.kt:8 call']);
});

test('Python: names put into __all__ by calls are exported', async () => {
  const uses = await Promise.all(
    ['pub.py/first', 'second', 'third'].map((name) => usesOf(name.replace('pub.py/', ''))),
  );

  expect(uses).toEqual([['py/pub.py:5 export'], ['py/pub.py:6 export'], ['py/pub.py:7 export']]);
});

test('TypeScript: what a namespace used as a value reaches is not certainly dead', async () => {
  const { rows } = await code('dead_code', { path: 'ns' });

  const certain = rows.filter(({ certainty }) => certainty === 'certain').map(({ name }) => name);
  expect(certain).not.toContain('apricot');
  expect(certain).not.toContain('p');
  expect(rows.map(({ name }) => name)).toContain('never');
});

test('imports through a symbolic link find the file behind it', async () => {
  expect(await usesOf('realFn')).toEqual(
    expect.arrayContaining(['links/use.ts:1 import', 'links/use.ts:2 import', 'links/use.ts:3 call']),
  );
});

test('Ruby: calls in a heredoc inside of a heredoc are found', async () => {
  expect(await usesOf('Page/inner')).toEqual(['rb/h.rb:7 call']);
  expect(await usesOf('Page/finish')).toEqual(['rb/h.rb:12 call']);
});

test('Vue: directives and members of a namespace in markup are uses', async () => {
  expect(await usesOf('vFocus')).toContainEqual(expect.stringMatching(/^directive\/App\.vue:6 /));
  expect(await usesOf('formatDate')).toContainEqual(expect.stringMatching(/^namespace\/App\.vue:6 /));
  expect(await usesOf('formatTime')).toContainEqual(expect.stringMatching(/^namespace\/App\.vue:7 /));
  expect(await usesOf('go')).toContainEqual(expect.stringMatching(/^namespace\/App\.vue:7 /));
});

test('large files and files of one line are searched, and named in answers that find nothing', async () => {
  const [large, long, empty] = await Promise.all([
    code('grep', { query: 'bigFn59999' }),
    code('grep', { query: 'tail1' }),
    code('grep', { query: 'in_no_file_at_all' }),
  ]);
  const search = await ask<CodeAnswer>('POST', '/v1/tools/search-tool', { query: 'zyzzyva', corpora: ['code'] });

  expect([large.total, long.total]).toEqual([1, 1]);
  for (const { notes = [] } of [empty, search]) {
    const note = notes.find((text) => text.startsWith('not read in full: ')) ?? '';
    expect(note).toContain('big/big.ts (larger than 1 MB');
    expect(note).toContain('line/one.js (minified');
    expect(note).toContain('zero/nul.go (it contains zero bytes)');
  }
});

test('data in a code file is no part of languages, hotspots, smells and the ownership map', async () => {
  const { repositories } = await ask<{ repositories: { languages: object }[] }>('GET', '/v1/repositories');
  const { notes = [] } = await code('map', {});
  const hotspots = await ask<CodeAnswer>('POST', '/v1/tools/commit-tool', { action: 'hotspots', limit: 50 });
  const smells = await code('smells', {});

  expect(Object.keys(repositories[0]?.languages ?? {})).not.toContain('JSON');
  expect(Object.keys(repositories[0]?.languages ?? {})).not.toContain('Markdown');
  expect(notes.join('\n')).toMatch(/\(left out: \d+ data files, 1 generated file, 3 documents\)/);
  expect(hotspots.rows.map(({ path }) => path)).toContain('links/use.ts');
  expect(hotspots.rows.map(({ path }) => path)).not.toContain('locale/de.ts');
  expect(hotspots.notes?.join('\n')).toMatch(/left out: .*\d data files/);
  expect(smells.notes?.join('\n')).toMatch(/left out: \d+ data files, 1 generated file/);
});

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-03-26', capabilities: {}, clientInfo: { name: 't', version: '1' } },
};

function namedOnce(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}

/** A request as a program sends it that sets its headers itself. */
function send(
  method: string,
  headers: Record<string, string>,
  body?: object,
): Promise<{ status: number; headers: Record<string, string>; text: string }> {
  return new Promise((resolve, reject) => {
    const sent = request(`${url}/v1/mcp`, { method, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => (text += part));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: namedOnce(response.headers), text }),
      );
    });
    sent.on('error', reject);
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

test('MCP: a client may accept any type, JSON alone, or say nothing', async () => {
  const accepts = ['*/*', undefined, 'application/*, text/*', 'application/json'];
  const answers = await Promise.all(
    accepts.map((accept) =>
      send(
        'POST',
        { authorization, 'content-type': 'application/json', ...(accept !== undefined && { accept }) },
        INITIALIZE,
      ),
    ),
  );

  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
});

test('MCP: a page of an allowed host may ask first, and read the answer', async () => {
  const origin = 'http://localhost:6274';
  const before = await send('OPTIONS', {
    origin,
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'authorization,content-type,mcp-protocol-version,mcp-session-id',
  });
  const answer = await send(
    'POST',
    { authorization, 'content-type': 'application/json', accept: 'application/json, text/event-stream', origin },
    INITIALIZE,
  );

  expect(before.status).toBe(204);
  expect(before.headers['access-control-allow-headers']?.toLowerCase()).toContain('mcp-protocol-version');
  expect(answer.headers['access-control-allow-origin']).toBe(origin);
  expect(answer.headers['access-control-expose-headers']?.toLowerCase()).toContain('mcp-session-id');
});

test('MCP: batches are answered under the revision that has them', async () => {
  const headers = { authorization, 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const opened = await send('POST', headers, INITIALIZE);
  const session = opened.headers['mcp-session-id'] ?? '';
  const pings = [1, 2].map((id) => ({ jsonrpc: '2.0', id, method: 'ping' }));

  const batch = await send(
    'POST',
    { ...headers, 'mcp-protocol-version': '2025-03-26', 'mcp-session-id': session },
    pings,
  );

  const agrees = opened.text.replaceAll(' ', '').includes('"protocolVersion":"2025-03-26"');
  expect(agrees ? batch.status : 200).toBe(200);
});

interface Decision {
  title: string;
  status: string;
}

async function decisions(): Promise<Decision[]> {
  return (await ask<{ decisions: Decision[] }>('GET', '/v1/decisions?limit=200')).decisions;
}

test('decision records: the status is the line of the status, and a byte order mark is no part of the title', async () => {
  await eventually(async () => (await decisions()).length === 3);

  const records = (await decisions()).map(({ title, status }) => `${title}: ${status}`).toSorted();

  expect(records).toEqual(['Later: accepted', 'Python first: accepted', 'Rows: accepted']);
});

test('watched pages: paragraphs of plain text are blocks of their own', async () => {
  const site = await testSite((incoming, response) => {
    const isPage = incoming.url === '/c.txt';
    response.writeHead(isPage ? 200 : 404, { 'content-type': 'text/plain; charset=utf-8' });
    response.end(
      isPage ? 'Release notes\n\n1.0.0 first release with exports\n\n0.9.0 beta with tables and figures\n' : '',
    );
  });
  ends.push(site.close);
  const page = `${site.url}/c.txt`;
  await svc(['competitor', 'add', 'Plain', '--page', page], { cwd: repository.path, env: { SVC_DATA_DIR: dataDir } });
  const { rows } = await ask<{ rows: { text: string }[] }>('POST', '/v1/tools/competitor-tool', {
    action: 'snapshot',
    url: page,
  });

  expect(rows.map(({ text }) => text)).toEqual([
    'Release notes',
    '1.0.0 first release with exports',
    '0.9.0 beta with tables and figures',
  ]);
});
