import { expect, test } from 'vitest';
import { marksByLine, smellText } from './smells.ts';

const row = {
  path: 'a.ts',
  line: 10,
  end: 40,
  symbol: 'send',
  smell: 'complexity',
  value: 28,
  threshold: 15,
  score: 1.87,
};

test('a smell says what was measured and from where on it smells', () => {
  expect(smellText(row)).toBe('Cognitive complexity 28 (threshold 15)');
  expect(smellText({ ...row, smell: 'large_file', value: 1200, threshold: 750 })).toBe(
    '1,200 lines of code in the file (threshold 750)',
  );
  // A smell that a newer service reports.
  expect(smellText({ ...row, smell: 'odd_name', value: 3, threshold: 1 })).toBe('odd name 3 (threshold 1)');
});

test('smells that begin on one line are one mark, as severe as the worst of them', () => {
  const marks = marksByLine([
    row,
    { ...row, smell: 'deep_nesting', value: 10, threshold: 4, score: 2.5, end: 30 },
    { ...row, line: 50, end: 60, score: 1.99 },
  ]);

  expect([...marks]).toEqual([
    [
      10,
      { text: 'Cognitive complexity 28 (threshold 15); 10 levels of nesting (threshold 4)', end: 40, isSevere: true },
    ],
    [50, { text: 'Cognitive complexity 28 (threshold 15)', end: 60, isSevere: false }],
  ]);
});
