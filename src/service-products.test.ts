import { readFileSync, rmSync } from 'node:fs';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { OpenService } from './cli/command.ts';
import { readConfig } from './platform/config.ts';
import { createLog } from './platform/log.ts';
import { openService } from './service.ts';
import { ROUTES, UNKNOWN } from './testing/app-route-table.ts';
import { testFolder, testRepository, type TestRepository } from './testing/git.ts';
import { HANG_LIMIT_MS } from './testing/limits.ts';

/** In everything that the restricted product holds, in nothing of the open one, and in no request. */
const SECRET = 'zanzibar';
/** Words that both products have. */
const WORDS = 'timetable of ferries';
const NOW = new Date('2026-01-10T12:00:00Z');

interface Schema {
  properties: Record<string, { enum?: string[]; type?: string }>;
  required?: string[];
}

const TOOLS = JSON.parse(readFileSync(new URL('cli/tools.json', import.meta.url), 'utf8')) as {
  name: string;
  inputSchema: Schema;
}[];

const dataDir = testFolder();
const repositories: TestRepository[] = [];
let service: OpenService;
/** Keys of a member whose group has a role in the restricted product, and of one who has none there, in the open one. */
let insider = '';
let outsider = '';
/** Session of that member. */
let session = '';
let owner: As = {};
/** Id of the restricted product. */
let product = '';
/** Ids and handles of what it holds. */
let handles: string[] = [];

beforeAll(async () => {
  const config = readConfig({
    SVC_DATA_DIR: dataDir,
    SVC_LOG_LEVEL: 'silent',
    SVC_PORT: '0',
    SVC_EXTRACT_PROCESSES: '1',
    SVC_EXACT_PASS: 'off',
    SVC_ENCODER: 'off',
    SVC_BACKGROUND_PRIORITY: '0',
    SVC_RATE_LIMIT_PER_MINUTE: '100000',
    SVC_PRIVATE_HOSTS: '127.0.0.1',
  });
  const how = { serve: true, work: true };
  service = await openService(config, how, { log: createLog('silent'), version: '0.0.0', now: () => NOW });
  await makePeople();
  await fill('default', { name: 'open', word: 'home' });
  handles = await fill(product, { name: 'ferry', word: SECRET });
});
afterAll(async () => {
  await service.close();
  for (const repository of repositories) repository.remove();
  rmSync(dataDir, { recursive: true, force: true });
});

/** Who sends a request: the value of a key or of a session. */
interface As {
  key?: string;
  cookie?: string;
}

const JSON_TYPE = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

async function send(as: As, method: string, path: string, body?: unknown): Promise<Response> {
  const headers = {
    ...(body instanceof FormData ? {} : JSON_TYPE),
    'sec-fetch-site': 'same-origin',
    ...(as.key !== undefined && { authorization: `Bearer ${as.key}` }),
    ...(as.cookie !== undefined && { cookie: as.cookie }),
  };
  const content = body instanceof FormData ? body : body === undefined ? undefined : JSON.stringify(body);
  return service.request(path, { method, headers, ...(content !== undefined && { body: content }) });
}

/** The body of an answer that must be one of success. */
async function ask<Body>(as: As, method: string, path: string, body?: unknown): Promise<Body> {
  const response = await send(as, method, path, body);
  const text = await response.text();
  expect([path, response.ok, response.ok ? '' : text]).toEqual([path, true, '']);
  // The test says what the route promises.
  return JSON.parse(text) as Body;
}

async function signIn(path: string, body: object): Promise<string> {
  const response = await send({}, 'POST', `/app/api${path}`, body);
  expect(response.ok).toBe(true);
  return response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ');
}

const tokenOf = (url: string): string => url.slice(url.indexOf('token=') + 'token='.length);

/** Lets somebody become a member. Returns their session. */
async function invite(name: string): Promise<string> {
  const invitation = await ask<{ url: string }>(owner, 'POST', '/app/api/invitations', { role: 'member' });
  const person = { name, email: `${name.toLowerCase()}@example.org`, password: 'correct horse battery' };
  return signIn('/invitations/accept', { token: tokenOf(invitation.url), ...person });
}

async function makePeople(): Promise<void> {
  const link = await ask<{ url: string }>({}, 'POST', '/v1/login-link');
  owner = { cookie: await signIn('/sign-in/link', { token: tokenOf(link.url) }) };
  const newProduct = { name: `Ferry to ${SECRET}`, is_restricted: true };
  product = (await ask<{ id: string }>(owner, 'POST', '/app/api/products', newProduct)).id;
  const group = await ask<{ id: string }>(owner, 'POST', '/app/api/groups', { name: `Crew of ${SECRET}` });
  await send(owner, 'PUT', `/app/api/products/${product}/roles/group/${group.id}`, { role: 'member' });
  const crew: As = { cookie: await invite('Ines') };
  await send(owner, 'PUT', `/app/api/groups/${group.id}/people/${await idOfMember('Ines')}`);
  insider = (await ask<{ key: string }>(crew, 'POST', '/app/api/keys', { name: `ci of ${SECRET}`, product })).key;
  session = await invite('Mara');
  outsider = (await ask<{ key: string }>({ cookie: session }, 'POST', '/app/api/keys', { name: 'mine' })).key;
}

async function idOfMember(name: string): Promise<string> {
  const { members } = await ask<{ members: { id: string; name: string }[] }>(owner, 'GET', '/app/api/members');
  return members.find((member) => member.name === name)?.id ?? '';
}

/** Puts something of every kind into a product. Returns the ids and handles of it. */
async function fill(target: string, { name, word }: { name: string; word: string }): Promise<string[]> {
  const repository = testRepository();
  repositories.push(repository);
  const code = `/** The ${WORDS} of ${word}. */\nexport function timetable(): string {\n  return '${word}';\n}\n`;
  repository.commit({ files: { 'src/timetable.ts': code }, message: `fix: correct the ${WORDS} of ${word}` });
  const add = <Body>(path: string, body: unknown): Promise<Body> =>
    ask(owner, 'POST', `/app/api${path}?product=${target}`, body);
  const added = await add<{ id: string }>('/repositories', { url: repository.path, name });
  await vi.waitFor(
    async () =>
      expect(await ask(owner, 'GET', `/app/api/repositories/${added.id}?product=${target}`)).toMatchObject({
        status: 'ready',
      }),
    { timeout: HANG_LIMIT_MS, interval: 100 },
  );
  // Numbers of the restricted product go further than those of the open one.
  const numbers = target === product ? [1, 2] : [1];
  const tasks = numbers.map((number) => `- [ ] Print page ${number}\n`).join('');
  const text = `# The ${WORDS} of ${word}\n\nPrint \`timetable\` for ${word}.\n\n${tasks}`;
  const plan = { slug: `${name}-plan`, text };
  await add('/plans', plan);
  let decisionId = '';
  for (const number of numbers) {
    const title = `Print ${number} for ${word}`;
    const decision = { title, decision: `The ${WORDS} on paper, for ${word}. See \`timetable\`.` };
    decisionId = (await add<{ id: string }>('/decisions', decision)).id;
  }
  const signal = { text: `The ${WORDS} of ${word} is wrong`, customer: `Harbour of ${word}`, source: 'mail' };
  const { ids } = await add<{ ids: string[] }>('/signals', signal);
  const form = new FormData();
  form.append('file', new File([`# The ${WORDS}\n\nIt hangs in the harbour of ${word}.\n`], `${name}.md`));
  const { documents } = await add<{ documents: { id: string }[] }>('/documents', form);
  const page = { name: `Ferries to ${word}`, pages: [{ url: 'http://127.0.0.1:9/prices', kind: 'pricing' }] };
  const competitor = await add<{ id: string }>('/competitors', page);
  return [
    added.id,
    name,
    `plan:${plan.slug}`,
    plan.slug,
    decisionId,
    ...ids,
    ...documents.map(({ id }) => id),
    competitor.id,
  ];
}

/** Calls of an operation: each action with each subject; an agent or a workflow, which reads everything, with words alone. */
function callsOf({ properties, required = [] }: Schema): Record<string, unknown>[] {
  const place = ['query', 'entity', 'plan', 'message', 'report', 'question'].find((name) => properties[name]);
  const repos = properties['repo'] === undefined ? [{}] : [{ repo: '*' }, { repo: 'ferry' }];
  const actions = properties['action']?.enum?.map((action) => ({ action })) ?? [{}];
  const isDeep = properties['run_id'] !== undefined || properties['message'] !== undefined;
  const subjects = isDeep ? [WORDS] : [undefined, WORDS, 'timetable', 'src/timetable.ts', ...handles];
  const decision = required.includes('decision') && { title: WORDS, decision: WORDS, dry_run: true };
  return actions.flatMap((action) =>
    repos.flatMap((repo) =>
      subjects.map((subject) => ({
        ...action,
        ...repo,
        ...(place !== undefined && subject !== undefined && { [place]: subject }),
        ...(decision && { ...decision, links: [subject ?? WORDS] }),
      })),
    ),
  );
}

/** Calls an operation over REST or MCP. Returns its answer as text. */
async function call(key: string, name: string, args: object, door: 'rest' | 'mcp' = 'rest'): Promise<string> {
  if (door === 'mcp') return message(key, 'tools/call', { name, arguments: args });
  return (await send({ key }, 'POST', `/v1/tools/${name}`, args)).text();
}

test('no operation shows anything of a restricted product to the key of a member without a role in it', async () => {
  const [answering, leaks]: [Set<string>, string[]] = [new Set(), []];
  for (const { name, inputSchema } of TOOLS)
    for (const [index, args] of callsOf(inputSchema).entries()) {
      if (!answering.has(name) && (await call(insider, name, args)).includes(SECRET)) answering.add(name);
      const answer = await call(outsider, name, args, index % 2 === 0 ? 'rest' : 'mcp');
      if (answer.includes(SECRET)) leaks.push(`${name} ${JSON.stringify(args)}`);
    }
  // Each of these calls shows something to who may see it.
  expect(TOOLS.map(({ name }) => name).filter((name) => !answering.has(name))).toEqual([]);
  const { runs } = await ask<{ runs: { id: string }[] }>({ key: insider }, 'GET', '/v1/runs');
  expect(runs.length).toBeGreaterThan(1);
  for (const { id } of runs)
    for (const name of ['run_bugAnalysisWorkflow', 'run_deepResearchWorkflow'])
      expect(await call(outsider, name, { run_id: id })).toContain('no run');
  expect(leaks).toEqual([]);
});

/** Sends a message of MCP. Returns the answer as text. */
async function message(key: string, method: string, params: object): Promise<string> {
  return (await send({ key }, 'POST', '/v1/mcp', { jsonrpc: '2.0', id: 1, method, params })).text();
}

test('a client of such a key is offered no resource and no repository of it', async () => {
  const clientInfo = { name: 'test', version: '1' };
  const started = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
  const listed = await message(insider, 'resources/list', {});
  const addresses = [...listed.matchAll(/svc:\/\/[a-z]+\/[\w-]+/g)].map(([address]) => address);
  const requests: [string, object][] = [
    ['initialize', started],
    ['resources/list', {}],
    ...addresses.map((uri): [string, object] => ['resources/read', { uri }]),
  ];

  const shown: boolean[] = [];
  for (const [method, params] of requests) {
    expect(await message(outsider, method, params)).not.toMatch(new RegExp(`${SECRET}|ferry \\(`));
    shown.push(/zanzibar|ferry/.test(await message(insider, method, params)));
  }
  expect(shown).toEqual([true, true, true, true]);
});

interface Route {
  method: string;
  path: string;
  body?: unknown;
}

/** Values of parameters that both products have something for. */
const VALUES: Record<string, string> = { path: 'src/timetable.ts', query: WORDS, q: WORDS, repo: 'ferry' };
/** About the installation or a person, not about a product; most end a session. */
const ELSEWHERE = /\/(?:backup|metrics|oidc|sign-|session|invitations|members|account|totp|products|groups)/;

/** Routes of a door with what they cannot do without. */
async function routesOf(as: As, door: string): Promise<Route[]> {
  type Operation = { parameters?: { in: string; name: string; required?: boolean }[] };
  const { paths } = await ask<{ paths: Record<string, Record<string, Operation>> }>(as, 'GET', `${door}/openapi.json`);
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, { parameters = [] }]) => {
      const needed = parameters.filter((parameter) => parameter.in === 'query' && parameter.required === true);
      const query = new URLSearchParams(Object.fromEntries(needed.map(({ name }) => [name, VALUES[name] ?? UNKNOWN])));
      const whole = `${path.startsWith(door) ? path : `${door}${path}`}${needed.length === 0 ? '' : `?${query.toString()}`}`;
      const { body } = bodyOf(method.toUpperCase(), path.replace(door, ''));
      return { method: method.toUpperCase(), path: whole, ...(body !== undefined && { body }) };
    }),
  );
}

function bodyOf(method: string, path: string): { body?: unknown } {
  const row = ROUTES.find(([of, pattern]) => of === method && pattern.split('?')[0] === path);
  return { body: row?.[3] };
}

/** Where a route takes an id: in its path, in its query or in its body. */
const takesId = ({ path, body }: Route): boolean =>
  path.includes('{') || path.includes(UNKNOWN) || JSON.stringify(body ?? '').includes(UNKNOWN);

const withId = ({ method, path, body }: Route, id: string): Route => ({
  method,
  path: path.replaceAll(/\{\w+\}/g, encodeURIComponent(id)).replaceAll(UNKNOWN, encodeURIComponent(id)),
  ...(body !== undefined && { body: JSON.parse(JSON.stringify(body).replaceAll(UNKNOWN, id)) as unknown }),
});

/** An id of the same form that nothing has: one for all that are made by a machine, a similar one for each name. */
function strangerOf(id: string): string {
  const [, prefix = '', name = ''] = /^([a-z]+:)?(.*)$/.exec(id) ?? [];
  if (/^[0-9a-f]{8}-[0-9a-f]{4}-/.test(name)) return `${prefix}${UNKNOWN.slice(0, -1)}f`;
  return `${id.slice(0, -1)}${id.endsWith('9') ? '8' : '9'}`;
}

/** Status and body of an answer, with the id that was sent taken out. */
async function answerTo(as: As, route: Route, id: string): Promise<string> {
  const { method, path, body } = withId(route, id);
  const response = await send(as, method, path, body);
  const text = (await response.text()).replaceAll(id, '…').replaceAll(encodeURIComponent(id), '…');
  return `${response.status} ${text.replaceAll(/"request_id":"[^"]*"/g, '')}`;
}

/** Everything that lists show of the restricted product to its people. */
async function readLists(): Promise<string[]> {
  const routes = (await routesOf({ key: insider }, '/v1')).filter(
    (route) => route.method === 'GET' && !takesId(route) && !ELSEWHERE.test(route.path),
  );
  const lists: string[] = [];
  for (const route of routes) lists.push(`${route.path} ${await answerTo({ key: insider }, route, UNKNOWN)}`);
  return lists;
}

const idsIn = (lists: readonly string[]): string[] =>
  lists.flatMap((list) => [...list.matchAll(/"(?:id|slug)":"([^"]+)"/g)].map(([, id = '']) => id));

test('no page and no route shows or changes anything of it for that member or the key, nor says that it exists', async () => {
  const before = await readLists();
  // Lists of whose items the ids are tried below.
  expect(before.filter((list) => list.includes(SECRET)).length).toBeGreaterThan(10);
  const ids = idsIn(before);
  // Handles with a number may be those of something in the open product as well.
  const tried = new Set([...handles, ...ids]).difference(new Set(['dec:1', 'wi:1']));
  const faults: string[] = [];
  for (const [door, who] of [['/v1', { key: outsider }] as const, ['/app/api', { cookie: session }] as const])
    for (const route of (await routesOf(who, door)).filter(({ path }) => !ELSEWHERE.test(path))) {
      if (!takesId(route)) {
        if (route.method === 'GET' && (await answerTo(who, route, UNKNOWN)).includes(SECRET)) faults.push(route.path);
        continue;
      }
      const strangers = new Map<string, string>();
      for (const id of tried) {
        const stranger = strangerOf(id);
        const answer = await answerTo(who, route, id);
        const other = strangers.get(stranger) ?? (await answerTo(who, route, stranger));
        strangers.set(stranger, other);
        if (answer !== other || answer.includes(SECRET))
          faults.push(`${route.method} ${withId(route, id).path} ${answer} <> ${other}`);
      }
    }
  expect(faults).toEqual([]);
  // What is in it changes by work of its own: a page of a competitor is visited.
  expect(idsIn(await readLists())).toEqual(ids);
});

/** Opens a stream of the older transport; `endpoint` takes its messages. */
async function openStream(key: string) {
  const { body } = await fetch(`${service.url}/v1/mcp/sse`, { headers: { authorization: `Bearer ${key}` } });
  const reader = body?.getReader();
  const first = new TextDecoder().decode((await reader?.read())?.value);
  const [, endpoint = ''] = /^data: (\S+)$/m.exec(first) ?? [];
  if (reader === undefined) throw new Error('No stream was opened.');
  return { reader, endpoint };
}

test('a stream ends with the role of its person in the product, and no other one', async () => {
  const role = `/app/api/products/${product}/roles/person/${await idOfMember('Mara')}`;
  expect((await send(owner, 'PUT', role, { role: 'member' })).status).toBe(204);
  const made = { name: 'ferry', product };
  const { key } = await ask<{ key: string }>({ cookie: session }, 'POST', '/app/api/keys', made);
  const lost = await openStream(key);
  const other = await openStream(outsider);

  expect((await send(owner, 'DELETE', role)).status).toBe(204);

  while (!(await lost.reader.read()).done);
  const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
  expect((await send({ key: outsider }, 'POST', other.endpoint, ping)).status).toBe(202);
  await other.reader.cancel();
  expect((await send({ key }, 'GET', '/v1/mcp/sse')).status).toBe(401);
  expect((await send({ key }, 'POST', '/v1/mcp', {})).status).toBe(401);
  // A role that comes back works at once.
  expect((await send(owner, 'PUT', role, { role: 'member' })).status).toBe(204);
  expect(await call(key, 'search-tool', { query: WORDS })).toContain(SECRET);
});
