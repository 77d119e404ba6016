import { expect, test } from 'vitest';
import { resolveSources } from '../../testing/resolve-sources.ts';

test('names go by scope: a parameter hides an import of the same name', async () => {
  const { usesOf, symbols } = await resolveSources({
    'a.ts': 'export function load() {}\n',
    'b.ts': "import { load } from './a';\nload();\nfunction other(load: () => void) {\n  load();\n}\n",
  });

  expect(usesOf('a.ts#load')).toEqual(['b.ts:1:9 import', 'b.ts:2:0 call']);
  expect(symbols).not.toContain('b.ts#other/load');
});

test('values and types of one name are told apart by where they stand', async () => {
  const { usesOf } = await resolveSources({
    'a.ts': 'export interface Shape { size: number }\nexport const Shape = { size: 1 };\n',
    'b.ts': "import { Shape } from './a';\nlet one: Shape;\nconsole.log(Shape);\n",
  });
  const { resolution } = await resolveSources({ 'a.ts': 'interface A {}\nconst A = 1;\nlet x: A;\nx = A;\n' });

  expect(usesOf('a.ts#Shape')).toContain('b.ts:2:9 type');
  expect(Array.from(resolution.uses[0]?.occurrences.target ?? [])).toEqual(expect.arrayContaining([0, 1]));
});

test.each([
  ['a barrel', { 'index.ts': "export * from './a';\n" }, "import { Thing } from './index';"],
  [
    'a barrel of barrels',
    { 'i.ts': "export * from './j';\n", 'j.ts': "export { Thing } from './a';\n" },
    "import { Thing } from './i';",
  ],
  ['another name', { 'i.ts': "export { Thing as Other } from './a';\n" }, "import { Other as Thing } from './i';"],
  ['the default', { 'i.ts': "import { Thing } from './a';\nexport default Thing;\n" }, "import Thing from './i';"],
  [
    'a circle of stars',
    { 'i.ts': "export * from './j';\n", 'j.ts': "export * from './i';\nexport * from './a';\n" },
    "import { Thing } from './i';",
  ],
  ['a compiled ending', {}, "import { Thing } from './a.js';"],
  ['CommonJS', {}, "const { Thing } = require('./a');"],
])('an import follows %s to the definition', async (_, more, line) => {
  const { usesOf } = await resolveSources({
    'a.ts': 'export class Thing { run() {} }\n',
    ...more,
    'use.ts': `${line}\nnew Thing().run();\n`,
  });

  expect(usesOf('a.ts#Thing')).toContain('use.ts:2:4 call');
  expect(usesOf('a.ts#Thing/run')).toEqual(['use.ts:2:12 call']);
});

/** Each case ends with `.go(` on line 3 of use.ts, which must be the method of a.ts. */
const A = `export class Item { go() { return this; } next?: Item; readonly list: Item[] = [] }
export class Box<T> { constructor(readonly value: T) {} get(): T { return this.value; } }
export const make = () => new Item();
export async function later() { return new Item(); }
export function first<T>(list: T[]): T { return list[0]; }
export type Alias = { inner: Item };
export const table = { item: new Item(), deep: { item: new Item() } };
export class Sub extends Item {}
export function each(run: (item: Item) => void) {}
export enum Color { Red }
`;
test.each([
  ['a constructor call', 'new a.Item().go();'],
  ['what a function returns', 'a.make().go();'],
  ['a promise', '(await a.later()).go();'],
  ['then', 'a.later().then((x) => x.go());'],
  ['a chain', 'new a.Item().go().go();'],
  ['a generic class bound by its argument', 'new a.Box(new a.Item()).get().go();'],
  ['a generic class bound by its type', 'let b: a.Box<a.Item>; b.get().go();'],
  ['a generic function bound by its argument', 'a.first([new a.Item()]).go();'],
  ['an alias', 'let x: a.Alias; x.inner.go();'],
  ['an object literal', 'a.table.deep.item.go();'],
  ['a base class', 'new a.Sub().go();'],
  ['an optional chain', 'new a.Item().next?.go();'],
  ['destructuring', 'const { item } = a.table; item.go();'],
  ['destructuring with another name', 'const { deep: { item: z } } = a.table; z.go();'],
  ['array callbacks', 'new a.Item().list.map((x) => x).forEach((y) => y.go());'],
  ['array methods that give an element', 'new a.Item().list.find((x) => x).go();'],
  ['iteration', 'for (const x of new a.Item().list) x.go();'],
  ['a map', 'const m = new Map<string, a.Item>(); m.get("k")?.go();'],
  ['a callback parameter', 'a.each((x) => x.go());'],
  ['a utility type', 'let x: Partial<Readonly<a.Item>>; x.go();'],
  ['ReturnType', 'let x: ReturnType<typeof a.make>; x.go();'],
  ['an assertion', '(null as unknown as a.Item).go();'],
  ['a dynamic import', '(await import("./a")).make().go();'],
  ['either of two', '(Math.random() ? a.make() : null).go();'],
  ['a default of a parameter', 'function f(x = a.make()) { x.go(); }'],
])('a member is found through %s', async (_, line) => {
  const { usesOf } = await resolveSources({ 'a.ts': A, 'use.ts': `import * as a from './a';\n\n${line}\n` });

  expect(usesOf('a.ts#Item/go')).toContainEqual(`use.ts:3:${line.lastIndexOf('go()')} call`);
});

test('static and instance members of one name are apart', async () => {
  const { resolution, symbols } = await resolveSources({
    'a.ts': 'class A { static of() {} of() {} }\nA.of();\nnew A().of();\n',
  });
  const [uses] = resolution.uses;
  const targetOn = (line: number): number[] =>
    Array.from(uses?.occurrences.target ?? []).filter(
      (target, row) => uses?.occurrences.line[row] === line && target > 0,
    );

  expect(symbols).toEqual(['a.ts#A', 'a.ts#A/of', 'a.ts#A/of']);
  expect([targetOn(2), targetOn(3)]).toEqual([[1], [2]]);
});

test('keys of an object literal are members of what is expected there', async () => {
  const { usesOf } = await resolveSources({
    'a.ts':
      'export interface Options { depth: number; on?: { done(): void } }\nexport function run(options: Options) {}\n',
    'b.ts': "import { run } from './a';\nrun({ depth: 1, on: { done() {} } });\n",
  });

  expect(usesOf('a.ts#Options/depth')).toEqual(['b.ts:2:6 write']);
  expect(usesOf('a.ts#Options/on/done')).toEqual(['b.ts:2:22 write']);
});

test('JSX attributes are properties of the component', async () => {
  const { usesOf } = await resolveSources({
    'a.tsx':
      'export function Button(props: { label: string; onPress?: () => void }) { return <b>{props.label}</b>; }\n',
    'b.tsx': 'import { Button } from \'./a\';\nexport const view = <Button label="x" />;\n',
  });

  expect(usesOf('a.tsx#Button/label')).toEqual(['a.tsx:1:90 read', 'b.tsx:2:28 write']);
});

test('members that override or implement each other are a family; constructors are not', async () => {
  const { families } = await resolveSources({
    'a.ts': 'export interface Store { load(): void }\n',
    'b.ts': "import type { Store } from './a';\nexport class Base implements Store { constructor() {} load() {} }\n",
    'c.ts':
      "import { Base } from './b';\nexport class Child extends Base { constructor() { super(); } load() {} other() {} }\n",
  });

  expect(families).toEqual([['a.ts#Store/load', 'b.ts#Base/load', 'c.ts#Child/load']]);
});

test('a literal of an interface is in the family of its members', async () => {
  const { families } = await resolveSources({
    'a.ts': 'interface Store { load(): void }\nexport const memory: Store = { load() {} };\n',
  });

  expect(families).toEqual([['a.ts#Store/load', 'a.ts#memory/load']]);
});

test('what no type explains is left to the name, unless its receiver is known to be something else', async () => {
  const { names, usesOf } = await resolveSources({
    'a.ts': 'export class A { push() {} read() {} }\n',
    'b.ts':
      "import fs from 'node:fs';\nfunction f(x: any) {\n  x.read();\n  [1].push();\n  fs.read();\n  x.unheard();\n}\n",
  });

  expect(names).toEqual(['b.ts:3:4 read']);
  expect(usesOf('a.ts#A/push')).toEqual([]);
});

test('overloads and accessors are one symbol', async () => {
  const { symbols, usesOf } = await resolveSources({
    'a.ts':
      'export function f(x: string): void;\nexport function f(x: number): void;\nexport function f(x: unknown) {}\n' +
      'export class A { get size() { return 1; } set size(x) {} }\nf(1);\nnew A().size = 2;\n',
  });

  expect(symbols).toEqual(['a.ts#f', 'a.ts#A', 'a.ts#A/size']);
  expect(usesOf('a.ts#f')).toEqual(['a.ts:5:0 call']);
  expect(usesOf('a.ts#A/size')).toEqual(['a.ts:6:8 write']);
});

test('types that contain themselves end', async () => {
  const { usesOf } = await resolveSources({
    'a.ts':
      'type Json = string | Json[] | { [key: string]: Json };\n' +
      'type Deep<T> = { [K in keyof T]: Deep<T[K]> | Deep<Deep<T>>[] } & { self: Deep<T>; end: T };\n' +
      'class Node { parent = this.up(); up() { return this.parent; } }\nclass Loop extends Loop {}\n' +
      'declare const d: Deep<Node>;\nd.self.self.end.up();\nnew Loop().up();\nlet j: Json; j.x.y.z;\n',
  });

  expect(usesOf('a.ts#Node/up')).toEqual(['a.ts:3:27 call', 'a.ts:6:16 call']);
});

test('types that unwrap types into themselves many times over cost little, and keep what they give', async () => {
  const uses = Array.from({ length: 1_000 }, (_, n) => `export function f${n}(x: Unwrap<A>) { x.go(); x.stop(); }\n`);
  const { usesOf } = await resolveSources({
    'a.ts':
      'export class A { go() {} }\nclass Stop { stop() {} }\n' +
      'type Unwrap<T> = T extends A ? Inner<T> | Unwrap<T[]> | T : Unwrap<Inner<T>> | Stop;\n' +
      `type Inner<T> = T extends A ? Unwrap<T> | Inner<T[]> : Unwrap<Inner<T>>;\n${uses.join('')}`,
  });

  expect(usesOf('a.ts#A/go')).toHaveLength(uses.length);
  expect(usesOf('a.ts#Stop/stop')).toHaveLength(uses.length);
});

test('the facts of a file say which symbols it has, how they are called and what they are', async () => {
  const text =
    '/** Keeps things.\n * Second line. */\nexport class Store<T>\n  extends Map<string, T> {\n  /** How many. */\n  count = 1;\n  #secret = 2;\n}\n' +
    'export default function () {}\nfunction outer() { function inner() {} }\nconst routes = { home() {} };\nexport { outer };\n';
  const { resolution } = await resolveSources({ 'a.ts': text });

  const rows = resolution.symbols(0, text);

  expect(
    rows.map((row) => `${row.kind} ${row.qualified} ${row.line}-${row.end} ${row.exported} ${row.parent}`),
  ).toEqual([
    'class Store 3-8 true -1',
    'property Store/count 6-6 true 0',
    'property Store/#secret 7-7 false 0',
    'function default 9-9 true -1',
    'function outer 10-10 true -1',
    'function outer/inner 10-10 false 4',
    'constant routes 11-11 false -1',
    'method routes/home 11-11 false 6',
  ]);
  expect(rows[0]?.doc).toBe('Keeps things.\nSecond line.');
  expect(rows[0]?.signature.replaceAll(/\s+/g, ' ')).toBe('export class Store<T> extends Map<string, T>');
});

test.each([
  [
    'a.py',
    'def send(\n    to: str,  # an address, or "#team"\n    # and the body:\n    text="#",\n) -> None:  # sent\n    pass\n',
    'def send( to: str, text="#", ) -> None:',
  ],
  [
    'a.ts',
    'export function send(\n  to: string, // an address\n  text = "//", /* the body */\n): void {}\n',
    'export function send( to: string, text = "//", ): void',
  ],
])('the head of a declaration in %s has no comments', async (path, text, head) => {
  const { resolution } = await resolveSources({ [path]: text });

  const [row] = resolution.symbols(0, text);

  expect(row?.signature.replaceAll(/\s+/g, ' ')).toBe(head);
});

const UNION = `export class Left { go() {} }
export class Right { go() {} }
export interface Added { type: 'added'; item: Left }
export interface Removed { type: 'removed' | 'gone'; item: Right }
export type Change = Added | Removed;
export function isRight(x: unknown): x is Right { return true; }
`;

/** Each case is the body of a function; the receiver of its last `.go` is a Right only. */
test.each([
  ['instanceof', 'if (x instanceof Right) x.go();'],
  ['instanceof that does not hold', 'if (x instanceof Left) {} else x.go();'],
  ['instanceof before a return', 'if (!(x instanceof Right)) return; x.go();'],
  ['instanceof before &&', 'x instanceof Right && x.go();'],
  ['instanceof before ||', 'x instanceof Left || x.go();'],
  ['a conditional expression', 'return x instanceof Left ? 1 : x.go();'],
  ['a type guard', 'if (isRight(x)) x.go();'],
  ['in', "if ('item' in y && y.type !== 'added') y.item.go();"],
  ['a literal property', "if (y.type === 'removed') y.item.go();"],
  ['a literal property that differs', "if (y.type !== 'added') y.item.go();"],
  ['a switch', "switch (y.type) { case 'gone': case 'removed': y.item.go(); }"],
  ['a name that is declared after a test', "if (y.type === 'added') return; const z = y; function f() {} z.item.go();"],
])('a union is narrowed by %s', async (_, body) => {
  const { usesOf } = await resolveSources({
    'a.ts': UNION,
    'b.ts': `import { Left, Right, isRight, type Change } from './a';\nfunction use(x: Left | Right, y: Change) {\n${body}\n}`,
  });

  expect(usesOf('a.ts#Right/go')).toEqual([`b.ts:3:${body.lastIndexOf('go()')} call`]);
  expect(usesOf('a.ts#Left/go')).toEqual([]);
});

test('an object literal names the members of the part of a union that its literals choose', async () => {
  const { usesOf } = await resolveSources({
    'a.ts': UNION,
    'b.ts': "import { type Change, Left } from './a';\nconst one: Change = { type: 'added', item: new Left() };\n",
  });

  expect(usesOf('a.ts#Added/item')).toEqual(['b.ts:2:37 write']);
  expect(usesOf('a.ts#Removed/item')).toEqual([]);
});

test('the prototype of a class has the members of its instances', async () => {
  const { usesOf } = await resolveSources({ 'a.ts': 'class A { go() {} }\nA.prototype.go;\n' });

  expect(usesOf('a.ts#A/go')).toEqual(['a.ts:2:12 read']);
});

test('the library keeps what it is given: Promise.all, Object.values, Array.from', async () => {
  const lines = [
    'const all = await Promise.all(list.map(async () => new A())); for (const x of all) x.go();',
    'const [one] = await Promise.all([new A()]); one.go();',
    'Object.values({} as Record<string, A>).forEach((x) => x.go());',
    'Array.from(new Set<A>()).map((x) => x.go());',
    'const later = Promise.resolve(1).then(() => [new A()]); (await later)[0].go();',
  ];
  const { usesOf } = await resolveSources({
    'a.ts': 'export class A { go() {} }\n',
    'b.ts': `import { A } from './a';\nasync function use(list: A[]) {\n${lines.join('\n')}\n}`,
    'c.ts': "import { A } from './a';\nconst Object = { values: (x: unknown) => 1 };\nObject.values([new A()]).go();\n",
  });

  expect(usesOf('a.ts#A/go')).toEqual(lines.map((line, at) => `b.ts:${at + 3}:${line.lastIndexOf('go()')} call`));
});

test('an accessor of a literal in a function is the member that its context expects', async () => {
  const { symbols, families } = await resolveSources({
    'a.ts': 'interface Socket { state: number }\nfunction open(): Socket { return { get state() { return 1; } }; }\n',
  });

  expect(symbols).toContain('a.ts#open/state');
  expect(families).toEqual([['a.ts#Socket/state', 'a.ts#open/state']]);
});

test('a function that shares its name with a name space is called, whichever comes first', async () => {
  const { usesOf } = await resolveSources({
    'shop.d.ts': [
      'interface Shop { open(): void }',
      'declare namespace shop { const opened: number }',
      'declare function shop(): Shop;',
      'export = shop;',
    ].join('\n'),
    'main.js': "const make = require('./shop');\nmake().open();\nmake.opened;\n",
  });

  expect(usesOf('shop.d.ts#Shop/open')).toEqual(['main.js:2:7 call']);
  expect(usesOf('shop.d.ts#shop/opened')).toEqual(['main.js:3:5 read']);
});

test('what a package declares for all of its files is used there before what other packages declare', async () => {
  const { usesOf } = await resolveSources({
    'packages/core/package.json': '{ "name": "core" }',
    'packages/core/src/global.d.ts': 'declare const __DEV__: boolean;\n',
    'packages/core/src/a.ts': 'export const a = __DEV__;\n',
    'packages/view/package.json': '{ "name": "view" }',
    'packages/view/src/global.d.ts': 'declare const __DEV__: boolean;\n',
    'packages/other/package.json': '{ "name": "other" }',
    'packages/other/b.ts': 'export const b = __DEV__;\n',
  });

  expect(usesOf('packages/core/src/global.d.ts#__DEV__')).toEqual([
    'packages/core/src/a.ts:1:17 read',
    'packages/other/b.ts:1:17 read',
  ]);
  expect(usesOf('packages/view/src/global.d.ts#__DEV__')).toEqual(['packages/other/b.ts:1:17 read']);
});

test('a module augmentation uses the module, and the types that it adds to', async () => {
  const { usesOf, importsOf } = await resolveSources({
    'shop.ts': 'export interface Shop { open: boolean }\nexport class Till {}\n',
    'more.ts':
      "export {};\ndeclare module './shop' {\n  interface Shop { late: boolean }\n  export class Till {}\n  interface Other {}\n}\n",
  });

  expect(importsOf('more.ts')).toEqual(['shop.ts']);
  expect(usesOf('shop.ts#Shop')).toEqual(['more.ts:3:12 type']);
  expect(usesOf('shop.ts#Till')).toEqual(['more.ts:4:15 type']);
});

test('a method that gives `this` gives what it is called on, a parameter `this` is not given by a call, and maps give pairs', async () => {
  const { usesOf } = await resolveSources({
    'a.ts': `class Base { set(): this { return this; } put() { return this; } go() {} }
class Part extends Base { more() {} }
new Part().set().put().more();
new Part().set().go();
interface Bus { on(listener: (this: Bus, value: Base) => void): void; end(): void }
declare const bus: Bus;
bus.on((value) => value.go());
function stop(this: Bus) { this.end(); }
for (const [, part] of new Map<string, Part>()) part.more();
`,
  });

  expect(usesOf('a.ts#Part/more')).toEqual(['a.ts:3:23 call', 'a.ts:9:53 call']);
  expect(usesOf('a.ts#Base/go')).toEqual(['a.ts:4:17 call', 'a.ts:7:24 call']);
  expect(usesOf('a.ts#Bus/end')).toEqual(['a.ts:8:32 call']);
});
