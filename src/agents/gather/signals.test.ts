import { expect, test } from 'vitest';
import { scriptedTools } from '../../testing/scripted-tools.ts';
import { hearSignals } from './signals.ts';
import type { Tools } from './tools.ts';

/** Tools over signals of which a search finds these, each with its score. */
function toolsOver(found: readonly { snippet: string; score: number }[]): Tools {
  const rows = found.map((row, at) => ({ id: `sig:${at}`, type: 'signal', customer: `Customer ${at}`, ...row }));
  return scriptedTools((_, { action }) => (action === 'search' ? rows : [])).tools;
}

const hasExport = (text: string): boolean => text.includes('export');

test('signals that have the words count, whatever their score', async () => {
  const tools = toolsOver([
    { snippet: 'tables please', score: 0.9 },
    { snippet: 'an export', score: 0.8 },
    { snippet: 'exports', score: 0.1 },
  ]);
  const voices = await hearSignals(tools, 'exports', hasExport);

  expect(voices).toMatchObject({ isNamed: true, isCut: false, customers: ['Customer 1', 'Customer 2'] });
});

test('without any such signal, those near in meaning are given as such, down to half of the best score', async () => {
  const tools = toolsOver([
    { snippet: 'tables please', score: 0.8 },
    { snippet: 'a list of orders', score: 0.4 },
    { snippet: 'a sheet', score: 0.39 },
  ]);
  const voices = await hearSignals(tools, 'exports', hasExport);

  expect(voices).toMatchObject({ isNamed: false, customers: ['Customer 0', 'Customer 1'] });
});

test.each([
  [50, 1, true],
  [49, 1, false],
  [50, 10, true],
  [50, 11, false],
])('of %i signals the %ith from the end has the words, and more may have them: %s', async (count, fromEnd, isCut) => {
  const rows = Array.from({ length: count }, (_, at) => ({
    snippet: at <= count - fromEnd ? 'an export' : 'tables',
    score: 0.5,
  }));

  expect((await hearSignals(toolsOver(rows), 'exports', hasExport)).isCut).toBe(isCut);
});

const FORM = '### Export format _No response_ ### What happens?';

test.each([
  ["a form has in each of them are nobody's", [`${FORM} it is slow`, `${FORM} it is late`, `${FORM} tables`], false],
  ['only two have may be theirs', [`${FORM} it is slow`, `${FORM} it is late`, 'tables'], true],
  [
    'several people say without such marks are theirs',
    ['my export has not come', 'my export has not come', 'my export has not come'],
    true,
  ],
])('words that %s', async (_what, snippets, isNamed) => {
  const tools = toolsOver(snippets.map((snippet) => ({ snippet, score: 0.5 })));

  expect((await hearSignals(tools, 'export', (text) => /export/i.test(text))).isNamed).toBe(isNamed);
});
