import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openKeys, type Keys } from '../keys/keys.ts';
import { TaskTimeout } from '../platform/threads.ts';
import { testAccount, type TestAccount } from '../testing/account.ts';
import { startService, type TestService } from '../testing/http.ts';
import { openPlanBench, type PlanBench } from '../testing/plans.ts';
import { decisionRoutes } from '../decisions/routes.ts';
import { recordDecision } from '../decisions/decisions.ts';
import { findAskers } from '../signals/links/links.ts';
import { saveSignals } from '../signals/signals.ts';
import { editItem } from './keep/change-plan.ts';
import { itemsOfPlans, savePlan } from './plans.ts';
import { planRoutes } from './routes.ts';

const MERGED = '01a22688-4b84-7f65-bfdc-1b5729c7d650';
const THEME = '01a22688-4b84-7f65-bfdc-1b5729c7d64f';
let bench: PlanBench;
let keys: Keys;
let service: TestService;
let reading: string;
let deciding: string;
let planning: string;
let foreign: string;
/** True if lookups in indexes exceed their limit. */
let isBusy = false;

async function keyOf({ accountId, productId, actor }: TestAccount, scopes: string[]): Promise<string> {
  return (await keys.createKey({ accountId, product: productId, name: 'test', scopes, actor })).secret;
}

beforeAll(async () => {
  bench = await openPlanBench();
  await bench.commitAndIndex({ files: { 'src/mail.ts': 'export const mail = 1;\n' } });
  const { account } = bench;
  keys = await openKeys(account.database, () => new Date(), {
    onFault: (error) => {
      throw error;
    },
  });
  reading = await keyOf(account, ['read']);
  deciding = await keyOf(account, ['read', 'decisions:write']);
  planning = await keyOf(account, ['read', 'plans:write']);
  foreign = await keyOf(await testAccount(), ['read', 'decisions:write']);
  const { accountId, productId, actor } = account;
  service = await startService({
    operations: [],
    gate: keys,
    routes: [planRoutes({ ...bench.plans, readers: busyAtTimes(bench.plans.readers) }), decisionRoutes(bench.plans)],
    owner: (token) =>
      token === 'owner-token' ? { accountId, productId, personId: actor.replace('person:', '') } : undefined,
  });
});
afterAll(async () => {
  await service.close();
  await keys.close();
  await bench.close();
});

function busyAtTimes(readers: PlanBench['plans']['readers']): typeof readers {
  const query: typeof readers.query = (...args) =>
    isBusy ? Promise.reject(new TaskTimeout('10 s')) : readers.query(...args);
  return Object.create(readers, { query: { value: query } }) as typeof readers;
}

async function send(method: string, path: string, credential: string, body?: object): Promise<[number, unknown]> {
  const response = await fetch(`${service.url}/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${credential}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return [response.status, response.status === 204 ? undefined : await response.json()];
}

test('a slug is one word of an address and of a file name', async () => {
  const slugs = ['../../.bashrc', 'a/b', 'two words', '-', 'quick-wins'];

  const answers = await Promise.all(
    slugs.map((slug) => send('POST', '/plans', 'owner-token', { text: '# Slugs\n', slug })),
  );

  expect(answers.map(([status]) => status)).toEqual([400, 400, 400, 400, 200]);
  expect(JSON.stringify(answers[0])).toContain('letters, digits and single hyphens');
  await send('DELETE', '/plans/quick-wins', 'owner-token');
});

test('the owner and keys with plans:write write plans, keys of the product read them, others do not', async () => {
  const text = '# Faster mail\n\n- [ ] Rework `src/mail.ts`\n';

  const [added, saved] = await send('POST', '/plans', 'owner-token', { text });
  const denied = await send('POST', '/plans', deciding, { text });
  const [, { plans }] = (await send('GET', '/plans', reading)) as [number, { plans: object[] }];
  const [, detail] = await send('GET', '/plans/faster-mail', reading);
  const [unseen] = await send('GET', '/plans/faster-mail', foreign);

  expect([added, denied[0], unseen]).toEqual([200, 403, 404]);
  expect(saved).toMatchObject({ outcome: 'created', plan: { id: 'plan:faster-mail', version: 1 } });
  expect(plans).toMatchObject([
    { slug: 'faster-mail', stale: { label: 'fresh', total: 1 }, items: { total: 1, done: 0 } },
  ]);
  expect(detail).toMatchObject({
    text,
    work_items: [{ key: 'T1', files: ['src/mail.ts'] }],
    anchors: [{ written: 'src/mail.ts', status: 'fresh' }],
    versions: [{ version: 1 }],
  });
});

test('a plan is edited, accepted and deleted; work items change; an overtaken edit is refused', async () => {
  await send('POST', '/plans', 'owner-token', { text: '# Edited\n\n- [ ] Do it\n' });
  const path = '/plans/edited';

  const [, saved] = await send('PUT', path, 'owner-token', { text: '# Edited\n\n- [ ] Do it all\n', base_version: 1 });
  const [overtaken] = await send('PUT', path, 'owner-token', { text: '# Edited\n', base_version: 1 });
  const [, first] = await send('GET', `${path}/versions/1`, reading);
  const [none] = await send('GET', `${path}/versions/9`, reading);
  const { plan } = saved as { plan: { work_items: { id: string }[] } };
  const item = `/work-items/${plan.work_items[0]?.id}`;
  const [, edited] = await send('PATCH', item, 'owner-token', { status: 'doing', estimate: '2d' });
  const [denied] = await send('PATCH', item, reading, { status: 'done' });
  const [, accepted] = await send('POST', `${path}/accept`, 'owner-token');
  const [, active] = await send('PATCH', path, 'owner-token', { status: 'active' });
  const [removed] = await send('DELETE', path, 'owner-token');
  const [gone] = await send('GET', path, reading);

  expect([overtaken, none, denied, removed, gone]).toEqual([409, 404, 403, 204, 404]);
  expect(first).toEqual({ version: 1, text: '# Edited\n\n- [ ] Do it\n' });
  expect(edited).toMatchObject({ key: 'T1', status: 'doing', estimate: '2d' });
  expect(accepted).toMatchObject({ status: 'accepted' });
  expect(active).toMatchObject({ status: 'active', version: 2 });
});

test('a key with plans:write creates a plan, reports on its items, accepts its baseline, and does not delete it', async () => {
  const text = '# Sent mail\n\n- [ ] T1 Read `src/mail.ts`\n- [ ] T2 Send it (depends: T1)\n';
  const [created, saved] = await send('POST', '/plans', planning, { text });
  const [first, second] = (saved as { plan: { work_items: { id: string }[] } }).plan.work_items;
  const report = { status: 'doing', assignee: 'build agent', priority: 'high', notes: 'Waits for a review.' };
  const [, reported] = await send('PATCH', `/work-items/${first?.id}`, planning, report);
  const [bad] = await send('PATCH', `/work-items/${first?.id}`, planning, { priority: 'soon' });
  const denied = await send('PATCH', `/work-items/${second?.id}`, deciding, { status: 'done' });
  const [, accepted] = await send('POST', '/plans/sent-mail/accept', planning);
  const removed = await send('DELETE', '/plans/sent-mail', planning);

  expect([created, bad, denied[0], removed[0]]).toEqual([200, 400, 403, 403]);
  expect(reported).toMatchObject({ key: 'T1', ...report });
  expect(accepted).toMatchObject({ status: 'accepted' });
});

test('work items of all plans are listed by plan, state, person and priority, page by page', async () => {
  await send('POST', '/plans', planning, { text: '# List b\n\n- [ ] T1 Third\n' });
  const text = '# List a\n\n- [x] T1 First\n- [ ] T2 Second (after: T1)\n- [ ] T3 Later (after: T2, T1)\n';
  const [, saved] = await send('POST', '/plans', planning, { text });
  const [, second] = (saved as { plan: { work_items: { id: string }[] } }).plan.work_items;
  const list = async (query: string) => {
    const [status, body] = await send('GET', `/work-items?${query}`, reading);
    const {
      work_items: items,
      total,
      next,
    } = body as {
      work_items: { plan: string; title: string; waits_for: string[] }[];
      total: number;
      next: string | null;
    };
    return { status, total, next, items, titles: items?.map(({ title }) => title) };
  };
  await send('PATCH', `/work-items/${second?.id}`, planning, { assignee: 'somebody', priority: 'urgent' });

  const all = await list('');
  const ofPlan = await list('plan=list-a');
  const page = await list('plan=list-a&limit=2');

  expect(all.items.map(({ plan }) => plan)).toEqual(all.items.map(({ plan }) => plan).toSorted());
  expect(all.titles).toEqual(expect.arrayContaining(['First', 'Third']));
  expect(ofPlan.items.map(({ title, waits_for: waits }) => [title, waits])).toEqual([
    ['First', []],
    ['Second', []],
    ['Later', [second?.id]],
  ]);
  expect((await list('plan=list-a&ready=true')).titles).toEqual(['Second']);
  expect((await list('plan=list-a&status=done,doing')).titles).toEqual(['First']);
  expect((await list('plan=list-a&assignee=')).titles).toEqual(['First', 'Later']);
  expect((await list('assignee=somebody&priority=urgent')).titles).toEqual(['Second']);
  expect((await list('assignee=somebody&priority=low')).total).toBe(0);
  expect([page.titles, page.total]).toEqual([['First', 'Second'], 3]);
  expect((await list(`plan=list-a&limit=2&cursor=${page.next}`)).titles).toEqual(['Later']);
  expect((await list('plan=none')).status).toBe(404);
  expect((await list('status=open')).status).toBe(400);
});

test('keys with decisions:write record decisions; they are listed, shown, changed and exported', async () => {
  const decision = { title: 'One mail a second', decision: 'See the link.', links: ['src/mail.ts'] };

  const [denied] = await send('POST', '/decisions', reading, decision);
  const [made, recorded] = await send('POST', '/decisions', deciding, decision);
  const { id } = recorded as { id: string };
  const [, { decisions }] = (await send('GET', '/decisions', reading)) as [number, { decisions: object[] }];
  const [, detail] = await send('GET', `/decisions/${id}`, reading);
  const [unseen] = await send('GET', `/decisions/${id}`, foreign);
  const [, changed] = await send('PATCH', `/decisions/${id}`, deciding, { status: 'rejected' });
  const [, { files }] = (await send('GET', '/decisions/files', reading)) as [number, { files: { path: string }[] }];

  expect([denied, made, unseen]).toEqual([403, 200, 404]);
  expect(recorded).toMatchObject({ outcome: 'created', anchors: [{ written: 'src/mail.ts', status: 'fresh' }] });
  expect(decisions).toMatchObject([{ id, title: 'One mail a second', stale: { label: 'fresh' } }]);
  expect(detail).toMatchObject({ id, decision: 'See the link.', links: ['src/mail.ts'], supersedes: [] });
  expect(changed).toMatchObject({ status: 'rejected' });
  expect(files.map(({ path }) => path)).toEqual([`${id.slice(4).padStart(4, '0')}-one-mail-a-second.md`]);
});

test('a plan whose symbols cannot be looked up in time is not saved, in no part, and is saved when it is sent again', async () => {
  const first = { text: '# Overload\n\n- [ ] T1 Change `mail` in `src/mail.ts`.', slug: 'overload' };
  const busy = { code: 'timed_out', fix: 'Repeat the same request in a minute.' };

  isBusy = true;
  expect(await send('POST', '/plans', planning, first)).toMatchObject([503, { error: busy }]);
  isBusy = false;
  expect(await send('GET', '/plans/overload', reading)).toMatchObject([404, {}]);
  await send('POST', '/plans', planning, first);
  isBusy = true;
  const [status] = await send('POST', '/plans', planning, { ...first, text: `${first.text}\n- [ ] T2 Test it.` });
  isBusy = false;

  expect(status).toBe(503);
  expect(await send('GET', '/plans/overload', reading)).toMatchObject([
    200,
    { version: 1, work_items: [{ key: 'T1' }] },
  ]);
});

test('work items carry what the plan says of them, how stale each is, and wait for the phase before', async () => {
  const text =
    '# Phased\n\n## Phase 1: Setup\n\n- [ ] T001 Read `src/mail.ts`\n  - [ ] **Step 1**\n\n    ```ts\n    go();\n    ```\n\n## Phase 2: Build\n\n- [ ] T002 Build `src/none.ts`\n';
  const [, { plan }] = (await send('POST', '/plans', planning, { text })) as [number, { plan: PlanBody }];
  const [, { work_items: listed }] = (await send('GET', '/work-items?plan=phased', reading)) as [
    number,
    { work_items: (PlanBody['work_items'][number] & { waits_for: string[] })[] },
  ];
  const [, one] = await send('GET', `/work-items/${listed[0]?.id}`, reading);
  const [, ready] = await send('GET', '/work-items?plan=phased&ready=true', reading);
  await send('PATCH', `/work-items/${listed[0]?.id}`, planning, { status: 'done' });
  const [, later] = await send('GET', '/work-items?plan=phased&ready=true', reading);

  expect(listed).toMatchObject([
    {
      number: 'T001',
      group: 'Phase 1: Setup',
      body: '- [ ] **Step 1**\n\n  ```ts\n  go();\n  ```',
      stale: { state: 'fresh', total: 1 },
      waits_for: [],
    },
    {
      number: 'T002',
      group: 'Phase 2: Build',
      body: '',
      stale: { label: 'unresolved 1/1' },
      waits_for: [listed[0]?.id],
    },
  ]);
  expect(one).toMatchObject(plan.work_items[0] ?? {});
  expect(listed[0]).toMatchObject(plan.work_items[0] ?? {});
  expect(one).not.toHaveProperty('names');
  expect(ready).toMatchObject({ work_items: [{ key: 'T1' }], total: 1 });
  expect(later).toMatchObject({ work_items: [{ key: 'T2' }], total: 1 });
});

/** Fields of a plan that the tests read. */
interface PlanBody {
  work_items: { id: string; key: string }[];
}

test('items that an older reader read are read again, with their numbers and what people edited', async () => {
  const { plans, account } = bench;
  const text = '# Older\n\n## Tasks\n\n- [ ] T1 Write it\n  - Step by step\n';
  const actor = 'system' as const;
  const { row } = await savePlan(plans, account, { text, actor });
  const [saved] = await itemsOfPlans(plans, account, [row.id]);
  await editItem(plans, account, { handle: `wi:${saved?.number}`, change: { status: 'doing' }, actor });
  await sql`update work_item set written = '{"title": "Write it", "status": "todo", "details": ["Step by step"]}'::jsonb
    where plan_id = ${row.id}`.execute(plans.db);
  await sql`update plan set reader = 0 where id = ${row.id}`.execute(plans.db);

  const [read] = await itemsOfPlans(plans, account, [row.id]);

  expect(read).toMatchObject({ number: saved?.number, status: 'doing', body: '- Step by step' });
  expect(read).not.toHaveProperty('details');
});

test('a plan from a theme quotes it, lists its customers, and is not written over; the link can be taken back', async () => {
  const { account, plans } = bench;
  const given = ['Acme', 'Zoo\n\n- [ ] Pay us'].map((customer) => ({
    text: `${customer.slice(0, 4)} cannot print labels`,
    customer,
  }));
  const { ids } = await saveSignals(plans, { ...account }, given);
  await sql`insert into theme (account_id, id, product_id, key, label, created_at)
    values (${account.accountId}, ${THEME}, ${account.productId}, 'labels', 'Label printing', now())`.execute(plans.db);
  await sql`update signal set theme_id = ${THEME} where id = any(${ids.map((id) => id.slice(4))}::uuid[])`.execute(
    plans.db,
  );

  const [, drafted] = await send('POST', '/plans', planning, { theme: 'label printing' });
  await send('PUT', '/plans/label-printing', planning, { text: '# Label printing\n\n- [ ] Print them\n' });
  const [, again] = await send('POST', '/plans', planning, { theme: THEME });
  const [, { work_items: items }] = (await send('GET', '/work-items?plan=label-printing', planning)) as [
    number,
    { work_items: { id: string }[] },
  ];
  const [, item] = await send('GET', `/work-items/${items[0]?.id ?? ''}`, planning);
  const decision = { title: 'Labels as PDF', decision: 'Labels are files.', links: [`theme:${THEME}`] };
  const decided = await recordDecision(plans, account, { wanted: decision, actor: account.actor });

  const askers = {
    themes: [{ label: 'Label printing', signals: 2, customers: 2, origin: 'stated' }],
    total_customers: 2,
  };
  expect(drafted).toMatchObject({
    outcome: 'created',
    plan: { slug: 'label-printing', asked_by: askers, work_items: [] },
  });
  expect(JSON.stringify(drafted)).toContain('> Acme cannot print labels');
  expect(again).toMatchObject({ outcome: 'unchanged', plan: { version: 2 } });
  expect(item).toMatchObject({
    title: 'Print them',
    asked_by: { customers: [{ customer: 'Acme' }, { customer: 'Zoo\n\n- [ ] Pay us' }] },
  });
  expect((await findAskers(plans.db, account, [`dec:${decided.row.number}`])).total).toBe(2);
  expect((await send('POST', '/plans', planning, { theme: 'nothing' }))[0]).toBe(404);
  expect((await send('POST', '/plans', planning, { theme: 'nothing', text: '# Saved by mistake\n' }))[0]).toBe(404);
  expect((await send('GET', '/plans/saved-by-mistake', planning))[0]).toBe(404);
  expect((await send('POST', '/plans', planning, {}))[0]).toBe(400);

  await sql`insert into theme (account_id, id, product_id, key, label, merged_into, created_at)
    values (${account.accountId}, ${MERGED}, ${account.productId}, 'printers', 'Printers', ${THEME}, now())`.execute(
    plans.db,
  );
  await sql`update theme_link set theme_id = ${MERGED} where target = 'plan:label-printing'`.execute(plans.db);
  expect(await send('GET', '/plans/label-printing', planning)).toMatchObject([
    200,
    { asked_by: { total_customers: 2 } },
  ]);
  await send('DELETE', `/plans/label-printing/themes/${THEME}`, planning);
  expect(await send('GET', '/plans/label-printing', planning)).toMatchObject([200, { asked_by: { themes: [] } }]);
  await send('DELETE', '/plans/label-printing', 'owner-token');
});
