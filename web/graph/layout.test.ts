import { expect, test } from 'vitest';
import { pictureOf } from './layout.ts';
import type { Entity, Neighbour } from '../../src/graph/entity-output.ts';

const FOCUS: Entity = { id: 'feature:mail', kind: 'feature', name: 'mail' };

function neighbour(id: string, more: Partial<Neighbour> = {}): Neighbour {
  return {
    id,
    kind: 'file',
    name: id,
    relation: 'contains',
    direction: 'out',
    hop: 1,
    grade: 'stated',
    source: '',
    ...more,
  };
}

test('what comes in stands at the left of the focus, what goes out at the right, under its relation', () => {
  const rows = [neighbour('file:a'), neighbour('plan:b', { kind: 'plan', relation: 'plans', direction: 'in' })];

  const { places, links, columns } = pictureOf(FOCUS, rows);

  expect(places.map(({ key, column }) => [key, column])).toEqual([
    ['focus', 0],
    ['in is planned by', -1],
    ['node plan:b', -2],
    ['out contains', 1],
    ['node file:a', 2],
  ]);
  expect(links).toContainEqual({ from: 'in is planned by', to: 'node plan:b' });
  expect(columns).toEqual([-2, -1, 0, 1, 2]);
});

test('a node of the second hop stands behind the one over which it was reached, in its repository', () => {
  const rows = [
    neighbour('file:a', { repo: 'web' }),
    neighbour('file:a', { repo: 'shop' }),
    neighbour('sym:f@a', { repo: 'shop', hop: 2, via: 'shop:file:a', relation: 'calls' }),
  ];

  const { links, places } = pictureOf(FOCUS, rows);

  expect(links).toContainEqual({ from: 'node shop:file:a', to: 'node shop:sym:f@a' });
  expect(places.find(({ key }) => key === 'node shop:sym:f@a')?.column).toBe(3);
});

test('of many nodes the first are drawn and the others counted', () => {
  const rows = Array.from({ length: 40 }, (_, at) => neighbour(`file:${at}`));
  const far = Array.from({ length: 9 }, (_, at) => neighbour(`sym:${at}`, { hop: 2, via: 'file:0' }));

  const { places } = pictureOf(FOCUS, [...rows, ...far]);

  const more = places.flatMap(({ drawn }) => (drawn.what === 'more' ? [drawn.count] : []));
  expect(more.toSorted((a, b) => a - b)).toEqual([5, 28]);
});

test('no two boxes of a column overlap, and all are inside of the picture', () => {
  const rows = Array.from({ length: 30 }, (_, at) => {
    const direction = at % 3 === 0 ? ('in' as const) : ('out' as const);
    return neighbour(`file:${at}`, { direction, relation: at % 2 === 0 ? 'calls' : 'imports' });
  });
  const far = rows.map((row, at) => neighbour(`sym:${at}`, { hop: 2, via: row.id }));

  const { places, height } = pictureOf(FOCUS, [...rows, ...far]);

  for (const [, inColumn] of Map.groupBy(places, ({ column }) => column)) {
    const tops = inColumn.map(({ top }) => top).toSorted((a, b) => a - b);
    for (const [at, top] of tops.entries()) expect(top - (tops[at - 1] ?? -Infinity)).toBeGreaterThanOrEqual(30);
  }
  expect(Math.min(...places.map(({ top }) => top))).toBe(15);
  expect(Math.max(...places.map(({ top }) => top))).toBe(height - 15);
});
