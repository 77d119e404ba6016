import { expect, test } from 'vitest';
import { EDGE_GRADES, RELATIONS } from './model.ts';
import { degreeOf, EdgeGatherer, gradeOf, packSays, relationMask, strongestOf } from './adjacency.ts';

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
  for (const [at, [from, to]] of pairs.entries()) edges.add(from, to, at % 100);
  const [leaving, reaching] = [edges.leaving(11), edges.reaching(11)];

  for (const node of Array.from({ length: 11 }, (_, at) => at)) {
    const told = (list: typeof leaving): string[] => {
      const [start, end] = [list.starts[node], list.starts[node + 1]];
      const said = list.says.subarray(start, end);
      return Array.from(list.ends.subarray(start, end), (far, at) => `${far} ${said[at] ?? ''}`);
    };
    const wanted = (side: 0 | 1): string[] =>
      pairs.flatMap((pair, at) =>
        pair[side] === node && pair[0] !== pair[1] ? [`${pair[1 - side]} ${at % 100}`] : [],
      );
    expect(told(leaving)).toEqual(wanted(0));
    expect(told(reaching)).toEqual(wanted(1));
    const adjacency = { symbols: 11, files: 0, kinds: new Uint8Array(11), commonness: new Uint8Array(11) };
    expect(degreeOf({ ...adjacency, leaving, reaching }, node)).toBe(wanted(0).length + wanted(1).length);
  }
});
