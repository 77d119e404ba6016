import { expect, test } from 'vitest';
import { scriptedTools } from '../../testing/scripted-tools.ts';
import { readPackages } from './imports.ts';
import type { MapEntry } from './structure.ts';

const entry = (part: string, path: string, more: Partial<MapEntry> = {}): MapEntry =>
  ({ part, path, files: 1, role: '', uses: [], manifest: `${path}/package.json`, ...more }) as MapEntry;

const line = (path: string, name: string) => ({ path, line: 1, text: `import x from '${name}'` });

test('packages of one layer are told by their lines, those of two by what the index knows, from all pages', async () => {
  const rows = [
    entry('packages', 'libs/core', { package: 'core' }),
    entry('packages', 'plugins/auth', { package: 'auth' }),
    entry('packages', 'plugins/retry', { package: 'retry' }),
    entry('layers', 'libs/core'),
    entry('layers', 'plugins', { uses: [{ path: 'libs/core', files: 2 }] }),
  ];
  const { tools } = scriptedTools((_, { query, cursor }) => {
    if (!String(query).includes('core'))
      return String(query).includes('auth') ? [line('plugins/retry/a.ts', 'auth'), line('libs/core/b.ts', 'auth')] : [];
    return cursor === undefined
      ? { rows: [line('plugins/auth/a.ts', 'core')], next: '2' }
      : [line('plugins/retry/a.ts', 'core')];
  });
  const links = await readPackages(tools, rows);

  expect(links.map(({ name, imports }) => [name, imports.map((other) => other.name)])).toEqual([
    ['core', []],
    ['auth', ['core']],
    ['retry', ['core', 'auth']],
  ]);
});
