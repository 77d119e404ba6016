import { expect, test } from 'vitest';
import { withRecent } from './recent.ts';

test('recent searches are kept once, the newest first, without the beginnings of what was typed', () => {
  const typed = ['no', 'noti', 'notification', 'export'].reduce((recent, q) => withRecent(recent, { q }), [
    { q: 'late' },
  ] as { q?: string }[]);

  expect(typed.map(({ q }) => q)).toEqual(['export', 'notification', 'late']);
  expect(withRecent(typed, { q: 'late' }).map(({ q }) => q)).toEqual(['late', 'export', 'notification']);
  const many = Array.from({ length: 9 }, (_, at) => ({ q: `q${at}` }));
  expect(withRecent(many, { q: 'new' })).toHaveLength(6);
});
