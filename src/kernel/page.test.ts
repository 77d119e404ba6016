import { expect, test } from 'vitest';
import { cutPage, decodeCursor, encodeCursor, type PagedCall, pageOf } from './page.ts';

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

const call = (repositories: string[]): PagedCall => ({ args: { limit: 2 }, offset: 3, sources: { repositories } });

test('one repository gives the page itself, several give all rows up to its end', () => {
  expect(pageOf(call(['a']))).toEqual({ limit: 2, offset: 3 });
  expect(cutPage(call(['a']), [3, 4])).toEqual([3, 4]);
  expect(pageOf(call(['a', 'b']))).toEqual({ limit: 5, offset: 0 });
  expect(cutPage(call(['a', 'b']), [0, 1, 2, 3, 4, 5])).toEqual([3, 4]);
});
