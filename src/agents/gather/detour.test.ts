import { expect, test } from 'vitest';
import { scriptedTools } from '../../testing/scripted-tools.ts';
import { findDetour } from './detour.ts';

/** The way from `a` to `z` past `m` over imports that are given as pairs; undefined when there is none. */
async function wayOver(pairs: readonly (readonly [string, string])[]): Promise<string[] | undefined> {
  const { tools } = scriptedTools((_, { query }) => {
    const asked = String(query).replaceAll(/[{}]/g, '').split(',');
    const edges = pairs.filter(([from]) => asked.includes(from));
    return edges.map(([from, to]) => ({ from, to, relation: 'imports', hop: 1, grade: 'exact' }));
  });
  const found = await findDetour(tools, 'a', { isReached: (path) => path === 'z', isAvoided: (path) => path === 'm' });
  return found.way?.map(({ to }) => to);
}

test('the shortest way is found that does not go through what is avoided', async () => {
  expect(
    await wayOver([
      ['a', 'm'],
      ['m', 'z'],
      ['a', 'b'],
      ['b', 'c'],
      ['c', 'z'],
    ]),
  ).toEqual(['b', 'c', 'z']);
  expect(
    await wayOver([
      ['a', 'm'],
      ['m', 'z'],
    ]),
  ).toBeUndefined();
  expect(
    await wayOver([
      ['a', 'b'],
      ['b', 'a'],
      ['b', 'b'],
    ]),
  ).toBeUndefined();
});

function chainOf(...names: string[]): [string, string][] {
  return names.slice(1).map((to, at) => [names[at] ?? '', to]);
}

test('a way has five hops at most', async () => {
  expect(await wayOver(chainOf('a', 'b', 'c', 'd', 'e', 'z'))).toHaveLength(5);
  expect(await wayOver(chainOf('a', 'b', 'c', 'd', 'e', 'f', 'z'))).toBeUndefined();
});
