import { expect, test } from 'vitest';
import { membersOf } from './members-of.ts';

test.each([
  [
    'class Status(str, Enum):\n    """Of a job."""\n\n    OPEN = "open"\n    DONE = 2\n\n    def x(self):\n        y = 1\n',
    'OPEN="open"@3 DONE=2@4',
  ],
  ["export type Mode = 'dark' | 'light';", 'dark@0 light@0'],
  ['Mode = Literal["dark", "light"]', 'dark@0 light@0'],
  ["export enum Level {\n  /** No, never. */\n  Low = 1,\n  High = 'h', // or, more\n}", "Low=1@2 High='h'@3"],
  [
    'pub enum Shape {\n    #[default]\n    Round,\n    Box { width: u8, height: u8 },\n    Line(u8, u8),\n}',
    'Round@2 Box@3 Line@4',
  ],
  ['public enum Code {\n  OK(200), GONE(410);\n  private final int code;\n}', 'OK=200@1 GONE=410@1'],
  ['enum class Size(val px: Int) {\n  SMALL(1),\n  LARGE(9)\n}', 'SMALL=1@1 LARGE=9@2'],
  ['var formats = []string{"yaml", "json"}', 'yaml@0 json@0'],
  ['val methods = listOf("GET",\n  "PUT")', 'GET@0 PUT@1'],
  ["const colours = {\n  red: '#f00',\n  'dark-red': '#800',\n};", 'red@1 dark-red@2'],
])('what %s holds is told with its values and lines', (body, expected) => {
  const told = membersOf({ body }).map(
    ({ name, value, at }) => `${name}${value === undefined ? '' : `=${value}`}@${at}`,
  );
  expect(told.join(' ')).toBe(expected);
});

test.each([
  'const total = add(first, second + 1);',
  'let port = 80;',
  'function f(a, b) {}',
  'const open = [1, load()];',
])('%s holds no members', (body) => {
  expect(membersOf({ body })).toEqual([]);
});
