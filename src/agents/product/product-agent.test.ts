import { beforeAll, expect, test } from 'vitest';
import { recordDecision } from '../../decisions/decisions.ts';
import { savePlan } from '../../plans/plans.ts';
import { useRefundBench } from '../../testing/refunds.ts';

const { shop, ask } = useRefundBench();
const product = 'ask_productInsightsAgent';

const PLAN = `# Exports of orders

Status: in progress

## Why
Customers cannot take the exports of their orders with them.

## Work
- [x] Export orders as CSV
- [ ] Export orders as XLSX
- [ ] Send exports by mail
`;
const LONG = Array.from(
  { length: 12 },
  (_, at) => `The parcel of day ${at} came in time and nothing was wrong with it.`,
);
const SIGNALS = [
  'Exports of orders fail with an error',
  'I want the orders of a month as an export',
  'My orders come late',
  ['The exports are fine for us.', ...LONG, 'What we miss is a list of orders.'].join(' '),
];

const DATED = [
  {
    text: 'Parcels arrive broken\n\nThe box of one of my parcels was broken, and drivers are to be friendly.',
    date: new Date('2024-03-04'),
    customer: 'Customer 4',
  },
  { text: 'Parcels are wet', date: new Date('2024-01-02'), customer: 'Customer 5' },
];

beforeAll(async () => {
  const { plans, account, addSignals } = shop.bench;
  await savePlan(plans, account, { text: PLAN, actor: account.actor });
  const context = 'Bookkeepers read tables, and the format of 1997 cannot hold all rows. Others did the same.';
  const wanted = { title: 'Exports are tables', decision: 'Exports of orders are XLSX or CSV.', context };
  await recordDecision(plans, account, { wanted, actor: account.actor });
  await addSignals(SIGNALS.map((text, at) => ({ text, customer: `Customer ${at}`, source: 'support' })));
  await addSignals(DATED.map((signal) => ({ ...signal, source: 'support' })));
});

test('how far a plan is is told by its work items, and what it says is no line about itself', async () => {
  const { json } = await ask(product, 'What is planned for exports of orders, and how far is it?');

  expect(json.answer).toMatch(
    /^The plan “Exports of orders” \(active\) says: “Customers cannot take the exports of their orders with them\.”/,
  );
  expect(json.answer).toMatch(
    /1 of its 3 work items is done; open: “Export orders as XLSX”, “Send exports by mail” \[\d\]/,
  );
  expect(json.answer).not.toContain('Status:');
});

test('a decision is told with its context, each with its source', async () => {
  const { json } = await ask(product, 'What was decided about exports of orders?');

  expect(json.answer).toMatch(
    /says: “Exports of orders are XLSX or CSV\.” \[(\d)\]\. Its context: “Bookkeepers read tables, and the format of 1997 cannot hold all rows\.” \[(?!\1)\d\]/,
  );
});

test('a plan is found by what it is about, whatever else is asked of it', async () => {
  const { json } = await ask(product, 'Which plan covers exports of orders, and what of it is still open?');

  expect(json.answer).toMatch(/^The plan “Exports of orders” \(active\) says/);
});

test('who asks why is told the decision before the plan', async () => {
  const { json } = await ask(product, 'Why did we decide about exports of orders?');

  expect(json.answer).toMatch(/^Decision dec:\d+ [\s\S]*The plan “Exports of orders”/);
});

test('who asks since when is shown the oldest signal first', async () => {
  const { json } = await ask(product, 'Since when do customers mention parcels?');

  expect(json.answer).toMatch(/\(Customer 5, 2024-01-02\)[\s\S]*\(Customer 4, 2024-03-04\)/);
  expect(json.answer).toMatch(/^The oldest is from 2024-01-02, where the signals themselves begin/);
});

test('a signal is quoted by its title, and one that is about the question comes first', async () => {
  const { json } = await ask(product, 'What do customers say about broken parcels?');

  expect(json.answer).toContain('“Parcels arrive broken”');
  expect(json.answer).not.toContain('drivers are to be friendly');
});

test('signals that have the words of a question are told, and those that are only near are told as such', async () => {
  const { json: few } = await ask(product, 'What do customers say about wet parcels on doorsteps?');
  const { json: none } = await ask(product, 'How many customers report late invoices?');

  expect(few).toMatchObject({ confidence: 'low' });
  expect(few.answer).toMatch(
    /^1 of 8 signals \(13 %\) mentions most of the words “wet parcels on doorsteps”.*1 customer/,
  );
  expect(none.answer).toContain('No signal mentions all of “late invoices”. 1 of 8 signals (13 %) mentions “late”');
});

test('whether something becomes more is told by those who say it, however few they are', async () => {
  const { json } = await ask(product, 'Are wet parcels on doorsteps getting worse?');

  expect(json).toMatchObject({ confidence: 'low' });
  expect(json.answer).toMatch(
    /^No trend can be told[\s\S]*1 of 8 signals \(13 %\) mentions most of the words “wet parcels on doorsteps”.*1 customer/,
  );
});

test('signals are counted that have the words of the question close together', async () => {
  const { json } = await ask(product, 'What do customers say about exports of orders?');

  expect(json.answer).toMatch(/^2 of 8 signals \(25 %\) mention “exports of orders”.*They are from 2 customers/);
  expect(json.answer).not.toContain('come late');
  expect(json.answer).not.toContain('list of orders');
});

test('what nobody says is not answered with what is near', async () => {
  const { json } = await ask(product, 'Has anyone complained about the colour of envelopes?');

  expect(json.answer).toMatch(/^This index does not seem to contain it\./);
  expect(json.answer).not.toContain('mention');
});

test('who asks what people like or complain about is quoted what sounds so', async () => {
  await shop.bench.addSignals([
    { text: 'The lanterns are great, I love them', customer: 'Customer 6', source: 'review', rating: 5 },
    { text: 'The lanterns are terrible and broke at once', customer: 'Customer 7', source: 'review', rating: 1 },
  ]);
  const { json: praise } = await ask(product, 'What do people like about the lanterns?');
  const { json: blame } = await ask(product, 'Do people complain about the lanterns?');
  const { json: all } = await ask(product, 'What do people like most?');

  expect(praise.answer).toContain('great');
  expect(praise.answer).not.toContain('terrible');
  expect(blame.answer).toContain('terrible');
  expect(blame.answer).not.toContain('great');
  expect(all.answer).toContain('great');
  expect(all.answer).not.toContain('terrible');
});

test('of two things that are joined, signals about either count', async () => {
  const { json } = await ask(product, 'What do customers say about wet parcels or late orders?');

  expect(json.answer).toMatch(
    /^2 of 10 signals \(20 %\) mention “wet parcels” or “late orders”.*They are from 2 customers/,
  );
});

test('who asks whether something becomes more is told how many signals are new', async () => {
  const { json } = await ask(product, 'Are complaints about parcels increasing?');

  expect(json.answer).toMatch(/^No trend can be told: there are hardly any signals of the time before/);
});

test('a research quotes no signal of which only the whole text has the words of the question', async () => {
  const { json } = await ask('run_deepResearchWorkflow', 'What do customers say about exports of orders?');

  expect(JSON.stringify(json)).toContain('Exports of orders fail with an error');
  expect(JSON.stringify(json)).not.toContain('list of orders');
  expect(JSON.stringify(json)).not.toContain('come late');
});

test('who asks how far something is is told the plan, and no signals beside it', async () => {
  const { json } = await ask(product, 'What is done and what is still open about exports of orders?');

  expect(json.answer).toMatch(/^The plan “Exports of orders”[\s\S]*1 of its 3 work items is done/);
  expect(json.answer).not.toContain('mention');
});

test('a decision that has only some of the words is told as the nearest, and never with high confidence', async () => {
  const { json } = await ask(product, 'Why did we choose sheets for the old exports screen?');

  expect(json.answer).toMatch(/^No plan or decision has the words “[^”]+”; the nearest(?: in meaning)? follows/);
  expect(json.answer).toContain('Exports');
  expect(json.confidence).not.toBe('high');
});

test('what competitors do is not answered with what customers say', async () => {
  const { json } = await ask(product, 'What do competitors do about exports of orders?');

  expect(json.answer).toMatch(/^This index does not seem to contain it\./);
  expect(json.answer).not.toContain('Customer');
});

test('what to fix first is what sounds worst', async () => {
  const { json } = await ask(product, 'What should we fix first?');

  expect(json.answer).toContain('terrible');
  expect(json.answer).not.toContain('great');
});

test('competitors that nobody watches are told by who compares with them, and one that is named by itself', async () => {
  const texts = [
    'I switched to Antpost',
    'Antpost is fine, cheaper than you',
    'slower than Antpost',
    'just use Antpost',
  ];
  // A name that a tenth of all signals have would be the product's own.
  const others = Array.from({ length: 40 }, (_, at) => `Box ${at} is green`);
  await shop.bench.addSignals([...texts, ...others].map((text) => ({ text, source: 'review' })));
  const { json: named } = await ask(product, 'Which competitors do customers mention?');
  const { json: changed } = await ask(product, 'Which competitor do users switch to most?');
  const { json: one } = await ask(product, 'What does our competitor Antpost offer?');
  const { json: none } = await ask(product, 'What does our competitor Beepost offer?');
  const { json: other } = await ask(product, 'What do competitors do about exports of orders?');

  expect(named.answer).toMatch(/^- “Antpost”, 4 signals, from [\d-]+ to [\d-]+: “/);
  expect(changed.answer).toBe(named.answer);
  expect(one.answer).toMatch(/^[^a-z]*“Antpost”, 4 signals/);
  expect(JSON.stringify(one)).toContain('no change of a competitor about');
  expect(none.answer).toMatch(/^This index does not seem to contain it\./);
  expect(other.answer).toMatch(/^This index does not seem to contain it\./);
});
