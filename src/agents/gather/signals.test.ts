import { expect, test } from 'vitest';
import { scriptedTools } from '../../testing/scripted-tools.ts';
import { hearSignals } from './signals.ts';
import type { Tools } from './tools.ts';

/** Tools over signals of which a search finds these, each with its score. */
function toolsOver(found: readonly { snippet: string; score: number }[]): Tools {
  const rows = found.map((row, at) => ({ id: `sig:${at}`, type: 'signal', customer: `Customer ${at}`, ...row }));
  return scriptedTools((_, { action }) => (action === 'search' ? rows : [])).tools;
}

test('signals that have the words count, whatever their score', async () => {
  const tools = toolsOver([
    { snippet: 'tables please', score: 0.9 },
    { snippet: 'an export', score: 0.8 },
    { snippet: 'exports', score: 0.1 },
  ]);
  const voices = await hearSignals(tools, { query: 'exports' });

  expect(voices).toMatchObject({ isNamed: true, isCut: false, signals: [{ id: 'sig:1' }, { id: 'sig:2' }] });
});

test('without any such signal, those near in meaning are given as such, down to half of the best score', async () => {
  const tools = toolsOver([
    { snippet: 'tables please', score: 0.8 },
    { snippet: 'a list of orders', score: 0.4 },
    { snippet: 'a sheet', score: 0.39 },
  ]);
  const voices = await hearSignals(tools, { query: 'exports' });

  expect(voices.isNamed).toBe(false);
  expect(voices.signals.map(({ id }) => id)).toEqual(['sig:0', 'sig:1']);
});

/** Tools over pages of fifty signals: those with the words first, so many of them. */
function toolsOfPages(signals: number, having: number): Tools {
  const rows = Array.from({ length: signals }, (_, at) => ({
    id: `sig:${at}`,
    type: 'signal',
    customer: 'x',
    snippet: at < having ? 'an export' : 'tables',
    score: 0.5,
  }));
  return scriptedTools((_, { action, cursor }) => {
    if (action !== 'search') return [];
    const from = Number(cursor ?? 0);
    const page = rows.slice(from, from + 50);
    return from + 50 < signals ? { rows: page, next: String(from + 50) } : page;
  }).tools;
}

test.each([
  // Signals, with the words, counted, whether there may be more, searches.
  [50, 50, 50, false, 1],
  [120, 60, 60, false, 3],
  [120, 100, 100, false, 3],
  // Three pages without one are the end.
  [500, 50, 50, false, 4],
  [500, 51, 51, false, 5],
  [1_000, 1_000, 1_000, false, 20],
  [1_001, 1_000, 1_000, true, 20],
])('of %i signals %i have the words: %i are counted, more may have them: %s, with %i searches', async (...row) => {
  const [signals, having, counted, isCut, searches] = row;
  const tools = toolsOfPages(signals, having);
  const voices = await hearSignals(tools, { query: 'exports' });

  expect(voices.signals).toHaveLength(counted);
  expect(voices.isCut).toBe(isCut);
  expect(tools.calls.filter((call) => call.includes('search query'))).toHaveLength(searches);
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

  expect((await hearSignals(tools, { query: 'export' })).isNamed).toBe(isNamed);
});

test('each of several things is searched by itself, and what speaks of two counts once', async () => {
  const row = { type: 'signal', customer: 'x' };
  const both = { ...row, id: 'both', snippet: 'login and exports' };
  const found: Record<string, object[]> = {
    login: [
      { ...row, id: 'a', snippet: 'login', score: 0.4 },
      { ...both, score: 0.8 },
    ],
    exports: [
      { ...row, id: 'b', snippet: 'exports', score: 0.9 },
      { ...both, score: 0.3 },
    ],
  };
  const { tools } = scriptedTools((_, { query }) => found[String(query)] ?? []);
  const given = { query: 'login or exports', alternatives: ['login', 'exports'] };

  const voices = await hearSignals(tools, given);

  expect(voices.signals.map(({ id }) => id)).toEqual(['b', 'both', 'a']);
});

/** Tools over signals that a search finds by one of its words, in their order. */
function toolsSaying(texts: readonly string[]): Tools {
  const rows = texts.map((snippet, at) => ({ id: `sig:${at}`, type: 'signal', customer: '', snippet, score: 0.5 }));
  return scriptedTools((_, { action, query = '' }) => {
    if (action !== 'search') return [];
    const found = rows.filter(({ snippet }) =>
      String(query)
        .split(' ')
        .some((word) => snippet.includes(word)),
    );
    return { rows: found, total: found.length, searched: { signals: rows.length } };
  }).tools;
}

const repeat = (text: string, times: number): string[] => Array.from({ length: times }, () => text);

test.each([
  // With the word, with words near to it, and what is counted.
  [5, 10, 5, 'words'],
  [5, 14, 5, 'words'],
  // So many times as many in all.
  [5, 15, 15, 'near'],
  [4, 5, 5, 'near'],
  [4, 4, 4, 'words'],
  [0, 1, 1, 'near'],
])('of %i signals with the word and %i with near ones, %i are counted by %s', async (having, near, counted, way) => {
  const tools = toolsSaying([...repeat('cheaper please', having), ...repeat('the price', near - having)]);
  const voices = await hearSignals(tools, { query: 'cheaper' });

  expect(voices.signals).toHaveLength(counted);
  expect(voices.things).toMatchObject([{ way }]);
});

test('of two words both count; where no signal has both, the rarer one', async () => {
  const apart = ['offline is nice', ...repeat('playlists are good', 3)];
  const both = await hearSignals(toolsSaying(['offline playlists', ...apart]), { query: 'offline playlists' });
  const none = await hearSignals(toolsSaying(apart), { query: 'offline playlists' });

  expect(both.signals.map(({ id }) => id)).toEqual(['sig:0']);
  expect(both.things).toMatchObject([{ way: 'words', alone: { words: ['offline'], signals: 2 } }]);
  expect(none.signals.map(({ id }) => id)).toEqual(['sig:0']);
  expect(none.things).toMatchObject([{ way: 'rarest', thing: 'offline playlists', words: [['offline']] }]);
});

test('of three words a signal has two, the rarest that anybody says among them', async () => {
  const texts = ['orange parcels', 'parcels on doorsteps', 'orange doorsteps', ...repeat('parcels', 4), 'doorsteps'];
  const heard = await hearSignals(toolsSaying(texts), { query: 'orange parcels doorsteps' });
  const unsaid = await hearSignals(toolsSaying(texts), { query: 'purple parcels doorsteps' });

  expect(heard.signals.map(({ id }) => id)).toEqual(['sig:0', 'sig:2']);
  expect(unsaid.signals.map(({ id }) => id)).toEqual(['sig:1']);
});

/** The words by which signals with these texts say parking. */
async function wordsForParking(...texts: string[]): Promise<unknown> {
  const tools = toolsOver(texts.map((snippet) => ({ snippet, score: 0.5 })));
  return (await hearSignals(tools, { query: 'parking' })).things[0]?.words;
}

test('a word that is said in another form only is told in that form', async () => {
  expect(await wordsForParking('a park', 'the park', 'parked')).toEqual([['park']]);
  expect(await wordsForParking('a park', 'the park', 'Parking')).toEqual([['parking']]);
});

test('two words count in one sentence only, more in all that is said', async () => {
  const texts = ['late parcels', 'I am late. The parcels are fine.', 'late! wet parcels'];
  const two = await hearSignals(toolsSaying(texts), { query: 'late parcels' });
  const three = await hearSignals(toolsSaying(texts), { query: 'late wet parcels' });

  expect(two.signals.map(({ id }) => id)).toEqual(['sig:0']);
  expect(three.signals.map(({ id }) => id)).toEqual(['sig:2']);
});

test('of two things that are joined, the one that nobody mentions is told as such', async () => {
  const given = { query: 'parcels or letters', alternatives: ['parcels', 'letters'] };
  const voices = await hearSignals(toolsSaying(['parcels']), given);

  expect(voices.things.map(({ thing }) => thing)).toEqual(['parcels']);
  expect(voices.silent).toEqual(['letters']);
});
