import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readPatch } from './code/patch.ts';
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
      const rows = readPatch(textPatch(before.join('\n'), after.join('\n')));

      const [old, now] = [linesBy(before), linesBy(after)];
      for (const row of rows) {
        if (row.kind === 'hunk') continue;
        const sides =
          row.kind === 'same'
            ? [[old, row.before, row.text] as const, [now, row.after, row.text] as const]
            : [
                [old, row.before?.line, textOf(row.before)] as const,
                [now, row.after?.line, textOf(row.after)] as const,
              ];
        for (const [known, line, text] of sides) if (line !== undefined) expect(known[line - 1]).toBe(text);
      }
      const removed = rows.filter((row) => row.kind === 'change' && row.before !== undefined).length;
      const added = rows.filter((row) => row.kind === 'change' && row.after !== undefined).length;
      expect(old.length - removed).toBe(now.length - added);
    }),
  );
});

function linesBy(lines: readonly string[]): string[] {
  return lines.at(-1) === '' ? lines.slice(0, -1) : [...lines];
}

function textOf(side: { stretches: readonly { text: string }[] } | undefined): string {
  return (side?.stretches ?? []).map(({ text }) => text).join('');
}
