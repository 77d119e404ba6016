import { expect, test } from 'vitest';
import { placeAt } from '../../testing/prose.ts';
import { scriptedTools } from '../../testing/scripted-tools.ts';
import { lookAround } from './around.ts';

test('a use by name alone is no use', async () => {
  const row = { path: 'src/a.rb', use: 'call', grade: 'name', test: false };
  const rows = [
    { ...row, line: 1, grade: 'scope' },
    { ...row, line: 2 },
    { ...row, line: 3, test: true },
    { ...row, line: 4, use: 'import' },
  ];
  const { tools } = scriptedTools((_, { action }) => (action === 'usages' ? rows : []));

  const { uses } = await lookAround(tools, placeAt('src/b.rb', 'send', 'def send'));

  expect(uses.map(({ line }) => line)).toEqual([1]);
});
