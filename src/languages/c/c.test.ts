import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { describeFacts, type Section } from '../../testing/describe-facts.ts';
import { Extractors } from '../extract/extract.ts';

const FIXTURES = new URL('../../../fixtures/cpp/', import.meta.url);

const extractors = new Extractors();

const lines = async (text: string, ...sections: Section[]): Promise<string[]> =>
  describeFacts(await extractors.extract('cpp', text), sections).map((line) => line.replace(/ \d+:\d+/, ''));

test.each(['shop.h', 'shop.cc', 'goods.h', 'goods.c'])('%s reads as its recorded facts', async (name) => {
  const facts = await extractors.extract('cpp', readFileSync(new URL(name, FIXTURES), 'utf8'));

  expect([facts.language, facts.errors]).toEqual(['cpp', 0]);
  await expect(`${describeFacts(facts).join('\n')}\n`).toMatchFileSnapshot(
    new URL(`${name.replace('.', '-')}.facts.txt`, FIXTURES).pathname,
  );
});

test('C: a typedef names its type, values of an enum are names around it, macros use what is in their text', async () => {
  const text =
    'typedef struct { int a; } T;\nenum e { A = 1 };\n#define M(x) f(x, g)\nstatic int h(T *t) { return t->a; }\n';

  expect(await lines(text, 'definitions')).toEqual([
    'struct T value+type+exported+topLevel',
    'property a value+exported+topLevel in T type=Primitive(int)',
    'enum e value+type+exported+topLevel',
    'enum_member A value+exported+topLevel type=TypeName(e) value=Literal(int)',
    'macro M value+type+exported+callable+topLevel',
    'function h value+private+callable+topLevel type=Primitive(int)',
    'parameter t value type=TypeName(T)',
  ]);
  expect(await lines(text, 'references', 'members')).toEqual([
    'reference f value+call',
    'reference g value+read',
    'reference T type+typeUse',
    'reference t value+read',
    'member a value+read of Identifier(t)',
  ]);
});

test('C++: what is defined outside of its class belongs to it, a pointer to a function is no function', async () => {
  const text = 'int A::f(int b) { int (*c)(int) = &d; return c(b); }\n';

  expect(await lines(text, 'definitions', 'facets')).toEqual([
    'method f value+exported+callable+topLevel type=Primitive(int)',
    'parameter b value type=Primitive(int)',
    'variable c value type=Primitive(int) value=Identifier(d)',
    'facet f receiver TypeName(A)',
    'facet f trait TypeName(A)',
    'facet f parameter Parameter(Primitive(int); 1)',
    'facet f returned Call(Identifier(c); Identifier(b))',
  ]);
});

test('macros that export or annotate do not hide what they stand beside', async () => {
  const text = 'class LIB_API A {\n  int f() LOCKS(m_);\n  int b GUARDED_BY(m_);\n};\nLIB_EXPORT int c(int d);\n';
  const facts = await extractors.extract('cpp', text);

  expect(facts.errors).toBe(0);
  expect(describeFacts(facts, ['definitions']).map((line) => line.split(' ').slice(0, 2).join(' '))).toEqual([
    'class A',
    'method f',
    'property b',
    'function c',
    'parameter d',
  ]);
});

test('functions are measured by what they nest', async () => {
  const text = 'int f(int a) { if (a > 1 && b) { for (;;) { } } else if (c) { } else { d(); } return e ? 1 : 2; }';

  expect((await lines(text, 'metrics'))[0]).toMatch(/cyclomatic 6 cognitive 7 nesting 2 parameters 1/);
});

test('text that nests without end is read up to the deepest level', async () => {
  const facts = await extractors.extract('cpp', `int x = ${'('.repeat(10_000)}1${')'.repeat(10_000)};`);

  expect(facts.errors).toBeGreaterThan(0);
});
