import { expect, test } from 'vitest';
import { resolveSources } from '../../testing/resolve-sources.ts';

const json = (value: unknown): string => JSON.stringify(value);

/** The file that `import 'specifier'` of `from` leads to, among other files. */
async function target(from: string, specifier: string, files: Record<string, string>): Promise<string[]> {
  const { importsOf } = await resolveSources({ ...files, [from]: `import { x } from '${specifier}';\n` });
  return importsOf(from);
}

test.each([
  ['a file', './b', { 'src/b.ts': '' }, 'src/b.ts'],
  ['a folder with an index', './b', { 'src/b/index.tsx': '' }, 'src/b/index.tsx'],
  ['a file before a folder', './b', { 'src/b.ts': '', 'src/b/index.ts': '' }, 'src/b.ts'],
  ['the folder above', '..', { 'index.ts': '' }, 'index.ts'],
  ['a compiled name', './b.js', { 'src/b.ts': '' }, 'src/b.ts'],
  ['the declarations beside a script', './b.js', { 'src/b.js': '', 'src/b.d.ts': '' }, 'src/b.d.ts'],
  ['a compiled module name', './b.mjs', { 'src/b.mts': '' }, 'src/b.mts'],
  ['a name with a dot', './b.config', { 'src/b.config.ts': '' }, 'src/b.config.ts'],
  ['a query of a bundler', './b.ts?raw', { 'src/b.ts': '' }, 'src/b.ts'],
])('a relative specifier names %s', async (_, specifier, files, expected) => {
  expect(await target('src/a.ts', specifier, files)).toEqual([expected]);
});

test.each([
  ['paths', { 'tsconfig.json': json({ compilerOptions: { paths: { '@/*': ['./app/*'] } } }) }],
  ['paths over baseUrl', { 'tsconfig.json': json({ compilerOptions: { baseUrl: 'app', paths: { '@/*': ['*'] } } }) }],
  [
    'comments and commas',
    { 'tsconfig.json': '{ // x\n "compilerOptions": { "paths": { "@/*": ["./app/*"], }, /* y */ }, }' },
  ],
  [
    'extends',
    {
      'tsconfig.json': json({ extends: './base.json' }),
      'base.json': json({ compilerOptions: { paths: { '@/*': ['app/*'] } } }),
    },
  ],
  [
    'references',
    {
      'tsconfig.json': json({ references: [{ path: './tsconfig.app.json' }] }),
      'tsconfig.app.json': json({ compilerOptions: { paths: { '@/*': ['app/*'] } } }),
    },
  ],
  ['jsconfig', { 'jsconfig.json': json({ compilerOptions: { paths: { '@/*': ['app/*'] } } }) }],
])('a mapped specifier goes by %s', async (_, configs) => {
  expect(await target('src/a.ts', '@/b', { ...configs, 'app/b.ts': '' })).toEqual(['app/b.ts']);
});

test('the longest mapping wins and an exact one wins over all', async () => {
  const paths = { '@/*': ['x/*'], '@/ui/*': ['y/*'], '@/ui/one': ['z/one.ts'] };
  const files = {
    'tsconfig.json': json({ compilerOptions: { paths } }),
    'x/ui/b.ts': '',
    'y/b.ts': '',
    'z/one.ts': '',
  };

  expect(await target('a.ts', '@/ui/b', files)).toEqual(['y/b.ts']);
  expect(await target('a.ts', '@/ui/one', files)).toEqual(['z/one.ts']);
});

test.each([
  ['its source', {}, '@org/core', 'packages/core/src/index.ts'],
  ['main in dist', { main: './dist/main.js' }, '@org/core', 'packages/core/src/main.ts'],
  ['types in dist', { types: 'dist/types/main.d.ts' }, '@org/core', 'packages/core/src/main.ts'],
  [
    'conditions',
    { exports: { '.': { import: { types: './dist/main.d.ts' } } } },
    '@org/core',
    'packages/core/src/main.ts',
  ],
  ['a path in exports', { exports: { './deep': './dist/esm/deep.js' } }, '@org/core/deep', 'packages/core/src/deep.ts'],
  ['a star in exports', { exports: { './*': './dist/*.js' } }, '@org/core/deep', 'packages/core/src/deep.ts'],
  ['a path without exports', {}, '@org/core/src/deep', 'packages/core/src/deep.ts'],
])('a package of the workspace is found by %s', async (_, fields, specifier, expected) => {
  const files = {
    'packages/core/package.json': json({ name: '@org/core', ...fields }),
    'packages/core/src/deep.ts': '',
    'packages/core/src/index.ts': '',
    'packages/core/src/main.ts': '',
  };

  expect(await target('app/a.ts', specifier, files)).toEqual([expected]);
});

test('a package that tests import as it is built is found by the mapping that the root shares', async () => {
  const files = {
    'tsconfig.base.json': json({ compilerOptions: { paths: { tool: ['./packages/tool/src/public/index.ts'] } } }),
    'test/tsconfig.json': json({ compilerOptions: { paths: { tool: ['../packages/tool/dist/index.d.ts'] } } }),
    'packages/tool/package.json': json({
      name: 'tool',
      exports: { '.': { require: './index.cjs', import: './dist/index.js' } },
    }),
    'packages/tool/src/public/index.ts': '',
    'packages/tool/index.cjs': '',
  };

  expect(await target('test/a.ts', 'tool', files)).toEqual(['packages/tool/src/public/index.ts']);
});

test.each([
  ['types before main', { main: 'tool.js', types: 'tool.d.ts' }, 'tool.d.ts'],
  ['main', { main: 'main.js' }, 'main.js'],
])('a relative specifier that names the folder of a package goes by %s', async (_, fields, expected) => {
  const files = { 'package.json': json(fields), 'main.js': '', 'tool.js': '', 'tool.d.ts': '' };

  expect(await target('test/a.ts', '..', files)).toEqual([expected]);
});

test('a specifier with # goes by imports of the nearest package', async () => {
  const files = { 'package.json': json({ imports: { '#lib/*': './src/lib/*.js' } }), 'src/lib/b.ts': '' };

  expect(await target('src/a.ts', '#lib/b', files)).toEqual(['src/lib/b.ts']);
});

test('what is outside the repository or broken leads nowhere', async () => {
  const broken = { 'tsconfig.json': '{ "compilerOptions": ', 'package.json': '[]' };

  expect(await target('a.ts', 'react', broken)).toEqual([]);
  expect(await target('a.ts', '../../../etc/passwd', broken)).toEqual([]);
  expect(await target('a.ts', './missing', { 'tsconfig.json': json({ extends: './tsconfig.json' }) })).toEqual([]);
});
