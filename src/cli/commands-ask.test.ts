import { expect, test } from 'vitest';
import { answerText } from './commands-ask.ts';

test('an answer is shown with its sources, and nothing in them reaches the terminal raw', () => {
  const text = answerText({
    answer: '`send` calls it [1].\n\nIt waits [2].',
    sources: [
      { n: 1, id: 'src/a.ts:3-4', path: 'src/a.ts', title: 'send', quote: 'one\n\u001B[2Jtwo' },
      { n: 2, id: 'doc:9', path: 'docs/a.md', quote: 'It waits.' },
    ],
    confidence: 'high',
    gaps: ['no decision fits'],
    engine: 'deterministic',
    next: ['code-tool usages query="send"'],
  });

  expect(text.split('\n')).toEqual([
    '`send` calls it [1].',
    '',
    'It waits [2].',
    '',
    '[1] src/a.ts:3-4 send',
    '    one',
    String.raw`    \u001b[2Jtwo`,
    '[2] docs/a.md',
    '    It waits.',
    '',
    'Not known:',
    '- no decision fits',
    '',
    'Next:',
    '- code-tool usages query="send"',
    '',
    'Confidence: high (deterministic)',
  ]);
});
