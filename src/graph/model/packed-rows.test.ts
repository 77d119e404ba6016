import { expect, test } from 'vitest';
import type { GraphLink, GraphNode } from './model.ts';
import { edgeSize, isImpliedByIds, linkOf, nodeSize, packRows } from './packed-rows.ts';

const NODES: GraphNode[] = [
  { id: 'plan:pay', kind: 'plan', name: 'Pay later', line: 3 },
  { id: 'file:src/a.ts', kind: 'file', name: 'a.ts', path: 'src/a.ts' },
];
const EDGES: GraphLink[] = [
  { from: 'plan:pay', to: 'file:src/b.ts', relation: 'plans', grade: 'stated' },
  { from: 'plan:pay', to: 'file:src/a.ts', relation: 'plans', grade: 'stated' },
  { from: 'plan:pay', to: 'feature:pay', relation: 'plans', grade: 'name' },
];

test('a row has the links of its node by relation and grade, and a name where the id does not hold it', () => {
  expect(packRows(NODES, EDGES)).toEqual([
    ['file:src/a.ts', 'file', '', {}],
    ['plan:pay', 'plan', 'Pay later', { 'plans!': ['file:src/a.ts', 'file:src/b.ts'], 'plans?': ['feature:pay'] }],
  ]);
});

test('what rows are said to take holds what they take as lines', () => {
  const ids = new Set<string>();
  const links = EDGES.map((edge) => {
    const isFirst = !ids.has(linkOf(edge));
    ids.add(linkOf(edge));
    return edgeSize(edge, isFirst);
  });
  const estimate = [...NODES.map(nodeSize), ...links].reduce((sum, size) => sum + size, 0);
  const size = packRows(NODES, EDGES).reduce((sum, row) => sum + JSON.stringify(row).length + 2, 0);

  expect(estimate).toBeGreaterThanOrEqual(size);
  expect(estimate - size).toBeLessThan(10);
});

test.each([
  ['file:src/a.ts', 'sym:Cart/pay@src/a.ts', true],
  ['sym:Cart@src/a.ts', 'sym:Cart/pay@src/a.ts', true],
  ['component:src', 'file:src/a.ts', true],
  ['component:.', 'file:main.ts', true],
  ['component:src', 'file:src/deep/a.ts', false],
  ['file:src/a.ts', 'route:GET /pay', false],
  ['sym:Cart@src/a.ts', 'sym:Cart/pay@src/b.ts', false],
  ['layer:src', 'file:src/a.ts', false],
])('whether the ids say that %s contains %s: %s', (from, to, isImplied) => {
  expect(isImpliedByIds({ from, to, relation: 'contains', grade: 'stated' })).toBe(isImplied);
  expect(isImpliedByIds({ from, to, relation: 'calls', grade: 'resolved' })).toBe(false);
});
