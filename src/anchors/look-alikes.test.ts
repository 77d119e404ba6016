import { expect, test } from 'vitest';
import type { CodePlace } from '../code/places/places.ts';
import { compareAnchors } from './compare-anchors.ts';
import type { CodeLookup } from './lookups/code-lookup.ts';

type TestLocation = Partial<CodePlace> & { path: string; symbol: string };

/** Code that has these symbols, each without a body. */
function codeOf(symbols: readonly TestLocation[]): CodeLookup {
  const places = symbols.map(
    (at) => ({ line: 7, syntax: null, sketch: null, blob: '', ...at }) as CodePlace & TestLocation,
  );
  const isNamed = (location: TestLocation, symbol: string): boolean => `/${location.symbol}`.endsWith(`/${symbol}`);
  return {
    snapshot: 'now',
    symbols: async (queries: readonly { path?: string; symbol: string }[]) =>
      queries.map(({ path, symbol }) =>
        places.filter((location) => isNamed(location, symbol) && (path === undefined || location.path === path)),
      ),
    files: async () => [],
    withSyntax: async (queries: readonly { syntax: string }[]) =>
      queries.map(({ syntax }) => places.filter((location) => location.syntax === syntax)),
  } as unknown as CodeLookup;
}

test.each<[string, TestLocation[], string[], string]>([
  ['in another type elsewhere', [{ path: 'b.ts', symbol: 'Writer/close', syntax: 's1' }], [], 'gone'],
  [
    'in another type of its file, beside its own',
    [
      { path: 'a.ts', symbol: 'Writer/close', syntax: 's1' },
      { path: 'a.ts', symbol: 'Reader' },
    ],
    [],
    'gone',
  ],
  [
    'in a type of its file instead of its own',
    [{ path: 'a.ts', symbol: 'Source/close', syntax: 's1' }],
    [],
    'moved a.ts Source/close',
  ],
  [
    'in its own type elsewhere',
    [{ path: 'b.ts', symbol: 'Reader/close', syntax: 's1' }],
    [],
    'moved b.ts Reader/close',
  ],
  [
    'in what its file became',
    [{ path: 'b.ts', symbol: 'Source/close', syntax: 's1' }],
    ['b.ts'],
    'moved b.ts Source/close',
  ],
])('a short member of an interface that is now %s', async (_, symbols, later, expected) => {
  const target = { repositoryId: 'r', path: 'a.ts', symbol: 'Reader/close', line: 3, syntax: 's1', sketch: null };
  const holder = { holder: 'plan' as const, id: 'p', written: 'close', position: 0, reason: null, state: undefined };
  const history = {
    laterPaths: async () => new Map([['a.ts', later]]),
    commitsTouching: async () => [],
    findCommit: async () => undefined,
  };

  const anchored = { ...holder, target: { ...target, baselineCommit: 'c0' } };
  const [compared] = await compareAnchors([anchored], codeOf(symbols), history);

  const { status, path, symbol: now } = compared?.state ?? {};
  expect([status, path, now].filter((part) => part != null).join(' ')).toBe(expected);
});
