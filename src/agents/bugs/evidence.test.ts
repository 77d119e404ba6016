import { expect, test } from 'vitest';
import type { SuspectFile } from '../../code/code.ts';
import { evidenceOf } from './evidence.ts';

const FILE: SuspectFile = {
  path: 'src/mail.ts',
  likelihood: 0.5,
  parts: { defines: 1 },
  symbols: [],
  names: [],
  frames: [],
  literals: [],
};
const NOTHING = { commits: [] };

const said = (file: Partial<SuspectFile>): string[] =>
  evidenceOf({ ...FILE, ...file }, NOTHING).map(({ says }) => says);

test('a file defines what is called like the last part of a name, and not all that the name says; three are told', () => {
  expect(said({ names: ['Mailer.send', 'settings.retry', 'send'] })).toContain(
    'it defines send, retry, which the report names',
  );
  expect(said({ names: ['a.one', 'two', 'three', 'four'] })).toContain(
    'it defines one, two, three, which the report names',
  );
});

test('evidence is told from a twentieth of all that speaks for a file on, the heaviest first', () => {
  expect(evidenceOf({ ...FILE, parts: { text: 86, graph: 9, changed: 5 } }, NOTHING)).toMatchObject([
    { kind: 'text', weight: 0.86 },
    { kind: 'graph', weight: 0.09 },
    { kind: 'recent_change', weight: 0.05 },
  ]);
  expect(evidenceOf({ ...FILE, parts: { text: 96, changed: 4 } }, NOTHING)).toMatchObject([{ kind: 'text' }]);
  // What speaks against a file takes nothing from the shares of what speaks for it.
  expect(evidenceOf({ ...FILE, parts: { text: 1, graph: 1, beside: -8 } }, NOTHING)).toMatchObject([
    { weight: 0.5 },
    { weight: 0.5 },
  ]);
});

test('what a text says is quoted to its eightieth letter, with where else it stands', () => {
  const literals = [{ text: 'x'.repeat(81), line: 4, files: 3 }];
  const short = [{ text: 'y'.repeat(80), line: 4, files: 1 }];

  expect(said({ parts: { literal: 1 }, literals })).toEqual([
    `the text "${'x'.repeat(80)}…" stands there and in 2 more files`,
  ]);
  expect(said({ parts: { literal: 1 }, literals: short })).toEqual([
    `the text "${'y'.repeat(80)}" stands there and nowhere else`,
  ]);
});

test('of several texts the one in fewest files is told, and of those the longest', () => {
  const literals = [
    { text: 'no mail', line: 1, files: 2 },
    { text: 'no mail for this order', line: 2, files: 2 },
    { text: 'no mail for this order at all', line: 3, files: 3 },
  ];

  expect(said({ parts: { literal: 1 }, literals })).toEqual([
    'the text "no mail for this order" stands there and in one more file',
  ]);
});

test('fixes are told by the one that touched the file', () => {
  const fix = { sha: 'abcdef0123', subject: 'fix: lost mails', paths: ['src/mail.ts'] };
  const other = { ...fix, sha: '9999999999', paths: ['src/b.ts'] };
  const lent = { commits: [other, fix] };

  expect(evidenceOf({ ...FILE, parts: { fixes: 1 } }, lent)).toMatchObject([
    { kind: 'history', id: 'c:abcdef0', says: 'fixes with such words touched it, such as "fix: lost mails"' },
  ]);
  expect(evidenceOf({ ...FILE, parts: { history: 1 } }, NOTHING)).toMatchObject([
    { id: 'src/mail.ts:1', says: 'commits with such words touched it' },
  ]);
});

const placed = (symbol: string, line: number, end: number) => ({ symbol, kind: 'method', line, end, score: 1 });
const frameAt = (
  line: number | undefined,
  symbols: SuspectFile['symbols'],
  symbol: string | undefined = 'Queue.flush',
) => evidenceOf({ ...FILE, parts: { frame: 1 }, symbols, frames: [{ line, symbol, rank: 1 }] }, NOTHING)[0];

test('a frame stands at its line, or at the head of the one function of its name that has moved away from it', () => {
  const [flush, send] = [placed('Queue/flush(int)', 20, 29), placed('Queue/send', 40, 49)];

  expect([19, 20, 29, 30].map((line) => frameAt(line, [flush, send])?.id)).toEqual([
    'src/mail.ts:20',
    'src/mail.ts:20',
    'src/mail.ts:29',
    'src/mail.ts:20',
  ]);
  expect(frameAt(30, [flush, send])?.says).toBe(
    'frame 1 of this repository, in Queue.flush (line 30 of the trace is of another version)',
  );
  expect(frameAt(29, [flush, send])?.says).toBe('frame 1 of this repository, in Queue.flush');
  // Of two of its name nobody knows which is meant, and of a trace without lines the one is.
  expect(frameAt(30, [flush, placed('Other/flush', 50, 59)])?.id).toBe('src/mail.ts:30');
  expect(frameAt(30, [send])?.id).toBe('src/mail.ts:30');
  expect(frameAt(undefined, [flush, send])?.id).toBe('src/mail.ts:20');
  expect(frameAt(undefined, [flush, placed('Other/flush', 50, 59)])?.id).toBe('src/mail.ts:1');
});

test('names that the file uses count as words of it, and as names where it defines one', () => {
  expect(evidenceOf({ ...FILE, parts: { text: 1, names: 1 } }, NOTHING)).toMatchObject([{ weight: 1 }]);
  expect(evidenceOf({ ...FILE, parts: { text: 1, names: 1, defines: 2 }, names: ['send'] }, NOTHING)).toMatchObject([
    { weight: 0.75, says: 'it defines send, which the report names' },
    { weight: 0.25 },
  ]);
});
