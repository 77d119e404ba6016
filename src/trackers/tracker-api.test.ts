import { expect, onTestFinished, test } from 'vitest';
import {
  openTrackerServer,
  type CannedAnswer,
  type ReceivedRequest,
  type TrackerServer,
} from '../testing/tracker-server.ts';
import { HANG_LIMIT_MS } from '../testing/limits.ts';
import type { TrackerKind } from './context.ts';
import { github, GITHUB_HEADERS } from './github.ts';
import { gitlab } from './gitlab.ts';
import { jira } from './jira.ts';
import { linear } from './linear.ts';
import type { TrackerApi } from './tracker-api.ts';
import { readWaitMs, type TrackerLine } from './tracker-call.ts';

const MARKER = '3f2a1b4c-1111-4222-8333-944455556666';
const NEW = { title: 'Refuse empty carts', body: `Text\n\nReference: svc-${MARKER}\n`, marker: MARKER };
const SINCE = new Date('2026-11-21T09:50:00Z');
const NOW = new Date('2026-11-21T10:00:00Z');
const SECRET = 'the-token';

/** Shapes as the public documentation of each API shows them, with the fields that are read and some that are not. */
const SHAPES: Record<TrackerKind, { project: string; issue: object; label: string; url: string; status: string }> = {
  github: {
    project: 'acme/shop',
    issue: {
      id: 1,
      node_id: 'MDU6SXNzdWUx',
      number: 1347,
      state: 'open',
      state_reason: null,
      title: NEW.title,
      body: NEW.body,
      html_url: 'https://github.com/acme/shop/issues/1347',
      labels: [],
    },
    label: '#1347',
    url: 'https://github.com/acme/shop/issues/1347',
    status: 'open',
  },
  gitlab: {
    project: 'acme/shop',
    issue: {
      id: 84,
      iid: 14,
      project_id: 4,
      state: 'opened',
      title: NEW.title,
      description: NEW.body,
      web_url: 'https://gitlab.com/acme/shop/-/issues/14',
      closed_at: null,
    },
    label: '#14',
    url: 'https://gitlab.com/acme/shop/-/issues/14',
    status: 'open',
  },
  linear: {
    project: 'ENG',
    issue: {
      id: MARKER,
      identifier: 'ENG-7',
      url: 'https://linear.app/acme/issue/ENG-7/refuse-empty-carts',
      trashed: null,
      state: { name: 'Todo', type: 'unstarted' },
    },
    label: 'ENG-7',
    url: 'https://linear.app/acme/issue/ENG-7/refuse-empty-carts',
    status: 'Todo',
  },
  jira: {
    project: 'SHOP',
    issue: {
      id: '10000',
      key: 'SHOP-24',
      fields: {
        description: NEW.body,
        status: { name: 'To Do', statusCategory: { id: 2, key: 'new', name: 'To Do' } },
      },
    },
    label: 'SHOP-24',
    url: '/browse/SHOP-24',
    status: 'To Do',
  },
};

interface Bench {
  api: TrackerApi;
  server: TrackerServer;
  waits: number[];
}

async function bench(
  kind: TrackerKind,
  answer: (request: ReceivedRequest) => CannedAnswer | undefined,
  timeoutMs = HANG_LIMIT_MS,
): Promise<Bench> {
  const server = await openTrackerServer(answer);
  onTestFinished(() => server.close());
  const waits: number[] = [];
  const line: TrackerLine = {
    name: kind,
    baseUrl: server.url,
    project: SHAPES[kind].project,
    headers: kind === 'github' ? GITHUB_HEADERS : {},
    secretHeaders: { authorization: SECRET },
    net: { privateHosts: new Set(['127.0.0.1']), timeoutMs },
    wait: async (ms) => void waits.push(ms),
    now: () => NOW,
  };
  const apis = {
    github: () => github(line),
    gitlab: () => gitlab(line),
    linear: () => linear(line),
    jira: () => jira(line, { issueType: 'Task', isCloud: true }),
  };
  return { api: apis[kind](), server, waits };
}

function routeRest(routes: Record<string, CannedAnswer>): (request: ReceivedRequest) => CannedAnswer | undefined {
  return ({ method, path }) => routes[`${method} ${path.replace(/\?.*/, '')}`];
}

/** Answers like the tracker: knows the one project and the one issue, and takes new ones. */
function behaving(kind: TrackerKind): (request: ReceivedRequest) => CannedAnswer | undefined {
  const { issue } = SHAPES[kind];
  switch (kind) {
    case 'github':
      return routeRest({
        'GET /repos/acme/shop': { status: 200, json: { full_name: 'acme/shop' } },
        'POST /repos/acme/shop/issues': { status: 201, json: issue },
        'GET /repos/acme/shop/issues': { status: 200, json: [{ ...issue, number: 1348, body: null }, issue] },
        'GET /repos/acme/shop/issues/1347': { status: 200, json: issue },
      });
    case 'gitlab':
      return routeRest({
        'GET /projects/acme/shop': { status: 200, json: { id: 4 } },
        'POST /projects/acme/shop/issues': { status: 201, json: issue },
        'GET /projects/acme/shop/issues': { status: 200, json: [issue] },
        'GET /projects/acme/shop/issues/14': { status: 200, json: issue },
      });
    case 'jira':
      return routeRest({
        'GET /rest/api/2/project/SHOP': { status: 200, json: { key: 'SHOP' } },
        'POST /rest/api/2/issue': { status: 201, json: { id: '10000', key: 'SHOP-24', self: 'https://x' } },
        'GET /rest/api/2/search/jql': { status: 200, json: { issues: [issue], isLast: true } },
        'GET /rest/api/2/issue/SHOP-24': { status: 200, json: issue },
      });
    case 'linear':
      return ({ body }) => {
        const { query, variables } = body as { query: string; variables: { id?: string; key?: string } };
        if (query.includes('issueCreate'))
          return { status: 200, json: { data: { issueCreate: { success: true, issue } } } };
        if (query.includes('teams('))
          return { status: 200, json: { data: { teams: { nodes: variables.key === 'ENG' ? [{ id: 'team' }] : [] } } } };
        return { status: 200, json: { data: { issues: { nodes: variables.id === MARKER ? [issue] : [] } } } };
      };
  }
}

const KINDS = ['github', 'gitlab', 'linear', 'jira'] as const;

test.each(KINDS)('%s: an issue is made, found by its marker, and read', async (kind) => {
  const { api, server } = await bench(kind, behaving(kind));
  const { label, url, status } = SHAPES[kind];
  const requestUrl = url.startsWith('/') ? `${server.url}${url}` : url;

  await api.check();
  const made = await api.create(NEW);
  const issue = await api.find({ marker: MARKER, since: SINCE });
  const read = await api.read(made.externalId);

  expect(made).toMatchObject({ label, url: requestUrl, isClosed: false });
  expect([issue, read]).toEqual([
    { ...made, status },
    { ...made, status },
  ]);
  expect(
    server.requests.every(({ headers }) => headers.authorization === SECRET && headers['user-agent'] === 'svc'),
  ).toBe(true);
});

test('each tracker gets the request that its documentation asks for', async () => {
  const sent = await Promise.all(
    KINDS.map(async (kind) => {
      const { api, server } = await bench(kind, behaving(kind));
      await api.create(NEW);
      await api.find({ marker: MARKER, since: SINCE });
      return server.requests.map(({ method, path, body }) => [`${method} ${path}`, body] as const);
    }),
  );

  const [ofGithub = [], ofGitlab = [], ofLinear = [], ofJira = []] = sent;
  expect(ofGithub[0]).toEqual(['POST /repos/acme/shop/issues', { title: NEW.title, body: NEW.body }]);
  expect(ofGithub[1]?.[0]).toContain(
    'state=all&sort=created&direction=desc&per_page=100&since=2026-11-21T09:50:00.000Z',
  );
  expect(ofGitlab[0]).toEqual(['POST /projects/acme/shop/issues', { title: NEW.title, description: NEW.body }]);
  expect(ofGitlab[1]?.[0]).toContain(`search=${MARKER}&in=description&created_after=2026-11-21T09:50:00.000Z`);
  expect(ofLinear[1]?.[1]).toMatchObject({
    variables: { input: { id: MARKER, teamId: 'team', title: NEW.title, description: NEW.body } },
  });
  const [, jiraCreated, jiraIssues] = ofJira;
  expect(jiraCreated).toEqual([
    'POST /rest/api/2/issue',
    {
      fields: {
        project: { key: 'SHOP' },
        issuetype: { name: 'Task' },
        summary: NEW.title,
        description: NEW.body,
      },
    },
  ]);
  expect(jiraIssues?.[0]).toContain('jql=project = "SHOP" AND created >= "-2d" ORDER BY created DESC');
});

test.each(KINDS)('%s: what is closed there is closed here, what is not there is not found', async (kind) => {
  const closed: Record<TrackerKind, object> = {
    github: { state: 'closed', state_reason: 'not_planned' },
    gitlab: { state: 'closed' },
    linear: { state: { name: 'Done', type: 'completed' } },
    jira: { fields: { status: { name: 'Done', statusCategory: { key: 'done' } } } },
  };
  const issue = { ...SHAPES[kind].issue, ...closed[kind] };
  const { api } = await bench(kind, () => ({
    status: 200,
    json: kind === 'linear' ? { data: { issues: { nodes: [issue] } } } : issue,
  }));
  const empty = await bench(kind, () =>
    kind === 'linear' ? { status: 200, json: { data: { issues: { nodes: [] } } } } : { status: 404 },
  );

  expect(await api.read('1')).toMatchObject({ isClosed: true });
  expect(await empty.api.read('1')).toBeUndefined();
});

test.each(['completed', 'canceled', 'duplicate'])(
  'an issue of Linear in a state of the type %s is closed',
  async (type) => {
    const issue = { ...SHAPES.linear.issue, state: { name: 'Over', type } };
    const { api } = await bench('linear', () => ({ status: 200, json: { data: { issues: { nodes: [issue] } } } }));

    expect(await api.read(MARKER)).toMatchObject({ status: 'Over', isClosed: true });
  },
);

test('an issue in the trash of Linear is not there', async () => {
  const issue = { ...SHAPES.linear.issue, trashed: true };
  const { api } = await bench('linear', () => ({ status: 200, json: { data: { issues: { nodes: [issue] } } } }));

  expect(await api.read(MARKER)).toBeUndefined();
});

test.each([
  [401, { message: 'Bad credentials' }, 'conflict', 'does not accept the token (401): Bad credentials'],
  [403, { message: 'Resource not accessible by personal access token' }, 'conflict', 'not allowed to do this'],
  [404, { message: 'Not Found' }, 'conflict', 'has no "acme/shop"'],
  [410, { message: 'Issues are disabled for this repo' }, 'conflict', 'has no "acme/shop"'],
  [
    422,
    { message: 'Validation Failed', errors: [{ field: 'title', code: 'missing_field' }] },
    'bad_argument',
    'missing_field',
  ],
  [500, { message: 'Server Error' }, 'upstream_failed', 'answered 500'],
] as const)('%s when an issue is made: %o', async (status, json, code, message) => {
  const { api, server } = await bench('github', () => ({ status, json }));

  await expect(api.create(NEW)).rejects.toMatchObject({ code, message: expect.stringContaining(message) });
  // Nobody knows what became of it after a 500, so it is not repeated blindly.
  expect(server.requests).toHaveLength(1);
});

test.each([
  [{ status: 429, headers: { 'retry-after': '3' } }, 3000],
  [{ status: 403, headers: { 'retry-after': '7' } }, 7000],
  [
    { status: 403, headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(NOW.getTime() / 1000 + 5) } },
    5000,
  ],
  [{ status: 429 }, 1000],
])('%o is waited for as long as it says, then sent again', async (putOff, waitMs) => {
  const answers: CannedAnswer[] = [putOff, { status: 201, json: SHAPES.github.issue }];
  const { api, waits } = await bench('github', () => answers.shift());

  expect(await api.create(NEW)).toMatchObject({ label: '#1347' });
  expect(waits).toEqual([waitMs]);
});

test('a tracker that wants more patience than a person has is told about', async () => {
  const { api, waits } = await bench('gitlab', () => ({ status: 429, headers: { 'retry-after': '600' } }));

  await expect(api.create(NEW)).rejects.toMatchObject({
    code: 'rate_limited',
    fix: 'Try again in 600 s. Nothing was sent.',
  });
  expect(waits).toEqual([]);
});

test('Linear puts off with 400 and a code, and refuses a key with an error in the answer', async () => {
  const limited = { errors: [{ message: 'Rate limit exceeded', extensions: { code: 'RATELIMITED' } }] };
  const refused = { errors: [{ message: 'Authentication required', extensions: { code: 'AUTHENTICATION_ERROR' } }] };
  const slow = await bench('linear', () => ({ status: 400, json: limited }));
  const strange = await bench('linear', () => ({ status: 400, json: refused }));
  const late = await bench('linear', () => ({ status: 200, json: { data: null, ...refused } }));

  await expect(slow.api.check()).rejects.toMatchObject({ code: 'rate_limited' });
  expect(slow.waits).toEqual([1000, 2000]);
  await expect(strange.api.check()).rejects.toMatchObject({ code: 'conflict' });
  await expect(late.api.check()).rejects.toMatchObject({ code: 'conflict' });
});

test('reading is repeated after faults, three times in all', async () => {
  const answers: CannedAnswer[] = [
    { status: 502 },
    { status: 200, cut: true },
    { status: 200, json: SHAPES.github.issue },
  ];
  const healing = await bench('github', () => answers.shift());
  const broken = await bench('github', () => ({ status: 503 }));

  expect(await healing.api.read('1347')).toMatchObject({ label: '#1347' });
  expect(healing.waits).toEqual([1000, 2000]);
  await expect(broken.api.read('1347')).rejects.toMatchObject({ code: 'upstream_failed' });
  expect(broken.server.requests).toHaveLength(3);
});

test('an answer of something else than the tracker is told, and the token never', async () => {
  const other = await bench('github', () => ({ status: 200, json: { hello: 'world' } }));
  const echo = await bench('github', () => ({ status: 422, json: { message: `token ${SECRET} is odd` } }));

  await expect(other.api.read('1')).rejects.toMatchObject({
    message: expect.stringContaining('did not answer like github'),
  });
  await expect(echo.api.create(NEW)).rejects.toMatchObject({ message: expect.stringContaining('token **** is odd') });
});

test.each([
  [{ 'retry-after': '2' }, 2000],
  [{ 'retry-after': 'Sat, 21 Nov 2026 10:00:09 GMT' }, 9000],
  [{ 'retry-after': 'Sat, 21 Nov 2026 09:00:00 GMT' }, 0],
  [{ 'retry-after': 'soon' }, undefined],
  [{ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(NOW.getTime() + 4000) }, 4000],
  [{ 'x-ratelimit-remaining': '17', 'x-ratelimit-reset': '1' }, undefined],
  [{ 'ratelimit-remaining': '0', 'ratelimit-reset': String(NOW.getTime() / 1000 + 6) }, 6000],
  [
    {
      'x-ratelimit-requests-remaining': '12',
      'x-ratelimit-requests-reset': String(NOW.getTime() + 90_000),
      'x-ratelimit-complexity-remaining': '0',
      'x-ratelimit-complexity-reset': String(NOW.getTime() + 8000),
    },
    8000,
  ],
  [{}, undefined],
])('%o asks to wait %s ms', (headers, expected) => {
  expect(readWaitMs(headers, NOW)).toBe(expected);
});
