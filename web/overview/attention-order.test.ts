import { expect, test } from 'vitest';
import { type AttentionSources, orderAttention } from './attention-order.ts';

const NOW_MS = Date.parse('2026-03-10T12:00Z');
const repository = (id: string, status: string) => ({ id, status });
const theme = (id: string, direction: string, chance: number) => ({ id, trend: { direction, chance } });
const plan = (id: string, status: string, stale: object | null) => ({ id, status, stale });
const half = { state: 'stale', total: 4, changed: 1, gone: 1 };
const whole = { state: 'broken', total: 2, changed: 0, gone: 2 };

/** Of each thing the fields that decide, and no more. */
const sources = {
  repositories: [repository('fine', 'ready'), repository('broken', 'failed')],
  keys: [{ id: 'first' }, { id: 'second' }, { id: 'third' }, { id: 'fourth' }],
  sources: [
    { id: 'read', fault: '' },
    { id: 'refused', fault: 'The token was refused.' },
  ],
  competitors: [
    {
      id: 'acme',
      pages: [
        { id: 'prices', failures: 2 },
        { id: 'news', failures: 0 },
      ],
    },
  ],
  plans: [
    plan('half', 'active', half),
    plan('over', 'done', whole),
    plan('whole', 'draft', whole),
    plan('new', 'draft', null),
  ],
  decisions: [
    { id: 'due', status: 'accepted', review_on: '2026-03-10' },
    { id: 'later', status: 'accepted', review_on: '2026-03-11' },
    { id: 'replaced', status: 'superseded', review_on: '2026-01-01' },
    { id: 'open', status: 'proposed', review_on: null },
  ],
  themes: [
    theme('steady', 'steady', 0.001),
    theme('maybe', 'rising', 0.04),
    theme('surely', 'rising', 0.001),
    theme('fresh', 'new', 0.001),
  ],
  changes: [
    { id: 'new', when: '2026-02-20T00:00Z' },
    { id: 'old', when: '2026-01-01T00:00Z' },
  ],
} as unknown as AttentionSources;

const read = (role: 'viewer' | 'member' | 'admin' | 'owner') =>
  orderAttention(role, sources, NOW_MS).map((item) => {
    const [, about] = Object.entries(item).find(([name]) => name !== 'kind') ?? [];
    return `${item.kind}: ${(about as { id: string }).id}`;
  });

const OUTSIDE = ['new subject: fresh', 'rising theme: surely', 'rising theme: maybe', 'competitor change: new'];
const INSIDE = ['stale plan: whole', 'stale plan: half', 'due decision: due'];
const KEYS = ['ending key: first', 'ending key: second', 'ending key: third'];

test('each role sees what it can do something about, most urgent first and three of a kind', () => {
  const broken = ['failed run: broken', 'failing source: refused', 'failing page: prices'];

  expect(read('viewer')).toEqual([...OUTSIDE, ...INSIDE]);
  expect(read('member')).toEqual([...KEYS, ...INSIDE, ...OUTSIDE]);
  expect(read('admin')).toEqual([...broken, ...KEYS, ...INSIDE, ...OUTSIDE]);
  expect(read('owner')).toEqual(read('admin'));
});
