import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { describeFacts, type Section } from '../../testing/describe-facts.ts';
import { RUST } from './rust.ts';
import { ParserHost } from '../walk/trees.ts';

const FIXTURES = new URL('../../../fixtures/rust/', import.meta.url);

const host = await ParserHost.open();
await host.load('rust', RUST.kinds);

const lines = (text: string, ...sections: Section[]): string[] =>
  describeFacts(RUST.extract(host, text), sections).map((line) => line.replace(/ \d+:\d+/, ''));

/** Definitions in the body of a function. */
const locals = (body: string): string[] => lines(`fn f() { ${body} }`, 'definitions').slice(1);

test('a file reads as its recorded facts', async () => {
  const facts = RUST.extract(host, readFileSync(new URL('queue.rs', FIXTURES), 'utf8'));

  expect(facts.errors).toBe(0);
  await expect(`${describeFacts(facts).join('\n')}\n`).toMatchFileSnapshot(
    new URL('queue.facts.txt', FIXTURES).pathname,
  );
});

test.each([
  ["&'a mut T", 'TypeName(T)'],
  ['Box<dyn a::T>', 'TypeName(a.T)'],
  ['Vec<T>', 'ArrayType(TypeName(T))'],
  ['HashMap<K, T>', 'MapType(TypeName(T))'],
  ['Result<T, E>', 'PromiseType(TypeName(T))'],
  ['io::Result<T>', 'PromiseType(TypeName(T))'],
  ['crate::a::T', 'ImportType(crate; a.T)'],
  ['(A, B)', 'TupleType(TypeName(A), TypeName(B))'],
  ['[T; 4]', 'ArrayType(TypeName(T))'],
  ['fn(A) -> B', 'FunctionType(TypeName(B); Parameter(TypeName(A); -1); 0)'],
  ['impl A + B', 'Union(TypeName(A), TypeName(B))'],
  ['<T as A>::B', 'IndexedType(TypeName(T); B)'],
])('the type %s is %s', (written, type) => {
  expect(lines(`type X = ${written};`, 'definitions')).toEqual([`type X type+topLevel type=${type}`]);
});

test.each([
  ['let x = T::new();', ['variable x value value=Call(MemberOf(Identifier(T); new))']],
  ['let x = Arc::new(y);', ['variable x value value=Identifier(y)']],
  ['let x = y.z()?;', ['variable x value value=Await(Call(MemberOf(Identifier(y); z)))']],
  ['let x = y.await;', ['variable x value value=Await(Identifier(y))']],
  ['let x = y.clone();', ['variable x value value=Identifier(y)']],
  ['let x = &y[1..];', ['variable x value value=Identifier(y)']],
  ['let x = y[0];', ['variable x value value=Element(Identifier(y))']],
  ['let x = T { a: 1 };', ['variable x value value=Typed(TypeName(T))']],
  [
    'let (a, mut b) = c;',
    ['variable a value value=ElementAt(Identifier(c); 0)', 'variable b value value=ElementAt(Identifier(c); 1)'],
  ],
  ['if let Some(x) = y {}', ['variable x value value=Await(Identifier(y))']],
  [
    'let T { a, b: c } = d;',
    [
      'variable a value value=MemberOf(Typed(TypeName(T)); a)',
      'variable c value value=MemberOf(Typed(TypeName(T)); b)',
    ],
  ],
  ['for x in xs.iter() {}', ['variable x value value=Element(Identifier(xs))']],
  ['match a { None => 1, x @ 1..=2 => 2, _ => 3 };', ['variable x value value=Identifier(a)']],
])('%s declares its names', (statement, expected) => {
  expect(locals(statement)).toEqual(expected);
});

test('a let that declares a name again opens a scope: each use means the name before it', () => {
  const facts = RUST.extract(host, 'fn f(x: A) { x.a(); let x = x.b(); x.c(); }');
  const scopes = Array.from({ length: facts.references.count }, (_, row) => row)
    .filter((row) => facts.strings[facts.references.name(row)] === 'x')
    .map((row) => facts.references.scope(row));

  expect(scopes).toEqual([1, 1, 2]);
});

test('use trees are taken apart, from the module of the file', () => {
  const text =
    'use a::{self, b::{c as d, *}};\npub use crate::e::F;\nuse g;\nmod m { use super::h; mod n { use super::super::i; use super::super::super::j; } }\n';

  expect(lines(text, 'definitions').filter((line) => line.startsWith('import'))).toEqual([
    "import a value+type from 'a' *",
    "import d value+type from 'a::b' c",
    "import F value+type+exported from 'crate::e' F",
    "import g value+type from 'g' *",
    "import h value+type from 'self' h",
    "import i value+type from 'self' i",
    "import j value+type from 'super' j",
  ]);
  expect(lines(text, 'exports')).toEqual(["export * from 'a::b'", "export F = F from 'crate::e'"]);
});

test('items of an impl block name their type and trait; Self is written out', () => {
  const text = 'impl A for B { const C: u8 = 1; fn d(&self) -> Self { Self::e() } }';

  expect(lines(text, 'definitions', 'facets', 'members')).toEqual([
    'container #0',
    'constant C value+exported+static+topLevel type=Primitive(u8) value=Literal(number)',
    'method d value+exported+callable+topLevel type=TypeName(B)',
    'parameter self value+self type=TypeName(B)',
    'facet #0 receiver TypeName(B)',
    'facet #0 trait TypeName(A)',
    'facet C receiver TypeName(B)',
    'facet C trait TypeName(A)',
    'facet d receiver TypeName(B)',
    'facet d trait TypeName(A)',
    'member e value+call of Typed(ClassOf(TypeName(B)))',
  ]);
});

test('pub is exported, pub(crate) is not', () => {
  expect(lines('pub fn a() {}\npub(crate) fn b() {}\nfn c() {}', 'definitions')).toEqual([
    'function a value+exported+callable+topLevel',
    'function b value+callable+topLevel',
    'function c value+callable+topLevel',
  ]);
});

test('names inside a macro call are read, called and joined', () => {
  expect(lines('fn f() { log!("{}", a.b(c), D::e, self.g); }', 'references', 'members')).toEqual([
    'reference log value+call+macro',
    'reference a value+read',
    'reference c value+read',
    'reference D value+read',
    'member b value+call of Identifier(a)',
    'member e value+read of Identifier(D)',
    'member g value+read of Identifier(self)',
  ]);
});

test('items that a macro is given are items; what is no item, or no whole one, stays the tokens that it is', () => {
  const text = `cfg_if::cfg_if! {
    if #[cfg(unix)] {
        pub fn on_unix() -> u8 { 1 }
    } else {
        fn elsewhere() { helper(); }
    }
}
mod a { pin_project!{
    struct Pinned<T> { #[pin] inner: T }
} }
cfg_rt! {
    pin_project! { pub struct Nested { size: u8 } }
}
lazy_static! { static ref NAME: String = make(); }
bitflags! {
    pub struct Flags: u32 { const A = 1; const B = Self::A.bits() << 1; }
}
table! { struct Half = ; }
fn tokens() -> T { quote! { struct NotHere; } }
`;
  expect(lines(text, 'definitions').map((line) => line.split(' ').slice(0, 2).join(' '))).toEqual([
    'function on_unix',
    'function elsewhere',
    'module a',
    'struct Pinned',
    'type_parameter T',
    'property inner',
    'struct Nested',
    'property size',
    'variable NAME',
    'enum Flags',
    'enum_member A',
    'enum_member B',
    'function tokens',
  ]);
  expect(lines(text, 'references')).toEqual(
    expect.arrayContaining([
      'reference cfg_rt value+call+macro',
      'reference helper value+call',
      'reference bitflags value+call+macro',
    ]),
  );
});

test('a documentation comment may stand before attributes, and between them and the item', () => {
  const text = '/// One.\n#[a]\n#[b]\nfn f() {}\n\n#[c]\n/// Two.\nfn g() {}\n\n//// Not.\nfn h() {}\n';
  const facts = RUST.extract(host, text);
  const documented = [0, 1, 2].map((row) => text.slice(facts.definitions.docStart(row), facts.definitions.docEnd(row)));

  expect(documented.slice(0, 2)).toEqual(['/// One.', '/// Two.']);
  expect(facts.definitions.docStart(2)).toBe(-1);
});

test('an attribute of a parameter uses what it is given, which is outside of the function', () => {
  const { references, strings } = RUST.extract(host, 'fn sends(#[with(SIZE)] SIZE: Server) {}\n');
  const given = Array.from({ length: references.count }, (_, row) => [
    strings[references.name(row)],
    references.scope(row),
  ]);

  expect(given).toEqual(
    expect.arrayContaining([
      ['with', 0],
      ['SIZE', 0],
    ]),
  );
});
