import { expect, test } from 'vitest';
import { CLEAR_LINE, terminalText } from './command.ts';
import { table } from './table.ts';

test('a cell makes up no row, and widths are those of what is shown', () => {
  expect(
    table(
      ['NAME', 'STATE'],
      [
        ['a\nFORGED  ready', 'x'],
        ['b', '\u001B[31mred'],
      ],
    ),
  ).toBe(
    ['NAME              STATE', String.raw`a\nFORGED  ready  x`, String.raw`b                 \u001b[31mred`].join(
      '\n',
    ),
  );
});

test('a terminal obeys line feeds, tabs and the end of a progress line, and nothing from within a text', () => {
  expect(terminalText(`${CLEAR_LINE}shop ${CLEAR_LINE}\u0007\n`)).toBe(
    `${CLEAR_LINE}shop ${String.raw`\u000d\u001b[2K\u0007`}\n`,
  );
});
