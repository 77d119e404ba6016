import { expect, test } from 'vitest';
import { useRefundBench } from '../testing/refunds.ts';

const { ask } = useRefundBench();

async function answerOf(question: string): Promise<string> {
  const { json } = await ask('ask_codeIntelligenceAgent', question);
  return json.answer;
}

test.each([
  ['Who calls issueRefund?', /^issueRefund is used 2 times in 1 file: src\/shop\.ts:1,5 \[1\]\.$/],
  [
    'Does src/shop.ts depend on src/audit.ts?',
    /^src\/shop\.ts depends on src\/audit\.ts in 3 steps: src\/shop\.ts imports src\/refund\.ts; src\/refund\.ts imports src\/bank\.ts; src\/bank\.ts imports src\/audit\.ts .*\.\nsrc\/audit\.ts does not depend on src\/shop\.ts within 5 hops/,
  ],
  // An import of types alone is marked.
  ['Do src/audit.ts and src/bank.ts import each other?', /src\/audit\.ts imports src\/bank\.ts \(types only\)/],
  [
    'What breaks if I change bookTransfer?',
    /^A change of bookTransfer reaches \d+ places? within two hops, \d+ of them directly: issueRefund \(src\/refund\.ts\)/,
  ],
  ['Who implements Gateway?', /^Gateway has 1 implementation \(1 by extends\): CardGateway \(src\/gateway\.py:\d+\)/],
  [
    'Which files import lib/weather/forecast.ts?',
    /^1 file depends directly on lib\/weather\/forecast\.ts: lib\/garden\/water\.ts/,
  ],
  [
    'Are there circular imports?',
    /^No circle of imports at run time goes through the code; 1 more is closed by imports of types alone\.$/,
  ],
  ['Who owns src/refund.ts?', /^\d+ commits? of 1 author changed src\/refund\.ts, most first: /],
  ['Why has the transfer its own list of currencies?', /^(?!.*commits? of)/],
  ['Do the maintainers fix refunds that only fail on weekends?', /^(?!.*commits? of)/],
  // Two definitions of one name have a list each.
  ['Who uses `settle`?', /settle \(src\/gateway\.py\) is used[\s\S]*settle \(src\/gateway\.py\)/],
  ['Which tests cover waterBeds?', /^No use of waterBeds was found in tests/],
])('%s', async (question, answer) => {
  expect(await answerOf(question)).toMatch(answer);
});
