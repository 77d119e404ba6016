import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { UseFlag } from '../facts/facts.ts';
import { describeFacts, type Section } from '../../testing/describe-facts.ts';
import { PYTHON } from './python.ts';
import { ParserHost } from '../walk/trees.ts';

const FIXTURES = new URL('../../../fixtures/python/', import.meta.url);

const host = await ParserHost.open();
await host.load('python', PYTHON.kinds);

/** Lines of facts without positions, which the fixture holds. */
const lines = (text: string, ...sections: Section[]): string[] =>
  describeFacts(PYTHON.extract(host, text), sections).map((line) => line.replace(/ \d+:\d+/, ''));

test('a module reads as its recorded facts', async () => {
  const facts = PYTHON.extract(host, readFileSync(new URL('accounts.py', FIXTURES), 'utf8'));

  expect(facts.errors).toBe(0);
  await expect(`${describeFacts(facts).join('\n')}\n`).toMatchFileSnapshot(
    new URL('accounts.facts.txt', FIXTURES).pathname,
  );
});

test.each([
  ['Optional[A]', 'TypeName(A)'],
  ['A | None', 'Union(TypeName(A), Primitive(None))'],
  ['Union[A, b.C]', 'Union(TypeName(A), TypeName(b.C))'],
  ['"A"', 'TypeName(A)'],
  ['"Optional[b.A]"', 'TypeName(b.A)'],
  ['"list[A]"', 'ArrayType(TypeName(A))'],
  ['Dict[str, A]', 'MapType(TypeName(A))'],
  ['tuple[A, B]', 'TupleType(TypeName(A), TypeName(B))'],
  ['type[A]', 'ClassOf(TypeName(A))'],
  ['Callable[[A], B]', 'FunctionType(TypeName(B); Parameter(TypeName(A); -1); 0)'],
  ['Awaitable[A]', 'PromiseType(TypeName(A))'],
  ['Coroutine[None, None, A]', 'PromiseType(TypeName(A))'],
  ['ContextManager[A]', 'ContextManagerType(TypeName(A))'],
  ['typing.Sequence[A]', 'ArrayType(TypeName(A))'],
  ['Annotated[A, limit(3)]', 'TypeName(A)'],
  ['Box[A]', 'TypeName(Box; TypeName(A))'],
])('the annotation %s is %s', (annotation, type) => {
  expect(lines(`x: ${annotation}`, 'definitions')).toEqual([`variable x value+exported+topLevel type=${type}`]);
});

test.each([
  ['cast(A, b)', 'Typed(TypeName(A))'],
  ['await f()', 'Await(Call(Identifier(f)))'],
  ['a[0]', 'Subscript(Identifier(a))'],
  ['a[1:]', 'Identifier(a)'],
  ['sorted(a)', 'SequenceOf(Identifier(a))'],
  ['next(a)', 'Element(Identifier(a))'],
  ['type(a)', 'ClassOfValue(Identifier(a))'],
  ['a or b', 'Either(Identifier(a), Identifier(b))'],
  ['a if c else b', 'Either(Identifier(a), Identifier(b))'],
  ['{1: a}', 'MapLiteral(Identifier(a))'],
  ['[a, b]', 'ArrayLiteral(Identifier(a), Identifier(b))'],
  ['a + b', 'Operation(Identifier(a); +)'],
  ['super().m()', 'Call(MemberOf(Super; m))'],
])('the expression %s is %s', (expression, value) => {
  expect(lines(`x = ${expression}`, 'definitions')).toEqual([`variable x value+exported+topLevel value=${value}`]);
});

test.each([
  [
    'a, (b, c) = f()',
    [
      'a ElementAt(Call(Identifier(f)); 0)',
      'b ElementAt(ElementAt(Call(Identifier(f)); 1); 0)',
      'c ElementAt(ElementAt(Call(Identifier(f)); 1); 1)',
    ],
  ],
  [
    'for i, v in enumerate(xs): pass',
    ['i ElementAt(Element(Enumerate(Identifier(xs))); 0)', 'v ElementAt(Element(Enumerate(Identifier(xs))); 1)'],
  ],
  [
    'for a, b in zip(xs, ys): pass',
    [
      'a ElementAt(Element(Zip(Identifier(xs), Identifier(ys))); 0)',
      'b ElementAt(Element(Zip(Identifier(xs), Identifier(ys))); 1)',
    ],
  ],
  [
    'with open(p) as f, g() as h: pass',
    ['f Enter(Call(Identifier(open); Identifier(p)))', 'h Enter(Call(Identifier(g)))'],
  ],
  ['if (n := f()): pass', ['n Call(Identifier(f))']],
  ['try: pass\nexcept (A, B) as e: pass', ['e Typed(Union(TypeName(A), TypeName(B)))']],
  ['first, *rest = xs', ['first ElementAt(Identifier(xs); 0)', 'rest']],
])('%s binds its names', (statement, expected) => {
  const bound = lines(statement, 'definitions').map((line) =>
    line.replace('variable ', '').replace(' value+exported+topLevel', '').replace(' value=', ' '),
  );

  expect(bound).toEqual(expected);
});

test('the second assignment to a name is a write that tells more of it', () => {
  const text = 'x = A()\nx = B()\nx += 1\n';

  expect(lines(text, 'definitions', 'facets', 'references')).toEqual([
    'variable x value+exported+topLevel value=Call(Identifier(A))',
    'facet x assigned Call(Identifier(B))',
    'reference A value+call',
    'reference B value+call',
    'reference x value+write bound x',
    'reference x value+write',
  ]);
});

test('a walrus in a comprehension binds outside of it, its loop variable inside', () => {
  const facts = PYTHON.extract(host, 'def f(xs):\n    return [y := g(x) for x in xs]\n');
  const scopes = describeFacts(facts, ['definitions']).map((line, row) => [
    line.split(' ')[1],
    facts.definitions.scope(row),
  ]);

  expect(scopes).toEqual([
    ['f', 0],
    ['xs', 1],
    ['x', 2],
    ['y', 1],
  ]);
});

test('global and nonlocal names are written where they live', () => {
  const text =
    'n = 0\ndef f():\n    m = 0\n    def g():\n        global n\n        nonlocal m\n        n = 1\n        m = 2\n';
  const facts = PYTHON.extract(host, text);
  const { references, strings } = facts;
  const writes = [...Array(references.count).keys()]
    .filter((row) => (references.flags(row) & UseFlag.write) !== 0)
    .map((row) => [strings[references.name(row)], references.scope(row)]);

  expect(writes).toEqual([
    ['n', 0],
    ['m', 1],
  ]);
});

test('self attributes, class attributes and properties are members of their class', () => {
  const text =
    'class C:\n    a = 1\n    def __init__(self):\n        self.b = D()\n        self.a = 2\n    @property\n    def p(self): ...\n    @p.setter\n    def p(self, v): ...\n';

  expect(lines(text, 'definitions').filter((line) => line.endsWith(' in C') || line.includes(' in C '))).toEqual([
    'property a value+exported+static+topLevel in C value=Literal(number)',
    'method __init__ value+exported+callable+topLevel+constructor in C',
    'property b value+exported+topLevel in C value=Call(Identifier(D))',
    'method p value+exported+getter+callable+topLevel in C',
    'method p value+exported+setter+callable+topLevel in C',
  ]);
  expect(lines(text, 'members')).toContain('member a value+write of This');
});

test('decorators set the flags of a method', () => {
  const method = (decorator: string): string =>
    lines(`class C:\n    @${decorator}\n    def m(one, two): ...\n`, 'definitions')[1] ?? '';

  expect(method('classmethod')).toContain('classMethod');
  expect(method('staticmethod')).toContain('staticMethod');
  expect(method('functools.cached_property')).toContain('getter');
  expect(method('contextlib.asynccontextmanager')).toContain('contextManager');
  expect(method('typing.overload')).toContain('overload');
  expect(lines('class C:\n    @staticmethod\n    def m(one): ...\n', 'facets')).toContain(
    'facet m parameter Parameter(?; 2)',
  );
});

test('isinstance narrows in its block, joined by and, and after assert', () => {
  expect(lines('if isinstance(x, A) and isinstance(y, (B, c.D)):\n    x.m()\n', 'narrowings')).toEqual([
    'narrowing x in 1 to TypeName(A)',
    // What the right side of the condition is read in, then the block.
    'narrowing x in 2 to TypeName(A)',
    'narrowing y in 2 to Union(TypeName(B), TypeName(c.D))',
  ]);
  expect(lines('if isinstance(x, A) or y: pass\n', 'narrowings')).toEqual([]);
  expect(lines('def f(x):\n    if x:\n        assert isinstance(x, A)\n        x.m()\n', 'narrowings')).toEqual([
    'narrowing x in 2 to TypeName(A)',
  ]);
});

test('match patterns bind names and refer to classes and values', () => {
  const text = 'match x:\n    case Point(x=a, y=0) as p: pass\n    case color.RED | [b, *_]: pass\n';

  expect(lines(text, 'definitions')).toEqual([
    'variable a value+exported+topLevel',
    'variable p value+exported+topLevel value=Typed(TypeName(Point))',
    'variable b value+exported+topLevel',
  ]);
  expect(lines(text, 'references', 'members')).toEqual([
    'reference x value+read',
    'reference Point value+read',
    'reference color value+read',
    'member x value+read of Typed(TypeName(Point))',
    'member y value+read of Typed(TypeName(Point))',
    'member RED value+read of Identifier(color)',
  ]);
});

test('imports name modules, their parts and stars', () => {
  const text = 'import a.b\nimport a.b as c\nfrom . import d\nfrom ..e.f import (g as h, i)\nfrom .j import *\n';

  expect(lines(text, 'definitions', 'exports')).toEqual([
    "import a value+type from 'a' *",
    "import c value+type from 'a.b' *",
    "import d value+type from '.' d",
    "import h value+type from '..e.f' g",
    "import i value+type from '..e.f' i",
    "export * from '.j'",
  ]);
  expect(lines(text, 'references').filter((line) => line.includes('module'))).toEqual([
    "reference a value+type+import module 'a'",
    "reference b value+type+import module 'a.b'",
    "reference a value+type+import module 'a'",
    "reference b value+type+import module 'a.b'",
    "reference e value+type+import module '..e'",
    "reference f value+type+import module '..e.f'",
    "reference j value+type+import module '.j'",
  ]);
});

/** Names of the exported definitions. */
const exported = (text: string): string[] =>
  lines(text, 'definitions')
    .filter((line) => line.includes('exported'))
    .map((line) => line.split(' ')[1] ?? '');

test('names that are appended to __all__ are exported, and names in Literal are used', () => {
  const text =
    'def a(): ...\ndef b(): ...\nC = 1\n__all__ = ["a"]\n__all__.append("b")\n__all__.extend(["C"])\nd: Literal[C, E.F, "x"]\ntype G[T] = list[T]\n';

  expect(exported(text)).toEqual(['a', 'b', 'C']);
  expect(lines(text, 'references', 'members').filter((line) => /^(reference|member) (b|C|E|F) /.test(line))).toEqual([
    'reference b value+type+export',
    'reference C value+type+export',
    'reference C value+read',
    'reference E type+typeUse',
    'member F type+typeUse of Identifier(E)',
  ]);
  expect(lines(text, 'definitions').at(-1)).toMatch(/^constant G /);
});

test('names in __all__ are the exported ones, without it those without an underscore', () => {
  expect(exported('__all__ = ["_b"]\n__all__ += ["c"]\ndef a(): ...\ndef _b(): ...\ndef c(): ...\n')).toEqual([
    '_b',
    'c',
  ]);
  expect(exported('def a(): ...\ndef _b(): ...\n')).toEqual(['a']);
});

test('the string at the start of a body documents it', () => {
  const text = 'class C:\n    """What it is."""\n\n    def m(self):\n        "How it works."\n';
  const facts = PYTHON.extract(host, text);
  const documented = [0, 1].map((row) => text.slice(facts.definitions.docStart(row), facts.definitions.docEnd(row)));

  expect(documented).toEqual(['"""What it is."""', '"How it works."']);
});
