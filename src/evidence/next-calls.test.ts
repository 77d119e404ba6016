import { expect, test } from 'vitest';
import type { Candidate } from './candidates.ts';
import { nextCalls } from './next-calls.ts';

const unit: Candidate = {
  repo: 'shop',
  path: 'src/mail.ts',
  start: 3,
  end: 9,
  symbol: 'send',
  kind: 'function',
  isSymbol: true,
  signature: 3,
  isTest: false,
  score: 1,
  lines: [],
};
const question = { text: 'Where is mail queued?', words: ['mail', 'queued'], names: [], absent: [] };
const callsFor = (repo: string | undefined, isOfSeveral: boolean) =>
  nextCalls({ question, best: unit, operation: 'ask_codeIntelligenceAgent', repo, isOfSeveral });

test('calls name the repository where several were asked or one was named', () => {
  expect(callsFor(undefined, false).map(({ args }) => args['repo'])).toEqual([undefined, undefined]);
  expect(callsFor(undefined, true)).toMatchObject([
    { operation: 'code-tool', args: { action: 'definition', query: 'src/mail.ts:3-9', repo: 'shop' } },
    { operation: 'code-tool', args: { action: 'usages', query: 'sym:send@src/mail.ts', repo: 'shop' } },
  ]);
  expect(callsFor('shop', false)).toMatchObject([{ args: { repo: 'shop' } }, { args: { repo: 'shop' } }]);
});
