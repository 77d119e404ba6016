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

const DETOUR = { isReached: (path: string) => path === 'z', isAvoided: () => false };

/** Pages that are read of what `a` depends on, where there are so many, and whether a way may have been missed. */
async function pagesOf(pages: number) {
  let read = 0;
  const { tools, asked } = scriptedTools(() => ({ rows: [], ...((read += 1) < pages && { next: `page ${read}` }) }));
  const { isCut } = await findDetour(tools, 'a', DETOUR);
  return { read: asked.length, isCut };
}

test('six pages are read of what files depend on, and it is said when there are more', async () => {
  expect(await pagesOf(6)).toEqual({ read: 6, isCut: false });
  expect(await pagesOf(7)).toEqual({ read: 6, isCut: true });
});

/** How long the pages are that are asked for, by call, where `a` depends on so many files. */
async function limitsAsked(files: number): Promise<unknown[]> {
  const { tools, asked } = scriptedTools((_, { query }) => {
    const edge = { from: 'a', relation: 'imports', hop: 1, grade: 'exact' };
    return query === 'a' ? Array.from({ length: files }, (__, at) => ({ ...edge, to: `${at}` })) : [];
  });
  await findDetour(tools, 'a', DETOUR);
  return asked.map(({ args }) => args['limit']);
}

test('forty files are followed by one call, whose pages are as large as they can be', async () => {
  expect(await limitsAsked(40)).toEqual([100, 100]);
  expect(await limitsAsked(41)).toEqual([100, 100, 100]);
});
