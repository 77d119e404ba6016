import { expect, test } from 'vitest';
import { type EdgeGrade, gradeCode, type Relation, relationCode } from './model/model.ts';
import { relationMask } from './model/adjacency.ts';
import type { Reached, ReachedNodes } from './reached-nodes.ts';
import { shortestPaths } from './shortest-paths.ts';
import { edgeWeight } from './model/weights.ts';
import { type EdgeReader, neighborsOf } from './traverse.ts';

type Edge = readonly [from: number, to: number, relation: Relation, grade?: EdgeGrade, weight?: number];

function readerOf(edges: readonly Edge[]): EdgeReader {
  const all = edges.map(([from, to, relation, grade = 'exact', weight = 1]) => {
    return { from, to, relation: relationCode(relation), grade: gradeCode(grade), weight };
  });
  return {
    nodes: 5_000,
    degree: (node) => all.filter(({ from, to }) => from === node || to === node).length,
    kindOf: () => 0,
    visitEdges: (node, { direction, mask }, visit) => {
      for (const { from, to, ...edge } of all) {
        if (((mask >> edge.relation) & 1) === 0) continue;
        if (from === node && direction !== 'in') visit({ far: to, isOut: true, ...edge });
        if (to === node && direction !== 'out') visit({ far: from, isOut: false, ...edge });
      }
    },
  };
}

const ANY = relationMask(undefined);

function rowsOf(reached: ReachedNodes): Reached[] {
  return Array.from({ length: reached.count }, (_, place) => reached.at(place));
}

test('a walk reaches each node once, on its nearest hop, by the strongest edge of that hop', () => {
  const reader = readerOf([
    [0, 1, 'references'],
    [0, 1, 'calls', 'name'],
    [1, 0, 'calls', 'resolved'],
    [1, 2, 'reads'],
    [0, 3, 'imports'],
    [3, 2, 'calls'],
    [2, 0, 'tests'],
    [2, 4, 'calls'],
  ]);

  const { reached, hubs, isCut } = neighborsOf(reader, 0, { direction: 'both', depth: 2, mask: ANY });
  const edges = rowsOf(reached).map(({ node, hop, from, to, relation }) => [node, hop, from, to, relation]);
  const out = neighborsOf(reader, 0, { direction: 'out', depth: 2, mask: relationMask(['calls', 'imports']) });

  expect(edges).toEqual([
    [1, 1, 1, 0, relationCode('calls')],
    [3, 1, 0, 3, relationCode('imports')],
    [2, 1, 2, 0, relationCode('tests')],
    [4, 2, 2, 4, relationCode('calls')],
  ]);
  expect([hubs, isCut]).toEqual([[], false]);
  expect(rowsOf(out.reached).map(({ node, from }) => [node, from])).toEqual([
    [1, 0],
    [3, 0],
    [2, 3],
  ]);
});

test('a walk comes to what too much is linked with and does not go on from there, except from where it starts', () => {
  const users = Array.from({ length: 1_001 }, (_, at): Edge => [100 + at, 1, 'calls']);
  const reader = readerOf([[0, 1, 'calls'], [0, 2, 'calls'], [2, 3, 'calls'], ...users]);

  const around = neighborsOf(reader, 0, { direction: 'both', depth: 3, mask: ANY });
  const hub = neighborsOf(reader, 1, { direction: 'both', depth: 2, mask: ANY });

  expect(rowsOf(around.reached).map(({ node }) => node)).toEqual([1, 2, 3]);
  expect(around.hubs).toEqual([1]);
  expect(hub.reached.count).toBe(1_003);
});

test('the cheapest ways come first, differ in a node between, and none costs much more than the best', () => {
  const reader = readerOf([
    [0, 1, 'calls', 'exact', 2],
    [1, 9, 'calls', 'exact', 1],
    [0, 2, 'calls', 'exact', 1],
    [2, 3, 'calls', 'exact', 1],
    [3, 9, 'calls', 'exact', 3],
    [0, 4, 'imports', 'exact', 9],
    [4, 9, 'imports', 'exact', 9],
    [9, 0, 'tests', 'exact', 9],
  ]);
  const ways = (direction: 'both' | 'out' | 'in', ends: readonly [number, number]): [number[], number][] =>
    shortestPaths(reader, ends, { direction, mask: ANY }).paths.map(({ nodes, cost }) => [nodes, cost]);

  expect(ways('both', [0, 9])).toEqual([
    [[0, 1, 9], 3],
    [[0, 2, 3, 9], 5],
  ]);
  expect(ways('in', [9, 0])).toEqual([
    [[9, 1, 0], 3],
    [[9, 3, 2, 0], 5],
  ]);
  expect(ways('out', [1, 0])).toEqual([[[1, 9, 0], 10]]);
  expect(ways('out', [9, 5])).toEqual([]);
});

test('a way through code stands before one that only a test makes, which uses both', () => {
  const passed = [
    [0, 1, 'contains'],
    [1, 2, 'calls'],
    [3, 0, 'tests'],
    [3, 2, 'tests'],
  ] as const;
  const reader = readerOf(
    passed.map(([from, to, relation]) => {
      return [from, to, relation, 'exact', edgeWeight(relationCode(relation), gradeCode('exact'))] as const;
    }),
  );

  const { paths } = shortestPaths(reader, [0, 2], { direction: 'both', mask: ANY });

  expect(paths.map(({ nodes }) => nodes)).toEqual([
    [0, 1, 2],
    [0, 3, 2],
  ]);
});
