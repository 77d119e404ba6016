import { expect, test } from 'vitest';
import { withIndexed } from '../../testing/indexed-code.ts';
import { filePlaces, foldersAmong, placesAround, placesWithSyntax, symbolPlaces } from './store-syntax.ts';

const SUM = `export function NAME(list: number[]): number {
  let total = 0;
  for (const one of list) {
    if (one > 0) total += one;
  }
  return total;
}
`;

const FILES = {
  'src/a/sum.ts': SUM.replace('NAME', 'sum'),
  'src/b/total.ts': `// The same under another name, in another style.\n${SUM.replace('NAME', 'totalOf').replaceAll(';', '')}`,
  'src/b/copy.ts': SUM.replace('NAME', 'sum'),
  'src/c/shop.ts': `export class Shop {
  open(at: string): string;
  open(at: number): string;
  open(at: unknown): string {
    return String(at);
  }
}
`,
  'src/d/Sink.java':
    'class Sink {\n  void put(int x) { one(x); }\n  void put(String x, int y) { two(x); }\n  void one(int x) {}\n  void two(String x) {}\n}\n',
  'notes.txt': 'no code',
};

test('a symbol is found by path and name, with its syntax; the same syntax is found under another name', () =>
  withIndexed(FILES, (db) => {
    const [[sum] = [], [nothing] = [], shops] = symbolPlaces(db, {
      asked: [
        { symbol: 'sum', path: 'src/a/sum.ts' },
        { symbol: 'total', path: 'src/a/sum.ts' },
        { symbol: 'Shop.open' },
      ],
    });

    expect(sum).toMatchObject({
      path: 'src/a/sum.ts',
      symbol: 'sum',
      kind: 'function',
      line: 1,
      end: 7,
      exported: true,
    });
    expect(sum?.sketch).toHaveLength(24);
    expect(nothing).toBeUndefined();
    expect(shops?.map(({ symbol, line }) => `${symbol}:${line}`)).toEqual(['Shop/open:2']);
    const [equal] = placesWithSyntax(db, { asked: [{ syntax: sum?.syntax ?? '', isFile: false }] });
    expect(equal?.map(({ path, symbol }) => `${path} ${symbol}`)).toEqual([
      'src/a/sum.ts sum',
      'src/b/copy.ts sum',
      'src/b/total.ts totalOf',
    ]);
  }));

test('files have a syntax of their own, in which names count', () =>
  withIndexed(FILES, (db) => {
    const [file, missing, plain] = filePlaces(db, { paths: ['src/a/sum.ts', 'src/a/none.ts', 'notes.txt'] });

    expect(file).toMatchObject({ kind: 'file', symbol: null, line: null });
    expect(missing).toBeUndefined();
    expect(plain).toMatchObject({ path: 'notes.txt', syntax: null });
    const [equal] = placesWithSyntax(db, { asked: [{ syntax: file?.syntax ?? '', isFile: true }] });
    expect(equal?.map(({ path }) => path)).toEqual(['src/a/sum.ts', 'src/b/copy.ts']);
    expect(placesWithSyntax(db, { asked: [{ syntax: 'zz', isFile: true }] })).toEqual([[]]);
    expect(foldersAmong(db, { paths: ['src', 'src/a/', 'sr', 'src/a/sum.ts', ''] })).toEqual(['src', 'src/a/']);
  }));

test('the innermost symbol around lines is found', () =>
  withIndexed(FILES, (db) => {
    const ranges = [
      { path: 'src/c/shop.ts', from: 4, to: 5 },
      { path: 'src/c/shop.ts', from: 1, to: 7 },
      { path: 'src/c/shop.ts', from: 7, to: 9 },
    ];

    expect(placesAround(db, { asked: ranges }).map((place) => place?.symbol)).toEqual(['Shop/open', 'Shop', undefined]);
  }));

test('a name means all of its overloads in a file; with parameters, or by a line, one of them', () =>
  withIndexed(FILES, (db) => {
    const [all = [], first = []] = symbolPlaces(db, {
      asked: [{ symbol: 'Sink.put' }, { symbol: 'Sink/put(String,int)' }],
    });
    const [around] = placesAround(db, { asked: [{ path: 'src/d/Sink.java', from: 3, to: 3 }] });

    expect(all.map(({ symbol, line }) => `${symbol}:${line}`)).toEqual(['Sink/put:2']);
    expect(first.map(({ symbol, line }) => `${symbol}:${line}`)).toEqual(['Sink/put(String, int):3']);
    expect(all[0]?.overloads).toContain(first[0]?.syntax);
    expect(all[0]?.syntax).not.toBe(first[0]?.syntax);
    expect(around?.symbol).toBe('Sink/put(String, int)');
  }));
