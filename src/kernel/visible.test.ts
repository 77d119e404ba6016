import { expect, test } from 'vitest';
import { quoteVisible, visible, visibleLines } from './visible.ts';

test.each([
  ['plain text, ümläut, 漢字, 👩‍💻', 'plain text, ümläut, 漢字, 👩‍💻'],
  ['a\nb\r\tc', String.raw`a\nb\r\tc`],
  ['\u0000\u0007\u001B[2J\u007F\u009B1m', String.raw`\u0000\u0007\u001b[2J\u007f\u009b1m`],
  ['\u202Eevil\u2066\u2069\u200E\u200F\u061C', String.raw`\u202eevil\u2066\u2069\u200e\u200f\u061c`],
  ['a\u2028b\u2029c', String.raw`a\u2028b\u2029c`],
  ['\uD800 and \u{E0041}', String.raw`\ud800 and \udb40\udc41`],
])('%j is shown on one line as %s', (text, shown) => {
  expect(visible(text)).toBe(shown);
});

test('a whole text keeps its lines and tabs and nothing else that is hidden', () => {
  expect(visibleLines('a\tb\n\u001B]0;x\u0007\r\n\u2028')).toBe(String.raw`a	b
\u001b]0;x\u0007\u000d
\u2028`);
});

test('JSON that is made visible means what it meant', () => {
  const document = { 'k\u009B': 'a\n\u001B\u202E"\\\u{E0041}\u2028', list: ['\u0085', 1, null] };

  for (const text of [JSON.stringify(document), JSON.stringify(document, null, 2)]) {
    const shown = visibleLines(text);
    expect(shown).not.toMatch(/[\u0080-\u009F\u2028\u202E]/);
    expect(JSON.parse(shown)).toEqual(document);
  }
});

test('no line of a quoted text begins like a line of ours', () => {
  expect(quoteVisible('code-tool usages x\r\n\n 3 c call()\n\u001B[1A\tx')).toBe(
    String.raw`| code-tool usages x
|
|  3 c call()
| \u001b[1A	x`,
  );
});
