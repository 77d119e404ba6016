import { sql } from 'kysely';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { testAccount } from '../testing/account.ts';
import { functionText, openPlanBench, type PlanBench } from '../testing/plans.ts';
import { findItem, findPlan, itemsOfPlans, listPlans, planStaleness, savePlan, takePlans } from './plans.ts';
import { acceptPlan, editItem, removePlan, setPlanStatus } from './keep/change-plan.ts';
import { currentAnchors } from '../anchors/anchors.ts';
import { plansAt } from './keep/plan-lists.ts';

const actor = 'system' as const;
/** Indexed at two commits: as a plan finds the code, and after the code went on. */
let shared: PlanBench;
let begin: string;
let head: string;

beforeAll(async () => {
  shared = await openPlanBench();
  begin = await shared.commitAndIndex({ files: { ...BEGIN, 'plans/mail.md': PLAN } });
  head = await goOn(shared);
});
afterAll(() => shared.close());

const MAIL = functionText('sendMail', 'mail') + functionText('readMail', 'letter') + functionText('dropMail', 'parcel');
const ORDER = functionText('placeOrder', 'order');
const BEGIN = {
  'src/mail.ts': MAIL,
  'src/order.ts': ORDER,
  'src/moved.ts': functionText('moveMe', 'chair'),
  'src/gone.ts': 'export const gone = 1;\n',
  'notes/later.md': '# Later\n',
};

const PLAN = `---
title: Faster mail
status: proposed
---
# Faster mail

- [ ] T1 Adapt \`sendMail\` in \`src/mail.ts\`.
- [ ] T2 Adapt \`readMail\` in \`src/mail.ts\`.
- [ ] T3 Split \`dropMail()\` off.
- [ ] T4 Rework \`src/moved.ts\` and \`src/gone.ts\`.
- [ ] T5 Read \`src/order.ts:2-3\`, write \`src/new.ts\` and \`notes/later.md\`.
`;

/** Formats and comments one function, changes one, moves one and its file, removes a file. */
async function goOn(bench: PlanBench): Promise<string> {
  const formatted = functionText('sendMail', 'mail')
    .replaceAll(';', '')
    .replaceAll("'", '"')
    .replace('  const', '  // Collects.\n\n  const');
  const changed = functionText('readMail', 'letter').replace('item.trim()', 'item.trimEnd()');
  await bench.commitAndIndex({
    files: {
      'src/mail.ts': formatted + changed,
      'src/parcel.ts': functionText('dropMail', 'parcel'),
      'src/moved.ts': undefined,
      'lib/chair.ts': `// Moved.\n${BEGIN['src/moved.ts']}`,
      'src/gone.ts': undefined,
    },
    message: 'feat: split mail',
  });
  return bench.repository.git('rev-parse', 'HEAD');
}

async function statuses(bench: PlanBench): Promise<Record<string, string>> {
  const { id } = await findPlan(bench.plans, bench.account, 'faster-mail');
  const anchors = await currentAnchors(bench.plans, bench.account, { holder: 'plan', ids: [id] });
  return Object.fromEntries(
    anchors.map(({ written, state, reason, target }) => [
      written,
      target === undefined
        ? `? ${reason}`
        : `${state?.status ?? '-'} ${state?.symbol === null || state === undefined ? '' : `${state.symbol}@`}${state?.path ?? ''}`,
    ]),
  );
}

test('what a plan names is pinned when it is saved, and told fresh, changed, moved or gone when the code moves on', async () => {
  const bench = await shared.another(begin);
  await savePlan(bench.plans, bench.account, { text: PLAN, actor });
  const before = await planStaleness(bench.plans, bench.account, ['plan:faster-mail']);

  bench.serve(head);

  expect(before.get('plan:faster-mail')).toMatchObject({ state: 'unresolved', total: 7, unresolved: 1, since: begin });
  expect(await statuses(bench)).toEqual({
    sendMail: 'fresh sendMail@src/mail.ts',
    readMail: 'changed readMail@src/mail.ts',
    dropMail: 'moved dropMail@src/parcel.ts',
    'src/moved.ts': 'moved lib/chair.ts',
    'src/gone.ts': 'gone ',
    'src/order.ts:2-3': 'fresh placeOrder@src/order.ts',
    'src/new.ts': '? There is no file src/new.ts.',
    'notes/later.md': 'fresh notes/later.md',
  });
  const after = await planStaleness(bench.plans, bench.account, ['faster-mail', 'unknown']);
  expect([...after].map(([handle, { label }]) => [handle, label])).toEqual([
    ['faster-mail', `stale 4/7 since ${begin.slice(0, 7)}`],
  ]);
  const { id } = await findPlan(bench.plans, bench.account, 'plan:faster-mail');
  const anchors = await currentAnchors(bench.plans, bench.account, { holder: 'plan', ids: [id] });
  const readMail = anchors.find(({ written }) => written === 'readMail');
  expect(readMail?.state?.commits).toMatchObject([{ sha: head, subject: 'feat: split mail' }]);
});

test('accepting a plan takes the code as it is: moved things are followed, gone ones listed', async () => {
  const bench = await shared.another(begin);
  await savePlan(bench.plans, bench.account, { text: PLAN, actor });
  bench.serve(head);

  const accepted = await acceptPlan(bench.plans, bench.account, { slug: 'faster-mail', actor });
  const again = await acceptPlan(bench.plans, bench.account, { slug: 'faster-mail', actor });

  expect([accepted.status, again.status]).toEqual(['accepted', 'accepted']);
  expect(await statuses(bench)).toMatchObject({
    readMail: 'fresh readMail@src/mail.ts',
    dropMail: 'fresh dropMail@src/parcel.ts',
    'src/moved.ts': 'fresh lib/chair.ts',
    'src/gone.ts': '? There is no file src/gone.ts.',
  });
  const [summary] = await listPlans(bench.plans, bench.account);
  expect(summary?.staleness).toMatchObject({ state: 'unresolved', since: head, unresolved: 2 });
});

test('a new version keeps the baseline of what was named before, and item numbers', async () => {
  const bench = await shared.another(begin);
  const { row } = await savePlan(bench.plans, bench.account, { text: PLAN, actor });
  const items = await itemsOfPlans(bench.plans, bench.account, [row.id]);
  bench.serve(head);

  const saved = await savePlan(bench.plans, bench.account, {
    text: PLAN.replace('- [ ] T2 Adapt', '- [ ] Tune').replace('Split `dropMail()` off', 'Use `placeOrder()`'),
    actor,
    baseVersion: 1,
  });

  expect(saved).toMatchObject({ outcome: 'updated', row: { version: 2, id: row.id } });
  expect(await statuses(bench)).toMatchObject({
    readMail: 'changed readMail@src/mail.ts',
    placeOrder: 'fresh placeOrder@src/order.ts',
  });
  const now = await itemsOfPlans(bench.plans, bench.account, [row.id]);
  expect(now.map(({ key, number }) => [key, number])).toEqual(items.map(({ key, number }) => [key, number]));
  expect(await savePlan(bench.plans, bench.account, { text: saved.row.text, actor })).toMatchObject({
    outcome: 'unchanged',
    row: { version: 2 },
  });
  await expect(
    savePlan(bench.plans, bench.account, { text: `${PLAN}more`, actor, baseVersion: 1 }),
  ).rejects.toMatchObject({ code: 'conflict' });
});

test('plans that name a file or symbol are found by the names it had and has', async () => {
  const bench = await shared.another(begin);
  await savePlan(bench.plans, bench.account, { text: PLAN, actor });
  bench.serve(head);
  const naming = async (path: string, symbol?: string): Promise<string[]> =>
    (await plansAt(bench.plans, bench.account, [{ path, symbol }])).flat().map(({ handle }) => handle);

  expect(await naming('src/mail.ts')).toEqual(['plan:faster-mail']);
  expect(await naming('src/mail.ts', 'readMail')).toEqual(['plan:faster-mail']);
  expect(await naming('src/mail.ts', 'other')).toEqual([]);
  expect(await naming('src/parcel.ts', 'dropMail')).toEqual(['plan:faster-mail']);
  expect(await naming('lib/chair.ts', 'moveMe')).toEqual(['plan:faster-mail']);
  expect(await naming('src/elsewhere.ts')).toEqual([]);
});

test('plans of a repository are taken over, changed there, and removed with their file', async () => {
  const bench = await openPlanBench();
  onTestFinished(() => bench.close());
  const signal = new AbortController().signal;
  const { plans, account, repositoryId } = bench;
  await bench.commitAndIndex({
    files: {
      ...BEGIN,
      'docs/plans/mail.md': PLAN,
      'plans/README.md': '# About\n',
      'docs/plans/bad.md': '---\n[\n---\n',
    },
  });

  const first = await takePlans(plans, account, { repositoryId, signal });
  const again = await takePlans(plans, account, { repositoryId, signal });
  await expect(savePlan(plans, account, { text: `${PLAN}more`, slug: 'mail', actor })).rejects.toMatchObject({
    code: 'conflict',
  });
  await bench.commitAndIndex({ files: { 'docs/plans/mail.md': undefined, 'src/new.ts': 'export const x = 1;\n' } });
  await savePlan(plans, account, { text: PLAN, actor });
  const last = await takePlans(plans, account, { repositoryId, signal });

  expect(first).toMatchObject({ saved: 1, removed: 0, failed: [{ path: 'docs/plans/bad.md' }] });
  expect(again).toMatchObject({ saved: 0, removed: 0 });
  expect(last).toMatchObject({ saved: 0, removed: 1 });
  expect((await listPlans(plans, account)).map(({ row }) => row.slug)).toEqual(['faster-mail']);
});

test('a plan whose repository was removed can be edited here', async () => {
  const bench = await shared.another(begin);
  const { plans, account, repositoryId } = bench;
  await takePlans(plans, account, { repositoryId, signal: new AbortController().signal });
  const removed = { ...plans, indexed: async () => [] };

  const saved = await savePlan(removed, account, { text: `${PLAN}more`, slug: 'mail', actor });

  expect(saved).toMatchObject({ outcome: 'updated', row: { slug: 'mail', path: null, repositoryId: null } });
});

test('what a plan names before it is written is found once it is there', async () => {
  const bench = await openPlanBench();
  onTestFinished(() => bench.close());
  const { plans, account, repositoryId } = bench;
  await savePlan(plans, account, { text: PLAN, actor });
  const unknown = await planStaleness(plans, account, ['faster-mail']);

  await bench.commitAndIndex({ files: { ...BEGIN, 'src/new.ts': 'export const x = 1;\n' } });
  await takePlans(plans, account, { repositoryId, signal: new AbortController().signal });

  expect(unknown.get('faster-mail')).toMatchObject({ state: 'unresolved', label: 'unresolved 9/9' });
  expect(await statuses(bench)).toMatchObject({ 'src/new.ts': 'fresh src/new.ts' });
});

test('a plan that is saved while an index is damaged keeps what it had, and finds the rest once that was rebuilt', async () => {
  const [whole, bench] = [await shared.another(begin), await shared.another(begin)];
  const { plans, account, repositoryId } = bench;
  const damaged = {
    ...plans,
    indexed: async (tenant: Parameters<typeof plans.indexed>[0]) =>
      (await plans.indexed(tenant)).map((index) => ({ ...index, shard: { ...index.shard, hash: '0'.repeat(64) } })),
  };
  await savePlan(whole.plans, whole.account, { text: PLAN, actor });
  await savePlan(damaged, account, { text: PLAN, actor });
  const waiting = await planStaleness(plans, account, ['faster-mail']);
  await takePlans(plans, account, { repositoryId, signal: new AbortController().signal });
  const byPlan = await statuses(bench);
  await savePlan(damaged, account, { text: `${PLAN}\nMore.\n`, actor });

  expect(waiting.get('faster-mail')).toMatchObject({ state: 'unresolved', fresh: 0 });
  expect(byPlan).toEqual(await statuses(whole));
  expect(await statuses(bench)).toMatchObject({ ...byPlan, 'src/new.ts': '? The index is being rebuilt.' });
});

test('items and status that people edit stay until the text says something new', async () => {
  const bench = await shared.another(begin);
  const { plans, account } = bench;
  const { row } = await savePlan(plans, account, { text: PLAN, actor });
  const [first] = await itemsOfPlans(plans, account, [row.id]);
  const handle = `wi:${first?.number}`;

  await editItem(plans, account, { handle, change: { status: 'doing', depends: ['T2'] }, actor });
  await setPlanStatus(plans, account, { slug: 'faster-mail', status: 'active', actor });
  const saved = await savePlan(plans, account, { text: `${PLAN}\nMore.\n`, actor });

  expect(saved.row.status).toBe('active');
  expect(await findItem(plans, account, handle)).toMatchObject({ status: 'doing', depends: ['T2'] });
  await expect(editItem(plans, account, { handle, change: { depends: ['T99'] }, actor })).rejects.toMatchObject({
    code: 'bad_argument',
  });
  const done = await savePlan(plans, account, {
    text: PLAN.replace('[ ] T1', '[x] T1').replace('proposed', 'done'),
    actor,
  });
  expect(done.row.status).toBe('done');
  expect(await findItem(plans, account, handle)).toMatchObject({ status: 'done', depends: ['T2'] });
});

test('what the text names no more is nothing that another item waits for', async () => {
  const bench = await shared.another(begin);
  const { plans, account } = bench;
  const text = '# Steps\n\n- [ ] T1 Cut\n- [ ] T2 Glue\n- [ ] T3 Paint (after: T1, T2)\n- [ ] T4 Sell\n';
  const { row } = await savePlan(plans, account, { text, actor });
  const handle = `wi:${(await itemsOfPlans(plans, account, [row.id]))[3]?.number}`;
  await editItem(plans, account, { handle, change: { depends: ['T2', 'T3'] }, actor });
  const waits = async () => (await itemsOfPlans(plans, account, [row.id])).map(({ key, depends }) => [key, depends]);

  await savePlan(plans, account, { text: text.replace('- [ ] T2 Glue\n', ''), actor });
  const without = await waits();
  const refused = editItem(plans, account, { handle, change: { depends: ['T2'] }, actor });
  await expect(refused).rejects.toMatchObject({ code: 'bad_argument' });
  await savePlan(plans, account, { text, actor });

  expect(without).toEqual([
    ['T1', []],
    ['T3', ['T1']],
    ['T4', ['T3']],
  ]);
  expect((await findItem(plans, account, handle)).depends).toEqual(['T2', 'T3']);
});

test('what was said of an item stays although its text was stored before there was such a field', async () => {
  const bench = await shared.another(begin);
  const { plans, account } = bench;
  const { row } = await savePlan(plans, account, { text: PLAN, actor });
  await sql`update work_item set written = written - 'notes' where account_id = ${account.accountId}`.execute(
    account.db,
  );
  const [first] = await itemsOfPlans(plans, account, [row.id]);
  const handle = `wi:${first?.number}`;

  await editItem(plans, account, { handle, change: { notes: 'Waits for a review.' }, actor });
  await savePlan(plans, account, { text: `${PLAN}\nMore.\n`, actor });

  expect(first?.notes).toBe('');
  expect((await findItem(plans, account, handle)).notes).toBe('Waits for a review.');
});

test('a plan of another account is unknown', async () => {
  const bench = await shared.another(begin);
  const stranger = await testAccount();
  const { row } = await savePlan(bench.plans, bench.account, { text: PLAN, actor });
  const [item] = await itemsOfPlans(bench.plans, bench.account, [row.id]);

  const unknown = { code: 'unknown_id' };
  await expect(findPlan(bench.plans, stranger, row.id)).rejects.toMatchObject(unknown);
  await expect(findItem(bench.plans, stranger, `wi:${item?.number}`)).rejects.toMatchObject(unknown);
  await expect(removePlan(bench.plans, stranger, { slug: row.slug, actor })).rejects.toMatchObject(unknown);
  expect(await listPlans(bench.plans, stranger)).toEqual([]);
  expect(await itemsOfPlans(bench.plans, stranger, [row.id])).toEqual([]);
});

test('a text without a title, or with a status that there is not, is refused; the words of other tools are understood', async () => {
  const bench = await shared.another(begin);
  const bad = { code: 'bad_argument' };

  await expect(savePlan(bench.plans, bench.account, { text: 'no title', actor })).rejects.toMatchObject(bad);
  await expect(
    savePlan(bench.plans, bench.account, { text: '---\nstatus: someday\n---\n# A\n', actor }),
  ).rejects.toMatchObject(bad);

  const elsewhere = {
    'in-progress': 'active',
    Completed: 'done',
    approved: 'accepted',
    Abandoned: 'dropped',
    pending: 'draft',
  };
  for (const [written, status] of Object.entries(elsewhere)) {
    const text = `---\nstatus: ${written}\n---\n# Called ${written}\n`;
    const { row } = await savePlan(bench.plans, bench.account, { text, actor });
    expect([written, row.status]).toEqual([written, status]);
  }
});

test('a plan that was written at an older commit is pinned to what the code was then', async () => {
  const bench = await shared.another(head);
  const { plans, account, repositoryId } = bench;

  await savePlan(plans, account, { text: PLAN.replace('status:', `commit: ${begin.slice(0, 10)}\nstatus:`), actor });
  await takePlans(plans, account, { repositoryId, signal: new AbortController().signal });

  const [written, own] = await listPlans(plans, account);
  expect([written?.row.slug, own?.row.slug]).toEqual(['faster-mail', 'mail']);
  for (const plan of [written, own])
    expect(plan?.staleness).toMatchObject({ since: begin, fresh: 3, changed: 1, moved: 2, gone: 1, unresolved: 1 });
  // A path that said where a symbol was is not missed once its file is gone.
  const text = `---\ncommit: ${begin}\n---\n# Chairs\n\n- Use \`moveMe\` of \`src/moved.ts\`\n`;
  await savePlan(plans, account, { text, actor });
  const chairs = (await planStaleness(plans, account, ['chairs'])).get('chairs');
  expect(chairs).toMatchObject({ moved: 1, total: 1, unresolved: 0 });
  await expect(savePlan(plans, account, { text: '---\ncommit: 1234567\n---\n# Other\n', actor })).rejects.toMatchObject(
    { code: 'bad_argument' },
  );
});

/** A Java class with two overloads, the first of which calls this. */
function sink(first: string): string {
  const method = `  void put(int x) { ${first}(x); }`;
  return ['class Sink {', method, '  void put(String x, int y) { two(x); }', '}', ''].join('\n');
}

test('a plan may name all overloads of a method, or one of them by its parameters or a line', async () => {
  const bench = await openPlanBench();
  onTestFinished(() => bench.close());
  await bench.commitAndIndex({ files: { 'src/Sink.java': sink('one') } });
  const text =
    '---\ntitle: Faster mail\n---\n# Faster mail\n\n- [ ] T1 Adapt `Sink.put`, `sym:Sink/put(int)@src/Sink.java` and `src/Sink.java:3`.\n';
  await savePlan(bench.plans, bench.account, { text, actor });

  await bench.commitAndIndex({ files: { 'src/Sink.java': sink('other') } });

  expect(await statuses(bench)).toEqual({
    'Sink/put': 'changed Sink/put@src/Sink.java',
    'Sink/put(int)@src/Sink.java': 'changed Sink/put(int)@src/Sink.java',
    'src/Sink.java:3': 'fresh Sink/put(String, int)@src/Sink.java',
  });
});

test('a method that gets an overload stays what it was', async () => {
  const bench = await openPlanBench();
  onTestFinished(() => bench.close());
  const first = '  void put(int x) { one(x); }';
  await bench.commitAndIndex({ files: { 'src/Sink.java': `class Sink {\n${first}\n}\n` } });
  const text = '---\ntitle: Faster mail\n---\n# Faster mail\n\n- [ ] T1 Adapt `Sink.put`.\n';
  await savePlan(bench.plans, bench.account, { text, actor });

  await bench.commitAndIndex({ files: { 'src/Sink.java': `class Sink {\n${first}\n  void put() {}\n}\n` } });

  expect(await statuses(bench)).toEqual({ 'Sink/put': 'fresh Sink/put@src/Sink.java' });
});
