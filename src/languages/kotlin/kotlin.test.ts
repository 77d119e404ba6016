import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { describeFacts, type Section } from '../../testing/describe-facts.ts';
import { Extractors } from '../extract/extract.ts';

const FIXTURES = new URL('../../../fixtures/kotlin/', import.meta.url);

const extractors = new Extractors();

const lines = async (text: string, ...sections: Section[]): Promise<string[]> =>
  describeFacts(await extractors.extract('kotlin', text), sections).map((line) => line.replace(/ \d+:\d+/, ''));

test.each(['Shop', 'Goods'])('%s.kt reads as its recorded facts', async (name) => {
  const facts = await extractors.extract('kotlin', readFileSync(new URL(`${name}.kt`, FIXTURES), 'utf8'));

  expect([facts.language, facts.errors]).toEqual(['kotlin', 0]);
  await expect(`${describeFacts(facts).join('\n')}\n`).toMatchFileSnapshot(
    new URL(`${name}.facts.txt`, FIXTURES).pathname,
  );
});

test('parameters with val are properties, members of a companion are static, extensions name their type', async () => {
  const text = 'class A(val b: B, c: C) {\n  companion object {\n    fun d() = 1\n  }\n}\nfun A.e() = b\n';

  expect(await lines(text, 'definitions')).toEqual([
    'class A value+type+exported+topLevel',
    'property b value+exported+topLevel in A type=TypeName(B)',
    'parameter c value type=TypeName(C)',
    'method d value+exported+static+callable+topLevel in A',
    'method e value+exported+callable+topLevel',
  ]);
  expect(await lines(text, 'facets')).toContain('facet e receiver TypeName(A)');
});

test('a function in braces is given the elements of what its method is called on, and calls it `it`', async () => {
  expect(await lines('val x = y.filter { it.z }.map { a -> a.b }\n', 'members')).toEqual([
    'member filter value+call of Identifier(y)',
    'member z value+read of Identifier(it)',
    'member map value+call of Call(MemberOf(Identifier(y); filter); FunctionValue(0))',
    'member b value+read of Identifier(a)',
  ]);
});

test('where a test holds, a name has the type that it asks for', async () => {
  const text = 'fun f(a: Any) {\n  if (a is B && c) d(a)\n  when (a) {\n    is E -> g(a)\n    !is F -> h(a)\n  }\n}\n';

  expect((await lines(text, 'narrowings')).map((line) => line.replace(/ in \d+/, ''))).toEqual([
    'narrowing a to TypeName(B)',
    'narrowing a to TypeName(B)',
    'narrowing a to TypeName(E)',
  ]);
});

test('functions are measured by what they nest', async () => {
  const text =
    'fun f(a: Int): Int {\n  if (a > 1 && b) {\n    for (x in y) {\n    }\n  } else if (c) {\n    d()\n  } else {\n    k()\n  }\n  return 1\n}\n';

  expect((await lines(text, 'metrics'))[0]).toMatch(/cyclomatic 5 cognitive 6 nesting 2 parameters 1/);
});

test('text that nests without end is read up to the deepest level', async () => {
  const facts = await extractors.extract('kotlin', `val x = ${'('.repeat(2000)}1${')'.repeat(2000)}`);

  expect(facts.errors).toBeGreaterThan(0);
});

test.each([
  ['a name that starts as a keyword', 'fun f() {\n  g()\n  in1.close()\n}\n', 'in1'],
  ['a soft keyword as a name', 'fun f() {\n  open = b\n  where?.let { g(it) }\n}\n', 'where'],
  ['a call of get behind a variable', 'fun f() {\n  val x = 1\n  get("/") { x }\n}\n', 'get'],
  ['an infix get', 'fun f() {\n  val x = a.b { } get c.id\n  val bit = 1\n  set = set or bit\n}\n', 'c'],
  ['a guard', 'fun f() = when (a) {\n  is B if c.d() -> 1\n  else -> 2\n}\n', 'c'],
  ['a string of several dollars', 'fun f() = g($$"$a")\n', 'g'],
  ['a constructor of its own line', 'actual class A<T>\nactual constructor(val b: Int) {\n  val c = d\n}\n', 'd'],
])('%s is read', async (_, text, used) => {
  const facts = await extractors.extract('kotlin', text);

  expect([...facts.broken]).toEqual([]);
  const uses = describeFacts(facts, ['references', 'members']).map((line) => line.split(' ')[1]);
  expect(uses).toContain(used);
  expect(uses).not.toContain('a_');
});

test('what stands below annotations is a declaration, and so is a class whose constructor stands below its name', async () => {
  const text =
    '@A\n@B\nprivate fun c() {\n  d()\n}\n\n@A\nannotation class E\n\n@A("x")\n@B\nclass F\n  @G(1)\n  internal actual constructor(val h: I) : J {\n  fun k() = 1\n}\n';

  expect(await lines(text, 'definitions')).toEqual([
    'function c value+private+callable+topLevel',
    'class E value+type+exported+topLevel',
    'class F value+type+exported+topLevel',
    'property h value+exported+topLevel in F type=TypeName(I)',
    'method k value+exported+callable+topLevel in F',
  ]);
  expect((await lines(text, 'references')).filter((line) => line.includes('private'))).toEqual([]);
});
