import { expect, test } from 'vitest';
import { placeAt } from '../../testing/prose.ts';
import { scriptedTools } from '../../testing/scripted-tools.ts';
import { lookAround } from './around.ts';

test('a use by name alone is no use, but is told as open where it stands outside of tests and imports', async () => {
  const row = { path: 'src/a.rb', use: 'call', grade: 'name', test: false };
  const rows = [
    { ...row, line: 1, grade: 'scope' },
    { ...row, line: 2 },
    { ...row, line: 3, test: true },
    { ...row, line: 4, use: 'import' },
  ];
  const { tools } = scriptedTools((_, { action }) => (action === 'usages' ? rows : []));

  const { uses, open } = await lookAround(tools, placeAt('src/b.rb', 'send', 'def send'));

  expect([uses, open].map((found) => found.map(({ line }) => line))).toEqual([[1], [2]]);
});
