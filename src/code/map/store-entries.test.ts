import { expect, test } from 'vitest';
import { withIndexed } from '../../testing/indexed-code.ts';
import { codeMap } from './map.ts';

/** The entry points of a repository, best first: `path symbol (reason)`. */
const entries = (files: Record<string, string>): Promise<string[]> =>
  withIndexed(files, (db) =>
    codeMap(db, { most: 20 }).entries.rows.map(({ path, symbol, reason }) =>
      [path, symbol, `(${reason})`].filter(Boolean).join(' '),
    ),
  );

const program = 'def cli():\n    pass\n';

test.each([
  ['pyproject.toml', '[project]\nscripts.shop = "shop.main:cli"\n'],
  ['pyproject.toml', '[project]\ngui-scripts = { shop = "shop.main:cli" }\n'],
  ['pyproject.toml', '[tool.poetry.scripts]\nshop = { reference = "shop.main:cli", type = "console" }\n'],
  ['setup.cfg', '[options.entry_points]\nconsole_scripts =\n    shop = shop.main:cli [extra]\nother = x\n'],
  ['setup.py', 'setup(entry_points={"console_scripts": ["shop = shop.main:cli"]})\n'],
])('what %s names comes before a file that only looks like a program: %s', async (manifest, text) => {
  const entryRows = await entries({
    [manifest]: text,
    'get-shop.py': 'def main():\n    pass\n',
    'src/shop/main.py': program,
  });

  expect(entryRows).toEqual(['src/shop/main.py cli (script shop)', 'get-shop.py main (main)']);
});

test('a command is found in the package of its manifest, also where another has a module of the name', async () => {
  const entryRows = await entries({
    'packages/sell/pyproject.toml': '[project.scripts]\nsell = "main:cli"\n',
    'packages/sell/source/main.py': program,
    'packages/buy/main.py': program,
  });

  expect(entryRows).toEqual(['packages/sell/source/main.py cli (script sell)']);
});

test('files that set up tools, and the manifest, are no entry points however much `exports` lets through', async () => {
  const exported = {
    '.': './dist/index.js',
    './package.json': './package.json',
    './dist/*': './dist/*',
    './src/*': './src/*',
  };
  const entryRows = await entries({
    'packages/shop/package.json': JSON.stringify({ name: 'shop', bin: './shop', exports: exported }),
    'packages/shop/jest.config.js': 'module.exports = {};\n',
    'packages/shop/rollup.config.mjs': 'export default {};\n',
    'packages/shop/jest.setup.ts': 'export {};\n',
    'packages/shop/shop': '#!/usr/bin/env node\n',
    'packages/shop/src/index.ts': 'export const one = 1;\n',
    'packages/shop/src/inner.ts': 'export const two = 1;\n',
  });

  expect(entryRows).toEqual(['packages/shop/shop (package)', 'packages/shop/src/index.ts (package)']);
});
