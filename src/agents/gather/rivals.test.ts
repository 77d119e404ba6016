import { expect, test } from 'vitest';
import { scriptedTools } from '../../testing/scripted-tools.ts';
import { comparedIn, findRivals, rivalsIn } from './rivals.ts';

test.each([
  ['I switched to Antcab last week', ['Antcab']],
  ['Going back to Antcab', ['Antcab']],
  ['far cheaper than Antcab or Beecab', ['Antcab', 'Beecab']],
  ['Compared to Antcab it is slow', ['Antcab']],
  ['Unlike Antcab, Beecab and others', ['Antcab', 'Beecab']],
  ['just use Antcab', ['Antcab']],
  ['better than The others, and than Then', []],
  ['we went with Antcab to the sea', []],
  ['BETTER THAN ANTCAB', []],
  ['better than other apps', []],
])('%s compares with %j', (text, names) => {
  expect(comparedIn(text)).toEqual(names);
});

const small = (times: number): string[] => Array.from({ length: times }, () => 'any taxi is');

test('a name counts from so many texts on, and only where a quarter of its uses are written as a name', () => {
  const texts = ['use Antcab now', 'than Antcab', 'switch to Antcab', 'than Beecab', 'use Beecab'];
  const taxis = ['than Taxi', 'use Taxi', 'back to Taxi'];

  expect(rivalsIn(texts, 3)).toEqual(['Antcab']);
  expect(rivalsIn([...taxis, ...small(9)], 3)).toEqual(['Taxi']);
  expect(rivalsIn([...taxis, ...small(10)], 3)).toEqual([]);
});

test.each([
  [9, ['Watchedcab', 'Antcab']],
  [10, ['Watchedcab']],
])('of 100 signals %i have the name: with those watched, these are competitors: %j', async (having, names) => {
  const snippets = ['than Antcab', 'than Antcab', 'use Antcab', 'back to Antcab', 'use Beecab', 'than Beecab'];
  const { tools } = scriptedTools((name, { query }) => {
    if (name === 'competitor-tool') return [{ competitor: 'Watchedcab' }, { competitor: 'Watchedcab' }];
    if (query === 'Antcab') return { rows: [], total: having, searched: { signals: 100 } };
    return snippets.map((snippet, at) => ({ id: `sig:${at}`, type: 'signal', snippet, score: 1 }));
  });

  expect(await findRivals(tools)).toEqual(names);
});
