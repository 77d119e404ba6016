import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { bugText, readReport } from './commands-bug.ts';
import { testFolder } from '../testing/git.ts';

test('an analysis is shown with why, and nothing in it reaches the terminal raw', () => {
  const text = bugText({
    suspects: [
      {
        path: 'src/mail.ts',
        symbol: 'Mailer/send',
        lines: [3, 9],
        score: 0.671,
        evidence: [{ kind: 'frame', id: 'src/mail.ts:4', says: 'frame 1 of this repository' }],
      },
      { path: 'src/mail.ts', symbol: '', lines: [1, 1], score: 1, evidence: [] },
    ],
    suspect_commits: [
      {
        sha: '1234567890',
        subject: 'send \u001B[2J',
        author: 'Ada',
        date: '2026-01-01',
        why: 'wrote 2 of the 7 lines',
      },
    ],
    hypotheses: [{ statement: 'It waits.', probability: 0.671, against: ['no test'], test: 'Run it.' }],
    similar_fixes: [{ id: 'c:abcdef1', subject: 'fix: wait', date: '2026-01-02' }],
    plan: { steps: ['Reproduce it.'] },
    coverage: { gaps: ['no trace'] },
    run: { id: 'run:7', state: 'done', stage: '', pct: 100 },
  });

  expect(text.split('\n').filter((line) => line !== '')).toEqual([
    'Functions',
    '  0.67 src/mail.ts:3 Mailer/send',
    '      frame 1 of this repository (src/mail.ts:4)',
    'Files',
    '  1.00 src/mail.ts',
    'Commits',
    String.raw`  1234567 2026-01-01 Ada: send \u001b[2J (wrote 2 of the 7 lines)`,
    'Hypotheses',
    '   67% It waits.',
    '      against: no test',
    '      Run it.',
    'Similar fixes',
    '  c:abcdef1 2026-01-02 fix: wait',
    'Plan',
    '  1. Reproduce it.',
    'Not known',
    '  no trace',
    expect.stringContaining('bug --run run:7') as string,
  ]);
});

test('an analysis that was cancelled says so', () => {
  expect(bugText({ run: { id: 'run:7', state: 'cancelled', stage: '', pct: 33 } })).toBe('run:7 was cancelled.');
});

test('a report is a file, or the words themselves; one word that is no file is an error', () => {
  const folder = testFolder();
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'the report.txt'), 'Mails are lost.');

  expect(readReport(folder, 'the report.txt')).toBe('Mails are lost.');
  expect(readReport(folder, 'Mails are sent twice.')).toBe('Mails are sent twice.');
  expect(() => readReport(folder, 'report.txt')).toThrow('report.txt cannot be read.');
  expect(() => readReport(folder, undefined)).toThrow('There is no report.');
});
