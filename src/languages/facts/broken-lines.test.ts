import { expect, test } from 'vitest';
import { Extractors } from '../extract/extract.ts';
import type { Parser } from '../languages.ts';
import type { FileFacts } from './facts.ts';

const extractors = new Extractors();

/** The names that a text defines, in order. */
function namesOf({ definitions, strings }: FileFacts): string[] {
  return Array.from({ length: definitions.count }, (_, row) => strings[definitions.name(row)] ?? '');
}

const LOST: readonly (readonly [what: string, Parser, text: string, found: { lines: number[]; names: string[] }])[] = [
  [
    'a class whose head is broken',
    'kotlin',
    'fun one() = 1\n\nclass Two( {\n  fun three(a: Int {\n    return a\n  }\n}\n\nfun four() = 2\n',
    { lines: [3, 7], names: ['one', 'four'] },
  ],
  [
    'one member of a class',
    'kotlin',
    'class Shop {\n  fun open() = 1\n  fun class = {{ 3\n  fun close() = 2\n}\n',
    { lines: [3, 3], names: ['Shop', 'open', 'close'] },
  ],
  [
    'a broken expression, and nothing that follows',
    'python',
    'x = 1 +* 2\ndef two():\n    return 2\n',
    { lines: [1, 1], names: ['x', 'two'] },
  ],
  [
    'a function and what follows',
    'cpp',
    'int one() { return 1; }\nint two( { return 2; }\nint three() { return 3; }\n',
    { lines: [2, 3], names: ['one'] },
  ],
  [
    'all of a script, when the parser gives up',
    'typescript',
    '\nexport const a = 1;\nconst b = ((;\n',
    { lines: [2, 3], names: [] },
  ],
  [
    'all of a script that is no TypeScript',
    'javascript',
    'const a = 1;\nconst b = ;\nfunction c() {}\n',
    { lines: [1, 3], names: [] },
  ],
  [
    'the script of a component, where it stands',
    'vue',
    '<template>\n  <p>{{ a }}</p>\n</template>\n<script>\nexport default {\n  a: ((\n</script>\n',
    { lines: [5, 6], names: ['default'] },
  ],
];

test.each(LOST)('lines are lost to a syntax error: %s (%s)', async (_, parser, text, { lines, names }) => {
  const facts = await extractors.extract(parser, text);

  expect([...facts.broken]).toEqual(lines);
  expect(namesOf(facts)).toEqual(names);
});

const RECOVERED: readonly (readonly [what: string, Parser, text: string, names: string[]])[] = [
  [
    'a stray bracket in an expression',
    'go',
    'package a\n\nfunc One() int { return 1 + ) }\n\nfunc Two() {}\n',
    ['One', 'Two'],
  ],
  [
    'parameters that do not end',
    'go',
    'package a\n\nfunc One( int {\n\treturn 2\n}\n\nfunc Two() {}\n',
    ['One', 'Two'],
  ],
  [
    'a word too many',
    'java',
    'class A {\n  public odd int one() { return 1; }\n  int two() { return 2 }\n}\n',
    ['A', 'one', 'two'],
  ],
  [
    'a function without its parenthesis',
    'python',
    'def one(:\n    return 1\n\ndef two():\n    return 2\n',
    ['one', 'two'],
  ],
  ['a macro beside strings', 'cpp', 'int one() { return say(A("one two") " three"); }\n', ['one']],
  ['what is an error, but can be read', 'typescript', 'const a;\nfunction b() {}\n', ['a', 'b']],
];

test.each(RECOVERED)('nothing is lost to a syntax error: %s (%s)', async (_, parser, text, names) => {
  const facts = await extractors.extract(parser, text);

  expect(facts.errors).toBeGreaterThan(0);
  expect([...facts.broken]).toEqual([]);
  expect(namesOf(facts)).toEqual(names);
});

test('what nests too deeply to be read is lost', async () => {
  const deep = `f(${'['.repeat(900)}one, two${']'.repeat(900)})`;

  const { broken } = await extractors.extract('python', `a = 1\nb = ${deep}\n`);

  expect([...broken]).toEqual([2, 2]);
});
