import { readFileSync } from 'node:fs';
import { resolveSources } from '../../testing/resolve-sources.ts';
import { expect, test } from 'vitest';
import { describeFacts, type Section } from '../../testing/describe-facts.ts';
import { GO } from './go.ts';
import { ParserHost } from '../walk/trees.ts';

const FIXTURES = new URL('../../../fixtures/go/', import.meta.url);

const host = await ParserHost.open();
await host.load('go', GO.kinds);

const lines = (text: string, ...sections: Section[]): string[] =>
  describeFacts(GO.extract(host, `package p\n${text}\n`), sections).map((line) => line.replace(/ \d+:\d+/, ''));

/** Definitions in the body of a function. */
const locals = (body: string): string[] => lines(`func f() {\n${body}\n}`, 'definitions').slice(1);

test('a file reads as its recorded facts', async () => {
  const facts = GO.extract(host, readFileSync(new URL('server.go', FIXTURES), 'utf8'));

  expect([facts.errors, facts.packageName]).toEqual([0, 'server']);
  await expect(`${describeFacts(facts).join('\n')}\n`).toMatchFileSnapshot(
    new URL('server.facts.txt', FIXTURES).pathname,
  );
});

test.each([
  ['*T', 'TypeName(T)'],
  ['[]*pkg.T', 'ArrayType(TypeName(pkg.T))'],
  ['[4]T', 'ArrayType(TypeName(T))'],
  ['map[string]T', 'MapType(TypeName(T))'],
  ['<-chan T', 'ArrayType(TypeName(T))'],
  ['func(A) (B, error)', 'FunctionType(TupleType(TypeName(B), TypeName(error)); Parameter(TypeName(A); -1); 0)'],
  ['List[T]', 'TypeName(List; TypeName(T))'],
])('the type %s is %s', (written, type) => {
  expect(lines(`var x ${written}`, 'definitions')).toEqual([`variable x value+topLevel type=${type}`]);
});

test.each([
  ['x := &T{}', ['variable x value value=Deref(Typed(TypeName(T)))']],
  ['x := new(T)', ['variable x value value=Typed(TypeName(T))']],
  ['x := make([]T, 3)', ['variable x value value=Typed(ArrayType(TypeName(T)))']],
  ['x := append(xs, y)', ['variable x value value=Identifier(xs)']],
  ['x, ok := y.(*T)', ['variable x value value=Typed(TypeName(T))', 'variable ok value']],
  [
    'x, err := f()',
    [
      'variable x value value=ElementAt(Call(Identifier(f)); 0)',
      'variable err value value=ElementAt(Call(Identifier(f)); 1)',
    ],
  ],
  ['x := <-c', ['variable x value value=Element(Identifier(c))']],
  ['x := *p', ['variable x value value=Deref(Identifier(p))']],
  ['for i, v := range xs {}', ['variable i value', 'variable v value value=Element(Identifier(xs))']],
])('%s declares its names', (statement, expected) => {
  expect(locals(statement)).toEqual(expected);
});

test(':= assigns to names that the block has, parameters among them', () => {
  const text = 'func f(a int) (err error) {\n\ta, b := 1, 2\n\tc, err := g()\n\tif b, c := 3, 4; b > c { }\n}';

  expect(lines(text, 'definitions').map((line) => line.split(' ')[1])).toEqual(['f', 'a', 'err', 'b', 'c', 'b', 'c']);
  expect(lines(text, 'references').filter((line) => line.includes('write'))).toEqual([
    'reference a value+write bound a',
    'reference err value+write bound err',
  ]);
});

test('a method names the type that it belongs to, and declares its type parameters', () => {
  const text = 'func (s *Stack[T]) Push(item T) { s.top = item }';

  expect(lines(text, 'definitions', 'facets')).toEqual([
    'method Push value+exported+callable+topLevel',
    'type_parameter T type',
    'parameter s value+self type=TypeName(Stack)',
    'parameter item value type=TypeName(T)',
    'facet Push receiver TypeName(Stack)',
    'facet Push parameter Parameter(TypeName(T); 3)',
  ]);
  expect(lines(text, 'members')).toEqual(['member top value+write of Identifier(s)']);
});

test('embedded types lend their members, and are fields of their own', () => {
  expect(lines('type T struct {\n\tBase\n\t*pkg.Other\n}', 'definitions', 'facets')).toEqual([
    'struct T value+type+exported+topLevel',
    'property Base value+exported+topLevel in T type=TypeName(Base)',
    'property Other value+exported+topLevel in T type=TypeName(pkg.Other)',
    'facet T extends TypeName(Base)',
    'facet T extends TypeName(pkg.Other)',
  ]);
});

test('keys of a literal name fields of a struct, and are expressions in a map', () => {
  expect(lines('var x = T{Name: a}', 'keys')).toEqual(['key Name in ContextType(TypeName(T))']);
  expect(lines('var x = map[string]T{name: {Size: 1}}', 'keys')).toEqual([
    'key Size in ContextElement(ContextType(MapType(TypeName(T))))',
  ]);
});

test('a case of a type switch narrows the name to its type', () => {
  expect(lines('func f() { switch v := x.(type) {\ncase *A:\n\tv.m()\ncase B, C:\n} }', 'narrowings')).toEqual([
    'narrowing v in 3 to TypeName(A)',
  ]);
});

test.each([
  ['fmt', 'fmt'],
  ['example.com/logging/v2', 'logging'],
  ['gopkg.in/yaml.v3', 'yaml'],
  ['github.com/x/go-isatty', 'isatty'],
])('an import of %s without a name is %s', (path, name) => {
  expect(lines(`import "${path}"`, 'definitions')).toEqual([`import ${name} value+type from '${path}' *`]);
});

test('comments right before a declaration document it, directives and distant ones do not', () => {
  const text =
    '// Far.\n\n// One\n// of two lines.\nfunc A() {}\n\n//go:noinline\nfunc B() {}\n\nvar c int // tail\nvar d int';

  expect(lines(text, 'comments').map((line) => line.replace(/ \d+:\d+-\d+:\d+/, '').replace(/-\d+:\d+/, ''))).toEqual([
    'comment line',
    'comment documentation of A',
    'comment documentation of A',
    'comment line',
    'comment line',
  ]);
});

test('types of a signature mean what is outside, whatever its parameters, results and receiver are called', async () => {
  const { usesOf } = await resolveSources({
    'go.mod': 'module example.com/shop\n',
    'store/store.go': 'package store\n\ntype Folder struct{}\n\ntype Key int\n',
    'shop.go': `package shop

import "example.com/shop/store"

type shelf struct{}

func (store *shelf) open(key store.Key, other *store.Folder) (found store.Key, err error) { return found, nil }
func (shelf shelf) close() {}
func read(store store.Folder, more ...*store.Folder) (shelf *shelf) { return shelf }
var load = func(store store.Folder, next func(store store.Key) store.Key) {}
`,
  });

  expect(usesOf('store/store.go#Folder')).toEqual([
    'shop.go:7:53 type',
    'shop.go:9:22 type',
    'shop.go:9:45 type',
    'shop.go:10:28 type',
  ]);
  expect(usesOf('store/store.go#Key')).toEqual([
    'shop.go:7:35 type',
    'shop.go:7:74 type',
    'shop.go:10:58 type',
    'shop.go:10:69 type',
  ]);
  expect(usesOf('shop.go#shelf')).toEqual(['shop.go:7:13 type', 'shop.go:8:12 type', 'shop.go:9:61 type']);
});

test('`new` takes a value too, and a name in a function means what was declared before it', async () => {
  const { usesOf } = await resolveSources({
    'go.mod': 'module m\n',
    'a.go': `package m

type Box struct{ size int }

func (b *Box) Grow() {}

func made(n int) Box { return Box{size: n} }

var words = []string{}

func f(given Box) {
	new(made(1)).Grow()
	local := given
	new(local).Grow()
	new(Box).Grow()
	_ = new(map[string]Box)
	println(words)
	g := func() { println(words) }
	words := "mine"
	if words := len(words); words > 0 {
		println(words)
	}
	println(words, g)
}
`,
  });

  expect(usesOf('a.go#Box/Grow')).toEqual(['a.go:12:14 call', 'a.go:14:12 call', 'a.go:15:10 call']);
  expect(usesOf('a.go#made')).toEqual(['a.go:12:5 call']);
  expect(usesOf('a.go#words')).toEqual(['a.go:17:9 read', 'a.go:18:23 read']);
  expect(usesOf('a.go#Box').map((use) => use.split(' ')[0])).toEqual([
    'a.go:5:9',
    'a.go:7:17',
    'a.go:7:30',
    'a.go:11:13',
    'a.go:15:5',
    'a.go:16:20',
  ]);
});
