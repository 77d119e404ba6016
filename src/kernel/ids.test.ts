import { assert, date, property } from 'fast-check';
import { expect, test } from 'vitest';
import { isUuid, uuidv7 } from './ids.ts';

test('an id is a version 7 UUID that holds its time', () => {
  assert(
    property(date({ min: new Date(0), max: new Date('9999-12-31T00:00:00Z'), noInvalidDate: true }), (now) => {
      const id = uuidv7(now);

      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      expect(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)).toBe(now.getTime());
      expect(isUuid(id)).toBe(true);
    }),
  );
});

test('an id of a later millisecond sorts after', () => {
  expect(uuidv7(new Date(1_700_000_000_000)) < uuidv7(new Date(1_700_000_000_001))).toBe(true);
});

test('ids of one millisecond differ', () => {
  const now = new Date(1_700_000_000_000);

  expect(new Set(Array.from({ length: 1000 }, () => uuidv7(now))).size).toBe(1000);
});

test.each(['', 'default', '0190b5b4-0000-7000-8000-00000000000', "0190b5b4-0000-7000-8000-000000000000'"])(
  '%j is not an id',
  (text) => {
    expect(isUuid(text)).toBe(false);
  },
);
