import { afterAll, beforeAll, expect, test } from 'vitest';
import { gatherThemes } from '../signals/signals.ts';
import { openSearchBench, type SearchBench } from '../testing/search.ts';
import { documentSearchTool } from './document-search-tool.ts';

let bench: SearchBench;

/** A year of quiet, then eight voices on one subject in the week before the bench's today. */
const DAY_MS = 86_400_000;
const TODAY = Date.parse('2026-02-01T12:00:00Z');
const SUBJECTS = ['slow pages', 'lost parcels', 'dark mode', 'late invoices', 'wrong sizes'];
const quiet = Array.from({ length: 60 }, (_, at) => ({
  text: `${['We see', 'Again', 'Please look at', 'Still'][at % 4]} ${SUBJECTS[at % 5]} number ${at}`,
  customer: `Old ${at % 12}`,
  source: 'archive',
  date: new Date(TODAY - (30 + at * 5) * DAY_MS),
}));
const SHOPS = 'bakery cinema pharmacy garage florist butcher museum library'.split(' ');
const planted = SHOPS.map((shop, at) => ({
  text: `${['Payment by voucher is refused', 'The voucher payment is refused', 'My voucher is refused at payment'][at % 3]} in the ${shop}`,
  customer: `Fresh ${at}`,
  source: 'mail',
  date: new Date(TODAY - at * DAY_MS * 0.7),
}));

beforeAll(async () => {
  bench = await openSearchBench();
  const review = { source: 'store', tags: ['en'], segment: 'BE', language: 'en' };
  await bench.addSignals([
    { ...review, text: 'Crashes at start', customer: 'A', rating: 1, date: new Date('2026-01-03'), version: '2.9' },
    { ...review, text: 'It crashed twice', customer: 'B', rating: 2, date: new Date('2026-01-20'), version: '2.10' },
    { ...review, text: 'Fine, never a crash', customer: 'A', rating: 5, date: new Date('2025-12-31T23:59:00Z') },
    { text: 'Plante au démarrage', customer: 'C', rating: 1, source: 'store', segment: 'FR', language: 'fr-FR' },
    { text: 'Bordly is cheaper; the crash of last week is gone', source: 'forum', tags: ['en', 'price'] },
  ]);
  await bench.addSignals([...quiet, ...planted]);
  const { signals } = bench.parts;
  await gatherThemes(signals, bench.account, new AbortController().signal);
});
afterAll(() => bench.close());

interface CountedRow {
  value?: string;
  signals: number;
  customers: number;
  share: number;
  mean_rating?: number;
}

async function ask(args: Record<string, unknown>) {
  const parts = { ...bench.parts, competitorNames: async () => ['Bordly', 'Antpost'] };
  const { json } = await bench.call(documentSearchTool(parts), { format: 'json', ...args });
  return json as unknown as { rows: CountedRow[] } & Record<string, unknown>;
}

const store = { filter: ['source=store'] };

test('count answers one row of totals, with what it was counted out of', async () => {
  const { rows, counted, of, total } = await ask({ action: 'count', ...store });

  expect(rows).toMatchObject([{ signals: 4, customers: 3, share: 1, mean_rating: 2.25 }]);
  expect([counted, of, total]).toEqual([4, 73, 1]);
});

test.each<[string, Record<string, unknown>, [string, number][], number]>([
  [
    'rating',
    {},
    [
      ['5', 1],
      ['2', 1],
      ['1', 2],
    ],
    0,
  ],
  [
    'month',
    {},
    [
      ['2025-12', 1],
      ['2026-01', 2],
    ],
    1,
  ],
  [
    'segment',
    {},
    [
      ['BE', 3],
      ['FR', 1],
    ],
    0,
  ],
  [
    'language',
    {},
    [
      ['en', 3],
      ['fr', 1],
    ],
    0,
  ],
  [
    'tone',
    {},
    [
      ['negative', 3],
      ['positive', 1],
    ],
    0,
  ],
  [
    'version',
    {},
    [
      ['2.10', 1],
      ['2.9', 1],
    ],
    2,
  ],
  [
    'tag',
    { filter: ['tag=en'] },
    [
      ['en', 4],
      ['price', 1],
    ],
    0,
  ],
  ['competitor', { filter: [] }, [['Bordly', 1]], 72],
])('count groups by %s and tells how many signals lack it', async (by, args, values, lacking) => {
  const answer = await ask({ action: 'count', ...store, group_by: by, ...args });

  expect(answer.rows.map(({ value, signals }) => [value, signals])).toEqual(values);
  expect(answer['lacking']).toBe(lacking);
});

test.each<[string[], number]>([
  [['rating<=2'], 3],
  [['rating>1', 'rating<5'], 1],
  [['segment!=BE'], 1],
  [['tone=negative', 'language=fr'], 1],
  [['language=fr-FR'], 1],
  // Numbers of versions are compared one by one.
  [['version>=2.10'], 1],
  [['customer=a'], 2],
  [['tag!=en'], 1],
  [['month=2026-01'], 2],
])('count keeps to the filters %s', async (filter, signals) => {
  const { rows } = await ask({ action: 'count', filter: [...store.filter, ...filter] });

  expect(rows[0]?.signals).toBe(signals);
});

/** Returns how many signals a call counts. */
async function signalsOf(args: Record<string, unknown>): Promise<unknown> {
  return (await ask({ action: 'count', ...args })).rows[0]?.signals;
}

test('a month or a day as the end of a period is counted whole', async () => {
  expect(await signalsOf({ ...store, since: '2026-01', until: '2026-01' })).toBe(2);
  expect(await signalsOf({ ...store, until: '2025-12-31' })).toBe(1);
  expect(await signalsOf({ ...store, since: '2026' })).toBe(2);
});

test('a query counts what has all its words in any form, and a phrase in quotes as it is', async () => {
  expect(await signalsOf({ query: 'crash' })).toBe(4);
  expect(await signalsOf({ query: 'crash twice' })).toBe(1);
  expect(await signalsOf({ query: '"never a crash"' })).toBe(1);
  expect(await ask({ action: 'count', query: 'crash zeppelin' })).toMatchObject({
    unknown_words: ['zeppelin'],
    rows: [{ signals: 0 }],
  });
});

test('search and themes keep to the filters too', async () => {
  const counts = await ask({ action: 'search', query: 'crash', filter: ['rating=1'] });
  const themes = await ask({ action: 'themes', filter: ['source=mail'] });

  expect(counts.rows).toMatchObject([{ rating: 1, version: '2.9', language: 'en' }]);
  expect(themes.rows.reduce((sum, { signals }) => sum + signals, 0)).toBe(8);
});

test.each([['rating~2'], ['colour=red'], ['segment>=b'], ['rating<=good'], ['tone=angry'], ['rating=']])(
  'the filter %s is refused with the fields that there are',
  async (filter) => {
    const refused = ask({ action: 'count', filter: [filter] });

    await expect(refused).rejects.toMatchObject({ code: 'bad_argument', fix: expect.stringContaining('segment') });
  },
);

test('new names what appeared in a fortnight, and nothing that was always there', async () => {
  const { rows, ...counts } = await ask({ action: 'new', since: '2026-01-25', until: '2026-02-02' });

  expect(rows).toMatchObject([
    { signals: 8, customers: 8, before: 0, subject: expect.stringMatching(/voucher|payment/i) },
  ]);
  expect(rows[0]).toHaveProperty('quote', expect.stringContaining('voucher'));
  expect(counts).toMatchObject({ total: 1, recent: 8 });
});
