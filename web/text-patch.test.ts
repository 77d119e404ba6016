import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type DiffRow, readPatch, type Side } from './code/patch.ts';
import { textPatch } from './text-patch.ts';

const TEXT = Array.from({ length: 12 }, (_, at) => `line ${at + 1}`).join('\n');

test('a changed line is shown with three lines around it, under the numbers that it has', () => {
  const patch = textPatch(TEXT, TEXT.replace('line 6', 'line six'));

  expect(patch.split('\n')).toEqual([
    '@@ -3 +3 @@',
    ' line 3',
    ' line 4',
    ' line 5',
    '-line 6',
    '+line six',
    ' line 7',
    ' line 8',
    ' line 9',
  ]);
});

test('changes far from each other are apart, and the numbers after an added line are of each text', () => {
  const patch = textPatch(TEXT, `${TEXT.replace('line 1\n', 'line 1\nadded\n')}\nlast`);

  expect(patch.match(/^@@.*$/gm)).toEqual(['@@ -1 +1 @@', '@@ -10 +11 @@']);
});

test('texts that differ in nothing but the end of their last line have no patch', () => {
  expect(textPatch(TEXT, `${TEXT}\n`)).toBe('');
});

test('whatever the texts, the lines of a patch lead from one to the other', () => {
  const lines = fc.array(fc.constantFrom('a', 'b', 'c', '', '-x', '+y'), { maxLength: 30 });
  fc.assert(
    fc.property(lines, lines, (before, after) => {
      const rows = readPatch(textPatch(before.join('\n'), after.join('\n'))).map(sidesOf);

      const [old, now] = [linesBy(before), linesBy(after)];
      const [removed, added] = [rows.flatMap(({ removed: side }) => side), rows.flatMap(({ added: side }) => side)];
      const common = rows.flatMap(({ same }) => same);
      expect([...removed, ...common.map(({ before: line, text }) => ({ line, text }))]).toEqual(
        [...removed, ...common.map(({ before: line }) => ({ line }))].map(({ line }) => ({
          line,
          text: old[line - 1],
        })),
      );
      expect([...added, ...common.map(({ after: line, text }) => ({ line, text }))]).toEqual(
        [...added, ...common.map(({ after: line }) => ({ line }))].map(({ line }) => ({ line, text: now[line - 1] })),
      );
      expect(old.length - removed.length).toBe(now.length - added.length);
    }),
  );
});

interface Sides {
  removed: { line: number; text: string }[];
  added: { line: number; text: string }[];
  same: { before: number; after: number; text: string }[];
}

function sidesOf(row: DiffRow): Sides {
  const none: Sides = { removed: [], added: [], same: [] };
  if (row.kind === 'hunk') return none;
  if (row.kind === 'same') return { ...none, same: [row] };
  return { ...none, removed: linesOf(row.before), added: linesOf(row.after) };
}

function linesOf(side: Side | undefined): Sides['added'] {
  return side === undefined ? [] : [{ line: side.line, text: side.stretches.map(({ text }) => text).join('') }];
}

function linesBy(lines: readonly string[]): string[] {
  return lines.at(-1) === '' ? lines.slice(0, -1) : [...lines];
}
