import { expect, test } from 'vitest';
import { tokensOf } from '../kernel/budget.ts';
import { REFUND_FILES, useRefundBench } from '../testing/refunds.ts';

const { shop, ask } = useRefundBench();
const AGENT = 'ask_codeIntelligenceAgent';

/** Fields of a brief that tests read. */
interface BriefJson {
  read: { names: string[]; words: string[]; absent: { word: string; nearest: string[] }[] };
  answer: string;
  sources: {
    n: number;
    id: string;
    kind: string;
    path?: string;
    lines?: string;
    symbol?: string;
    text: string;
    why: string[];
  }[];
  confidence: string;
  gaps: string[];
  next: string[];
  engine: string;
  looked_at: { calls: number; places: number };
}

async function brief(message: string, options = {}): Promise<{ json: BriefJson; text: string }> {
  const { json, text } = await ask(AGENT, message, options);
  return { json: json as unknown as BriefJson, text };
}

test('a question is answered by the lines that say most about it, read from the index at its commit', async () => {
  const { json, text } = await brief('How does issueRefund pay money back to the card that was charged?');

  expect(json).toMatchObject({ op: AGENT, repo: 'shop', confidence: 'high', engine: 'evidence', gaps: [] });
  expect(json.read).toMatchObject({ names: ['issueRefund'], absent: [] });
  expect(json.answer).toMatch(/^First: issueRefund, src\/refund\.ts:3 .*\[1\]\.$/);
  expect(json.sources[0]).toMatchObject({ n: 1, kind: 'code', path: 'src/refund.ts', symbol: 'issueRefund' });
  const code = json.sources.filter(({ kind }) => kind === 'code');
  expect(code.length).toBeGreaterThan(2);
  for (const { path = '', text: shown } of code)
    for (const line of shown.split('\n')) {
      const [, number = '', rest = ''] = /^(\d+) +(.*)$/.exec(line) ?? [];
      expect(REFUND_FILES[path as keyof typeof REFUND_FILES].split('\n')[Number(number) - 1]?.trim()).toBe(rest);
    }
  expect(text).toMatch(/^ask_codeIntelligenceAgent · shop@[0-9a-f]{7} main fresh · confidence high/);
  expect(text).toContain('\n[1] src/refund.ts:3-7 in issueRefund · is issueRefund; ');
  expect(text).toContain('\nnext: code-tool definition query="src/refund.ts:3-8" detail="body"');
});

test('who asks why gets commits with their messages, and who asks about a promise what people wrote', async () => {
  await shop.bench.commitAndIndex({
    files: { 'src/letter.ts': 'export function stripLetter(text: string): string {\n  return text.trim();\n}\n' },
    message: 'fix: strip letters before they are sealed\n\nSpaces at the end broke the seal in print.',
  });

  const why = await brief('Why are letters stripped before they are sealed?');
  const promise = await brief('How fast does a refund arrive on the card within a day?');

  expect(why.json.sources).toContainEqual(
    expect.objectContaining({ kind: 'commit', text: expect.stringContaining('Spaces at the end broke the seal') }),
  );
  expect(promise.json.sources.map(({ kind }) => kind)).toContain('plan');
});

test('words that occur nowhere are gaps, and the question can be asked again in words that do', async () => {
  const { json } = await brief('How does issueRefnd book a transfer?');

  expect(json.read.absent).toEqual([{ word: 'issueRefnd', nearest: ['issueRefund'] }]);
  expect(json.next[0]).toBe('ask_codeIntelligenceAgent message="How does issueRefund book a transfer?"');
  expect(json.gaps).toEqual(['occurs nowhere in the code: issueRefnd']);
});

test('a question about other code is said not to be answered here, with what comes nearest', async () => {
  const { json } = await brief('How does `GlyphRasterizer.hint` choose subpixel offsets for ligatures?');

  expect(json.confidence).toBe('low');
  expect(json.answer).toMatch(/^(?:Probably not in this index|Nothing in the index)/);
});

test('of several repositories all are read, and places say which they are in', async () => {
  await shop.bench.addRepository('depot', {
    'src/parcel.ts':
      '/** Sends the parcel of an order back to the depot. */\nexport function returnParcel(order: string): string {\n  return `back ${order}`;\n}\n',
  });

  const { json, text } = await brief('Which function sends the parcel of an order back to the depot?');

  expect(json.sources[0]).toMatchObject({ repo: 'depot', path: 'src/parcel.ts' });
  expect(text).toContain('\n[1] depot: src/parcel.ts:1-3 in returnParcel');
});

test('both forms keep to their budget and begin with the best source', async () => {
  for (const tokens of [300, 1500]) {
    const { json, text } = await brief('How does issueRefund pay money back?', { max_tokens: tokens });
    expect(tokensOf(text)).toBeLessThanOrEqual(tokens);
    expect(tokensOf(JSON.stringify(json))).toBeLessThanOrEqual(tokens);
    expect(json.sources[0]?.path).toBe('src/refund.ts');
  }
});

test('of places alike in several repositories those of a repository that the question names come first', async () => {
  await shop.bench.addRepository('annex', { 'src/refund.ts': REFUND_FILES['src/refund.ts'] });

  for (const repo of ['annex', 'shop']) {
    const { json } = await brief(`How does ${repo} pay the money of an order back to the card that was charged?`);
    expect(json.sources[0]).toMatchObject({ repo, path: 'src/refund.ts' });
  }
});

test('a message without words is refused', async () => {
  await expect(brief(' ?! ')).rejects.toMatchObject({ code: 'bad_argument' });
});
