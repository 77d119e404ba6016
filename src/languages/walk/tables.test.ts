import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Language } from '../facts/facts.ts';
import { describeFacts, type Section } from '../../testing/describe-facts.ts';
import { Extractors } from '../extract/extract.ts';
import type { Parser } from '../languages.ts';

const FIXTURES = new URL('../../../fixtures/', import.meta.url);

const extractors = new Extractors();

const lines = async (parser: Parser, text: string, ...sections: Section[]): Promise<string[]> => {
  const facts = await extractors.extract(parser, text);
  return describeFacts(facts, sections).map((line) => line.replace(/ \d+:\d+/, ''));
};

test.each([
  ['ruby', 'ruby/lib/shop/item.rb'],
  ['ruby', 'ruby/lib/shop/cart.rb'],
  ['php', 'php/src/Billing/Invoice.php'],
  ['php', 'php/src/Billing/Payable.php'],
  ['swift', 'swift/Library.swift'],
  ['swift', 'swift/Shelf.swift'],
  ['scala', 'scala/Ledger.scala'],
  ['scala', 'scala/Money.scala'],
  ['bash', 'bash/deploy.sh'],
  ['sql', 'sql/schema.sql'],
  ['sql', 'sql/queries.sql'],
] as const)('%s: %s reads as its recorded facts', async (parser, path) => {
  const facts = await extractors.extract(parser, readFileSync(new URL(path, FIXTURES), 'utf8'));

  expect([facts.language, facts.errors]).toEqual([parser, 0]);
  await expect(`${describeFacts(facts).join('\n')}\n`).toMatchFileSnapshot(
    new URL(path.replace(/\.\w+$/, '.facts.txt'), FIXTURES).pathname,
  );
});

/** Definitions of a text, without where they are. */
const definitions = (parser: Language, text: string): Promise<string[]> => lines(parser, text, 'definitions');

test('Ruby: the macros of a class define properties, methods and bases', async () => {
  const text =
    'class A\n  attr_reader :b\n  include M\n  extend N\n  def c; end\n  private\n  def d; end\n  public\n  define_method(:e) { |x| x }\nend\n';

  expect(await definitions('ruby', text)).toEqual([
    'class A value+type+exported+topLevel',
    'property b value+exported+topLevel in A value=MemberOf(Typed(TypeName(A)); @b)',
    'method c value+exported+callable+topLevel in A',
    'method d value+private+callable+topLevel in A',
    'method e value+exported+callable+topLevel in A',
    'parameter x value',
  ]);
  expect(await lines('ruby', text, 'facets')).toEqual([
    'facet A implements TypeName(M)',
    'facet A spread TypeName(N)',
    'facet e parameter Parameter(?; 5)',
  ]);
});

test('Ruby: a class may be the value of a constant, and a path its name', async () => {
  expect(await definitions('ruby', 'Point = Struct.new(:x) do\n  def y = x\nend\nclass A::B < C::D\nend\n')).toEqual([
    'class Point value+type+exported+topLevel',
    'property x value+exported+topLevel in Point value=MemberOf(Typed(TypeName(Point)); @x)',
    'method y value+exported+callable+topLevel in Point',
    'class B value+type+exported+topLevel',
  ]);
});

test('Ruby: the first assignment declares a variable, a block sees those around it', async () => {
  const text = 'def f(a)\n  b = a\n  g { |c| b = c; d = b }\n  d\nend\n';

  expect(await lines('ruby', text, 'references')).toEqual([
    'reference a value+read',
    'reference g value+call',
    'reference c value+read',
    'reference b value+write',
    'reference b value+read',
    'reference d value+call',
  ]);
});

test('PHP: promoted parameters are properties, imports have full names', async () => {
  const text = '<?php namespace N; use A\\{B, C as D}; class X extends B { function __construct(private D $d) {} }';

  expect(await definitions('php', text)).toEqual([
    "import B value+type from 'A\\B' B",
    "import D value+type from 'A\\C' C",
    'class X value+type+exported+topLevel',
    'method __construct value+exported+callable+topLevel+constructor in X',
    'property d value+private+topLevel in X type=TypeName(D)',
    'parameter $d value type=TypeName(D)',
  ]);
});

test('PHP: calls, constructions, static access and writes are told apart', async () => {
  const text = '<?php f(); new A(); A::b(); A::C; A::$d; $e->g(); $e->h = 1; $e?->i;';

  expect(await lines('php', text, 'references', 'members')).toEqual([
    'reference f value+call',
    'reference A value+type+call',
    'reference A value+read',
    'reference A value+read',
    'reference A value+read',
    'reference $e value+read',
    'reference $e value+read',
    'reference $e value+read',
    'member b value+call of Identifier(A)',
    'member C value+read of Identifier(A)',
    'member d value+read of Identifier(A)',
    'member g value+call of Identifier($e)',
    'member h value+write of Identifier($e)',
    'member i value+read of Identifier($e)',
  ]);
});

test('Swift: members of an extension belong to the type it names, for the protocols it adds', async () => {
  const text = 'extension A: P { func f() {}\n var g: Int { 1 } }\n';

  expect(await lines('swift', text, 'definitions', 'facets')).toEqual([
    'method f value+callable+topLevel',
    'property g value+topLevel type=Primitive(Int)',
    'facet f receiver TypeName(A)',
    'facet f trait TypeName(P)',
    'facet g receiver TypeName(A)',
    'facet g trait TypeName(P)',
  ]);
});

test('Swift: what the grammar does not know hides nothing around it, and every branch of a condition is read', async () => {
  const text = `final class Store {
    #if canImport(Combine)
    #warning("publish")
    func publish(file: String = #fileID) throws(StoreError) {}
    #else
    func wait() {}
    #endif
    nonisolated(unsafe) var size: Int
    func save(_ item: sending Item, done: (Void) -> Void) {
        if #available(iOS 11, macOS 10.13, *) { done(()) }
        let json = #"{"a": 1}"#
        #expect(unsafe check(json) == 1)
    }
    func last() {}
}
`;
  const facts = await extractors.extract('swift', text);

  expect([facts.errors, [...facts.broken]]).toEqual([0, []]);
  expect(describeFacts(facts, ['definitions']).map((line) => line.replace(/ \d+:\d+.*/, ''))).toEqual([
    'class Store',
    'method publish',
    'parameter file',
    'method wait',
    'property size',
    'method save',
    'parameter item',
    'parameter done',
    'variable json',
    'method last',
  ]);
  expect(await lines('swift', text, 'references')).toEqual(
    expect.arrayContaining([
      'reference expect value+call',
      'reference check value+call',
      'reference Item type+typeUse',
    ]),
  );
});

test('Swift: macros at the top level and among members take no neighbour with them', async () => {
  const text = `struct Card: View { var body: some View { Text("a") } }
#Preview {
    Card()
}
func first() {}
@available(iOS 17, *)
#Preview("Dark", traits: .sizeThatFitsLayout) {
    @Previewable @State var on = true
    Card()
}
func second() {}
#declare
final class Model {
    #Index<Model>([\\.name], [\\.id])
    var name = "#a { x"
    // class x {
    class func make() {
        #log("x")
        #expect { try load() } throws: { error in true }
    }
    #memberwise(count(1))
}
extension Model {
    #shared
    var line: Int { #line }
}
func last() { _ = #Predicate<Model> { $0.name == "" } }
`;
  const facts = await extractors.extract('swift', text);

  expect([facts.errors, [...facts.broken]]).toEqual([0, []]);
  const members = describeFacts(facts, ['definitions']).map((line) =>
    line.replace(/ (?:\d+:\d+|value).*?(?= in |$)/, ''),
  );
  expect(members.map((line) => line.replace(/ (?:type|value)=.*/, ''))).toEqual([
    'struct Card',
    'property body in Card',
    'function #2',
    'function first',
    'function #4',
    'variable on',
    'function second',
    'class Model',
    'property name in Model',
    'method make in Model',
    'function #10',
    'function #11',
    'parameter error',
    'property line',
    'function last',
    'function #15',
  ]);
  expect(await lines('swift', text, 'references')).toEqual(
    expect.arrayContaining(['reference Card value+call', 'reference load value+call', 'reference Index type+typeUse']),
  );
});

test('Swift: what is awaited in a switch, an empty tuple and a name that may be a modifier hide no member', async () => {
  const text = `final class Server {
    private func handle(_ result: Future) async throws {
        let prefix: String
        switch try await result.get() {
        case .channel(let channel):
            print(channel)
            prefix = channel.name
        case .refused:
            ()
        }
        switch await result.next() {
        case .some(let next):
            print(next)
        case .none:
            // Nothing came.
            ()
        }
    }

    func stop() {}
}
`;
  const facts = await extractors.extract('swift', text);

  expect([facts.errors, [...facts.broken]]).toEqual([0, []]);
  expect(describeFacts(facts, ['definitions']).map((line) => line.replace(/ \d+:\d+.*/, ''))).toEqual([
    'class Server',
    'method handle',
    'parameter result',
    'variable prefix',
    'variable channel',
    'variable next',
    'method stop',
  ]);
  expect(await lines('swift', text, 'references')).toEqual(
    expect.arrayContaining(['reference prefix value+write', 'reference result value+read']),
  );
});

test('Swift: conditions bind what their values hold, patterns what they name', async () => {
  const text =
    'func f(a: A?) { guard let a = a else { return }\n if let b { g(b) }\n switch a { case .c(let d): h(d)\n default: i() } }';

  expect(await definitions('swift', text)).toEqual([
    'function f value+callable+topLevel',
    'parameter a value type=TypeName(A)',
    'variable a value value=Identifier(a)',
    'variable b value value=Identifier(b)',
    'variable d value',
  ]);
  expect(await lines('swift', text, 'members')).toEqual(['member c value+read of Identifier(a)']);
});

test('Scala: parameters of a class are properties, members of an object static', async () => {
  const text = 'package p\npackage q\ncase class A(b: B)\nclass C(d: D)\nobject A { val e = new C(f) }\n';

  expect(await definitions('scala', text)).toEqual([
    'class A value+type+exported+topLevel',
    'property b value+exported+topLevel in A type=TypeName(B)',
    'class C value+type+exported+topLevel',
    'property d value+private+topLevel in C type=TypeName(D)',
    'class A value+exported+topLevel',
    'property e value+exported+static+topLevel in A value=Typed(TypeName(C))',
  ]);
  expect((await extractors.extract('scala', text)).packageName).toBe('p.q');
});

test('Scala: each name of a declaration is declared', async () => {
  expect(await definitions('scala', 'trait A { val b, c: Int; var d, e: Int }')).toEqual([
    'trait A value+type+exported+topLevel',
    ...['b', 'c', 'd', 'e'].map((name) => `property ${name} value+exported+topLevel in A type=Primitive(Int)`),
  ]);
});

test('Scala: patterns, loops and functions bind what they are given', async () => {
  const text = 'object O { xs.map(x => x.y); for (z <- xs) z; w match { case Some(v) => v; case u: U => u } }';

  expect(await definitions('scala', text)).toEqual([
    'class O value+exported+topLevel',
    'function #1 value+callable',
    'parameter x value value=Element(Identifier(xs))',
    'variable z value value=Element(Identifier(xs))',
    'variable v value value=Identifier(w)',
    'variable u value value=Typed(TypeName(U))',
  ]);
});

test('Bash: variables are of the file unless they are local, a sourced path may start with what is not known', async () => {
  const text = 'A=1\nf() {\n  local b=2\n  C=3\n  A=4\n}\nsource "$(dirname "$0")/lib/x.sh"\nload helper\n';

  expect(await lines('bash', text, 'definitions', 'exports')).toEqual([
    'variable A value+exported+topLevel',
    'function f value+exported+callable+topLevel',
    'variable b value',
    'variable C value+exported+topLevel',
    "export * from '*/lib/x.sh'",
    "export * from 'helper'",
  ]);
});

/** Measures of the only function of a text: cyclomatic, cognitive, nesting, parameters. */
const measures = async (parser: Language, text: string): Promise<string | undefined> =>
  (await lines(parser, text, 'metrics'))[0]?.replace(/^metric \S+ | codeLines.*$/g, '').replaceAll(/[a-z]+ /g, '');

test.each([
  [
    'ruby',
    'def f(a, b)\n  if a && b\n    1\n  elsif b\n    xs.each { |x| x while a }\n  else\n    2 unless a\n  end\nend\n',
    '6 9 3 2',
  ],
  [
    'php',
    '<?php function f($a) { if ($a && 1) { foreach ($a as $b) {} } elseif (2) {} else {} return $a ? 1 : 2; }',
    '6 7 2 1',
  ],
  [
    'swift',
    'func f(a: Int) { if a > 1 && b { for x in y {} } else if c { } else { k() }\n guard d else { return } }',
    '6 7 2 1',
  ],
  ['scala', 'def f(a: Int) = if (a > 1 && b || c) { for (x <- y) z } else if (d) 1 else { while (e) {} }', '7 9 2 1'],
  [
    'bash',
    'f() {\n  if [[ -z "$a" ]]; then\n    for x in y; do g && h; done\n  elif i; then\n    j\n  else\n    k\n  fi\n}\n',
    '5 6 2 0',
  ],
] as const)('%s functions are measured by what they nest', async (parser, text, expected) => {
  expect(await measures(parser, text)).toBe(expected);
});

test('PHP: hooks of a property are read, and what a class takes of a trait under another name', async () => {
  const text =
    '<?php class P { public string $a { get => $this->b . f($this->c); set(V $v) { $this->b = g($v); } } use T { T::d as e; } }';

  expect(await lines('php', text, 'references', 'members')).toEqual([
    'reference f value+call',
    'reference V type+typeUse',
    'reference g value+call',
    'reference $v value+read',
    'reference T type+typeUse',
    'reference T value+read',
    'member b value+read of This',
    'member c value+read of This',
    'member b value+write of This',
    'member d value+read of Identifier(T)',
  ]);
});

test('Rust: names of items in the text of a macro are uses', async () => {
  const text = 'macro_rules! m { ($x:expr) => { let y = helper($x); Kind::One; $crate::a::b(y); inner!(y) }; }';

  expect(await lines('rust', text, 'references')).toEqual([
    'reference helper value+call',
    'reference Kind value+read',
    'reference inner value+call',
  ]);
});
