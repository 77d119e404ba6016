import { afterAll, beforeAll, expect, test } from 'vitest';
import { testPerson } from '../testing/person.ts';
import { openTestApplication, type TestApplication } from '../testing/web-application.ts';

let application: TestApplication;

interface Entry {
  id: string;
  actor: string;
  action: string;
  target_name: string | null;
}

beforeAll(async () => {
  application = await openTestApplication();
});
afterAll(() => application.close());

test('the audit log names who did what to what, also when they are gone', async () => {
  const { account, keys, send } = application;
  const { accountId, productId } = account;
  const owner = await testPerson(account, 'owner', new Date());
  const leaving = await testPerson(account, 'admin', new Date());
  const made = await send('POST', '/app/api/keys', { session: leaving.token, body: { name: 'ci', scopes: ['read'] } });
  const { id } = (await made.json()) as { id: string };
  const byKey = { accountId, product: productId, name: 'made by a key', actor: `key:${id}` } as const;
  await keys.createKey(byKey);
  const removal = `/app/api/members/${leaving.who.personId}?keys_to=${owner.who.personId}`;
  await send('DELETE', removal, { session: owner.token });

  const before = await entriesOf(owner.token);
  await send('DELETE', `/app/api/keys/${id}`, { session: owner.token });
  const after = await entriesOf(owner.token);

  // What happened in one transaction stands together, in any order.
  expect(before.slice(0, 3)).toEqual(
    expect.arrayContaining(
      [
        { actor: 'the owner', action: 'member.remove', target_name: 'the admin' },
        { actor: 'the owner', action: 'api_key.hand_over', target_name: 'made by a key' },
        { actor: 'the owner', action: 'api_key.hand_over', target_name: 'ci' },
      ].map((entry) => expect.objectContaining(entry)),
    ),
  );
  expect(before.slice(3, 5)).toMatchObject([
    { actor: 'API key ci', action: 'api_key.create', target_name: 'made by a key' },
    { actor: 'the admin', action: 'api_key.create', target_name: 'ci' },
  ]);
  expect(after[0]).toMatchObject({ actor: 'the owner', action: 'api_key.delete', target_name: 'ci' });
  expect(after[4]).toMatchObject({ actor: 'a deleted API key', action: 'api_key.create' });
  expect(JSON.stringify(after)).not.toMatch(/svc_live_/);
});

async function entriesOf(session: string): Promise<Entry[]> {
  const response = await application.send('GET', '/app/api/audit', { session });
  return ((await response.json()) as { entries: Entry[] }).entries;
}

test('the audit log comes in pages that neither repeat nor leave out', async () => {
  const { account, send } = application;
  const { token: session } = await testPerson(account, 'owner', new Date());
  for (let index = 0; index < 60; index += 1) {
    await send('POST', '/app/api/products', { session, body: { name: `product ${index}` } });
  }

  const visited: string[] = [];
  const sizes: number[] = [];
  let next: string | null = '';
  while (next !== null) {
    const query: string = next === '' ? '' : `?before=${next}`;
    const page = (await (await send('GET', `/app/api/audit${query}`, { session })).json()) as {
      entries: Entry[];
      next: string | null;
    };
    visited.push(...page.entries.map(({ id }) => id));
    sizes.push(page.entries.length);
    next = page.next;
  }
  const foreign = await send('GET', '/app/api/audit?before=yesterday', { session });

  expect(sizes[0]).toBe(50);
  expect(sizes.length).toBeGreaterThan(1);
  expect(new Set(visited).size).toBe(visited.length);
  expect(visited).toEqual(visited.toSorted().toReversed());
  expect(visited.length).toBeGreaterThan(60);
  expect(foreign.status).toBe(400);
});

test('the overview counts keys, those that were used, and what they were used for today', async () => {
  const { account, keys, send } = application;
  const { token: session } = await testPerson(account, 'member', new Date());
  const names = [
    ['never', undefined],
    ['later', '10d'],
    ['sooner', '2d'],
  ] as const;
  const made: { id: string; key: string }[] = [];
  for (const [name, expires] of names) {
    const response = await send('POST', '/app/api/keys', { session, body: { name, expires } });
    made.push((await response.json()) as { id: string; key: string });
  }
  const [first] = made;
  await keys.authenticate(first?.key ?? '');
  keys.count(first?.id ?? '', 'stream', new Date());
  keys.count(first?.id ?? '', 'GET /v1/repositories', new Date());
  await keys.flush();

  const overview = (await (await send('GET', '/app/api/overview', { session })).json()) as Record<string, unknown>;
  const detail = await send('GET', `/app/api/keys/${first?.id}?zone=Europe/Vienna`, { session });
  const nowhere = await send('GET', `/app/api/keys/${first?.id}?zone=Nowhere/Land`, { session });

  expect(overview).toMatchObject({
    keys: { count: 3, used: 1, expiring: [{ name: 'sooner' }, { name: 'later' }] },
    requests_today: 2,
    recent: [],
  });
  expect(await detail.json()).toMatchObject({
    usage: { zone: 'Europe/Vienna', total: 2, this_month: 2 },
    mcp_connected: true,
    first_call_at: expect.any(String),
    operations: expect.arrayContaining(['echo-tool']),
  });
  expect(nowhere.status).toBe(400);
});

test('requests today on the overview are the sum of what the pages of the keys say, in every time zone', async () => {
  const { account, keys, send } = application;
  const { token: session } = await testPerson(account, 'member', new Date());
  const HOUR_MS = 3_600_000;
  for (const name of ['one', 'two']) {
    const made = await send('POST', '/app/api/keys', { session, body: { name } });
    const { id, key } = (await made.json()) as { id: string; key: string };
    await keys.authenticate(key);
    for (let hours = 0; hours < 48; hours += 1) keys.count(id, 'stream', new Date(Date.now() - hours * HOUR_MS));
  }
  await keys.flush();
  const list = (await (await send('GET', '/app/api/keys', { session })).json()) as { keys: { id: string }[] };

  const counts = new Set<number>();
  for (const zone of ['UTC', 'Europe/Vienna', 'Pacific/Kiritimati', 'Pacific/Midway']) {
    const overview = await send('GET', `/app/api/overview?zone=${zone}`, { session });
    const { requests_today: today } = (await overview.json()) as { requests_today: number };
    const details = await Promise.all(
      list.keys.map(({ id }) => send('GET', `/app/api/keys/${id}?zone=${zone}`, { session })),
    );
    const usages = (await Promise.all(details.map((detail) => detail.json()))) as { usage: { today: number } }[];

    expect([zone, today]).toEqual([zone, usages.reduce((sum, { usage }) => sum + usage.today, 0)]);
    counts.add(today);
  }
  expect(counts.size).toBeGreaterThan(1);
});

test('a key that was used over REST alone has no MCP client yet', async () => {
  const { account, keys, send } = application;
  const { token: session } = await testPerson(account, 'member', new Date());
  const made = await send('POST', '/app/api/keys', { session, body: { name: 'rest' } });
  const { id, key } = (await made.json()) as { id: string; key: string };
  await keys.authenticate(key);
  keys.count(id, 'GET /v1/repositories', new Date());
  // Tools can be called over REST too, under the same names.
  keys.count(id, 'code-tool', new Date());
  await keys.flush();

  const detail = await send('GET', `/app/api/keys/${id}`, { session });

  expect(await detail.json()).toMatchObject({ mcp_connected: false, usage: { total: 2, zone: 'UTC' } });
});

test('a page is about the oldest product until another one is named', async () => {
  const { account, send } = application;
  const { token: session } = await testPerson(account, 'admin', new Date());
  // Before "default" in the alphabet.
  const made = await send('POST', '/app/api/products', { session, body: { name: 'another' } });
  const { id } = (await made.json()) as { id: string };

  const answers = await Promise.all(
    ['', `?product=${id}`, '?product=another', '?product=none'].map(async (query) => {
      const response = await send('GET', `/app/api/session${query}`, { session });
      return ((await response.json()) as { product?: { name: string } }).product?.name;
    }),
  );

  expect(answers).toEqual(['default', 'another', 'another', undefined]);
});
