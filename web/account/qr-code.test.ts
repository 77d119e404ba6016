import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { QrCode } from './qr-code.tsx';

/** The light border of the standard. */
const BORDER = 4;
/** Modules on a side of version 1, which has one block of codewords and no alignment pattern. */
const SIZE = 21;
/** Bits that every format is exclusive-ored with, and its five bits that say something. */
const FORMAT_MASK = 0b101010000010010;
const LEVEL_M = 0b00;

type IsDark = (row: number, column: number) => boolean;

/** ISO/IEC 18004, table 10, in the order of their numbers. */
const MASKS: readonly ((row: number, column: number) => boolean)[] = [
  (row, column) => (row + column) % 2 === 0,
  (row) => row % 2 === 0,
  (_, column) => column % 3 === 0,
  (row, column) => (row + column) % 3 === 0,
  (row, column) => (Math.floor(row / 2) + Math.floor(column / 3)) % 2 === 0,
  (row, column) => ((row * column) % 2) + ((row * column) % 3) === 0,
  (row, column) => (((row * column) % 2) + ((row * column) % 3)) % 2 === 0,
  (row, column) => (((row + column) % 2) + ((row * column) % 3)) % 2 === 0,
];

/** Reads the picture as a scanner does: the dark modules, counted inside of the border. */
function look(markup: string): { width: number; isDark: IsDark } {
  const [, width = ''] = /viewBox="0 0 (\d+) \1"/.exec(markup) ?? [];
  const dark = new Set([...markup.matchAll(/M(\d+) (\d+)h1v1h-1z/g)].map(([, x, y]) => `${y} ${x}`));
  return { width: Number(width), isDark: (row, column) => dark.has(`${row + BORDER} ${column + BORDER}`) };
}

/** Fifteen bits beside the upper left corner. */
function formatOf(isDark: IsDark): number {
  let bits = 0;
  for (let index = 0; index < 15; index++) {
    const along = index < 6 ? index : index < 8 ? index + 1 : 8;
    const [row, column] = index < 8 ? [along, 8] : [8, index === 8 ? 7 : 14 - index];
    if (isDark(row, column)) bits |= 1 << index;
  }
  return (bits ^ FORMAT_MASK) >> 10;
}

const isFunction: IsDark = (row, column) =>
  row === 6 ||
  column === 6 ||
  (row < 9 && column < 9) ||
  (row < 9 && column >= SIZE - 8) ||
  (row >= SIZE - 8 && column < 9);

/** Reads a code of version 1 as a scanner does that saw no fault: mask off, bits in pairs of columns, mode, length, bytes. */
function read(isDark: IsDark): string {
  const mask = MASKS[formatOf(isDark) & 0b111];
  let bits = '';
  let isUpward = true;
  for (const right of [20, 18, 16, 14, 12, 10, 8, 5, 3, 1]) {
    for (let step = 0; step < SIZE; step++) {
      const row = isUpward ? SIZE - 1 - step : step;
      for (const column of [right, right - 1])
        if (!isFunction(row, column)) bits += isDark(row, column) === mask?.(row, column) ? '0' : '1';
    }
    isUpward = !isUpward;
  }
  expect(bits.slice(0, 4)).toBe('0100');
  const byteAt = (at: number): number => Number.parseInt(bits.slice(at, at + 8), 2);
  return new TextDecoder().decode(Uint8Array.from({ length: byteAt(4) }, (_, index) => byteAt(12 + index * 8)));
}

test.each(['svc', 'otpauth://', 'grün'])('%s is read back from the picture, at level M', (text) => {
  const { width, isDark } = look(renderToStaticMarkup(createElement(QrCode, { text, label: 'code' })));

  expect(width).toBe(SIZE + 2 * BORDER);
  expect(formatOf(isDark) >> 3).toBe(LEVEL_M);
  expect(read(isDark)).toBe(text);
});

test('the light border is four modules wide on each side', () => {
  const { width, isDark } = look(renderToStaticMarkup(createElement(QrCode, { text: 'svc', label: 'code' })));

  const lines = Array.from({ length: width }, (_, at) => at - BORDER);
  const dark = lines.flatMap((row) => lines.filter((column) => isDark(row, column)).map((column) => [row, column]));
  expect(Math.min(...dark.flat())).toBe(0);
  expect(Math.max(...dark.flat())).toBe(SIZE - 1);
});

test('the longest address of an authenticator has a code', () => {
  const text = `otpauth://totp/svc:${'x'.repeat(320)}?secret=${'A'.repeat(32)}&issuer=${'y'.repeat(80)}`;

  expect(look(renderToStaticMarkup(createElement(QrCode, { text, label: 'code' }))).width).toBeGreaterThan(SIZE);
});
