import { expect, test } from 'vitest';
import { withIndexed } from '../../testing/indexed-code.ts';
import { findCycles } from './import-cycles.ts';
import { DEFAULT_THRESHOLDS, readThresholds, SMELLS } from './smell-thresholds.ts';
import { smells, type SmellSearch } from './store-smells.ts';

const SEARCH: SmellSearch = { limit: 50, offset: 0, thresholds: DEFAULT_THRESHOLDS };
const COPY = Array.from({ length: 12 }, (_, at) => `  total += price(items[${at}], rate) * ${at};`).join('\n');

const FILES = {
  'src/deep.ts': `export function deep(list: number[][][]): number {
  let found = 0;
  for (const a of list) {
    if (a.length > 1) {
      for (const b of a) {
        if (b.length > 2) {
          for (const c of b) {
            if (c > 3 && c < 9) found += c;
          }
        }
      }
    }
  }
  return found;
}
`,
  'src/long.ts': `export function long(): void {\n${'  // why\n  step();\n'.repeat(90)}}\n`,
  'src/parameters.py': 'def many(a, b, c, d, e, f):\n    return a\n',
  'src/one.ts': `import './two.ts';\nexport function sum(items: number[], rate: number): number {\n  let total = 0;\n${COPY}\n  return total;\n}\n`,
  'src/two.ts': `import './three.ts';\nexport function other(items: number[], rate: number): number {\n  let total = 1;\n  log(rate);\n${COPY}\n  return -total;\n}\n`,
  'src/three.ts': "import './one.ts';\n",
  'src/large.test.ts': 'check();\n'.repeat(800),
  'src/god.ts': `export class God {\n${Array.from({ length: 21 }, (_, at) => `  m${at}(): void {\n${'    step();\n'.repeat(24)}  }\n`).join('')}}\n`,
  'src/made.ts': `// @generated\nexport function made(): void {\n${'  step();\n'.repeat(200)}}\n`,
};

test('tells what smells, the worst first, with value, threshold and where', () =>
  withIndexed(FILES, (db) => {
    const { total, bySmell, rows } = smells(db, SEARCH);

    expect(
      rows.map(({ path, line, end, symbol, smell, value }) => `${smell} ${value} ${symbol}@${path}:${line}-${end}`),
    ).toEqual([
      expect.stringMatching(/^duplicate 1[0-9]{2} sum@src\/one\.ts:[3-5]-1[5-8]$/),
      'deep_nesting 6 deep@src/deep.ts:1-15',
      'cycle 3 @src/one.ts:1-1',
      'complexity 22 deep@src/deep.ts:1-15',
      'many_parameters 6 many@src/parameters.py:1-2',
      'long_function 92 long@src/long.ts:1-182',
      'large_file 800 @src/large.test.ts:1-800',
      'god_class 21 God@src/god.ts:1-548',
    ]);
    expect(total).toBe(8);
    expect(bySmell).toMatchObject({ duplicate: 1, god_class: 1 });
    expect(rows[0]?.other).toMatchObject({ path: 'src/two.ts' });
    expect(rows[3]).toMatchObject({ threshold: 15, score: 1.47, cyclomatic: 8 });
    expect(rows[2]?.files).toEqual(['src/one.ts', 'src/three.ts', 'src/two.ts']);
    expect(smells(db, { ...SEARCH, tests: 'exclude' }).total).toBe(7);
    expect(smells(db, { ...SEARCH, path: 'src/deep.ts' }).total).toBe(2);
    expect(smells(db, { ...SEARCH, smells: ['cycle'] }).total).toBe(1);
    expect(smells(db, { ...SEARCH, limit: 2, offset: 1 }).rows.map(({ smell }) => smell)).toEqual([
      'deep_nesting',
      'cycle',
    ]);
  }));

const entries = (name: string): string =>
  `export const ${name} = {\n${Array.from({ length: 900 }, (_, at) => `  key${at}: 'Text ${at}',`).join('\n')}\n};\n`;

test('what Python imports for type checkers alone closes no circle at run time', () =>
  withIndexed(
    {
      'shop/__init__.py': 'from .cart import Cart\n',
      'shop/cart.py':
        'from __future__ import annotations\nfrom typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n    from .order import Order\n\nclass Cart:\n    def pay(self, order: Order): pass\n',
      'shop/order.py': 'from shop.cart import Cart\n\nclass Order:\n    cart = Cart()\n',
      'shop/bill.py': 'from shop.mail import send\n\ndef bill(): send()\n',
      'shop/mail.py':
        'import typing\n\nif typing.TYPE_CHECKING:\n    import os\nfrom shop.bill import bill\n\ndef send(): bill()\n',
    },
    (db) => {
      const { rows, ofTypes } = smells(db, { ...SEARCH, smells: ['cycle'] });

      expect(rows.map(({ files }) => files)).toEqual([['shop/bill.py', 'shop/mail.py']]);
      expect(ofTypes).toEqual([['shop/cart.py', 'shop/order.py']]);
      expect(smells(db, { ...SEARCH, smells: ['cycle'], path: 'shop/bill.py' }).ofTypes).toEqual([]);
      expect(smells(db, { ...SEARCH, smells: ['complexity'] }).ofTypes).toEqual([]);
    },
  ));

test('modules of data and of snapshots do not smell, however large or alike they are', () => {
  const snapshot = `// Vitest Snapshot v1\n\n${'exports.a();\n'.repeat(900)}`;

  return withIndexed({ 'de.ts': entries('de'), 'at.ts': entries('at'), 'page.shot.ts': snapshot }, (db) => {
    expect(smells(db, SEARCH)).toMatchObject({ total: 0, rows: [] });
  });
});

test('settings move thresholds', () =>
  withIndexed(FILES, (db) => {
    const thresholds = readThresholds('complexity=30, many_parameters=6,duplicate=1000');

    expect(thresholds.long_function).toBe(DEFAULT_THRESHOLDS.long_function);
    expect(smells(db, { ...SEARCH, thresholds }).bySmell).toEqual({
      cycle: 1,
      deep_nesting: 1,
      god_class: 1,
      large_file: 1,
      long_function: 1,
    });
  }));

test('a block that is copied within a file, or three times, is told once a copy', () =>
  withIndexed(
    {
      'a.ts': `function a1() {\n${COPY}\n}\nfunction a2() {\n${COPY}\n}\n`,
      'b.ts': `function b1() {\n${COPY}\n}\n`,
      'short.ts': `const list = [${'1, 2, 3, 4, '.repeat(40)}];\nconst again = [${'1, 2, 3, 4, '.repeat(40)}];\n`,
    },
    (db) => {
      const { rows } = smells(db, { ...SEARCH, smells: ['duplicate'] });

      expect(rows.map(({ path, symbol, other }) => `${path} ${symbol} ${other?.path}`).toSorted()).toEqual([
        'a.ts a1 a.ts',
        'a.ts a1 b.ts',
      ]);
    },
  ));

test('asked for one by one, smells are the same as asked for all at once', () =>
  withIndexed(FILES, (db) => {
    const all = smells(db, SEARCH).rows;
    const alone = SMELLS.flatMap((smell) => smells(db, { ...SEARCH, smells: [smell] }).rows);
    expect(
      alone.toSorted(
        (a, b) => all.findIndex(({ smell }) => smell === a.smell) - all.findIndex(({ smell }) => smell === b.smell),
      ),
    ).toEqual(all);
    const two = smells(db, { ...SEARCH, smells: ['complexity', 'duplicate'] }).rows;
    expect(two).toEqual(all.filter(({ smell }) => smell === 'complexity' || smell === 'duplicate'));
  }));

test.for<[edges: Record<number, number[]>, cycles: number[][]]>([
  [{ 0: [1], 1: [2], 2: [] }, []],
  [{ 0: [0] }, []],
  [
    { 0: [1], 1: [0], 2: [0, 3], 3: [2] },
    [
      [0, 1],
      [2, 3],
    ],
  ],
  [{ 3: [1], 1: [2], 2: [3, 0] }, [[1, 2, 3]]],
])('cycles of %j are %j', ([edges, cycles]) => {
  expect(findCycles(4, (node) => edges[node] ?? [])).toEqual(cycles);
});

test('what files take from others is no duplicate, however long the list', () => {
  const names = Array.from({ length: 30 }, (_, at) => `  name${at},`).join('\n');
  const uses = Array.from({ length: 12 }, (_, at) => `import com.shop.parts.Part${at};`).join('\n');
  const head = `import './start.ts';\nimport {\n${names}\n} from './names.ts';\n`;
  return withIndexed(
    {
      'a.ts': `${head}export const a = name1;\n`,
      'b.ts': `${head}export const b = name2;\n`,
      'A.java': `package com.shop;\n\n${uses}\n\nclass A {}\n`,
      'B.java': `package com.shop;\n\n${uses}\n\nclass B {}\n`,
      'c.ts': `export function c(items: number[], rate: number): number {\n  let total = 0;\n${COPY}\n  return total;\n}\n`,
      'd.ts': `export function d(items: number[], rate: number): number {\n  let total = 1;\n${COPY}\n  return total;\n}\n`,
    },
    (db) => {
      const { rows } = smells(db, { ...SEARCH, smells: ['duplicate'] });
      expect(rows.map(({ path, other }) => [path, other?.path])).toEqual([['c.ts', 'd.ts']]);
    },
  );
});

const longFunction = (name: string, lines: number): string =>
  `export function ${name}(): void {\n${'  step();\n'.repeat(lines - 2)}}\n`;
const classOf = (name: string, methods: number, lines: number): string =>
  `export class ${name} {\n${Array.from({ length: methods }, (_, at) => `  m${at}(): void {}\n`).join('')}${'\n'.repeat(lines - methods - 2)}}\n`;

test('a value at its threshold does not smell, one above it does; a class needs lines as well, and two files close a circle', () =>
  withIndexed(
    {
      'at.ts': longFunction('at', 80),
      'above.ts': longFunction('above', 81),
      'five.py': 'def five(a, b, c, d, e): pass\n',
      'file.ts': 'check();\n'.repeat(750),
      'larger.ts': 'check();\n'.repeat(751),
      'small.ts': classOf('Small', 21, 500),
      'large.ts': classOf('Large', 21, 501),
      'few.ts': classOf('Few', 20, 600),
      'one.ts': "import { two } from './two.ts';\nexport const one = () => two();\n",
      'two.ts': "import { one } from './one.ts';\nexport const two = () => one();\n",
    },
    (db) => {
      const rows = smells(db, { ...SEARCH, smells: SMELLS.filter((smell) => smell !== 'duplicate') }).rows;

      expect(rows.map(({ smell, value, path }) => `${smell} ${value} ${path}`).toSorted()).toEqual([
        'cycle 2 one.ts',
        'god_class 21 large.ts',
        'large_file 751 larger.ts',
        'long_function 81 above.ts',
      ]);
    },
  ));
