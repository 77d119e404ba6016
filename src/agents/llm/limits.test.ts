import { expect, test } from 'vitest';
import { tokensOf } from '../../kernel/budget.ts';
import { calls, callsHaving, fails, modelServer, says, saysWithoutUsage } from '../../testing/model-server.ts';
import { scriptedTools } from '../../testing/scripted-tools.ts';
import { Ledger } from '../ledger/ledger.ts';
import { answerWithModel } from './answer-with-model.ts';
import { modelTools } from './model-tools.ts';

type Replies = Parameters<typeof modelServer>[0];

/** Has a scripted model answer from one piece of evidence; `price` is of a million tokens read. */
async function answer(replies: Replies, { price = 0, mostCost = Infinity } = {}) {
  const { provider, requests } = await modelServer(replies);
  const { tools } = scriptedTools(() => []);
  const ledger = new Ledger();
  ledger.add({ id: 'src/mail.ts:1', kind: 'code', repo: 'shop', text: 'send' });
  const spending: number[] = [];
  const given = answerWithModel(
    { ...provider, price: { input: price, output: 0 } },
    {
      question: 'How are mails sent?',
      composed: { paragraphs: [], gaps: [], next: [] },
      ledger,
      tools,
      mostCost,
      record: async ({ inputTokens }) => void spending.push(inputTokens),
      signal: new AbortController().signal,
    },
  );
  const told = await given.then(
    ({ paragraphs }) => paragraphs.flatMap(({ sentences }) => sentences.map(({ text }) => text)).join(' '),
    (error: Error) => `failed: ${error.message}`,
  );
  return { told, requests, spending };
}

const asks = { name: 'code_tool', args: { action: 'map' } };
const times = (count: number, reply: Replies[number]): Replies => Array.from({ length: count }, () => reply);

test('a model has eight rounds, in the last of which it can only answer', async () => {
  const { told, requests } = await answer([...times(7, calls(asks)), says('They are sent [1].')]);
  const offered = requests.map(({ tools = [] }) => tools.map(({ function: { name } }) => name));

  expect(told).toBe('They are sent.');
  expect(requests).toHaveLength(8);
  expect(offered[6]).toContain('code_tool');
  expect(offered[7]).toEqual(['answer']);
  expect((await answer(times(9, calls(asks)))).requests).toHaveLength(8);
});

const offeredIn = async (replies: Replies, spending: Parameters<typeof answer>[1] = {}): Promise<boolean[]> => {
  const { requests } = await answer(replies, spending);
  return requests.map(({ tools = [] }) => tools.length > 1);
};

const asksTwice = (tokens = 100): Replies => [callsHaving(tokens, asks), calls(asks), says('So [1].')];

test('a model can only answer in a round that would be its last by what it reads or costs', async () => {
  expect(await offeredIn(asksTwice(29_999))).toEqual([true, true, true]);
  expect(await offeredIn(asksTwice(30_000))).toEqual([true, false, true]);
  expect(await offeredIn(asksTwice(), { price: 10_000, mostCost: 3.1 })).toEqual([true, true, true]);
  expect(await offeredIn(asksTwice(), { price: 10_000, mostCost: 2.1 })).toEqual([true, true, false]);
});

const rounds = async (...read: number[]) => {
  const { requests, spending } = await answer([...read.map((tokens) => callsHaving(tokens, asks)), says('So [1].')]);
  return [requests.length, spending[0]];
};

test('no round begins once more than 60,000 tokens were read, and what was read is recorded', async () => {
  expect(await rounds(30_000, 30_000)).toEqual([3, 60_100]);
  expect(await rounds(30_000, 30_001)).toEqual([2, 60_001]);
});

const paidRounds = async (mostCost: number): Promise<number> => {
  const { requests } = await answer([calls(asks), calls(asks), says('So [1].')], { price: 10_000, mostCost });
  return requests.length;
};

test('no round begins once what a key may spend is spent, and none without money', async () => {
  // A round costs 1.
  expect([await paidRounds(2.1), await paidRounds(2), await paidRounds(1), await paidRounds(0)]).toEqual([3, 2, 1, 0]);
});

test('what a model took is estimated by its text where the service does not say it', async () => {
  const { spending, requests } = await answer([saysWithoutUsage('They are sent [1].')]);
  const asked = (requests[0]?.messages ?? []).map(({ content }) => content).join('');

  expect(spending).toEqual([tokensOf(asked)]);
});

const said = async (cited: number, all: number): Promise<string> =>
  (await answer([says(Array.from({ length: all }, (_, at) => `It is sent${at < cited ? ' [1]' : ''}.`).join(' '))]))
    .told;

test('half of what a model says must cite evidence', async () => {
  expect(await said(1, 2)).toBe('It is sent. It is sent.');
  expect(await said(4, 9)).toBe('failed: most of what it said had no source');
});

test('a busy model is asked twice more, and writes 1,500 tokens a round at most', async () => {
  const busy = fails(429, { 'retry-after-ms': '1' });
  const { told, requests } = await answer([busy, busy, says('They are sent [1].')]);

  expect(told).toBe('They are sent.');
  expect(requests[0]).toMatchObject({ max_tokens: 1_500 });
  expect((await answer([busy, busy, busy])).told).toBe('failed: it answered with status 429');
});

test('a tool shows a model eight rows, 1,200 characters of each in whole lines', async () => {
  const body = `${'x'.repeat(99)}\n`.repeat(13);
  const rows = Array.from({ length: 10 }, (_, at) => ({ path: `src/${at}.ts`, start: 1, body }));
  const { tools, asked } = scriptedTools(() => rows);
  const ledger = new Ledger();
  const { code_tool: code } = modelTools(tools, ledger);
  await code?.execute?.({ action: 'map' }, { toolCallId: '1', messages: [], context: {} });

  expect(asked[0]?.args).toMatchObject({ limit: 8, detail: 'body' });
  expect(ledger.entries).toHaveLength(8);
  expect(ledger.entries[0]).toMatchObject({ id: 'src/0.ts:1-12', lines: { start: 1, end: 12 } });
});

test('of what a model writes 300 words are told, and behind them each sentence with evidence that they do not cite', async () => {
  const ledger = new Ledger();
  const [first, second] = ['send', 'post'].map((text) =>
    ledger.add({ id: `src/${text}.ts:1`, kind: 'code', repo: 'shop', text }),
  );
  if (first === undefined || second === undefined) throw new Error('Both are added.');
  const sentences = [
    { text: 'It sends.', sources: [first] },
    { text: 'It sends and posts.', sources: [first, second] },
  ];
  const { provider } = await modelServer([
    says(`${'It sends mail [1]. '.repeat(50)}${'It sends mail [2]. '.repeat(50)}Last it posts [2].`),
  ]);
  const { tools } = scriptedTools(() => []);
  const { paragraphs } = await answerWithModel(provider, {
    question: 'How are mails sent?',
    composed: { paragraphs: [{ sentences }], gaps: [], next: [] },
    ledger,
    tools,
    mostCost: Infinity,
    record: async () => undefined,
    signal: new AbortController().signal,
  });
  const [written, left] = paragraphs.map((paragraph) => paragraph.sentences.map(({ text }) => text));

  expect(written?.join(' ').split(' ')).toHaveLength(300);
  expect(left).toEqual(['The index also has:', 'It sends and posts.']);
});
