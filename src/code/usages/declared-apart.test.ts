import { expect, test } from 'vitest';
import { withIndexed } from '../../testing/indexed-code.ts';
import { countFamilies } from './store-usages.ts';

const FILES = {
  'goods.h': 'int price(int id);\nint unused(void);\nint chosen(void);\n',
  'goods.c':
    '#include "goods.h"\nint price(int id) { return id; }\nint unused(void) { return 1; }\nstatic int local(void) { return 2; }\nint once(void) { return local(); }\n',
  'main.c': '#include "goods.h"\nint main(void) { return price(1) + chosen(); }\n',
  'other.c': 'static int local(void) { return 3; }\nint twice(void) { return local(); }\n',
  'windows.c': '#include "goods.h"\nint chosen(void) { return 1; }\n',
  'posix.c': '#include "goods.h"\nint chosen(void) { return 2; }\nint again(void) { return chosen(); }\n',
};

test('C: a function and its declaration count once, two static functions and two bodies of one name do not', () =>
  withIndexed(FILES, (db) => {
    const idsOf = (name: string): number[] =>
      db
        .prepare('select id from symbol where qualified = ? order by id')
        .all(name)
        .map((row) => Number(row['id']));

    expect(idsOf('price')).toHaveLength(2);
    expect(countFamilies(db, { symbols: idsOf('price') })).toBe(1);
    expect(idsOf('unused')).toHaveLength(2);
    expect(countFamilies(db, { symbols: idsOf('unused') })).toBe(1);
    expect(idsOf('local')).toHaveLength(2);
    expect(countFamilies(db, { symbols: idsOf('local') })).toBe(2);
    expect(idsOf('chosen')).toHaveLength(3);
    expect(countFamilies(db, { symbols: idsOf('chosen') })).toBeGreaterThan(1);
    expect(countFamilies(db, { symbols: [...idsOf('price'), ...idsOf('unused')] })).toBe(2);
  }));
