import { afterAll, beforeAll, expect, test } from 'vitest';
import { type GraphBench, type GraphRow, openGraphBench } from '../testing/graph.ts';
import { OpenAPIHono } from '@hono/zod-openapi';
import { savePlan } from '../plans/plans.ts';
import { insertRepository } from '../repositories/store.ts';
import { ServiceError } from '../kernel/errors.ts';
import type { KeyScope } from '../platform/operation/operation.ts';
import type { WebEnv } from '../platform/web.ts';
import { entityAnalysisTool } from './entity-analysis-tool.ts';
import { featureRoutes } from './feature-routes.ts';
import {
  artifactGraphKey,
  findFeatures,
  packRows,
  readArtifactFeatures,
  readArtifactGraph,
  streamArtifactGraph,
} from './graph.ts';
import type { GraphNode } from './model/model.ts';
import { layerRoutes } from './layer-routes.ts';

let bench: GraphBench;

beforeAll(async () => {
  bench = await openGraphBench();
});
afterAll(() => bench.close());

async function rows(args: Record<string, unknown>): Promise<GraphRow[]> {
  const { json } = await bench.call(entityAnalysisTool(bench.graph), { format: 'json', ...args });
  // The tool says what it gives.
  return (json as unknown as { rows: GraphRow[] }).rows;
}

async function text(args: Record<string, unknown>): Promise<string> {
  return (await bench.call(entityAnalysisTool(bench.graph), args)).text;
}

test('find takes a name, a path, an id and a kind, the best fit first', async () => {
  const first = async (entity: string, more = {}): Promise<string | undefined> =>
    (await rows({ action: 'find', entity, ...more }))[0]?.id;

  expect(await first('payCart')).toBe('sym:payCart@src/checkout/pay-cart.ts');
  expect(await first('orders.ts')).toBe('file:src/data/orders.ts');
  expect(await first('plan:pay-by-voucher')).toBe('plan:pay-by-voucher');
  expect(await first('pay by voucher')).toBe('plan:pay-by-voucher');
  expect(await first('component:src/checkout')).toBe('component:src/checkout');
  expect(await first('checkout', { kinds: ['layers'] })).toBe('layer:checkout');
  expect(await first('symbol:carttotals')).toBe('sym:CartTotals@src/checkout/pay-cart.ts');
  expect(await first('vouchers', { kinds: ['theme'] })).toBe('theme:vouchers');
  expect(await first('voucher rules')).toMatch(/^doc:/);
  expect((await rows({ action: 'find', kinds: ['layer'] })).length).toBeGreaterThan(3);
  expect(await text({ action: 'find', entity: 'zebra' })).toContain('nothing is called "zebra"');
});

test('neighbors of a symbol are code, tests, plans and the work item, each with where it says so', async () => {
  const neighbors = await rows({ action: 'neighbors', entity: 'payCart' });

  const lines = neighbors.map(({ direction, relation, id, grade, source }) =>
    [direction, relation, id, grade, source].join(' '),
  );
  expect(lines).toEqual([
    'in contains file:src/checkout/pay-cart.ts stated src/checkout/pay-cart.ts:4',
    'in tests file:test/pay-cart.test.ts resolved test/pay-cart.test.ts:1',
    'out calls sym:saveOrder@src/data/orders.ts resolved src/checkout/pay-cart.ts:6',
    'out calls sym:rounded@src/util/money.ts resolved src/checkout/pay-cart.ts:5',
    'in calls sym:checkoutRoute@src/http/checkout-route.ts resolved src/http/checkout-route.ts:3',
    'in imports file:src/http/checkout-route.ts resolved src/http/checkout-route.ts:1',
    'in plans plan:pay-by-voucher stated plan:pay-by-voucher names payCart',
    'in plans wi:1 stated wi:1 names payCart',
  ]);
});

test('neighbors are kept by kind, relation, direction and hops', async () => {
  const ids = async (more: Record<string, unknown>): Promise<string[]> =>
    (await rows({ action: 'neighbors', entity: 'file:src/data/orders.ts', ...more })).map(({ id }) => id);

  expect(await ids({ relations: ['imports'], direction: 'in' })).toEqual([
    'file:src/checkout/pay-cart.ts',
    'file:src/http/search-route.ts',
  ]);
  expect(await ids({ relations: ['imports'], direction: 'in', depth: 2, kinds: ['files'] })).toEqual([
    'file:src/checkout/pay-cart.ts',
    'file:src/http/search-route.ts',
    'file:src/http/checkout-route.ts',
    'file:src/http/server.ts',
    'file:src/util/money.ts',
  ]);
  const answer = await text({ action: 'neighbors', entity: 'src/checkout/pay-cart.ts', relations: ['imports'] });
  expect(answer).toContain('1 use by tests left out: add the relation tests');
  expect(await ids({ kinds: ['layer', 'component'] })).toEqual(['layer:data', 'component:src/data']);
  await expect(rows({ action: 'neighbors', entity: 'payCart', kinds: ['animal'] })).rejects.toMatchObject({
    code: 'bad_argument',
  });
});

test('pages of neighbors follow each other without gap or repeat', async () => {
  const all = await rows({ action: 'neighbors', entity: 'file:src/checkout/pay-cart.ts', depth: 2, limit: 100 });
  const paged: GraphRow[] = [];
  let cursor: string | undefined;
  do {
    const { json } = await bench.call(entityAnalysisTool(bench.graph), {
      action: 'neighbors',
      entity: 'file:src/checkout/pay-cart.ts',
      depth: 2,
      limit: 4,
      format: 'json',
      ...(cursor !== undefined && { cursor }),
    });
    const page = json as unknown as { rows: GraphRow[]; next?: string };
    paged.push(...page.rows);
    cursor = page.next;
  } while (cursor !== undefined);

  expect(paged).toEqual(all);
  const near = all.filter(({ hop }) => hop === 1).map(({ id }) => id);
  const vias = new Map(all.filter(({ hop }) => hop === 2).map(({ id, via = '' }) => [id, via]));
  expect(near).toEqual(expect.arrayContaining([...vias.values()]));
  expect(vias.get('component:src/data')).toBe('file:src/data/orders.ts');
});

test('a path tells how a plan comes to a table of code, and goes against edges where it must', async () => {
  const [best] = await rows({ action: 'path', entity: 'plan:pay-by-voucher', to: 'saveOrder' });
  const [up] = await rows({ action: 'path', entity: 'saveOrder', to: 'plan:pay-by-voucher' });
  const [decided] = await rows({ action: 'path', entity: 'dec:1', to: 'CartTotals/total' });

  expect(best?.path.map(({ id, relation, grade }) => [id, relation, grade])).toEqual([
    ['plan:pay-by-voucher', 'plans', 'stated'],
    ['sym:payCart@src/checkout/pay-cart.ts', 'calls', 'resolved'],
    ['sym:saveOrder@src/data/orders.ts', undefined, undefined],
  ]);
  expect(up?.path.map(({ id }) => id)).toEqual(best?.path.map(({ id }) => id).toReversed());
  expect(decided?.path.map(({ id }) => id)).toEqual([
    'dec:1',
    'sym:rounded@src/util/money.ts',
    'sym:CartTotals/total@src/checkout/pay-cart.ts',
  ]);
  expect(await rows({ action: 'path', entity: 'theme:vouchers', to: 'payCart' })).toEqual([]);
});

const failing = (entity: string): Promise<unknown> => rows({ action: 'neighbors', entity });

test('what no entity is called is refused with the nearest, and a name of several with all of them', async () => {
  await expect(failing('payCar')).rejects.toMatchObject({
    code: 'unknown_id',
    fix: expect.stringContaining('sym:payCart@src/checkout/pay-cart.ts') as string,
  });
  await expect(failing('')).rejects.toMatchObject({ code: 'bad_argument' });
  expect(await text({ action: 'neighbors', entity: 'checkout' })).toContain('around feature:checkout\n');
  expect(await text({ action: 'neighbors', entity: 'checkout' })).toContain(
    'the name also fits layer:checkout, component:src/checkout',
  );
});

test('the map gives the layers from the top and names the import that goes up', async () => {
  const answer = await text({ action: 'map' });

  expect(answer).toContain('layers from the top: src 1 > http 3 > checkout 1 > data 1 > util 1');
  expect(answer).toContain(
    'imports go up between 1 pair of layers: util -> checkout (1: src/util/money.ts -> src/checkout/pay-cart.ts)',
  );
});

/** Returns a reader of the indexed repository of the bench. */
async function artifactRequest(): Promise<Parameters<typeof artifactGraphKey>[1]> {
  const [repository] = await bench.plans.indexed(bench.account);
  if (repository === undefined) throw new Error('The bench has one repository.');
  const caller = { ...bench.account, keyId: 'k', scopes: ['read' as const] };
  return { caller, repository, signal: new AbortController().signal };
}

test('an artifact keeps to its budget, is the same each time, and the whole graph holds it', async () => {
  const { graph } = bench;
  const request = await artifactRequest();
  const whole = { nodes: [] as GraphNode[], edges: [] as unknown[] };
  for await (const part of streamArtifactGraph(graph, request)) {
    whole.nodes.push(...part.nodes);
    whole.edges.push(...part.edges);
  }

  const cut = await readArtifactGraph(graph, request, { maxTokens: 400, changed: ['src/data/orders.ts'] });
  const all = await readArtifactGraph(graph, request, { maxTokens: 100_000, changed: [] });

  const size = packRows(cut.nodes, cut.edges).reduce((sum, row) => sum + JSON.stringify(row).length + 2, 0);
  expect(size).toBeLessThanOrEqual(400 * 3.5);
  expect(size).toBeGreaterThan(400 * 2.5);
  expect(cut).toEqual(await readArtifactGraph(graph, request, { maxTokens: 400, changed: ['src/data/orders.ts'] }));
  expect([cut.isWhole, all.isWhole]).toEqual([false, true]);
  // Features have rows of their own.
  expect(all.nodes).toHaveLength(whole.nodes.filter(({ kind }) => kind !== 'feature').length);
  expect(whole.nodes).toEqual(expect.arrayContaining(cut.nodes));
  expect(whole.edges).toEqual(expect.arrayContaining(cut.edges));
  expect(JSON.stringify(whole)).not.toMatch(/"line"|\.ts:\d/);
});

test('a feature has the files of its folder and name, its test, document and plan, and says what it lacks', async () => {
  const [checkout] = await rows({ action: 'map' });

  expect(checkout).toEqual({
    id: 'feature:checkout',
    kind: 'feature',
    name: 'checkout',
    files: 2,
    layers: { src: 0, http: 1, checkout: 1, data: 0, util: 0 },
    routes: 0,
    tests: 1,
    documents: 1,
    plans: 1,
    decisions: 0,
    themes: 0,
    competitors: 0,
    uncovered: ['decision', 'theme', 'competitor'],
  });
});

/** Sends a request with a key of these scopes; gives the body of the answer. */
async function ask(
  method: string,
  path: string,
  body?: object,
  scopes: KeyScope[] = ['plans:write', 'read'],
): Promise<unknown> {
  const app = new OpenAPIHono<WebEnv>();
  app.use(async (c, next) => {
    const { accountId, productId } = bench.account;
    c.set('requester', { by: 'key', accountId, productId, keyId: 'test', scopes });
    await next();
  });
  app.onError((error, c) =>
    c.json({ error: { code: error instanceof ServiceError ? error.code : String(error) } }, 400),
  );
  for (const { routes } of [featureRoutes(bench.graph), layerRoutes(bench.graph)]) app.route('/', routes);
  const content = { 'content-type': 'application/json' };
  const answer = await app.request(path, { method, ...(body && { headers: content, body: JSON.stringify(body) }) });
  return answer.json();
}

test('what people wrote is read again when something was written, and only then', async () => {
  const { joined } = bench.graph.shards;
  const last = (): unknown => [...joined.values()][0]?.links;
  await rows({ action: 'find', entity: 'payCart' });
  const before = last();
  await rows({ action: 'find', entity: 'payCart' });
  expect(before).toBeDefined();
  expect(last()).toBe(before);

  await savePlan(bench.plans, bench.account, { text: '# Sell abroad\n', actor: bench.account.actor });

  expect((await rows({ action: 'find', entity: 'plan:sell-abroad' }))[0]?.id).toBe('plan:sell-abroad');
  expect(last()).not.toBe(before);
});

test('layers that people set win over those of the code at once, until they are reset', async () => {
  const { account, plans, repositoryId } = bench;
  const names = { name: 'shop', fullName: 'shop', url: '', location: 'shop', ref: '', isAwaited: false };
  const row = { ...names, id: repositoryId, source: 'local' as const, defaultBranch: 'main', createdAt: plans.now() };
  await insertRepository(account.db, account, row);
  const request = await artifactRequest();
  const key = (): Promise<string> => artifactGraphKey(bench.graph, request);
  const listed = await ask('GET', '/layers', undefined, ['read']);
  const [firstKey, map] = [await key(), await rows({ action: 'map' })];
  const layers = [
    { name: 'Helpers', paths: ['./src/util/', 'src/main.ts'] },
    { name: 'Shop', paths: ['src'] },
  ];

  const set = await ask('PUT', '/layers?repo=shop', { layers });

  expect(listed).toMatchObject({ repo: 'shop', stated_by: 'imports', setting: null, problem: null });
  expect(set).toMatchObject({
    stated_by: 'setting',
    layers: [
      { id: 'layer:helpers', name: 'Helpers', files: 2 },
      { id: 'layer:shop', name: 'Shop', files: 5 },
    ],
    // The one that goes up, by what was set.
    faults: [{ kind: 'violation', from: 'Shop', to: 'Helpers', files: 2 }],
    setting: { layers, updated_by: 'key:test' },
  });
  expect(await rows({ action: 'neighbors', entity: 'layer:helpers', relations: ['contains'] })).toMatchObject([
    { id: 'file:src/main.ts', grade: 'stated', source: 'layers of the product' },
    { id: 'file:src/util/money.ts', grade: 'stated', source: 'layers of the product' },
  ]);
  expect(await text({ action: 'map' })).toContain('layers from the top: Helpers 2 > Shop 5');
  expect(await key()).not.toBe(firstKey);
  await bench.commitAndIndex({ files: { 'src/util/cents.ts': 'export const cents = 1;\n' } });
  expect(await ask('GET', '/layers')).toMatchObject({ layers: [{ name: 'Helpers', files: 3 }, { name: 'Shop' }] });
  await bench.commitAndIndex({ files: { 'src/util/cents.ts': undefined } });
  expect(await ask('PUT', '/layers', { layers: [{ name: 'None', paths: ['nowhere'] }] })).toMatchObject({
    problem: 'layers of the product: no file matches the paths of "None"',
  });
  expect(await ask('PUT', '/layers', { layers }, ['read'])).toMatchObject({ error: { code: 'scope_denied' } });

  expect(await ask('DELETE', '/layers')).toEqual(listed);
  expect(await rows({ action: 'map' })).toEqual(map);
});

test('a plan and a theme belong to the feature that they name, and make one of code that is of none', async () => {
  const { account, plans } = bench;
  const neighbors = async (entity: string, more = {}): Promise<string[]> =>
    (await rows({ action: 'neighbors', entity, ...more })).map(({ id, relation }) => `${relation} ${id}`);
  await bench.addCompetitor('Bigshop', ['## Pay with any Checkout button', '## About us', 'checkout in the text']);
  const rounding = '# Rounding\n\n## Goal\n\n`rounded` in `src/util/money.ts` rounds to five cents.\n';
  await savePlan(plans, account, { text: rounding, actor: account.actor });
  await savePlan(plans, account, { text: '# Quick checkout\n\n## Goal\n\nFewer steps.\n', actor: account.actor });

  expect(await neighbors('feature:rounding', { relations: ['contains', 'plans'] })).toEqual([
    'contains file:src/util/money.ts',
    'plans plan:rounding',
  ]);
  expect(await neighbors('feature:checkout', { relations: ['plans', 'competes'] })).toEqual([
    'plans plan:quick-checkout',
    'competes competitor:bigshop',
  ]);
  const rowsOfMap = await rows({ action: 'map' });
  expect(rowsOfMap).toContainEqual(
    expect.objectContaining({ id: 'feature:rounding', files: 1, plans: 1, competitors: 0 }),
  );
  expect(rowsOfMap).toContainEqual(expect.objectContaining({ id: 'feature:checkout', competitors: 1 }));
  expect((await rows({ action: 'find', entity: 'competitor:bigshop' }))[0]).toMatchObject({ kind: 'competitor' });

  await ask('PATCH', '/features/rounding', { merged_into: 'feature:checkout' });
  expect(await neighbors('feature:checkout', { kinds: ['file'] })).toContain('contains file:src/util/money.ts');
  await ask('PATCH', '/features/rounding', { merged_into: null, deleted: true });
  expect((await rows({ action: 'map' })).map(({ id }) => id)).not.toContain('feature:rounding');
});

test('a feature is named by what competitors change, and the edge says which change', async () => {
  const { addCompetitor, graph, account } = bench;
  const news = ['Faster checkouts', 'Billing by seat'];
  const change = await addCompetitor('Megashop', ['## Faster checkouts'], news);

  const edges = await rows({ action: 'neighbors', entity: 'competitor:megashop', relations: ['competes'] });
  expect(edges.map(({ id, source }) => [id, source])).toEqual([
    ['feature:checkout', `chg:${change} https://Megashop.example/features`],
  ]);
  const lists = [['Rounding is gone', ...news, 'One checkout'], ['Billing by seat']];
  const pages = await findFeatures(graph, account, { lists, signal: new AbortController().signal });
  expect(pages).toEqual([[{ id: 'feature:checkout', title: 'checkout' }], []]);
});

test('what people say of features wins: names, merges, pins and deletions, also in artifacts', async () => {
  const { graph } = bench;
  const ids = async (): Promise<string[]> => (await rows({ action: 'map' })).map(({ id }) => id);
  const edit = (key: string, change: object): Promise<unknown> => ask('PATCH', `/features/${key}`, change);

  await edit('checkout', { name: 'Paying' });
  expect((await rows({ action: 'neighbors', entity: 'paying', kinds: ['file'] })).map(({ id }) => id)).toEqual([
    'file:src/checkout/pay-cart.ts',
    'file:src/http/checkout-route.ts',
  ]);

  await ask('POST', '/features', { name: 'Money', paths: ['src/util', 'shop:src/data/orders.ts'] });
  expect(await ids()).toEqual(['feature:checkout', 'feature:money']);
  expect(
    (await rows({ action: 'path', entity: 'feature:money', to: 'findOrders' }))[0]?.path.map(({ id }) => id),
  ).toEqual(['feature:money', 'file:src/data/orders.ts', 'sym:findOrders@src/data/orders.ts']);

  await edit('checkout', { merged_into: 'feature:money' });
  const [merged] = await rows({ action: 'map' });
  expect(merged).toMatchObject({ id: 'feature:money', name: 'Money', files: 4 });
  expect(
    (
      await rows({ action: 'neighbors', entity: 'sym:payCart@src/checkout/pay-cart.ts', depth: 2, kinds: ['feature'] })
    ).map(({ id }) => id),
  ).toEqual(['feature:money']);
  expect(await edit('money', { merged_into: 'checkout' })).toMatchObject({ error: { code: 'conflict' } });
  expect(await ask('PATCH', '/features/checkout', { name: 'X' }, ['read'])).toMatchObject({
    error: { code: 'scope_denied' },
  });
  expect(await ask('GET', '/features', undefined, ['read'])).toMatchObject({
    features: [{ id: 'feature:money', repository: 'shop', files: 4, tests: 1 }],
    edits: [
      { id: 'feature:checkout', merged_into: 'feature:money' },
      { id: 'feature:money', pinned: true },
      { id: 'feature:rounding', deleted: true },
    ],
  });

  await ask('DELETE', '/features/feature:money');
  expect(await ids()).toEqual([]);
  const artifact = await readArtifactFeatures(graph, await artifactRequest());
  expect(artifact).toEqual([]);

  await edit('money', { deleted: false });
  await edit('checkout', { merged_into: null });
  // The folder is called otherwise now: the feature that code suggested is gone, what people pinned stays.
  await bench.commitAndIndex({
    files: { 'src/checkout/pay-cart.ts': undefined, 'src/http/checkout-route.ts': undefined },
  });
  expect(await ids()).toEqual(['feature:money']);
});
