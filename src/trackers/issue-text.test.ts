import { expect, test } from 'vitest';
import type { WorkItem } from '../plans/plans.ts';
import { issueText, markerOf } from './issue-text.ts';

const ITEM: WorkItem = {
  planId: 'plan',
  key: 'T2',
  number: 12,
  updatedAt: new Date(0),
  title: 'Refuse empty\ncarts',
  status: 'todo',
  depends: ['T1'],
  files: ['src/cart.ts'],
  symbols: ['Cart/checkout'],
  body: '',
  group: '',
  label: '',
  phase: 0,
  names: [],
  acceptance: ['Given an empty cart, when it is paid, then nothing is charged'],
  estimate: '2d',
  test: 'npm test -- cart',
  assignee: '',
  priority: '',
  notes: '',
};
const PLAN = { slug: 'checkout', title: 'Checkout', version: 3 };
const SENT = {
  planId: 'plan',
  itemKey: 'T2',
  kind: 'github',
  baseUrl: 'https://api.github.com',
  project: 'a/b',
  round: 0,
};
const SCOPE = { accountId: 'account', productId: 'product' };

test('the text says what the work item says, in Markdown, and what it is known by', () => {
  const text = issueText(ITEM, PLAN, { kind: 'github', marker: 'the-marker', before: ['wi:11 (T1) Count carts'] });

  expect(text.title).toBe('Refuse empty carts');
  expect(text.body).toBe(`Work item wi:12 (T2) of the plan "Checkout" (plan:checkout, version 3).

### Done when

- Given an empty cart, when it is paid, then nothing is charged

### Files

- \`src/cart.ts\`

### Symbols

- \`Cart/checkout\`

### Comes after

- wi:11 (T1) Count carts

### Test

- npm test -- cart

### Estimate

- 2d

----

Reference: svc-the-marker
`);
});

test('in the markup of Jira nothing of the text is taken for markup', () => {
  const item = { ...ITEM, acceptance: ['{panel} [link|http://x] *bold* `code`'] };

  const { body } = issueText(item, PLAN, { kind: 'jira', marker: 'the-marker', before: [] });

  expect(body).toContain('h3. Done when\n\n* \\{panel\\} \\[link\\|http://x\\] \\*bold\\* code\n');
  expect(body).toContain('* {{src/cart.ts}}\n');
});

test('nobody is notified, and no other issue is linked, by what a task says', () => {
  const acceptance = [
    'ask @ada of team@acme.example about #12, acme/shop#7 and !3',
    'keep `@ada #12` and C# and !important',
  ];
  const lines = (kind: 'github' | 'gitlab' | 'linear'): string[] =>
    issueText({ ...ITEM, acceptance }, PLAN, { kind, marker: 'the-marker', before: ['wi:11 (T1) Fix #5'] })
      .body.split('\n')
      .filter((line) => line.startsWith('- ') && /[@#]/.test(line));

  for (const kind of ['github', 'gitlab', 'linear'] as const) {
    expect(lines(kind)).toEqual([
      '- ask @\u2060ada of team@acme.example about #\u206012, acme/shop#\u20607 and !\u20603',
      '- keep `@ada #12` and C# and !important',
      '- wi:11 (T1) Fix #\u20605',
    ]);
  }
});

test('what is too long for a tracker is cut with a mark, and the reference stays', () => {
  const item = { ...ITEM, title: 'x'.repeat(400), acceptance: ['y'.repeat(80_000)] };

  const { title, body } = issueText(item, PLAN, { kind: 'github', marker: 'the-marker', before: [] });

  expect(title).toHaveLength(255);
  expect(title.endsWith('…')).toBe(true);
  expect(body.length).toBeLessThan(65_536);
  expect(body).toContain('… (the rest is in the plan)\n\n----\n\nReference: svc-the-marker\n');
});

test('what the plan says below the item is sent as it stands there, with its code and its number', () => {
  const body = 'Ask @ada first.\n\n- [ ] **Step 1: Write it**\n\n```ts\n@Test #12 `{code}`\n  two();\n```';
  const item = {
    ...ITEM,
    body,
    label: '1.2',
    group: 'Phase 1: Setup',
    acceptance: ['**Step 1: Write it**', 'it is fast'],
  };
  const textFor = (kind: 'github' | 'jira'): string =>
    issueText(item, PLAN, { kind, marker: 'the-marker', before: [] }).body;

  expect(textFor('github')).toContain(
    `wi:12 (T2, 1.2) of the plan "Checkout" (plan:checkout, version 3).\n\n### Group\n\n- Phase 1: Setup\n\n### Description\n\n${body.replace('@', '@\u2060')}\n\n### Done when\n\n- it is fast\n`,
  );
  expect(textFor('jira')).toContain(
    'h3. Description\n\nAsk @ada first.\n\n- \\[ \\] \\*\\*Step 1: Write it\\*\\*\n\n{code}\n@Test #12 `{\u2060code}`\n  two();\n{code}\n',
  );
});

test('code that nothing closes ends with the text', () => {
  const item = { ...ITEM, body: '```\nopen' };

  const { body } = issueText(item, PLAN, { kind: 'github', marker: 'the-marker', before: [] });

  expect(body).toContain('```\nopen\n```\n\n### Done when');
});

test('the digest changes with the text', () => {
  const [digest, same, other] = [ITEM, { ...ITEM }, { ...ITEM, estimate: '3d' }].map(
    (item) => issueText(item, PLAN, { kind: 'github', marker: 'the-marker', before: [] }).digest,
  );

  expect(digest).toBe(same);
  expect(digest).not.toBe(other);
});

test('the marker is a UUID of version 4 that stays, and differs by item, place, tenant and round', () => {
  const marker = markerOf(SCOPE, { ...SENT, kind: 'github' });
  const others = [
    markerOf(SCOPE, { ...SENT, kind: 'github', itemKey: 'T3' }),
    markerOf(SCOPE, { ...SENT, kind: 'github', project: 'a/c' }),
    markerOf(SCOPE, { ...SENT, kind: 'github', round: 1 }),
    markerOf({ ...SCOPE, accountId: 'another' }, { ...SENT, kind: 'github' }),
  ];

  expect(marker).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(markerOf(SCOPE, { ...SENT, kind: 'github' })).toBe(marker);
  expect(new Set([marker, ...others]).size).toBe(5);
});
