import { expect, test } from 'vitest';
import { assert, property, uint8Array } from 'fast-check';
import { ServiceError } from '../../kernel/errors.ts';
import { scipIndex, type ScipSketch } from '../../testing/scip.ts';
import { mergeNames } from '../program/exact-names.ts';
import { TextPlaces } from './columns.ts';
import { documentsOf, toolOf } from './scip-index.ts';
import { scipNames } from './scip-names.ts';

const TEXTS = new Map([
  ['a.kt', { id: 3, text: 'class Box {\n  fun open() {}\n}\n' }],
  ['b.kt', { id: 7, text: 'import Box\nval it = Box()\nit.open()\n' }],
]);
const A: ScipSketch = {
  path: 'a.kt',
  names: [
    { symbol: 'x Box#', at: [0, 6, 9], roles: 1 },
    { symbol: 'x Box#open().', at: [1, 6, 10], roles: 1 },
    { symbol: 'local 1', at: [2, 0, 1], roles: 1 },
  ],
};
const B: ScipSketch = {
  path: 'b.kt',
  names: [
    { symbol: 'x Box#', at: [0, 7, 10], roles: 2 },
    { symbol: 'x Box#', at: [1, 9, 12] },
    { symbol: 'x Box#open().', at: [2, 3, 7], roles: 4 },
    { symbol: 'x Elsewhere#', at: [2, 0, 2] },
    { symbol: 'local 1', at: [2, 0, 2] },
  ],
};

test('names lead to the definitions of their symbols, with what the index says of the use', () => {
  const { files } = scipNames(scipIndex([A, B]), (path) => TEXTS.get(path));

  expect(files.get(7)).toEqual({
    start: Int32Array.of(7, 20, 29),
    file: Int32Array.of(3, 3, 3),
    target: Int32Array.of(6, 6, 18),
    roles: Uint8Array.of(2, 8, 4),
  });
});

test('a document of no file is passed over, and so is a symbol that the index does not define', () => {
  const { files } = scipNames(scipIndex([A, B]), (path) => (path === 'b.kt' ? TEXTS.get(path) : undefined));

  expect([...files]).toEqual([[7, expect.objectContaining({ start: new Int32Array(0) })]]);
});

test('members that implement others are pairs, types are not', () => {
  const sketch: ScipSketch = {
    path: 'a.kt',
    names: A.names,
    implementations: [
      { symbol: 'x Box#open().', other: 'x Shelf#open().' },
      { symbol: 'x Box#', other: 'x Shelf#' },
    ],
  };
  const shelf: ScipSketch = {
    path: 'b.kt',
    names: [
      { symbol: 'x Shelf#', at: [0, 0, 6], roles: 1 },
      { symbol: 'x Shelf#open().', at: [1, 0, 3], roles: 1 },
    ],
  };

  const { overrides } = scipNames(scipIndex([sketch, shelf]), (path) => TEXTS.get(path));

  expect(overrides).toEqual([[3, 18, 7, 11]]);
});

test('returns the tool that made an index; what is no index is refused', () => {
  expect(toolOf(scipIndex([A], 'scip-kotlin'))).toMatchObject({ name: 'scip-kotlin', version: '1.0.0' });
  expect(() => toolOf(new Uint8Array(Buffer.from('{"json": true}')))).toThrow('This is not a SCIP index');
  expect(() => toolOf(new Uint8Array(0))).toThrow('does not say which indexer made it');
});

/** True if bytes are read, or refused as an expected failure. */
const isHandled = (bytes: Uint8Array): boolean => {
  try {
    return toolOf(bytes) !== undefined && [...documentsOf(bytes)].every(({ occurrences }) => occurrences.length >= 0);
  } catch (error) {
    return error instanceof ServiceError;
  }
};

test('bytes of any kind are read or refused, and never crash', () => {
  const whole = scipIndex([A, B]);
  expect(Array.from(whole.keys(), (length) => isHandled(whole.subarray(0, length)))).not.toContain(false);
  assert(property(uint8Array({ maxLength: 200 }), isHandled));
});

test.each([
  ['utf16', 4],
  ['utf32', 3],
  ['utf8', 7],
] as const)('columns in %s are counted as the index does', (unit, column) => {
  const places = new TextPlaces('first\né😀 = 1\n');

  expect(places.offset(1, column, unit)).toBe(10);
  expect(places.offset(1, 99, unit)).toBe(-1);
  expect(places.offset(2, 0, unit)).toBe(14);
  expect(places.offset(9, 0, unit)).toBe(-1);
});

test('of several that know a name the first is believed, and the others fill the gaps', () => {
  const column = { start: Int32Array.of(5), file: Int32Array.of(1), target: Int32Array.of(10) };
  const two = { start: Int32Array.of(5, 9), file: Int32Array.of(2, 2), target: Int32Array.of(20, 21) };

  const { files } = mergeNames([
    { files: new Map([[0, column]]), overrides: [] },
    { files: new Map([[0, two]]), overrides: [] },
  ]);

  expect(files.get(0)).toMatchObject({ start: Int32Array.of(5, 9), file: Int32Array.of(1, 2) });
});
