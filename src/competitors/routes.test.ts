import { afterAll, beforeAll, expect, test } from 'vitest';
import { testSite } from '../testing/competitors.ts';
import { testPerson } from '../testing/person.ts';
import { openTestApplication, type TestApplication } from '../testing/web-application.ts';
import { plansPage } from '../testing/watch-bench.ts';

let application: TestApplication;
let site: Awaited<ReturnType<typeof testSite>>;
let session: string;
let html = (): string => '';

beforeAll(async () => {
  application = await openTestApplication();
  session = (await testPerson(application.account, 'admin', new Date())).token;
  site = await testSite((request, response) => {
    if (request.url === '/shop') return void response.end('<h1>Shop</h1><a href="/team">Open jobs</a>');
    if (request.url?.startsWith('/pricing') !== true) return void response.writeHead(404).end();
    return void response.writeHead(200, { 'content-type': 'text/html' }).end(html());
  });
});
afterAll(() => Promise.all([application.close(), site.close()]));

async function send<Body>(method: string, path: string, body?: unknown): Promise<Body> {
  const response = await application.send(method, `/app/api${path}`, { session, body });
  const text = await response.text();
  return { http: response.status, ...(text === '' ? {} : (JSON.parse(text) as object)) } as Body;
}

interface Captures {
  captures: { id: string }[];
}
interface Comparison {
  http: number;
  added: string[];
  removed: string[];
}

test('any two captures of a page are compared, in either direction, also those that no change names together', async () => {
  const added = await send<{ pages: { id: string }[] }>('POST', '/competitors', {
    name: 'Acme',
    pages: [{ url: `${site.url}/pricing` }],
  });
  const id = added.pages[0]?.id ?? '';
  for (const price of ['$20', '$25', '$30']) {
    html = () => plansPage(price, price === '$25' ? '<h2>Owner</h2>' : '');
    await send('POST', '/competitor-checks', { pages: [id] });
  }

  const { captures } = await send<Captures>('GET', `/competitor-pages/${id}/captures`);
  const saying = new Map<string, string>();
  for (const capture of captures) {
    const { text } = await send<{ text: string }>('GET', `/competitor-captures/${capture.id}`);
    saying.set(/\$\d+/.exec(text)?.[0] ?? '', capture.id);
  }
  const [first, last] = [saying.get('$20'), saying.get('$30')];
  const compare = (before = '', after = '') =>
    send<Comparison>('GET', `/competitor-comparisons?before=${before}&after=${after}`);

  expect([...saying.keys()].toSorted()).toEqual(['$20', '$25', '$30']);
  const [old, now] = ['$20', '$30'].map((price) => [`${price} per user and month, with 20 projects.`]);
  expect(await compare(first, last)).toMatchObject({ http: 200, removed: old, added: now });
  expect(await compare(last, first)).toMatchObject({ http: 200, removed: now, added: old });
  expect(await compare(first, first)).toMatchObject({ http: 200, removed: [], added: [] });
  expect((await compare(first, id)).http).toBe(404);
});

test('a competitor that is added by its domain has the pages that are proposed for it, of their kinds', async () => {
  html = () => plansPage('$20');
  const added = await send<{ http: number; domain: string; pages: unknown[] }>('POST', '/competitors', {
    name: 'By domain',
    domain: `${site.url}/shop`,
    every_minutes: 60,
  });

  expect(added).toMatchObject({ http: 201, domain: new URL(site.url).host });
  expect(added.pages).toMatchObject([
    { url: `${site.url}/shop`, kind: 'positioning', every_minutes: 60 },
    { url: `${site.url}/team`, kind: 'jobs', every_minutes: 60 },
  ]);
  expect(await send('POST', '/competitors', { name: 'Nowhere', domain: 'nothing' })).toMatchObject({ http: 400 });
  expect(await send('POST', '/competitors', { name: 'Empty' })).toMatchObject({ http: 201, pages: [] });
});

test('the digest of a channel is set, listed and removed; without a mail server e-mail is refused', async () => {
  const webhook = { to: ['https://hooks.example/svc'], every: 'week' };
  const set = await send<{ secret: string | null }>('PUT', '/competitor-digests/webhook', webhook);
  const again = await send<{ secret: string | null }>('PUT', '/competitor-digests/webhook', webhook);
  const listed = await send<{ email: boolean; digests: unknown[] }>('GET', '/competitor-digests');

  expect([set.secret, again.secret]).toEqual([expect.stringMatching(/^whsec_/), null]);
  expect(listed.email).toBe(false);
  expect(listed.digests).toMatchObject([{ channel: 'webhook', ...webhook, min_severity: 'medium' }]);
  const mail = { to: ['ada@acme.example'] };
  expect(await send('PUT', '/competitor-digests/email', mail)).toMatchObject({ http: 400 });
  expect(await send('DELETE', '/competitor-digests/webhook')).toMatchObject({ http: 204 });
  expect(await send('DELETE', '/competitor-digests/webhook')).toMatchObject({ http: 404 });
});

test('a change has an owner and an importance, and one that is dismissed is listed only when asked for', async () => {
  const added = await send<{ id: string; pages: { id: string }[] }>('POST', '/competitors', {
    name: 'Triage',
    pages: [{ url: `${site.url}/pricing?triage` }],
  });
  for (const price of ['$20', '$25']) {
    html = () => plansPage(price);
    await send('POST', '/competitor-checks', { pages: added.pages.map(({ id }) => id) });
  }
  interface Changes {
    changes: { id: string; owner: string; importance: string | null; statements: { text: string }[] }[];
  }
  const list = (query = '') => send<Changes>('GET', `/competitor-changes?competitor=${added.id}${query}`);
  const [change] = (await list()).changes;

  expect(change).toMatchObject({ owner: '', importance: null, dismissed_at: null });
  expect(change?.statements).toMatchObject([
    { kind: 'price', subject: 'Team', before: expect.stringContaining('$20') },
  ]);
  const triage = { owner: ' Ada ', importance: 'low' };
  expect(await send('PATCH', `/competitor-changes/${change?.id}`, triage)).toMatchObject({
    owner: 'Ada',
    importance: 'low',
  });
  expect((await list('&min_severity=medium')).changes).toEqual([]);
  expect((await list('&owner=ada')).changes).toHaveLength(1);
  await send('PATCH', `/competitor-changes/${change?.id}`, { dismissed: true });
  expect((await list()).changes).toEqual([]);
  expect((await list('&dismissed=yes')).changes).toMatchObject([{ owner: 'Ada', dismissed_at: expect.any(String) }]);
  expect(await send('PATCH', '/competitor-changes/chg:nothing', { dismissed: true })).toMatchObject({ http: 404 });
});
