import { expect, test } from 'vitest';
import { describeFacts, type Section } from '../../testing/describe-facts.ts';
import { extractTypeScript, type ScriptLanguage, TooDeep } from './typescript.ts';

/** Facts of a source, as lines of the sections asked for. */
function factsOf(source: string, sections: readonly Section[], language: ScriptLanguage = 'typescript'): string[] {
  return describeFacts(extractTypeScript(language, source), sections);
}

test('defines functions with type parameters, parameters and what they return', () => {
  const facts = factsOf(
    'export async function load<T extends Row>(id: string, { limit = 10 }: Options): Promise<T> { return find(id); }',
    ['definitions', 'facets'],
  );

  expect(facts).toEqual([
    'function load 1:22 value+exported+async+callable+topLevel type=TypeName(Promise; TypeName(T))',
    'type_parameter T 1:27 type type=TypeName(Row)',
    'parameter id 1:42 value type=Primitive(string)',
    'parameter limit 1:56 value value=MemberOf(Typed(TypeName(Options)); limit)',
    'facet load typeParameter T',
    'facet load parameter Parameter(Primitive(string); 2)',
    'facet load parameter Parameter(TypeName(Options); -1)',
    'facet load returned Call(Identifier(find); Identifier(id))',
  ]);
});

test('defines classes with members, heritage, parameter properties and accessors', () => {
  const facts = factsOf(
    `abstract class Box<T> extends Base<T> implements Shape, ui.View {
  static #count: number = 0;
  constructor(private readonly db: Db) { super(); }
  get size() { return this.db.size; }
  set size(value) {}
  abstract area(): number;
  area(scale?: number): number;
  'quoted' = 1;
  [computed]() {}
}`,
    ['definitions', 'facets'],
  );

  expect(facts).toEqual([
    'class Box 1:15 value+type+abstract+topLevel',
    'type_parameter T 1:19 type',
    'property #count 2:9 value+static+private+topLevel in Box type=Primitive(number) value=Literal(number)',
    'method constructor 3:2 value+callable+topLevel+constructor in Box',
    'parameter db 3:31 value type=TypeName(Db)',
    'property db 3:31 value+private+topLevel in Box type=TypeName(Db)',
    'method size 4:6 value+getter+callable+topLevel in Box',
    'method size 5:6 value+setter+callable+topLevel in Box',
    'parameter value 5:11 value',
    'method area 6:11 value+abstract+topLevel in Box type=Primitive(number)',
    'method area 7:2 value+overload+topLevel in Box type=Primitive(number)',
    'parameter scale 7:7 value type=Primitive(number)',
    'property quoted 8:3 value+topLevel in Box value=Literal(number)',
    'method #13 value+callable+topLevel',
    'facet Box typeParameter T',
    'facet Box extends New(Identifier(Base); TypeName(T))',
    'facet Box implements TypeName(Shape)',
    'facet Box implements TypeName(ui.View)',
    'facet constructor parameter Parameter(TypeName(Db); 4)',
    'facet size returned MemberOf(MemberOf(This; db); size)',
    'facet size parameter Parameter(?; 8)',
    'facet area parameter Parameter(Primitive(number); 11)',
    'facet Box constructorParameter Parameter(TypeName(Db); 4)',
  ]);
});

test('defines interfaces, aliases, enums and name spaces', () => {
  const facts = factsOf(
    `interface Row extends Base, ns.Other<string> { (x: A): B; new (): C; [key: string]: V; id: Id; find?(q: Q): R }
type Pair<T = Row> = readonly [T, first?: Row['id'], ...Row[]];
const enum Level { Low, 'very high' = Low + 1 }
declare namespace A.B { const inner: 1 }
declare module 'x' { export const ambient: 2 }
declare global { var everywhere: 3 }`,
    ['definitions', 'facets', 'exports'],
  );

  expect(facts).toEqual([
    'interface Row 1:10 type+topLevel',
    'parameter x 1:48 value type=TypeName(A)',
    'parameter key 1:70 value type=Primitive(string)',
    'property id 1:87 value+topLevel in Row type=TypeName(Id)',
    'method find 1:95 value+callable+topLevel in Row type=TypeName(R)',
    'parameter q 1:101 value type=TypeName(Q)',
    'type Pair 2:5 type+topLevel type=TupleType(TypeName(T), IndexedType(TypeName(Row); id), ArrayType(TypeName(Row)))',
    'type_parameter T 2:10 type value=TypeName(Row)',
    'enum Level 3:11 value+type+topLevel',
    'enum_member Low 3:19 value+type+static+topLevel in Level',
    'enum_member very high 3:25 value+type+static+topLevel in Level',
    'module A 4:18 value+type+topLevel',
    'module B 4:20 value+type+topLevel',
    'constant inner 4:30 value+topLevel type=Primitive(1)',
    'constant ambient 5:34 value+exported+topLevel type=Primitive(2)',
    'variable everywhere 6:21 value+topLevel type=Primitive(3)',
    'facet Row extends TypeName(Base)',
    'facet Row extends TypeName(ns.Other; Primitive(string))',
    'facet Row callSignature FunctionType(TypeName(B); Parameter(TypeName(A); 1); 0)',
    'facet Row newSignature FunctionType(TypeName(C); 1)',
    'facet Row indexSignature TypeName(V)',
    'facet find parameter Parameter(TypeName(Q); 5)',
    'facet Pair typeParameter T',
  ]);
});

test('gives every import a definition and a reference, and follows none', () => {
  const facts = factsOf(
    `import main, { a as b, type C, 'odd name' as odd } from './x';
import * as all from './y';
import legacy = require('./z');
import './effects';`,
    ['definitions', 'references'],
  );

  expect(facts).toEqual([
    "import main 1:7 value+type from './x' default",
    "import b 1:20 value+type from './x' a",
    "import C 1:28 value+type from './x' C",
    "import odd 1:45 value+type from './x' odd name",
    "import all 2:12 value+type from './y' *",
    "import legacy 3:7 value+type from './z' =",
    "reference ./x 1:57 value+type+import module './x'",
    'reference main 1:7 value+type+import bound main',
    'reference a 1:15 value+type+import bound b',
    'reference b 1:20 value+type+import bound b',
    'reference C 1:28 value+type+import bound C',
    'reference odd name 1:32 value+type+import bound odd',
    'reference odd 1:45 value+type+import bound odd',
    "reference ./y 2:22 value+type+import module './y'",
    'reference all 2:12 value+type+import bound all',
    'reference legacy 3:7 value+type+import bound legacy',
    "reference ./z 3:25 value+type+import module './z'",
    "reference ./effects 4:8 value+type+import module './effects'",
  ]);
});

test('exports declarations, lists, other modules and defaults', () => {
  const facts = factsOf(
    `const kept = 1; function main() {}
export const one = 1, two = 2;
export { kept as renamed };
export { x, default as y } from './other';
export * from './all';
export * as named from './space';
export default main;`,
    ['exports'],
  );

  expect(facts).toEqual([
    'export one = one',
    'export two = two',
    'export renamed named kept',
    "export x = x from './other'",
    "export y = default from './other'",
    "export * from './all'",
    "export named = * from './space'",
    'export default named main',
  ]);
});

test('marks what a list exports, and names an anonymous default', () => {
  expect(factsOf('const a = 1; let b = 2; export { a };', ['definitions'])).toEqual([
    'constant a 1:6 value+exported+topLevel value=Literal(number)',
    'variable b 1:17 value+topLevel value=Literal(number)',
  ]);
  expect(factsOf('export default () => 1;', ['definitions', 'exports'])).toEqual([
    'function default 1:0 value+exported+default+topLevel+functionValue value=FunctionValue(1)',
    'function #1 value+callable',
    'export default = default',
  ]);
});

test('reads CommonJS imports and exports', () => {
  const facts = factsOf(
    `const all = require('./all');
const { a, b: c } = require('./some');
exports.one = () => 1;
module.exports.two = all;
module.exports = { three: 3, a };`,
    ['definitions', 'exports'],
    'javascript',
  );

  expect(facts).toEqual([
    "import all 1:6 value+type+exported from './all' =",
    "import a 2:8 value+type+exported from './some' a",
    "import c 2:14 value+type from './some' b",
    'function one 3:8 value+exported+topLevel+functionValue value=FunctionValue(4)',
    'function #4 value+callable',
    'variable default 5:0 value+exported+topLevel value=ObjectLiteral(6)',
    'container #6',
    'property three 5:19 value+topLevel in #6 value=Literal(3)',
    'property a 5:29 value+topLevel in #6 value=Identifier(a)',
    'export one = one',
    'export two named all',
    'export = = default',
    'export three = three',
    'export a named a',
  ]);
});

test('tells what each reference does with its name', () => {
  const facts = factsOf('total += count; total++; run(new Job<Kind>()); tag`x`; @mark class A extends B {}', [
    'references',
  ]);

  expect(facts).toEqual([
    'reference total 1:0 value+write',
    'reference count 1:9 value+read',
    'reference total 1:16 value+write',
    'reference run 1:25 value+call',
    'reference Job 1:33 value+call',
    'reference Kind 1:37 type+typeUse',
    'reference tag 1:47 value+call',
    'reference mark 1:56 value+call',
    'reference B 1:77 value+typeUse',
  ]);
});

test('gives members their receivers, through calls, awaits, indexes and assertions', () => {
  const facts = factsOf(
    `(await api.get<User>('/me')).name.first; list[0].id; (x as Row).id = 1; map['key']; opt?.chain!.end; this.#p;`,
    ['members'],
  );

  expect(facts).toEqual([
    'member get 1:11 value+call of Identifier(api)',
    'member name 1:29 value+read of Await(Call(MemberOf(Identifier(api); get); Literal(string); TypeName(User)))',
    'member first 1:34 value+read of MemberOf(Await(Call(MemberOf(Identifier(api); get); Literal(string); TypeName(User))); name)',
    'member id 1:49 value+read of Element(Identifier(list))',
    'member id 1:64 value+write of Typed(TypeName(Row))',
    'member key 1:77 value+read of Identifier(map)',
    'member chain 1:89 value+read of Identifier(opt)',
    'member end 1:96 value+read of MemberOf(Identifier(opt); chain)',
    'member #p 1:106 value+read of This',
  ]);
});

test('says what a position expects of object keys and callback parameters', () => {
  const facts = factsOf(
    `const config: Config = { port: 1, nested: { deep: [{ leaf: 2 }] } };
serve({ host: 'x' }, (request) => request.url);`,
    ['keys', 'definitions'],
  );

  expect(facts.filter((line) => line.startsWith('key') || line.startsWith('parameter'))).toEqual([
    'key port 1:25 in ContextType(TypeName(Config))',
    'key nested 1:34 in ContextType(TypeName(Config))',
    'key deep 1:44 in ContextProperty(ContextType(TypeName(Config)); nested)',
    'key leaf 1:53 in ContextElement(ContextProperty(ContextProperty(ContextType(TypeName(Config)); nested); deep))',
    'key host 2:8 in ContextArgument(Call(Identifier(serve); ObjectLiteral(8), FunctionValue(10)); 0)',
    'parameter request 2:22 value context=ContextParameter(ContextArgument(Call(Identifier(serve); ObjectLiteral(8), FunctionValue(10)); 1); 0)',
  ]);
});

test('takes patterns apart, in declarations and in assignments', () => {
  const facts = factsOf('const { a, b: [c, ...d], ...e } = make(); ({ f: g.h } = make());', ['definitions', 'members']);

  expect(facts).toEqual([
    'constant a 1:8 value+topLevel value=MemberOf(Call(Identifier(make)); a)',
    'constant c 1:15 value+topLevel value=ElementAt(MemberOf(Call(Identifier(make)); b); 0)',
    'constant d 1:21 value+topLevel value=MemberOf(Call(Identifier(make)); b)',
    'constant e 1:28 value+topLevel value=Call(Identifier(make))',
    'member a 1:8 value+read+pattern+shorthand of Call(Identifier(make))',
    'member b 1:11 value+read+pattern of Call(Identifier(make))',
    'member f 1:45 value+read+pattern of Call(Identifier(make))',
    'member h 1:50 value+write of Identifier(g)',
  ]);
});

test('reads JSX: components, attributes as keys of their properties, and what lies inside', () => {
  const facts = factsOf(
    'const view = <Panel.Row title="x" onClose={() => close()}><div id="i">{shown && <Text value={v} />}</div></Panel.Row>;',
    ['references', 'members', 'keys'],
    'tsx',
  );

  expect(facts).toEqual([
    'reference Panel 1:14 value+call',
    'reference Panel 1:107 value+call',
    'reference close 1:49 value+call',
    'reference shown 1:71 value+read',
    'reference Text 1:81 value+call',
    'reference v 1:93 value+read',
    'member Row 1:20 value+call of Identifier(Panel)',
    'member Row 1:113 value+call of Identifier(Panel)',
    'key title 1:24 in ContextJsx(MemberOf(Identifier(Panel); Row))',
    'key onClose 1:34 in ContextJsx(MemberOf(Identifier(Panel); Row))',
    'key value 1:86 in ContextJsx(Identifier(Text))',
  ]);
});

test('hoists var to its function and keeps let in its block', () => {
  const facts = extractTypeScript('typescript', 'function f() { if (x) { var a = 1; let b = 2; } }');
  const scopeOf = (name: string): number => {
    const row = describeFacts(facts, ['definitions']).findIndex((line) => line.startsWith(`variable ${name} `));
    return facts.definitions.scope(row);
  };

  // Scope 1 is the function's, 2 the block's.
  expect([scopeOf('a'), scopeOf('b')]).toEqual([1, 2]);
});

test('attaches documentation comments to what follows, also through export and decorators', () => {
  const facts = factsOf(
    `/** One. */
export const one = 1;
/* plain */ const two = 2;
/** Three. */

@mark
export class Three {
  /** Four. */ four() {} // five
}`,
    ['comments'],
  );

  expect(facts).toEqual([
    'comment documentation 1:0-1:11 of one',
    'comment block 3:0-3:11',
    'comment documentation 4:0-4:13 of Three',
    'comment documentation 8:2-8:14 of four',
    'comment line 8:25-8:32',
  ]);
});

test('defines the properties that a JavaScript class assigns to itself, once', () => {
  const facts = factsOf(
    'class A { x = 1; constructor() { this.x = 2; this.y = new Map(); this.y = 3; } }',
    ['definitions'],
    'javascript',
  );

  expect(facts.filter((line) => line.startsWith('property'))).toEqual([
    'property x 1:10 value+topLevel in A value=Literal(number)',
    'property y 1:50 value+topLevel in A value=New(Identifier(Map))',
  ]);
});

const narrowings = (text: string): string[] => factsOf(text, ['narrowings']);

test('narrows a name where a condition holds, and where it does not', () => {
  expect(narrowings('if (error instanceof Failure && retry) { error.code; }')).toEqual([
    // The right side of the condition, then the branch.
    'narrowing error in 1 to TypeName(Failure)',
    'narrowing error in 2 to TypeName(Failure)',
  ]);
  expect(narrowings("if (x?.kind !== 'a') { x; } else { x; }")).toEqual([
    'narrowing x in 1 to Without(Discriminant(kind; "a"))',
    'narrowing x in 3 to Discriminant(kind; "a")',
  ]);
  expect(narrowings("function f(x) { if (!('a' in x)) return; x; }")).toEqual([
    'narrowing x in 2 to Without(HasMember(a))',
    'narrowing x in 3 to HasMember(a)',
  ]);
  expect(narrowings("switch (x.kind) { case 'a': case 2: x; break; default: x; }")).toEqual([
    'narrowing x in 2 to Discriminant(kind; "a".2)',
  ]);
  expect(narrowings('isRow(x) ? x : 0')).toEqual([
    'narrowing x in 1 to GuardedBy(Identifier(isRow))',
    'narrowing x in 2 to Without(GuardedBy(Identifier(isRow)))',
  ]);
});

test('counts offsets in UTF-16 units, whatever the text holds', () => {
  const facts = factsOf('\uFEFFconst s = "é😀"; const después = s;\r\nconst next = 1;', ['definitions']);

  expect(facts).toEqual([
    'constant s 1:7 value+topLevel value=Literal(string)',
    'constant después 1:24 value+topLevel value=Identifier(s)',
    'constant next 2:6 value+topLevel value=Literal(number)',
  ]);
});

test('reads JSX, types and scripts in .js files, and both kinds of assertion', () => {
  expect(extractTypeScript('javascript', 'const a = <b />;').errors).toBe(0);
  expect(extractTypeScript('javascript', 'const a: string = "x";').errors).toBe(0);
  expect(extractTypeScript('javascript', 'with (a) { b = 010; }').errors).toBe(0);
  expect(extractTypeScript('typescript', 'const a = <T>b;').errors).toBe(0);
  expect(extractTypeScript('typescript', 'declare function f(): void', true).errors).toBe(0);
});

test('counts syntax errors and gives what facts there are', () => {
  const facts = extractTypeScript('typescript', 'const = ;');

  expect(facts.errors).toBeGreaterThan(0);
  expect(facts.lines).toEqual(Int32Array.of(0));
});

test('refuses text that nests too deeply for the parser, without taking the process down', () => {
  const deep = `x = ${'('.repeat(30_000)}1${')'.repeat(30_000)}`;
  const chain = `x = ${'a + '.repeat(100_000)}a`;

  expect(() => extractTypeScript('typescript', deep)).toThrow(TooDeep);
  expect(() => extractTypeScript('typescript', chain)).toThrow(TooDeep);
});
