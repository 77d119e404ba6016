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

test('C++: a specialisation of a template is a function of its name, and uses what it is given', async () => {
  const text = 'template <> void f<B>() {}\ntemplate <> int A::g<C>(int) { return 1; }\n';

  expect(await lines(text, 'definitions', 'references')).toEqual([
    'function f value+exported+callable+topLevel type=Primitive(void)',
    'method g value+exported+callable+topLevel type=Primitive(int)',
    expect.stringContaining('reference B type'),
    expect.stringContaining('reference A type'),
    expect.stringContaining('reference C type'),
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

test.each([
  [
    'a type as the argument of a macro, above its function or beside it',
    'API(status_t) make(\n    const req *r);\nAPI_LOCAL(int)\nhook(void *p)\n{\n  return plain(1);\n}\nint plain(int a);\n',
    ['function make', 'parameter r', 'function hook', 'parameter p', 'function plain', 'parameter a'],
  ],
  [
    'macros as members, without a semicolon',
    '#define VISIT(self) /* x */\nstruct A : public B\n{\n  VISIT(A)\n};\nstruct C {\n  int a;\n  ENTRY(C) link;\n  FIELDS(x)\n  int b;\n};\nstatic T d = new E(C());\n',
    ['macro VISIT', 'struct A', 'struct C', 'property a', 'property link', 'property b', 'variable d'],
  ],
  [
    'macros of a framework in a class',
    'class W : public Q\n{\n  Q_OBJECT\n  Q_PROPERTY(int x READ x WRITE setX)\npublic:\n  int x() const;\nsignals:\n  void changed(int v);\npublic slots:\n  void setX(int v);\n};\nint after();\n',
    ['class W', 'method x', 'method changed', 'parameter v', 'method setX', 'parameter v', 'function after'],
  ],
  [
    'macros with blocks: a loop, and what defines a function',
    '#define DEFINE_OP(type, name) type name(int a)\nDEFINE_OP(int, add)\n{\n  FOREACH(x, a) { use(x); }\n  each_entry(it, list)\n  {\n    use(it);\n  }\n  return 1;\n}\nTEST(Suite, adds) { add(1); }\nSYSCALL_DEFINE2(read, int, fd, char *, buf)\n{\n}\n',
    ['macro DEFINE_OP', 'function add', 'function adds', 'function read'],
  ],
  [
    'macros that open and close a namespace',
    'NS_BEGIN(foo)\nclass A {\n public:\n  void a();\n};\nNS_END\nclass B { void b(); };\n',
    ['class A', 'method a', 'class B', 'method b'],
  ],
  [
    'parameters of old C',
    'static struct x *\nf(p, q)\n    struct x *p;\n    int q;\n{\n  return g(q);\n}\nint after(void);\n',
    ['function f', 'parameter p', 'parameter q', 'function after'],
  ],
  [
    'modules and concepts of C++20',
    'export module m;\nimport std;\ntemplate <typename T> concept Adds = requires(T a) { a + a; };\nexport int f(Adds auto x) { return x; }\n',
    ['type Adds', 'function f', 'parameter x'],
  ],
])('what a macro or a newer form of the language stands beside is read: %s', async (_, text, expected) => {
  expect((await lines(text, 'definitions')).map((line) => line.split(' ').slice(0, 2).join(' '))).toEqual(expected);
});

test('a definition behind a macro is no call, and what the macro is given is used', async () => {
  const text = 'HOOK(app) int helper(int a) { return a; }\nvoid run() { EACH(entry, list) { go(entry); } }\n';

  expect(await lines(text, 'references')).toEqual([
    'reference a value+read',
    'reference EACH value+call',
    'reference entry value+read',
    'reference list value+read',
    'reference go value+call',
    'reference entry value+read',
    'reference HOOK value+read',
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
