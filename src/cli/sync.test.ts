import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { GraphFile, OwnersFile, WorkItemsFile } from '../artifacts/artifact-bodies.ts';
import { graphTexts } from '../artifacts/artifacts.ts';
import { artifactRoutes } from '../artifacts/routes.ts';
import { entityAnalysisTool } from '../graph/entity-analysis-tool.ts';
import { openGraph } from '../graph/graph.ts';
import { ServiceError } from '../kernel/errors.ts';
import { type Keys, openKeys } from '../keys/keys.ts';
import { savePlan } from '../plans/plans.ts';
import { planRoutes } from '../plans/routes.ts';
import { testFolder } from '../testing/git.ts';
import { startService, type TestService } from '../testing/http.ts';
import { type GraphBench, openGraphBench } from '../testing/graph.ts';
import { type Client, inProcess } from './client.ts';
import { offlineOwnership, offlineRationale } from './offline.ts';
import { type SyncOptions, syncArtifacts } from './sync.ts';

let bench: GraphBench;
let keys: Keys;
/** Two replicas of one service. */
const replicas: TestService[] = [];
let secret: string;
/** Settings of the user who syncs. */
let configDir: string;

beforeAll(async () => {
  configDir = testFolder();
  bench = await openGraphBench();
  const { account, plans } = bench;
  const { accountId, productId, actor, database } = account;
  keys = await openKeys(database, () => new Date(), {
    onFault: (error) => {
      throw error;
    },
  });
  secret = (await keys.createKey({ accountId, product: productId, name: 'sync', scopes: ['read'], actor })).secret;
  await savePlan(plans, account, { text: '# Mail\n\n- [ ] T1 Rework `src/mail.ts`\n- [ ] T2 Send (after: T1)', actor });
  await savePlan(plans, account, { text: '# Letters\n\n- [x] Stop\n', actor });
  for (const _ of [1, 2]) {
    const { indexes, documents, signals } = bench.parts;
    const graph = openGraph({ indexes, plans, documents, signals });
    const artifacts = artifactRoutes({ plans, graph, indexes, texts: graphTexts() });
    const operations = [entityAnalysisTool(graph)];
    replicas.push(await startService({ operations, gate: keys, routes: [artifacts, planRoutes(plans)] }));
  }
});
afterAll(async () => {
  for (const replica of replicas) await replica.close();
  await keys.close();
  await bench.close();
  rmSync(configDir, { recursive: true });
});

/** A client of a replica with a key that may read; `sees` is told each path before it is asked for. */
function clientOf(sees: (path: string) => void, replica = 0): Client {
  const request = async (path: string, init: RequestInit = {}): Promise<Response> => {
    sees(path);
    const headers = { ...(init.headers as Record<string, string>), 'x-api-key': secret };
    return fetch(`${replicas[replica]?.url}${path}`, { ...init, headers });
  };
  return inProcess({ url: undefined, request, close: () => Promise.resolve() });
}

const findRepo = async (): Promise<string> => 'shop';

/** A checkout with a client of a replica, and the paths that it asked for. */
function checkout(replica = 0): { root: string; client: Client; requestedPaths: string[]; options: SyncOptions } {
  const root = testFolder();
  onTestFinished(() => rmSync(root, { recursive: true }));
  const requestedPaths: string[] = [];
  const client = clientOf((path) => void requestedPaths.push(path), replica);
  return { root, client, requestedPaths, options: { root, findRepo, check: false, configDir, now: () => NOW } };
}

const NOW = new Date('2026-11-22T10:00:00Z');
const LATER = new Date('2026-11-23T10:00:00Z');

/** Every file of `.svc` with its bytes. */
function contentOf(root: string): Record<string, string> {
  const files = readdirSync(join(root, '.svc'), { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  const paths = files.map(({ name, parentPath }) => join(parentPath, name)).toSorted();
  return Object.fromEntries(paths.map((path) => [path.slice(root.length + 6), readFileSync(path, 'utf8')]));
}

test('a first sync writes what there is, in the published forms, and keeps it out of commits', async () => {
  const { root, client, options } = checkout();

  const report = await syncArtifacts(client, options);

  const files = contentOf(root);
  expect(Object.keys(files)).toEqual([
    '.gitignore',
    'graph.json',
    'index.json',
    'ownership.json',
    'plans/letters.md',
    'plans/mail.md',
    'plans/pay-by-voucher.md',
    'work-items.json',
  ]);
  expect(files['.gitignore']).toBe('*\n');
  expect(files['plans/mail.md']).toMatch(/\(after: T1\)\n$/);
  const index: unknown = JSON.parse(files['index.json'] ?? '');
  const { commit } = (await bench.plans.indexed(bench.account))[0]?.provenance ?? {};
  expect(index).toMatchObject({ repo: 'shop', commit, synced_at: NOW.toISOString(), full: false });
  expect(report).toMatchObject({ behind: false, repo: 'shop', removed: [], files: report.files });
  for (const [name, text] of [
    ['index', files['index.json']],
    ['graph', files['graph.json']],
    ['ownership', files['ownership.json']],
    ['work-items', files['work-items.json']],
  ] as const) {
    const schema = JSON.parse(
      readFileSync(join(import.meta.dirname, `../../docs/schemas/${name}.schema.json`), 'utf8'),
    );
    expect(z.fromJSONSchema(schema).safeParse(JSON.parse(text ?? '')).error).toBeUndefined();
    expect(z.fromJSONSchema(schema).safeParse({}).success).toBe(false);
  }
});

test.each([
  ['work-items', WorkItemsFile],
  ['graph', GraphFile],
  ['ownership', OwnersFile],
])('the published form of %s is the one that the service describes', (name, file) => {
  const path = join(import.meta.dirname, `../../docs/schemas/${name}.schema.json`);

  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(z.toJSONSchema(file, { io: 'input' }));
});

test('rows stand one a line with sorted keys, so that a change touches its line only', async () => {
  const { root, client, options } = checkout();
  await syncArtifacts(client, options);
  const before = contentOf(root)['work-items.json']?.split('\n') ?? [];

  await savePlan(bench.plans, bench.account, { text: '# Letters\n\n- [x] Stop it\n', actor: 'system' });
  const report = await syncArtifacts(client, options);

  const after = contentOf(root)['work-items.json']?.split('\n') ?? [];
  const changed = after.filter((line) => !before.includes(line));
  expect(report.written).toEqual(['graph.json', 'work-items.json', 'plans/letters.md']);
  expect(after.length).toBe(before.length);
  expect(changed.map((line) => (JSON.parse(line.replace(/,$/, '')) as { id: string }).id)).toEqual([
    'plan:letters',
    expect.stringMatching(/^wi:/),
  ]);
  for (const line of changed) {
    const keysOf = Object.keys(JSON.parse(line.replace(/,$/, '')) as object);
    expect(keysOf).toEqual(keysOf.toSorted());
  }
});

test('a second sync asks one question, changes no byte, and says nothing changed', async () => {
  const { root, client, requestedPaths, options } = checkout();
  await syncArtifacts(client, options);
  const before = contentOf(root);
  requestedPaths.length = 0;

  const again = await syncArtifacts(client, { ...options, now: () => LATER });

  expect(requestedPaths).toEqual(['/v1/artifacts?repo=shop']);
  expect(again).toMatchObject({ written: [], removed: [], behind: false });
  expect(contentOf(root)).toEqual(before);
});

test('two replicas give the same files', async () => {
  const [first, second] = [checkout(0), checkout(1)];

  await syncArtifacts(first.client, first.options);
  await syncArtifacts(second.client, second.options);

  expect(contentOf(first.root)).toEqual(contentOf(second.root));
});

test('what was changed or removed by hand is written again, what the service has no more is removed', async () => {
  const { account, plans } = bench;
  const { row } = await savePlan(plans, account, { text: '# Short lived\n', actor: 'system' });
  const { root, client, options } = checkout();
  await syncArtifacts(client, options);
  const whole = contentOf(root);
  writeFileSync(join(root, '.svc/work-items.json'), '{}\n');
  rmSync(join(root, '.svc/plans/mail.md'));

  const checked = await syncArtifacts(client, { ...options, check: true });
  const mended = await syncArtifacts(client, options);
  const restored = contentOf(root);
  const { removePlan } = await import('../plans/keep/change-plan.ts');
  await removePlan(plans, account, { slug: row.slug, actor: 'system' });
  const behind = await syncArtifacts(client, { ...options, check: true });
  const removed = await syncArtifacts(client, options);

  expect(checked).toMatchObject({ behind: true, written: ['work-items.json', 'plans/mail.md'] });
  expect(mended.written).toEqual(['work-items.json', 'plans/mail.md']);
  expect({ ...restored, 'index.json': '' }).toEqual({ ...whole, 'index.json': '' });
  expect(behind).toMatchObject({ behind: true, removed: ['plans/short-lived.md'] });
  expect(removed).toMatchObject({ behind: false, removed: ['plans/short-lived.md'] });
  expect(Object.keys(contentOf(root))).not.toContain('plans/short-lived.md');
});

test('a sync that is cut off anywhere leaves whole files, and the next one finishes it', async () => {
  const { account, plans } = bench;
  const { root, client, options } = checkout();
  await savePlan(plans, account, { text: '# Mail\n\n- [ ] T1 Before\n', actor: 'system' });
  await savePlan(plans, account, { text: '# Letters\n\n- [ ] Before\n', actor: 'system' });
  await syncArtifacts(client, options);
  const before = contentOf(root);
  await savePlan(plans, account, { text: '# Mail\n\n- [ ] T1 After\n', actor: 'system' });
  await savePlan(plans, account, { text: '# Letters\n\n- [ ] After\n', actor: 'system' });
  const fresh = checkout();
  await syncArtifacts(fresh.client, fresh.options);
  const after = contentOf(fresh.root);

  let allowed = 3;
  const cut = clientOf(() => {
    if (allowed-- === 0) throw new Error('cut off');
  });
  await expect(syncArtifacts(cut, options)).rejects.toThrow('cut off');
  const leftoverPath = join(root, '.svc/plans/.unfinished-1');
  writeFileSync(leftoverPath, 'half');
  utimesSync(leftoverPath, 0, 0);
  const between = contentOf(root);
  await syncArtifacts(client, options);

  const finished = Object.entries(between).filter(([path]) => !path.includes('unfinished'));
  expect(finished.filter(([path, text]) => text !== before[path] && text !== after[path])).toEqual([]);
  expect(between['index.json']).toBe(before['index.json']);
  expect(contentOf(root)).toEqual(after);
});

const asText = (row: object): string => JSON.stringify(row);

type GraphJson = z.output<typeof GraphFile>;

function withoutFeatures([id, kind, name, links]: GraphJson['nodes'][number]): GraphJson['nodes'][number] {
  const others = Object.entries(links).map(
    ([link, to]) => [link, to.filter((end) => !end.startsWith('feature:'))] as const,
  );
  return [id, kind, name, Object.fromEntries(others.filter(([, to]) => to.length > 0))];
}

test('the whole graph has the form of the cut one, and is fetched only where it is asked for', async () => {
  const { root, client, options } = checkout();
  await syncArtifacts(client, options);
  const cut = JSON.parse(contentOf(root)['graph.json'] ?? '') as GraphJson;

  const report = await syncArtifacts(client, { ...options, full: true });
  const whole = JSON.parse(contentOf(root)['graph.json'] ?? '') as GraphJson;
  const checked = await syncArtifacts(client, { ...options, check: true });
  const back = await syncArtifacts(client, options);

  expect(report.written).toEqual(['graph.json']);
  expect(whole).toMatchObject({ cut: false, repo: 'shop' });
  // A repository this small fits into the budget.
  // Features, which the cut one describes in their own rows alone.
  const others = whole.nodes.filter(([, kind]) => kind !== 'feature').map(withoutFeatures);
  expect(others.map(asText).toSorted()).toEqual(cut.nodes.map(asText).toSorted());
  expect(whole.features).toEqual(cut.features);
  expect(whole.features).toContainEqual([
    'feature:checkout',
    'checkout',
    [],
    expect.arrayContaining(['src/checkout/pay-cart.ts']),
    ['First Author'],
    ['test/pay-cart.test.ts'],
    ['plan:pay-by-voucher'],
  ]);
  expect(whole.nodes.map(([id]) => id)).toEqual(expect.arrayContaining(['file:src/main.ts', 'plan:pay-by-voucher']));
  expect(checked.behind).toBe(false);
  expect(back.written).toEqual(['graph.json']);
});

test('after a commit the graph differs in what the commit changed', async () => {
  const { root, client, options } = checkout();
  await syncArtifacts(client, options);
  const before = contentOf(root)['graph.json']?.split(/,?\n/) ?? [];

  const saved =
    "import { rounded } from '../util/money.ts';\nexport const refunded = (cents: number) => rounded(cents);\n";
  await bench.commitAndIndex({ files: { 'src/checkout/refund.ts': saved } });
  const report = await syncArtifacts(client, options);

  const after = contentOf(root)['graph.json']?.split(/,?\n/) ?? [];
  const changed = [
    ...after.filter((line) => !before.includes(line)),
    ...before.filter((line) => !after.includes(line)),
  ];
  expect(report.written).toEqual(['graph.json', 'ownership.json']);
  expect(changed.length).toBeGreaterThan(2);
  // The feature has one file more, and so has the layer: their rows from before.
  const others = changed.filter((line) => !line.includes('refund'));
  const ids = others.map((line) => (JSON.parse(line) as GraphJson['nodes'][number])[0]);
  expect(new Set(ids)).toEqual(new Set(['feature:checkout', 'layer:checkout']));
});

test('without a service, the last sync tells who works on a file and what is planned about it', async () => {
  const { root, client, options } = checkout();
  await syncArtifacts(client, options);
  const away = new ServiceError('upstream_failed', 'The service does not answer.', { fix: 'Start it.' });
  const path = 'src/checkout/pay-cart.ts';

  const owners = offlineOwnership(root, path, away);
  const reasons = offlineRationale(root, path, away);

  expect(owners.document).toMatchObject({
    offline: true,
    path,
    repo: 'shop',
    bus_factor: 1,
    owners: [{ author: 'First Author', commits: 1, commits_decayed_pct: 100, last: '2026-01-01' }],
  });
  expect(owners.prose()).toContain(`Offline, from the sync of ${NOW.toISOString()}: owners by commits only`);
  expect(reasons.document.reasons.map(({ id }) => id)).toEqual(expect.arrayContaining(['wi:1', 'plan:pay-by-voucher']));
  expect(offlineRationale(root, 'src/util/money.ts', away).document.reasons).toMatchObject([
    { kind: 'decision', id: 'dec:1' },
  ]);
  // What was never synced cannot be answered: the reason is told.
  expect(() => offlineOwnership(root, 'none.ts', away)).toThrow(away);
  expect(() => offlineOwnership(tmpdir(), path, away)).toThrow(away);
});

test('who calls a route from another repository is told alike by the tool, by svc, and in graph.json of either side', async () => {
  await bench.commitAndIndex({
    files: {
      'src/http/orders-api.ts':
        "import express from 'express';\nimport { findOrders } from '../data/orders.ts';\nexport const api = express();\napi.get('/api/orders/:id', findOrders);\n",
    },
  });
  await bench.addRepository('web', {
    'src/main.ts': "import { readOrder } from './client.ts';\nreadOrder('1');\n",
    'src/client.ts': 'export function readOrder(id: string): unknown {\n  return fetch(`/api/orders/${id}`);\n}\n',
  });
  const [route, caller] = ['route:GET /api/orders/:id', 'sym:readOrder@src/client.ts'];

  const live = await askTool({ action: 'neighbors', entity: route, relations: ['calls'], direction: 'in' });
  const byName = await askTool({
    action: 'neighbors',
    entity: `web:${caller}`,
    relations: ['calls'],
    direction: 'out',
  });
  const [shop, web] = [await runSync('shop'), await runSync('web')];

  expect(await askTool({ action: 'map' })).toMatchObject({ services: [{ from: 'web', to: 'shop', requests: 1 }] });
  expect(live.rows).toMatchObject([{ id: caller, repo: 'web', grade: 'name', source: 'src/client.ts:2' }]);
  expect(byName.rows).toMatchObject([{ id: route, repo: 'shop' }]);
  expect(shop.nodes).toContainEqual([`web:${caller}`, 'symbol', '', { 'calls?': [route] }]);
  expect(web.nodes).toContainEqual([caller, 'symbol', '', expect.objectContaining({ 'calls?': [`shop:${route}`] })]);
  expect([shop, web].map(({ nodes }) => nodes.filter(([id]) => /^(?:shop|web):/.test(id)).length)).toEqual([1, 1]);
  await expect(askTool({ action: 'neighbors', entity: 'file:src/main.ts' })).rejects.toThrow('web:file:src/main.ts');
});

/** Asks the tool of a replica over REST. */
async function askTool(args: object): Promise<{ rows: object[] }> {
  const answer = await fetch(`${replicas[0]?.url}/v1/tools/entity-analysis-tool`, {
    method: 'POST',
    headers: { 'x-api-key': secret, 'content-type': 'application/json' },
    body: JSON.stringify({ format: 'json', ...args }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(text);
  return JSON.parse(text) as { rows: object[] };
}

/** Runs `svc sync --full` in a new checkout as somebody who is signed in to a replica, and gives `graph.json`. */
async function runSync(repo: string): Promise<GraphJson> {
  const root = testFolder();
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const folder of ['.git', 'config/svc']) mkdirSync(join(root, folder), { recursive: true });
  writeFileSync(join(root, 'config/svc/login.json'), JSON.stringify({ url: replicas[0]?.url, key: secret }));
  await promisify(execFile)(
    process.execPath,
    [join(import.meta.dirname, '../../bin/svc.mjs'), 'sync', '--full', '--repo', repo],
    {
      cwd: root,
      env: { PATH: process.env['PATH'], XDG_CONFIG_HOME: join(root, 'config'), SVC_DATA_DIR: join(root, 'none') },
    },
  );
  return JSON.parse(contentOf(root)['graph.json'] ?? '') as GraphJson;
}
