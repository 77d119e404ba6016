import { afterAll, beforeAll, expect, test } from 'vitest';
import { currentAnchors } from '../anchors/anchors.ts';
import { functionText, openPlanBench, type PlanBench } from '../testing/plans.ts';
import { specExportTool } from './export/spec-export-tool.ts';
import { findPlan, itemsOfPlans, planStaleness, savePlan } from './plans.ts';

const BEGIN = {
  'src/cart.ts': functionText('addToCart', 'cart') + functionText('priceOf', 'price'),
  'src/login.ts': functionText('signIn', 'login') + functionText('signOut', 'session'),
  'src/mail.ts': functionText('sendMail', 'mail'),
  'src/stock.ts': functionText('countStock', 'stock'),
  'src/report.ts': functionText('writeReport', 'report'),
};

/** One plan in each of five styles. */
const PLANS: Record<string, string> = {
  cart: `# Cheaper carts

## Goal

A cart of a hundred entries is priced within 50 ms.

## Requirements

- R1: Prices MUST be right to the cent
  - Given a cart
  - When it is priced
  - Then the sum is right

## Tasks

- [x] T1 Measure \`priceOf\` in \`src/cart.ts\` (estimate: 1d)
- [ ] T2 Adapt \`addToCart\` in \`src/cart.ts\` (depends: T1)
  - Done when: p95 < 50 ms
  - Test: \`npm test -- cart\`

## Risks

Discounts are rounded twice.
`,
  login: `---
name: Sign in once
todos:
  - id: session
    content: Keep the session in \`src/login.ts\`
    status: completed
  - id: sign-in
    content: Ask \`signIn()\` for the device
    status: in_progress
    dependencies:
      - session
  - id: old
    content: Keep the old cookie
    status: cancelled
---

# Sign in once

People sign in once a month on each device.
`,
  mail: `# Tasks: Mail that arrives

## Phase 1: Setup

- [x] T001 Read \`src/mail.ts\`

## Phase 2: Sending

- [ ] T002 [P] Retry in \`sendMail\` of \`src/mail.ts\`
- [ ] T003 [P] Write \`src/retries.ts\`
- [ ] T004 Switch it on, after T002 and T003
`,
  stock: `# Tasks

## 1. Counting

- [x] 1.1 Read what \`countStock()\` leaves out
- [ ] 1.2 Count returns in \`src/stock.ts\`

## 2. Release

- [ ] 2.1 Tell the warehouse
`,
  report: `# Reports by mail

## Steps

### 1. Split the report

Files: \`src/report.ts\`

- Take the table out of \`writeReport\`
- Verify: \`npm test -- report\`

### 2. Send it

**Depends on:** 1

Use \`sendMail\` of \`src/mail.ts\`.

## Alternatives

A link to a page instead of a file.
`,
};

let bench: PlanBench;
let head: string;

beforeAll(async () => {
  bench = await openPlanBench();
  await bench.commitAndIndex({ files: BEGIN, date: '2025-11-03T09:00:00Z', message: 'feat: open the shop' });
  for (const [slug, text] of Object.entries(PLANS))
    await savePlan(bench.plans, bench.account, { text, slug, actor: 'system' });
  head = await goThroughAYear(bench);
});
afterAll(() => bench.close());

/** A commit a month, of which only the last is indexed. */
async function goThroughAYear({ repository, commitAndIndex }: PlanBench): Promise<string> {
  const months: [date: string, message: string, files: Record<string, string | undefined>][] = [
    ['2025-12-01', 'docs: explain carts', { 'src/cart.ts': `// Carts of customers.\n${BEGIN['src/cart.ts']}` }],
    ['2026-01-12', 'feat: sign in by link', { 'src/login.ts': BEGIN['src/login.ts'].replace("'login'", "'link'") }],
    ['2026-02-02', 'refactor: take prices out of carts', { 'src/cart.ts': functionText('addToCart', 'cart') }],
    ['2026-02-03', 'feat: price carts anew', { 'src/price.ts': functionText('priceOf', 'price') }],
    ['2026-03-02', 'chore: move mail', { 'src/mail.ts': undefined, 'src/post/mail.ts': BEGIN['src/mail.ts'] }],
    ['2026-05-04', 'fix: count returns', { 'src/stock.ts': BEGIN['src/stock.ts'].replace('trim()', 'trimEnd()') }],
    ['2026-08-03', 'feat!: no more reports', { 'src/report.ts': undefined }],
    ['2026-09-07', 'feat: retries', { 'src/retries.ts': functionText('retry', 'attempt') }],
  ];
  for (const [date, message, files] of months) repository.commit({ date: `${date}T09:00:00Z`, message, files });
  return commitAndIndex({ date: '2026-11-02T09:00:00Z', message: 'docs: a year', files: { 'README.md': '# Shop\n' } });
}

/** Of each thing that a plan names: what became of it, where it is now, and the commit that did it. */
async function namesOf(slug: string): Promise<Record<string, string>> {
  const { id } = await findPlan(bench.plans, bench.account, slug);
  const anchors = await currentAnchors(bench.plans, bench.account, { holder: 'plan', ids: [id] });
  return Object.fromEntries(
    anchors.map(({ written, target, state }) => [
      written,
      target === undefined
        ? 'unresolved'
        : [state?.status, state?.path, state?.commits[0]?.subject].filter((part) => part != null).join(' · '),
    ]),
  );
}

/** Returns the stored work items of a plan. */
async function itemsOf({ plans, account }: PlanBench, slug: string) {
  const { id } = await findPlan(plans, account, slug);
  const items = await itemsOfPlans(plans, account, [id]);
  return items.map(({ key, title, status, depends, files, symbols, body, acceptance, estimate, test: how }) => {
    return { key, title, status, depends, files: files.toSorted(), symbols, body, acceptance, estimate, how };
  });
}

/** Lines of a plan, without the marks of lists and labels, that an export does not have. */
function missing(text: string, exported: string): string[] {
  return text
    .replace(/^---[^]*?---/, '')
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
    .map((line) => line.replace(/^[-\s]*(?:\[[ x]\] )?(?:T\d+ |[\d.]+ |R1: |\[P\] |[*\w ]+:[*]* )*/, ''))
    .map((line) =>
      line.replace(/ \((?:estimate|depends): \w+\)$|, after T\d+ and T\d+$/, '').replace(/^(?:Given|When|Then) /, ''),
    )
    .filter((line) => !exported.includes(line.replaceAll('`', '')) && !exported.includes(line));
}

test('after a year each plan says what became of the code that it names, and which commit did it', async () => {
  bench.serve(head);
  const names = new Map<string, Record<string, string>>();
  for (const slug of Object.keys(PLANS)) names.set(slug, await namesOf(slug));
  const staleness = await planStaleness(bench.plans, bench.account, Object.keys(PLANS));

  expect(Object.fromEntries(names)).toEqual({
    cart: {
      addToCart: 'fresh · src/cart.ts',
      priceOf: 'moved · src/price.ts · refactor: take prices out of carts',
    },
    login: {
      signIn: 'changed · src/login.ts · feat: sign in by link',
      'src/login.ts': 'changed · src/login.ts · feat: sign in by link',
    },
    mail: {
      sendMail: 'moved · src/post/mail.ts · chore: move mail',
      'src/mail.ts': 'moved · src/post/mail.ts · chore: move mail',
      'src/retries.ts': 'unresolved',
    },
    stock: {
      countStock: 'changed · src/stock.ts · fix: count returns',
      'src/stock.ts': 'changed · src/stock.ts · fix: count returns',
    },
    report: {
      sendMail: 'moved · src/post/mail.ts · chore: move mail',
      'src/report.ts': 'gone · feat!: no more reports',
      writeReport: 'gone · feat!: no more reports',
    },
  });
  expect(Object.fromEntries([...staleness].map(([slug, { state }]) => [slug, state]))).toEqual({
    cart: 'aging',
    login: 'stale',
    mail: 'aging',
    stock: 'stale',
    report: 'broken',
  });
});

test.each(['spec-kit', 'openspec', 'task-master'])(
  'five plans that are exported for %s after a year are the same plans when they are imported again',
  async (target) => {
    bench.serve(head);
    const other = await bench.another(head);
    const tool = specExportTool(bench.plans, { decisions: async () => [], signals: async () => [] });
    for (const slug of Object.keys(PLANS)) {
      const { json } = await bench.call(tool, { plan: slug, target, format: 'json', max_tokens: 20_000 });
      const files = json['files'] as { path: string; content: string }[];
      const text = files.find(({ path }) => /tasks\.(?:md|json)$/.test(path))?.content ?? '';
      await savePlan(other.plans, other.account, { text, slug, actor: 'system' });

      const [before, after] = [await itemsOf(bench, slug), await itemsOf(other, slug)];
      expect(after.map(({ files: _, body: _body, ...item }) => item)).toEqual(
        before.map(({ files: _, body: _body, ...item }) => item),
      );
      // The files of what it names come with it, as they are now, and stand beside what it says.
      for (const [at, item] of before.entries()) {
        expect(after[at]?.files).toEqual(expect.arrayContaining(item.files));
        expect(after[at]?.body).toContain(item.body);
      }
      // Task Master has no place for more than tasks.
      const whole = target === 'task-master' ? '' : (PLANS[slug] ?? '');
      expect(missing(whole, files.map(({ content }) => content).join('\n'))).toEqual([]);
    }
  },
);
