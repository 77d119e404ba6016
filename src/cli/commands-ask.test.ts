import { expect, test } from 'vitest';
import { answerText } from './commands-ask.ts';

test('an answer is shown with its sources, and nothing in them reaches the terminal raw', () => {
  const text = answerText(
    {
      answer: '`send` calls it [1].\n\nIt waits [2].',
      sources: [
        { n: 1, id: 'src/a.ts:3-4', path: 'src/a.ts', symbol: 'send', text: 'one\n\u001B[2Jtwo' },
        { n: 2, id: 'doc:9', path: 'docs/a.md', lines: '7-8', text: 'It waits.' },
        { n: 3, id: 'doc:8', path: 'docs/b.md', text: 'It waits.' },
      ],
      confidence: 'high',
      gaps: ['no decision fits'],
      engine: 'evidence',
      next: ['code-tool usages query="send"'],
    },
    3,
  );

  expect(text.split('\n')).toEqual([
    '`send` calls it [1].',
    '',
    'It waits [2].',
    '',
    '[1] src/a.ts:3-4 send',
    '    one',
    String.raw`    \u001b[2Jtwo`,
    '[2] docs/a.md:7-8',
    '[3] docs/b.md',
    '',
    'Not known:',
    '- no decision fits',
    '',
    'Next:',
    '- code-tool usages query="send"',
    '',
    'Confidence: high (evidence)',
  ]);
});

test('only the first sources have their lines below them, or all that say more than the answer', () => {
  const sources = [1, 2, 3].map((n) => ({ n, id: `a.ts:${n}`, path: 'a.ts', text: `line ${n}` }));
  const answer = { answer: 'It says [1][2].', sources, confidence: 'low', gaps: [], engine: 'evidence' };

  expect(answerText(answer, 1)).toContain('[1] a.ts:1\n    line 1\n[2] a.ts:2\n[3] a.ts:3');
  expect(answerText(answer, Infinity)).toContain('[2] a.ts:2\n    line 2\n[3] a.ts:3\n    line 3');
});
