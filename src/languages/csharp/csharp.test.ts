import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { describeFacts, type Section } from '../../testing/describe-facts.ts';
import { Extractors } from '../extract/extract.ts';

const FIXTURES = new URL('../../../fixtures/csharp/', import.meta.url);

const extractors = new Extractors();

const lines = async (text: string, ...sections: Section[]): Promise<string[]> =>
  describeFacts(await extractors.extract('csharp', text), sections).map((line) => line.replace(/ \d+:\d+/, ''));

test.each(['Shop', 'Cart.Checks', 'Goods'])('%s.cs reads as its recorded facts', async (name) => {
  const facts = await extractors.extract('csharp', readFileSync(new URL(`${name}.cs`, FIXTURES), 'utf8'));

  expect([facts.language, facts.errors]).toEqual(['csharp', 0]);
  await expect(`${describeFacts(facts).join('\n')}\n`).toMatchFileSnapshot(
    new URL(`${name}.facts.txt`, FIXTURES).pathname,
  );
});

test('one name space is the package of a file, several hold their definitions', async () => {
  const namespaced = await extractors.extract('csharp', 'namespace A.B { class C { } }');

  expect(namespaced.packageName).toBe('A.B');
  expect(await lines('namespace A.B { class C { } }\nnamespace D { class E { } }', 'definitions')).toEqual([
    'module A.B value+type+exported+topLevel',
    'class C value+type+topLevel in A.B',
    'module D value+type+exported+topLevel',
    'class E value+type+topLevel in D',
  ]);
});

test('members behind a question mark, initialisers and patterns have the receiver that they belong to', async () => {
  const text = 'class A { void F(B b) { b?.C?.D(); new E { G = 1 }; if (b is H { I: 1 } h) h.J = 2; } }';

  expect(await lines(text, 'members')).toEqual([
    'member C value+read of Identifier(b)',
    'member D value+call of MemberOf(Identifier(b); C)',
    'member G value+write of Typed(TypeName(E))',
    'member I value+read of Typed(TypeName(H))',
    'member J value+write of Identifier(h)',
  ]);
});

test('of conditions of the preprocessor one branch is read where both together are no code', async () => {
  const facts = await extractors.extract(
    'csharp',
    'class A {\n#if X\n  void F(int a)\n#else\n  void F(long b)\n#endif\n  { G(); }\n}\n',
  );

  expect(facts.errors).toBe(0);
  expect(describeFacts(facts, ['definitions', 'references']).map((line) => line.replace(/ \d+:\d+/, ''))).toEqual([
    'class A value+type+topLevel',
    'method F value+private+callable+topLevel in A type=Primitive(void)',
    'parameter a value type=Primitive(int)',
    'reference G value+call',
  ]);
});

test('functions are measured by what they nest', async () => {
  const text =
    'class A { int F(int a) { if (a > 1 && b) { foreach (var x in y) { } } else if (c) { } else { k(); } return d ? 1 : 2; } }';

  expect((await lines(text, 'metrics'))[0]).toMatch(/cyclomatic 6 cognitive 7 nesting 2 parameters 1/);
});

test('text that nests without end is read up to the deepest level', async () => {
  const facts = await extractors.extract('csharp', `class A { int x = ${'('.repeat(10_000)}1${')'.repeat(10_000)}; }`);

  expect(facts.errors).toBeGreaterThan(0);
});
