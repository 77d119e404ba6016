import { expect, test } from 'vitest';
import { Extractors } from '../../languages/extract/extract.ts';
import { exactModules, jsxImportSource, replacesModule } from './exact-modules.ts';

async function filesOf(texts: Record<string, string>): Promise<Parameters<typeof exactModules>[0]> {
  const extractors = new Extractors();
  return Promise.all(
    Object.keys(texts)
      .toSorted()
      .map(async (path) => ({ path, facts: await extractors.extract('typescript', texts[path] ?? '') })),
  );
}

test('specifiers mean packages of the workspace, mapped paths and what makes JSX', async () => {
  const files = await filesOf({
    'app/main.ts': "import '@shop/mail';\nexport * from '~/deep';\nimport 'react';\nimport './own';\n",
    'app/src/deep.ts': '',
    'app/own.ts': '',
    'mail/src/index.ts': '',
    'mail/src/jsx-runtime.ts': '',
  });
  const configs = new Map([
    ['mail/package.json', '{"name": "@shop/mail", "main": "dist/index.js"}'],
    ['app/tsconfig.json', '{"compilerOptions": {"paths": {"~/*": ["./src/*"]}}}'],
  ]);

  expect(Object.fromEntries(exactModules(files, configs, '@shop/mail').everywhere)).toEqual({
    '@shop/mail': 'mail/src/index.ts',
    '@shop/mail/jsx-runtime': 'mail/src/jsx-runtime.ts',
    '~/deep': 'app/src/deep.ts',
  });
});

test('a specifier of several meanings is listed for each folder that imports it', async () => {
  const files = await filesOf({
    'a/one.ts': "import '~/x';\n",
    'a/src/x.ts': '',
    'b/one.ts': "import '~/x';\n",
    'b/src/x.ts': '',
  });
  const paths = '{"compilerOptions": {"paths": {"~/*": ["./src/*"]}}}';

  const modules = exactModules(
    files,
    new Map([
      ['a/tsconfig.json', paths],
      ['b/tsconfig.json', paths],
    ]),
    'react',
  );

  expect([...modules.everywhere]).toEqual([]);
  expect(modules.inFolders).toEqual([
    { folder: 'a', specifier: '~/x', path: 'a/src/x.ts' },
    { folder: 'b', specifier: '~/x', path: 'b/src/x.ts' },
  ]);
});

test('folders of packages that relative specifiers name mean what the packages say', async () => {
  const files = await filesOf({ 'test/one.ts': "import '..';\nimport './two';\n", 'test/two.ts': '', 'shop.d.ts': '' });
  const { packages } = exactModules(files, new Map([['package.json', '{"types": "shop.d.ts"}']]), 'react');
  expect([...packages]).toEqual([['', 'shop.d.ts']]);
});

const readImportSource = (text: string): string => jsxImportSource(new Map([['tsconfig.json', text]]));

test('JSX is made by React unless the root configuration says a package', () => {
  expect(readImportSource('{"compilerOptions": {"jsxImportSource": "preact", }, // no more\n}')).toBe('preact');
  expect(readImportSource('{"compilerOptions": {"jsxImportSource": "../../x y"}}')).toBe('react');
  expect(jsxImportSource(new Map())).toBe('react');
});

test.each([
  ["declare module '@shop/mail' {\n}\n", true],
  ["declare module '@shop/mail' {\n}\nexport {}\n", false],
  ["declare module '*.svg';\n", false],
  ["// declare module '@shop/mail'\n", false],
])('a script that declares a module of the repository anew is left out: %j', (text, is) => {
  expect(replacesModule(text, new Map([['@shop/mail', 'mail/src/index.ts']]))).toBe(is);
});
