import { expect, test } from 'vitest';
import { decodeCursor, encodeCursor } from './page.ts';

const binding = { arguments: { query: 'sendMail', path: 'src/' }, generation: 'a1' };

test('a cursor continues where it was made', () => {
  expect(decodeCursor(binding, encodeCursor(binding, 40))).toBe(40);
});

test('no cursor is the first page', () => {
  expect(decodeCursor(binding, undefined)).toBe(0);
  expect(decodeCursor(binding, '')).toBe(0);
});

test('a cursor is refused after a new index, with other arguments, and when it is garbage', () => {
  const cursor = encodeCursor(binding, 40);

  expect(() => decodeCursor({ ...binding, generation: 'a2' }, cursor)).toThrowError(
    expect.objectContaining({ code: 'stale_cursor' }),
  );
  expect(() => decodeCursor({ ...binding, arguments: { query: 'send' } }, cursor)).toThrowError(
    expect.objectContaining({ code: 'bad_argument' }),
  );
  expect(() => decodeCursor(binding, 'garbage')).toThrowError(expect.objectContaining({ code: 'bad_argument' }));
});
