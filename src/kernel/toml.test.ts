import { expect, test } from 'vitest';
import { readTable, tomlString } from './toml.ts';

const entries = (text: string, table: string): [string, string][] | undefined => {
  const values = readTable(text, table);
  return values === undefined ? undefined : [...values];
};

test.each([
  ['a header', '[project.scripts]\nshop = "shop:main" # starts it\n'],
  ['a header with spaces and a comment', '[ project . "scripts" ] # commands\nshop = "shop:main"\n'],
  ['keys with a dot', '[project]\nname = "shop"\nscripts.shop = "shop:main"\n'],
  ['keys with quotes', '[project]\n"scripts".\'shop\' = "shop:main"\n'],
  ['a table in one line', '[project]\nscripts = { shop = "shop:main" }\n'],
  ['keys before the first header', 'project.scripts.shop = "shop:main"\n'],
])('a table is found by %s', (_, text) => {
  expect(entries(text, 'project.scripts')).toEqual([['shop', '"shop:main"']]);
});

test('lists before a key, and tables behind its own, do not matter', () => {
  const text = '[package]\nauthors = [\n  "A <a@example.org>",\n]\nname = "shop"\nlinks = ["x"]\n[lib]\nname = "no"\n';

  expect(readTable(text, 'package')?.get('name')).toBe('"shop"');
});

test('an item of a list of tables is no table, and what it holds belongs to none', () => {
  const text = '[[bin]]\nname = "shop"\n[package]\n';

  expect(entries(text, 'bin')).toBeUndefined();
  expect(entries(text, 'package')).toEqual([]);
});

test('a table that only begins like another is another', () => {
  expect(entries('[project.scripts-dev]\na = "b"\n', 'project.scripts')).toBeUndefined();
});

test.each([
  ['"a#b"', 'a#b'],
  ["'a'", 'a'],
  ['true', undefined],
  [undefined, undefined],
])('of the value %s the text is %s', (value, text) => {
  expect(tomlString(value)).toBe(text);
});
