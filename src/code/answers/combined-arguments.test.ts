import { expect, test } from 'vitest';
import { combineCodeArguments } from './code-tool-input.ts';

test.each([
  ['a query with a line and a column', { line: 4, character: 0 }, { query: 'src/a.ts:4:0' }],
  ['a query with a line', { line: 4 }, { query: 'src/a.ts:4:send' }],
  ['a query without a line', {}, { query: 'Mailer/send', path: 'src/a.ts' }],
])('%s beside a file means the location', (_, others, expected) => {
  for (const action of ['definition', 'usages', 'implementations', 'impact'])
    expect(combineCodeArguments({ action, query: 'Mailer/send', path: 'src/a.ts' }, others).args).toEqual({
      action,
      ...expected,
    });
});

test('a glob is no location', () => {
  const given = { action: 'usages', query: 'send', path: 'src/**' };

  expect(combineCodeArguments(given, { line: 4 }).args).toEqual(given);
});
