import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { describeFacts, type Section } from '../../testing/describe-facts.ts';
import { JAVA } from './java.ts';
import { ParserHost } from '../walk/trees.ts';

const FIXTURES = new URL('../../../fixtures/java/', import.meta.url);

const host = await ParserHost.open();
await host.load('java', JAVA.kinds);

const lines = (text: string, ...sections: Section[]): string[] =>
  describeFacts(JAVA.extract(host, text), sections).map((line) => line.replace(/ \d+:\d+/, ''));

/** Definitions in the body of a method. */
const locals = (body: string): string[] => lines(`class C { void f() { ${body} } }`, 'definitions').slice(2);

test('a file reads as its recorded facts', async () => {
  const facts = JAVA.extract(host, readFileSync(new URL('Ledger.java', FIXTURES), 'utf8'));

  expect([facts.errors, facts.packageName]).toEqual([0, 'com.example.ledger']);
  await expect(`${describeFacts(facts).join('\n')}\n`).toMatchFileSnapshot(
    new URL('Ledger.facts.txt', FIXTURES).pathname,
  );
});

test.each([
  ['List<? extends A> x;', 'variable x value type=TypeName(List; TypeName(A))'],
  ['Map.Entry<A, B> x;', 'variable x value type=TypeName(Map.Entry; TypeName(A), TypeName(B))'],
  ['A[] x;', 'variable x value type=ArrayType(TypeName(A))'],
  ['A x[];', 'variable x value type=ArrayType(TypeName(A))'],
  ['int x = 1;', 'variable x value type=Primitive(int) value=Literal(int)'],
  ['var x = new A<>();', 'variable x value value=Typed(TypeName(A))'],
  ['var x = (A) y;', 'variable x value value=Typed(TypeName(A))'],
  ['var x = a.b().c;', 'variable x value value=MemberOf(Call(MemberOf(Identifier(a); b)); c)'],
  ['var x = this.y[0];', 'variable x value value=Element(MemberOf(This; y))'],
  ['var x = c ? a : b;', 'variable x value value=Either(Identifier(a), Identifier(b))'],
  ['for (var x : xs) { }', 'variable x value value=Element(Identifier(xs))'],
  ['try { } catch (A | B x) { }', 'variable x value type=Union(TypeName(A), TypeName(B))'],
  ['if (y instanceof A x) { }', 'variable x value type=TypeName(A)'],
])('%s declares its name', (statement, expected) => {
  expect(locals(statement)).toEqual([expected]);
});

test('imports have a source and a name; stars only bring names in', () => {
  const text = 'import a.b.C;\nimport static a.b.C.d;\nimport a.b.*;\nimport static a.b.C.*;\n';

  expect(lines(text, 'definitions', 'exports')).toEqual([
    "import C value+type from 'a.b' C",
    "import d value+type+static from 'a.b.C' d",
    "export * from 'a.b'",
    "export * from 'a.b.C'",
  ]);
});

test('a class has its supertypes, members and nested types', () => {
  const text = 'public class C<T> extends p.B<T> implements I, J { C() { } static class D { } }';

  expect(lines(text, 'definitions', 'facets')).toEqual([
    'class C value+type+exported+topLevel',
    'type_parameter T type',
    'method C value+callable+topLevel+constructor in C',
    'class D value+type+static+topLevel in C',
    'facet C typeParameter T',
    'facet C extends TypeName(p.B; TypeName(T))',
    'facet C implements TypeName(I)',
    'facet C implements TypeName(J)',
  ]);
});

/** Names of the exported definitions. */
const exported = (text: string): string[] =>
  lines(text, 'definitions')
    .filter((line) => line.includes('exported'))
    .map((line) => line.split(' ')[1] ?? '');

test('only what is public all the way out is exported; interface members are public by themselves', () => {
  expect(exported('public class A { public void b() { } void c() { } private int d; }')).toEqual(['A', 'b']);
  expect(exported('class A { public void b() { } }')).toEqual([]);
  expect(exported('public interface A { void b(); private void c() { } int D = 1; }')).toEqual(['A', 'b', 'D']);
});

test('a label of a switch is a member of what is switched over', () => {
  expect(lines('class C { void f(State s) { switch (s) { case OPEN -> g(); default -> h(); } } }', 'members')).toEqual([
    'member OPEN value+read of Identifier(s)',
  ]);
});

test('calls, constructions, method references and labels are told apart', () => {
  const text = 'class C { void f() { out: for (;;) { g(); h.i(); new J(); K::l; break out; } } }';

  expect(lines(text, 'references', 'members')).toEqual([
    'reference g value+call',
    'reference h value+read',
    'reference J type+call',
    'reference K value+read',
    'member i value+call of Identifier(h)',
    'member l value+read of Identifier(K)',
  ]);
});

test('the documentation comment is before the annotations, the head after them', () => {
  const text = '/** What. */\n@Deprecated\n@Name("x")\npublic class C { /** Not this. */ // but\n void m() { } }\n';
  const facts = JAVA.extract(host, text);

  expect(text.slice(facts.definitions.docStart(0), facts.definitions.docEnd(0))).toBe('/** What. */');
  expect(text.slice(facts.definitions.start(0), facts.definitions.head(0))).toBe('public class C ');
  expect(facts.definitions.docStart(1)).toBe(-1);
});
