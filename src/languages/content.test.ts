import { expect, test } from 'vitest';
import { Extractors } from './extract/extract.ts';
import { contentOf, isGenerated, languageOfPath } from './languages.ts';

const extractors = new Extractors();

const repeat = (line: (index: number) => string): string => Array.from({ length: 30 }, (_, at) => line(at)).join('\n');

/** Modules that hold data, as their languages have them. */
const DATA: Record<string, string> = {
  'locale/de.ts': `export default {\n  page: {\n${repeat((at) => `    key${at}: 'Wert ${at}',`)}\n  },\n} as const;\n`,
  'fixtures.js': `module.exports = [\n${repeat((at) => `  { id: ${at}, price: -1.5, tags: ["a", 'b'], open: true },`)}\n];\n`,
  'text.ts': `export const license = \`\n${repeat((at) => `Line ${at} of a text.`)}\n\`;\n`,
  'de.py': `from base import Provider\n\nclass De(Provider):\n    names = (\n${repeat((at) => `        "Name ${at}",`)}\n    )\n`,
  'lang/de.php': `<?php\nreturn [\n${repeat((at) => `  'key${at}' => 'Wert ${at}',`)}\n];\n`,
  'emoji.go': `package data\n\nvar Emoji = []Item{\n${repeat((at) => `\t{Name: "e${at}", Code: 0x1F60${at % 10}},`)}\n}\n`,
  'rows.rs': `pub const ROWS: &[(&str, f64)] = &[\n${repeat((at) => `    ("row ${at}", 1.${at}),`)}\n];\n`,
  'de.rb': `{\n  de: {\n${repeat((at) => `    key${at}: "Wert ${at}", :k${at} => nil,`)}\n  }\n}\n`,
  'Codes.kt': `val CODES = mapOf(\n${repeat((at) => `    "key${at}" to ${at},`)}\n)\n`,
  'table.c': `static const unsigned char table[] = {\n${repeat((at) => `  0x0${at % 10}, 0x1f, 0xff,`)}\n};\n`,
  'Samples.java': `class Samples {\n  static final Item[] ALL = {\n${repeat((at) => `    new Item("a${at}", ${at}),`)}\n  };\n}\n`,
};

/** Code that looks like it: settings beside functions, constants, types, queries, styles, markup. */
const CODE: Record<string, string> = {
  'options.ts': `export const options = {\n${repeat((at) => `  key${at}: 'a',\n  run${at}: () => start(${at}),`)}\n};\n`,
  'types.ts': `export interface Shape {\n${repeat((at) => `  key${at}: string;`)}\n}\n`,
  'constants.py': repeat((at) => `NAME_${at} = "value ${at}"`),
  'styles.ts': `import styled from 'styled';\nexport const Box = styled.div\`\n${repeat((at) => `  margin: ${at}px;`)}\n\`;\n`,
  'icons.ts': `export const icons = {\n${repeat((at) => `  key${at}: Icon${at},`)}\n};\n`,
  'rows.test.ts': repeat((at) => `test('row ${at}', () => {\n  expect(row(${at})).toBe(\`\n  a\n  b\n  c\n\`);\n});`),
  'calls.js': repeat((at) => `log("line ${at}");`),
  'Enum.java': `enum Code {\n${repeat((at) => `  A${at},`)}\n}\n`,
};

const contentOfText = async (path: string, text: string): Promise<string> => {
  const { name, parser } = languageOfPath(path);
  return contentOf(name, parser === undefined ? undefined : await extractors.extract(parser, text));
};

test.each(Object.entries(DATA))('%s is data in the syntax of a programming language', async (path, text) => {
  expect(await contentOfText(path, text)).toBe('data');
});

test.each(Object.entries(CODE))('%s is code', async (path, text) => {
  expect(await contentOfText(path, text)).toBe('code');
});

const entries = (count: number): string => `x = [\n${Array.from({ length: count }, () => '  "a",').join('\n')}\n]\n`;
const statements = (count: number): string => Array.from({ length: count }, (_, at) => `y${at} = f(x)`).join('\n');

test('data of few lines, and code with a share of literals below four fifths, is code', async () => {
  expect(await contentOfText('a.py', entries(18))).toBe('code');
  expect(await contentOfText('a.py', entries(19))).toBe('data');
  expect(await contentOfText('a.py', entries(100) + statements(24))).toBe('data');
  expect(await contentOfText('a.py', entries(100) + statements(25))).toBe('code');
});

test('formats of data and of prose are no code', async () => {
  const contents = await Promise.all(
    ['a.json', 'a.yaml', 'de.po', 'a.svg', 'README.md', 'a.txt', 'a.css', 'Dockerfile', 'main.tf'].map(
      async (path) => [path, await contentOfText(path, '')] as const,
    ),
  );

  expect(Object.fromEntries(contents)).toEqual({
    'a.json': 'data',
    'a.yaml': 'data',
    'de.po': 'data',
    'a.svg': 'data',
    'README.md': 'prose',
    'a.txt': 'prose',
    'a.css': 'code',
    Dockerfile: 'code',
    'main.tf': 'code',
  });
});

test.each([
  ['test/page.storyshot', '// Jest Snapshot v1, https://goo.gl/fbAQLP\n\nexports[`page 1`] = `<p/>`;\n'],
  ['tests/page.ambr', "# serializer version: 1\n# name: test_page\n  '<p/>'\n# ---\n"],
  ['api/pnpm-lock.yaml', ''],
  ['go.work.sum', ''],
])('%s was written by a program', (path, text) => {
  expect(isGenerated(path, text)).toBe(true);
});
