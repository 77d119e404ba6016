import { expect, test } from 'vitest';
import { useRefundBench } from '../testing/refunds.ts';

const { shop, ask } = useRefundBench();

test('of several repositories the one of the first place answers, with what the question names in others', async () => {
  await shop.bench.addRepository('depot', {
    'src/parcel.ts': [
      '/** Sends the parcel of an order back to the depot that was charged with it. */',
      'export function returnParcel(order: string): string {',
      '  return `back ${order}`;',
      '}',
    ].join('\n'),
  });
  const question = 'How is the money of an order paid back to the card that was charged?';
  const [plain, naming] = [
    await ask('ask_codeIntelligenceAgent', question),
    await ask('ask_codeIntelligenceAgent', `${question} Is returnParcel called?`),
  ];

  expect(plain.json.answer).toContain('shop: src/refund.ts');
  expect(plain.json.answer).not.toContain('returnParcel');
  expect(naming.json.answer).toContain('returnParcel');
});
