import { expect, test } from 'vitest';
import { EDGE_GRADES, RELATIONS } from './model.ts';
import {
  type Adjacency,
  adjacencyBytes,
  degreeOf,
  EdgeGatherer,
  gradeOf,
  packSays,
  relationMask,
  strongestOf,
  visitEdgesAt,
} from './adjacency.ts';

test('every relation and grade is read as it was packed, and of several relations the first that is wanted', () => {
  for (const [relation, name] of RELATIONS.entries())
    for (const [grade, sureness] of EDGE_GRADES.entries()) {
      const says = new Uint16Array([packSays(relationMask([name]), sureness)])[0] ?? 0;
      expect([strongestOf(says, relationMask(undefined)), gradeOf(says)]).toEqual([relation, grade]);
    }
  const both = packSays(relationMask(['reads', 'calls']), 'exact');
  expect(RELATIONS[strongestOf(both, relationMask(undefined))]).toBe('calls');
  expect(RELATIONS[strongestOf(both, relationMask(['reads', 'writes']))]).toBe('reads');
  expect(strongestOf(both, relationMask(['imports']))).toBe(-1);
});

test('edges stand by both of their ends in the order in which they came, and none leads to itself', () => {
  const edges = new EdgeGatherer();
  const pairs = Array.from({ length: 3_000 }, (_, at) => [(at * 7) % 10, (at * 3) % 11] as const);
  for (const [at, [from, to]] of pairs.entries()) edges.add(from, to, 1_000 + (at % 100));
  const adjacency = adjacencyOf(edges, 11);

  for (const node of Array.from({ length: 11 }, (_, at) => at)) {
    const readEdges = (side: 'leaving' | 'reaching'): string[] => {
      const lines: string[] = [];
      visitEdgesAt(adjacency, [node, side], (far, says) => lines.push(`${far} ${says}`));
      return lines;
    };
    const expectedEdges = (side: 0 | 1): string[] =>
      pairs.flatMap((pair, at) =>
        pair[side] === node && pair[0] !== pair[1] ? [`${pair[1 - side]} ${1_000 + (at % 100)}`] : [],
      );
    expect(readEdges('leaving')).toEqual(expectedEdges(0));
    expect(readEdges('reaching')).toEqual(expectedEdges(1));
    expect(degreeOf(adjacency, node)).toBe(expectedEdges(0).length + expectedEdges(1).length);
  }
});

test('an edge and both of its ends take some five bytes, however far they lie apart', () => {
  const nodes = 100_000;
  const edges = new EdgeGatherer();
  for (let at = 0; at < 500_000; at += 1) edges.add((at * 7_919) % nodes, (at * 104_729) % nodes, at % 3);

  const columns = 14 * nodes;
  expect((adjacencyBytes(adjacencyOf(edges, nodes)) - columns) / 500_000).toBeLessThan(8);
});

function adjacencyOf(edges: EdgeGatherer, nodes: number): Adjacency {
  const says = edges.says();
  const [kinds, commonness] = [new Uint8Array(nodes), new Uint8Array(nodes)];
  const derived = new EdgeGatherer().lists(0);
  return { symbols: nodes, files: 0, kinds, commonness, says, code: edges.lists(nodes), derived, isPartial: false };
}
