import { afterAll, beforeAll, expect, test } from 'vitest';
import { recordDecision } from '../decisions/decisions.ts';
import { savePlan } from '../plans/plans.ts';
import { gatherThemes } from '../signals/signals.ts';
import type { Encoder } from '../text/encoder/encoder.ts';
import { openSearchBench, type SearchBench } from '../testing/search.ts';
import { documentSearchTool } from './document-search-tool.ts';

const GUIDE = `# Guide

## Refunds

${'A refund takes five days. '.repeat(60)}

## Invoices

An invoice comes each month.
`;

const LONG_PLAN = `# Refunds in one step

## Goal

${'Nobody waits for a refund. '.repeat(100)}

## Tasks

- [ ] T1 Write it down
`;

let bench: SearchBench;
let guide: string;
let signals: string[];

beforeAll(async () => {
  bench = await openSearchBench();
  const { plans, account, parts } = bench;
  guide = await bench.addDocument('guide.md', GUIDE);
  await savePlan(plans, account, { text: LONG_PLAN, actor: account.actor });
  const common = { source: 'support', segment: 'enterprise' };
  signals = await bench.addSignals([
    {
      ...common,
      text: 'The refund never came and I am angry',
      customer: 'Online shop',
      tags: ['billing', 'eu'],
      rating: 1,
    },
    {
      ...common,
      text: 'My refund never came either, angry again',
      customer: 'Marketplace',
      tags: ['billing'],
      rating: 1,
    },
    { text: 'Dark mode for the dashboard please', customer: 'Agency', date: new Date('2026-01-05') },
    { text: 'The dashboard needs a dark mode please', customer: 'Studio', date: new Date('2026-01-06') },
  ]);
  const draft = { title: 'Refund by card', decision: 'Refunds go to the card.', consequences: ['No cheques'] };
  await recordDecision(plans, account, { wanted: draft, actor: account.actor });
  await gatherThemes(parts.signals, account, new AbortController().signal);
});
afterAll(() => bench.close());

interface DocumentRow {
  id: string;
  type: string;
  section: string;
  text: string;
  theme: string;
  customers: number;
  signals: number;
  sample_ids: string[];
}

async function ask(
  args: Record<string, unknown>,
  parts = bench.parts,
): Promise<{ rows: DocumentRow[] } & Record<string, unknown>> {
  const { json } = await bench.call(documentSearchTool(parts), { format: 'json', ...args });
  // The tool says what it gives.
  return json as unknown as { rows: DocumentRow[] };
}

test('search finds parts of documents, plans and signals on one scale, and no decisions', async () => {
  const { rows, total, counts } = await ask({ action: 'search', query: 'refund' });

  expect(new Set(rows.map(({ type }) => type))).toEqual(new Set(['upload', 'plan', 'signal']));
  expect(rows.find(({ type }) => type === 'upload')).toMatchObject({
    id: guide,
    section: 'guide-refunds',
    heading: 'Guide › Refunds',
  });
  expect([total, counts]).toEqual([rows.length, expect.objectContaining({ signals: 2 })]);
});

test.each<[string, Record<string, unknown>, number]>([
  ['type', { types: ['signal'] }, 2],
  ['customer', { customer: 'online shop' }, 1],
  ['segment', { customer: 'enterprise' }, 2],
  ['tags, all of them', { tags: ['billing', 'eu'] }, 1],
  ['nothing that fits', { types: ['product_doc'] }, 0],
])('search is narrowed by %s', async (_, filters, hits) => {
  expect((await ask({ action: 'search', query: 'refund', ...filters })).rows).toHaveLength(hits);
});

test('without words the newest come first; since leaves older ones out', async () => {
  const all = await ask({ action: 'search', types: ['signal'], since: '2026-01-01' });
  const late = await ask({ action: 'search', types: ['signal'], since: '30d' });

  expect(all.rows).toHaveLength(4);
  expect(all.rows.at(-1)?.id).toBe(signals[2]);
  expect(late.rows.map(({ id }) => id).toSorted()).toEqual(signals.slice(0, 2).toSorted());
});

test('pages follow one another', async () => {
  const first = await ask({ action: 'search', query: 'refund', limit: 2 });
  const second = await ask({ action: 'search', query: 'refund', limit: 2, cursor: first['next'] });
  const all = await ask({ action: 'search', query: 'refund' });

  expect([...first.rows, ...second.rows]).toEqual(all.rows.slice(0, 4));
});

test('get reads a document section by section, by id, heading or the next one it gave', async () => {
  const whole = await ask({ action: 'get', query: guide });
  const little = await ask({ action: 'get', query: guide, max_tokens: 400 });
  const second = await ask({ action: 'get', query: guide, section: 'Invoices' });

  expect(whole['sections']).toMatchObject([{ id: 'guide-refunds' }, { id: 'guide-invoices' }]);
  expect(whole.rows.map(({ section }) => section)).toEqual(['guide-refunds', 'guide-invoices']);
  expect(second.rows).toMatchObject([{ section: 'guide-invoices', text: 'An invoice comes each month.' }]);
  expect(little.rows).toHaveLength(1);
  expect(little['next']).toBe('guide-invoices');
  expect((await ask({ action: 'get', query: guide, cursor: little['next'] })).rows).toEqual(second.rows);
  await expect(ask({ action: 'get', query: guide, section: 'nothing' })).rejects.toMatchObject({ code: 'unknown_id' });
});

test('get serves an excerpt of a plan and says where the whole is', async () => {
  const { text } = await bench.call(documentSearchTool(bench.parts), {
    action: 'get',
    query: 'plan:refunds-in-one-step',
  });
  const { rows, ...rest } = await ask({ action: 'get', query: 'plan:refunds-in-one-step', section: 'Goal' });

  expect(text).toContain('Nobody waits for a refund.');
  // Only ways that there are.
  expect(text).toContain('the whole plan: spec-export-tool plan="refunds-in-one-step"');
  expect(text).not.toContain('.svc/');
  expect(rows[0]?.text.length).toBeLessThan(1_600);
  expect(rest).toMatchObject({
    id: 'plan:refunds-in-one-step',
    type: 'plan',
  });
});

test('get names what says the same as a signal, a decision and a section of a document', async () => {
  const text = 'A refund takes five days, and goes to the card that paid.';
  const copy = await bench.addDocument('faq.md', `# Questions\n\n## Refunds of orders\n\n${text}\n`);
  const original = await bench.addDocument('terms.md', `# Terms\n\n## Refunds of orders\n\n${text}\n`);
  const draft = { title: 'Refunds by card', decision: 'Refunds go to a card, without cheques.' };
  await recordDecision(bench.plans, bench.account, { wanted: draft, actor: bench.account.actor });

  expect((await ask({ action: 'get', query: signals[2] }))['similar']).toEqual([
    { id: signals[3], text: 'The dashboard needs a dark mode please', customer: 'Studio', score: expect.any(Number) },
  ]);
  expect((await ask({ action: 'get', query: 'dec:1' }))['similar']).toMatchObject([
    { id: 'dec:2', title: draft.title },
  ]);
  expect((await ask({ action: 'get', query: original }))['similar']).toMatchObject([
    { id: copy, title: 'Questions', section: 'questions-refunds-of-orders', text },
  ]);
  const { text: shown } = await bench.call(documentSearchTool(bench.parts), { action: 'get', query: original });
  expect(shown).toContain(`similar: ${copy} · Questions · section="questions-refunds-of-orders" · "${text}"`);
});

test('get opens signals and decisions by the ids that searches give', async () => {
  expect((await ask({ action: 'get', query: signals[0] })).rows[0]?.text).toBe('The refund never came and I am angry');
  const decision = await ask({ action: 'get', query: 'dec:1' });
  expect(decision.rows.map(({ section }) => section)).toEqual(['decision', 'consequences']);
});

test.each(['', 'doc:unknown', 'sig:unknown', 'plan:unknown', 'dec:99'])(
  'get tells what to do about "%s"',
  async (query) => {
    await expect(ask({ action: 'get', query })).rejects.toMatchObject({ fix: expect.stringMatching(/\w/) });
  },
);

test('themes count signals and different customers, and words narrow them', async () => {
  const all = await ask({ action: 'themes' });
  const some = await ask({ action: 'themes', query: 'refund' });

  expect(all.rows).toHaveLength(2);
  expect(some.rows).toMatchObject([{ signals: 2, customers: 2 }]);
  expect(some.rows[0]?.sample_ids.toSorted()).toEqual(signals.slice(0, 2).toSorted());
  expect((await ask({ action: 'themes', customer: 'Agency' })).rows).toMatchObject([{ signals: 1 }]);
});

test('themes say that they were grouped before all vectors were there', async () => {
  const encoder: Encoder = {
    model: 'none',
    name: 'none',
    limits: { texts: 1, characters: 1 },
    encode: async (texts) => texts.map(() => new Int8Array(1)),
  };
  const parts = { ...bench.parts, signals: { ...bench.parts.signals, encoder } };

  expect(await ask({ action: 'themes' })).not.toHaveProperty('notes');
  expect((await ask({ action: 'themes' }, parts))['notes']).toEqual([
    expect.stringMatching(/^vectors pending \d+ of \d+: grouped by words/),
  ]);
});

test('signals and themes tell how customers sound, and what of them is searched is counted', async () => {
  const { rows, searched } = await ask({ action: 'search', query: 'refund', types: ['signal'] });
  const themes = await ask({ action: 'themes', query: 'refund' });

  expect(searched).toMatchObject({ signals: 4 });
  expect(rows).toMatchObject([{ polarity: expect.closeTo(-1, 0) }, { polarity: expect.closeTo(-1, 0) }]);
  expect(themes.rows).toMatchObject([{ negative: { signals: 2 }, positive: { signals: 0, sample_ids: [] } }]);
});
