import { beforeAll, expect, test } from 'vitest';
import { savePlan } from '../../plans/plans.ts';
import { tokensOf } from '../../kernel/budget.ts';
import { useRefundBench } from '../../testing/refunds.ts';

const { shop, ask } = useRefundBench();
const NAME = 'run_deepResearchWorkflow';

interface Report {
  answer: string;
  findings: { claim: string; corpus: string; sources: number[]; confidence: string; corroboration: number }[];
  contradictions: { a: { claim: string; sources: number[] }; b: { claim: string; sources: number[] }; why: string }[];
  timeline: { date: string; claim: string; sources: number[] }[];
  sources: { n: number; id: string; kind: string; text: string }[];
  gaps: string[];
  actions: string[];
  confidence: string;
  run: { id: string; state: string; subquestions: string[] };
}

beforeAll(async () => {
  const { plans, account, addSignals } = shop.bench;
  await savePlan(plans, account, {
    text: '# Cards\n\n## Goal\n\nA refund arrives on the card within 5 days of the request.\n',
    actor: account.actor,
  });
  await addSignals([
    { text: 'A refund arrives on the card only within 9 days of the request', customer: 'Deli', source: 'mail' },
  ]);
});

async function research(question: string, more: Record<string, unknown> = {}): Promise<{ json: Report; text: string }> {
  const { json, text } = await ask(NAME, question, more);
  return { json: json as unknown as Report, text };
}

test('each part has an answer, findings cite sources of several corpora, and differing numbers are named', async () => {
  const question = 'Who calls issueRefund? When does a refund arrive on the card?';
  const { json, text } = await research(question);
  const quoted = (numbers: readonly number[]): string[] =>
    numbers.map((number) => json.sources.find(({ n }) => n === number)?.kind ?? '');

  expect(json.run).toMatchObject({ state: 'done', subquestions: question.split(/(?<=\?) /) });
  expect(json.answer).toMatch(/^On “Who calls issueRefund\?”:\nissueRefund is used 2 times .* \[1\]\.\nOn “When/);
  expect(json.findings[0]).toMatchObject({ corpus: 'code', confidence: 'high', sources: [1] });
  expect([...new Set(json.findings.map(({ corpus }) => corpus))]).toEqual(
    expect.arrayContaining(['code', 'plans', 'signals']),
  );
  const supported = json.findings.find(({ claim }) => claim.includes('within 5 days'));
  expect(supported).toMatchObject({ corpus: 'plans' });
  expect(supported?.corroboration).toBeGreaterThan(0);
  const [difference] = json.contradictions;
  expect(difference?.why).toBe('5 against 9 days');
  expect(quoted([...(difference?.a.sources ?? []), ...(difference?.b.sources ?? [])]).toSorted()).toEqual([
    'plan',
    'signal',
  ]);
  expect(text).toContain('Sources differ, 5 against 9 days');
  expect(json.timeline.map(({ date }) => date)).toEqual(json.timeline.map(({ date }) => date).toSorted());
  expect(json.gaps.join()).toMatch(/nothing fits in: .*changes of competitors/);
  expect(tokensOf(JSON.stringify(json))).toBeLessThanOrEqual(6_000);
});

test('a comment that answers is quoted with the line of code that it is about', async () => {
  const { json } = await research('What does the bank pay back once?', { corpora: ['code'] });

  expect(json.findings.map(({ claim }) => claim)).toContain(
    '// The bank pays a transfer back once, whatever is booked twice. const receipt = bookTransfer(order, cents);',
  );
});

test('corpora limit what is searched, and what is not there is a gap', async () => {
  const { json } = await research('How is a refund paid to the card?', { corpora: ['signals'] });
  const { json: nothing } = await research('How are zeppelins inflated?', { corpora: ['signals', 'plans'] });

  expect(new Set(json.sources.map(({ kind }) => kind))).toEqual(new Set(['signal']));
  expect(nothing).toMatchObject({ answer: 'Nothing was found.', sources: [], findings: [], confidence: 'low' });
  expect(nothing.gaps).toContain('nothing was found for “How are zeppelins inflated?”');
});

test('a text with less than a third of the words is about something else', async () => {
  const { json } = await research('Which refund voucher zeppelin telescope do customers need?', {
    corpora: ['signals'],
  });

  expect(json.sources).toEqual([]);
});

test('a run is read again by its id, and one that is none of research is refused', async () => {
  const { json } = await research('Who calls issueRefund?');
  const { json: again } = await ask(NAME, '', { run_id: json.run.id });

  expect(again).toEqual(json);
  await expect(ask(NAME, ' ?! ')).rejects.toMatchObject({ code: 'bad_argument' });
});
