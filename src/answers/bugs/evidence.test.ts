import { expect, test } from 'vitest';
import type { SuspectFile, SuspectFunction } from '../../code/code.ts';
import { fileEvidence, functionEvidence } from './evidence.ts';

const FILE: SuspectFile = {
  path: 'src/mail.ts',
  score: 1,
  likelihood: 0.5,
  parts: {},
  names: [],
  frames: [],
  literals: [],
};
const FLUSH: SuspectFunction = {
  symbol: 'Queue/flush(int)',
  kind: 'method',
  line: 20,
  end: 29,
  score: 1,
  parts: {},
  best: undefined,
  file: FILE,
};
const FIX = { sha: 'abcdef0123', subject: 'fix: lost mails', paths: ['src/mail.ts'] };

test('weights are shares of all that speaks for a suspect, the heaviest first, from a twentieth on', () => {
  const shares = fileEvidence({ ...FILE, parts: { words: 86, together: 9, changed: 5 } }, []);
  const cut = fileEvidence({ ...FILE, parts: { words: 96, changed: 4 } }, []);

  expect(shares).toMatchObject([
    { kind: 'text', weight: 0.86 },
    { kind: 'coupling', weight: 0.09 },
    { kind: 'recent_change', weight: 0.05 },
  ]);
  expect(cut).toMatchObject([{ kind: 'text', weight: 0.96 }]);
});

test('a function has the words of its best lines, and three quarters of the history of its file', () => {
  const file: SuspectFile = { ...FILE, parts: { messages: 1, fixes: 1, words: 9 } };
  const best = { line: 24, words: ['retryAfter', 'limit'] };

  expect(functionEvidence({ ...FLUSH, file, best, parts: { words: 1, name: 0.5, lines: 1 } }, [FIX])).toEqual([
    { kind: 'text', id: 'src/mail.ts:24', weight: 0.63, says: 'words of the report: retryAfter, limit' },
    { kind: 'history', id: 'c:abcdef0', weight: 0.38, says: 'fixed by "fix: lost mails"' },
  ]);
});

test('a fix is cited for the files that it changed, and a file without one has its own messages', () => {
  const parts = { fixes: 1 };

  expect(fileEvidence({ ...FILE, parts }, [{ ...FIX, paths: ['src/b.ts'] }, FIX])[0]?.id).toBe('c:abcdef0');
  expect(fileEvidence({ ...FILE, parts }, [])[0]).toMatchObject({ kind: 'history', id: 'src/mail.ts:1' });
});

const frameAt = (line: number | undefined, symbol: string | undefined = 'Queue.flush') =>
  functionEvidence({ ...FLUSH, parts: { frame: 7 }, file: { ...FILE, frames: [{ line, symbol, rank: 1 }] } }, [])[0];

test('a frame is at its line, or at the head of its function where that has moved away from it', () => {
  expect([19, 20, 29, 30].map((line) => frameAt(line)?.id)).toEqual([
    'src/mail.ts:20',
    'src/mail.ts:20',
    'src/mail.ts:29',
    'src/mail.ts:20',
  ]);
  expect(frameAt(30)?.says).toBe(
    'frame 1 of this repository, in Queue.flush (line 30 of the trace is of another version)',
  );
  expect(frameAt(29)?.says).toBe('frame 1 of this repository, in Queue.flush');
  expect(frameAt(undefined)?.id).toBe('src/mail.ts:20');
});

test('of several texts the one in fewest files is cited, and of those the longest', () => {
  const literals = [
    { text: 'no mail', line: 21, files: 2 },
    { text: 'no mail for this order', line: 22, files: 2 },
    { text: 'no mail for this order at all', line: 23, files: 3 },
    { text: 'elsewhere in the file', line: 90, files: 1 },
  ];
  const parts = { literal: 1.5 };
  const file = { ...FILE, parts, literals };

  expect(functionEvidence({ ...FLUSH, parts, file }, [])[0]).toMatchObject({
    id: 'src/mail.ts:22',
    says: 'has the text "no mail for this order", which is in 1 more file',
  });
  expect(fileEvidence(file, [])[0]).toMatchObject({
    id: 'src/mail.ts:90',
    says: 'has the text "elsewhere in the file", which is nowhere else',
    isOnly: true,
  });
  expect(fileEvidence({ ...file, literals: [{ text: 'x'.repeat(81), line: 1, files: 1 }] }, [])[0]?.says).toContain(
    `"${'x'.repeat(80)}…"`,
  );
});

test('identifiers name what the file defines by the last part of each name, three at most', () => {
  const names = ['Mailer.send', 'settings.retry', 'send', 'four', 'five'];

  expect(fileEvidence({ ...FILE, names, parts: { identifiers: 1 } }, [])[0]?.says).toBe(
    'defines send, retry, four, which the report names',
  );
});
