import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { HeapGuard } from '../../platform/heap-guard.ts';
import { resolveSources } from '../../testing/resolve-sources.ts';
import { isResolutionConfig, resolveProgram } from './resolve.ts';

test('an aborted resolution ends with the reason of the signal', async () => {
  const signal = AbortSignal.abort(new Error('stopped'));

  await expect(resolveProgram({ files: [], configs: new Map(), signal })).rejects.toThrow('stopped');
});

test('nothing to resolve is no failure', async () => {
  const progress: number[][] = [];
  const onProgress = (done: number, total: number): void => void progress.push([done, total]);

  const resolution = await resolveProgram({ files: [{ path: 'README.md' }], configs: new Map(), onProgress });

  expect(resolution).toMatchObject({ symbolCount: 0, uses: [undefined], unresolved: [], families: [] });
  expect(resolution.symbols(0, '# Hi')).toEqual([]);
  expect(progress.at(-1)).toEqual([1, 1]);
});

test('symbol ids count over files in order, uses know the symbol around them', async () => {
  const { resolution, symbols } = await resolveSources({
    'a.ts': 'export const one = 1;\n',
    'b.py': 'def two(): pass\n',
    'c.ts': "import { one } from './a';\nclass Three {\n  four() {\n    return one;\n  }\n}\n",
  });
  const uses = resolution.uses[2]?.occurrences;

  expect(symbols).toEqual(['a.ts#one', 'b.py#two', 'c.ts#Three', 'c.ts#Three/four']);
  expect(Array.from(uses?.target ?? [])).toEqual([0, 0]);
  expect(Array.from(uses?.enclosing ?? [])).toEqual([-1, 3]);
});

/** What the garbage collector leaves of an object that nothing else here holds. */
async function afterCollection<Held extends object>(held: WeakRef<Held>): Promise<Held | undefined> {
  // Until the next turn the reference itself holds its object.
  await setImmediate();
  new HeapGuard(0, () => false).check();
  return held.deref();
}

test('links of a file are forgotten when it is released, and those of others stay', async () => {
  const { resolution } = await resolveSources({
    'a.ts': 'export const one = 1;\n',
    'b.ts': "import { one } from './a';\none;\n",
    'c.ts': "import { one } from './a';\none;\n",
  });
  const linksOf = (file: number): WeakRef<object> => new WeakRef(resolution.uses[file] ?? {});
  const [released, other] = [linksOf(1), linksOf(2)];

  resolution.release(1);

  expect(await afterCollection(released)).toBeUndefined();
  expect(await afterCollection(other)).toBe(resolution.uses[2]);
  expect(resolution.symbols(1, '')).toEqual([]);
});

test('languages do not see each other', async () => {
  const { usesOf, names } = await resolveSources({
    'a.ts': 'export function load() {}\n',
    'b.py': 'from a import load\nload()\nother.load()\n',
  });

  expect(usesOf('a.ts#load')).toEqual([]);
  expect(names).toEqual([]);
});

/** A class that asks the members of the one before it for its base. */
const link = (n: number): string =>
  `package z;\nimport static z.C${n - 1}.*;\nclass C${n} extends Lost { int one; int two() { return one; } }\n`;

test('a file whose names lead on further than the stack goes costs itself, not the others', async () => {
  const length = 3_000;
  const chain = Array.from({ length }, (_, n) => [`src/z/C${String(n).padStart(4, '0')}.java`, link(n)] as const);
  const start = `package a;\nimport static z.C${length - 1}.*;\nclass Start extends Lost {}\n`;

  const { resolution, usesOf } = await resolveSources({ 'src/a/Start.java': start, ...Object.fromEntries(chain) });

  expect(resolution.unresolved).toEqual([0]);
  expect(resolution.uses[0]).toBeUndefined();
  expect(usesOf('src/z/C2999.java#C2999/one')).toEqual(['src/z/C2999.java:3:55 read']);
});

test.each([
  ['package.json', true],
  ['packages/a/tsconfig.build.json', true],
  ['jsconfig.json', true],
  ['go.mod', true],
  ['crates/a/Cargo.toml', true],
  ['src/Shop.Api/Shop.Api.csproj', true],
  ['src/tsconfig.ts', false],
  ['a/data.json', false],
])('%s is read for resolution: %s', (path, expected) => {
  expect(isResolutionConfig(path)).toBe(expected);
});
