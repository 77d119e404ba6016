import { expect, test } from 'vitest';
import { Extractors } from '../extract/extract.ts';
import type { Parser } from '../languages.ts';

const extractors = new Extractors();

/** The unread names of a text, in order. */
async function unreadOf(parser: Parser, text: string): Promise<string[]> {
  const { unread, strings } = await extractors.extract(parser, text);
  return Array.from({ length: unread.count }, (_, row) => strings[unread.name(row)] ?? '');
}

test.each<[Parser, string, string[]]>([
  // A clause that the grammar does not know.
  ['swift', 'func a() throws(Broken) -> Int { helper(1) }\n', ['Int', 'Broken']],
  ['swift', 'let x = Foo(bar: 1, file: #filePath) // Foo\n', []],
  ['typescript', 'outer: for (const a of list) { break outer; }\nnew.target;\ntype T = [first: A];\n', []],
  ['tsx', 'const a = <p className="x">Words of a page <Card title="y" /></p>;\n', []],
  ['java', 'package a.b;\nimport a.c.D;\nclass E { String text = "D"; /* D */ D d; }\n', []],
  ['go', 'package shop\n\nfunc run() { stop: for { break stop } }\n', []],
  ['kotlin', 'package a.b\nimport a.c.Outer.Inner\nval x = Foo(bar = 1)\n@A(b = 2) class C : D(e = 3)\n', []],
  ['ruby', 'class A\n  attr_reader :b\n  alias c b\n  def d = A.new.class\nend\n', []],
])('%s: names that no row accounts for are unread: %s', async (parser, text, expected) => {
  expect(await unreadOf(parser, text)).toEqual(expected);
});

test('macros that a C parser is not given are references', async () => {
  const { references, strings, unread } = await extractors.extract(
    'cpp',
    '#define FINAL final\nstruct A {\n  virtual int f(const void* given) FINAL;\n};\n',
  );
  const names = Array.from({ length: references.count }, (_, row) => strings[references.name(row)]);

  expect([names.includes('FINAL'), unread.count]).toEqual([true, 0]);
});
