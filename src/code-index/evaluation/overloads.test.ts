import { expect, test } from 'vitest';
import { resolveSources, type ResolvedSources } from '../../testing/resolve-sources.ts';

/** `line` of the symbols that a use at `path:line:column` means, by their places. */
async function meantAt(sources: Readonly<Record<string, string>>): Promise<(location: string) => string[]> {
  const resolved: ResolvedSources = await resolveSources(sources);
  return (location) =>
    resolved.symbols.filter((symbol) => resolved.usesOf(symbol).some((use) => use.split(' ')[0] === location));
}

/** The overload of `take` of a class that a statement calls, by its parameters; `before` are declarations beside it. */
async function javaCall(overloads: string, statement: string, before = ''): Promise<string[]> {
  const declared = overloads.split(';').map((parameters) => `  void take(${parameters.trim()}) {}\n`);
  const text =
    `package a;\nimport java.util.*;\n${before}\nclass Sink {\n${declared.join('')}}\n` +
    `class User { void run(Sink sink, Object any, Dog dog, int number, List<String> list) {\n${statement}\n} }\n` +
    'interface Animal {}\nclass Dog implements Animal {}\nclass Puppy extends Dog {}\ninterface Job { void go(); }\ninterface Rule { boolean test(String text); }\n';
  const line = text.split('\n').indexOf(statement) + 1;
  const meant = await meantAt({ 'A.java': text });
  return meant(`A.java:${line}:${statement.indexOf('take')}`).map((symbol) => symbol.slice(symbol.indexOf('take')));
}

test.each([
  ['int x; String x', 'sink.take(1);', ['take(int)']],
  ['int x; String x', 'sink.take("a" + any);', ['take(String)']],
  ['String x; String x, int y', 'sink.take("a", 1);', ['take(String, int)']],
  ['int x; long x', 'sink.take(2L);', ['take(long)']],
  ['long x; double x', 'sink.take(number);', ['take(long)']],
  ['Object x; Animal x', 'sink.take(dog);', ['take(Animal)']],
  ['Object x; Dog x; Animal x', 'sink.take(new Puppy());', ['take(Dog)']],
  ['Object x; long x', 'sink.take(number);', ['take(long)']],
  ['Integer x; Object x', 'sink.take(number);', ['take(Integer)']],
  ['int x; Object... x', 'sink.take(number);', ['take(int)']],
  ['int x; Object... x', 'sink.take(1, 2, 3);', ['take(Object...)']],
  ['char[] x; String x', 'sink.take("abc".toCharArray());', ['take(char[])']],
  ['int x; String x', 'sink.take(null);', ['take(String)']],
  ['Job x; Rule x', 'sink.take(() -> {});', ['take(Job)']],
  ['Job x; Rule x', 'sink.take(text -> true);', ['take(Rule)']],
  ['String x; Runnable x', 'sink.take(() -> {});', ['take(Runnable)']],
  ['Class<?> x; Animal x', 'sink.take(Dog.class);', ['take(Class<?>)']],
  ['int[] x; int[][] x', 'sink.take(new int[2][2]);', ['take(int[][])']],
])('Java: of %s, %s calls %j', async (overloads, statement, expected) => {
  expect(await javaCall(overloads, statement)).toEqual(expected);
});

test('Java: what an unknown argument fits is meant, all of it', async () => {
  expect(await javaCall('int x; String x; Dog x, Dog y', 'sink.take(elsewhere());')).toEqual([
    'take(int)',
    'take(String)',
  ]);
});

test('Java: an argument that is a call gives what the overload gives that it means', async () => {
  const before = 'class Maker { static int of(String x) { return 1; } static String of(int x) { return ""; } }';

  expect(await javaCall('int x; String x', 'sink.take(Maker.of(1));', before)).toEqual(['take(String)']);
  expect(await javaCall('int x; String x', 'sink.take(Maker.of("a"));', before)).toEqual(['take(int)']);
});

test('Java: an overload of a base is meant where the class has no better one, by name alone too', async () => {
  const meant = await meantAt({
    'A.java':
      'class Base { void put(String x) {} void put(int x) {} }\nclass Child extends Base { void put(int x) {}\n' +
      ' void run() { put("a"); put(1); this.put("b"); } }\n',
  });

  expect(meant('A.java:3:14')).toEqual(['A.java#Base/put(String)']);
  expect(meant('A.java:3:24')).toEqual(['A.java#Child/put']);
  expect(meant('A.java:3:37')).toEqual(['A.java#Base/put(String)']);
});

test('Java: constructors are called by new, this and super, beside the use of the class', async () => {
  const meant = await meantAt({
    'A.java':
      'class Box { Box() { this(1); } Box(int size) {} }\nclass Big extends Box { Big() { super(2); } }\n' +
      'class User { Object one = new Box(); Object two = new Box(3); Object three = new Big() {}; }\n',
  });

  expect(meant('A.java:1:20')).toEqual(['A.java#Box/Box(int)']);
  expect(meant('A.java:2:32')).toEqual(['A.java#Box/Box(int)']);
  expect(meant('A.java:3:30')).toEqual(['A.java#Box', 'A.java#Box/Box()']);
  expect(meant('A.java:3:54')).toEqual(['A.java#Box', 'A.java#Box/Box(int)']);
  expect(meant('A.java:3:81')).toEqual(['A.java#Big', 'A.java#Big/Big']);
});

test('Java: a method is of the family of the overload that it overrides', async () => {
  const { families } = await resolveSources({
    'A.java':
      'interface Sink<T> { void put(T one); void put(String name, int count); void put(int count); }\n' +
      'class Items implements Sink<Dog> { public void put(Dog one) {} public void put(String name, int count) {} public void put(int count) {} public void put(int[] all) {} }\nclass Dog {}\n',
  });

  expect(families).toEqual([
    ['A.java#Sink/put(T)', 'A.java#Items/put(Dog)'],
    ['A.java#Sink/put(String, int)', 'A.java#Items/put(String, int)'],
    ['A.java#Sink/put(int)', 'A.java#Items/put(int)'],
  ]);
});

test.each([
  ['int x; string x', 'sink.Take("a" + 1);', ['Take(string)']],
  ['int x; long x', 'sink.Take(2L);', ['Take(long)']],
  ['Animal x; object x', 'sink.Take(new Dog());', ['Take(Animal)']],
  ['string x, int y = 0; string x', 'sink.Take("a");', ['Take(string)']],
  ['string x, params object[] rest; string x, Animal y', 'sink.Take("a", 1, 2);', ['Take(string, object...)']],
  ['Animal x; Action<int> x', 'sink.Take(x => { });', ['Take((int) -> ?)']],
])('C#: of %s, %s calls %j', async (overloads, statement, expected) => {
  const declared = overloads.split(';').map((parameters) => `  public void Take(${parameters.trim()}) { }\n`);
  const text =
    `using System;\nnamespace A;\npublic class Sink {\n${declared.join('')}}\npublic class Animal { }\npublic class Dog : Animal { }\n` +
    `public class User { public void Run(Sink sink) {\n${statement}\n} }\n`;
  const meant = await meantAt({ 'A.cs': text });
  const line = text.split('\n').indexOf(statement) + 1;

  expect(meant(`A.cs:${line}:${statement.indexOf('Take')}`)).toEqual(
    expected.map((parameters) => `A.cs#Sink/${parameters}`),
  );
});

test('C#: overloads of partial types and of extensions are told apart wherever they are declared', async () => {
  const meant = await meantAt({
    'A.cs': 'namespace A;\npublic partial class Box { public void Put(int x) { } public Box(int size) { } }\n',
    'B.cs':
      'namespace A;\npublic partial class Box { public void Put(string x) { } public Box(string name) { } }\n' +
      'public static class More { public static void Fill(this Box box, int x) { } public static void Fill(this Box box, string x) { } }\n',
    'C.cs':
      'namespace A;\npublic class User { public void Run(Box box) {\nbox.Put("a");\nbox.Fill(1);\nnew Box(3);\n} }\n',
  });

  expect(meant('C.cs:3:4')).toEqual(['B.cs#Box/Put']);
  expect(meant('C.cs:4:4')).toEqual(['B.cs#More/Fill(Box, int)']);
  expect(meant('C.cs:5:4')).toEqual(['A.cs#Box/Box', 'B.cs#Box']);
});

test.each([
  ['x: Int; x: String', 'sink.take("a")', ['take(String)']],
  ['x: Animal; x: Any', 'sink.take(Dog())', ['take(Animal)']],
  ['x: String, y: Int = 0; x: String', 'sink.take("a")', ['take(String)']],
  ['x: Int, y: () -> Unit; x: String, y: () -> Unit', 'sink.take(1) { }', ['take(Int, () -> Unit)']],
  ['x: Int = 1, y: (Int) -> Unit; x: String', 'sink.take { }', ['take(Int, (Int) -> Unit)']],
  ['vararg x: Int; x: String', 'sink.take(1, 2)', ['take(Int...)']],
  ['x: Class<Dog>; x: Animal', 'sink.take(Dog::class.java)', ['take(Class<Dog>)']],
  ['x: Int, y: Int; x: Int', 'sink.take<Int>(1)', ['take(Int)']],
])('Kotlin: of %s, %s calls %j', async (overloads, statement, expected) => {
  const declared = overloads.split(';').map((parameters) => `  fun take(${parameters.trim()}) {}\n`);
  const text =
    `package a\nclass Sink {\n${declared.join('')}}\nopen class Animal\nclass Dog : Animal()\n` +
    `fun run(sink: Sink) {\n${statement}\n}\n`;
  const meant = await meantAt({ 'A.kt': text });
  const line = text.split('\n').indexOf(statement) + 1;

  expect(meant(`A.kt:${line}:${statement.indexOf('take')}`)).toEqual(
    expected.map((parameters) => `A.kt#Sink/${parameters}`),
  );
});

test('Kotlin: functions at the top are told apart over files, and extensions by what they are for', async () => {
  const meant = await meantAt({
    'A.kt': 'package a\nfun show(x: Int) {}\nfun Cat.call(x: Int) {}\nclass Cat\n',
    'B.kt':
      'package a\nfun show(x: String) {}\nfun Dog.call(x: Int) {}\nfun Dog.call(x: String) {}\nclass Dog\n' +
      'fun run(dog: Dog) {\nshow("a")\ndog.call("b")\n}\n',
  });

  expect(meant('B.kt:7:0')).toEqual(['B.kt#show']);
  expect(meant('B.kt:8:4')).toEqual(['B.kt#Dog/call(String)']);
});

test('Kotlin: a member is meant before an extension, also when it leaves more out', async () => {
  const meant = await meantAt({
    'A.kt': 'package a\nclass Box { fun open(x: Int = 1) {} }\nfun Box.open() {}\nfun run(box: Box) {\nbox.open()\n}\n',
  });

  expect(meant('A.kt:5:4')).toEqual(['A.kt#Box/open(Int)']);
});

test('of more functions of one name than anybody writes only the first are compared', async () => {
  const types = Array.from({ length: 250 }, (_, index) => `T${index}`);
  const declared = types.map((type) => `  void take(${type} x) {}\n`).join('');
  const text = `package a;\nclass Sink {\n${declared}}\nclass User { void run(Sink sink) {\nsink.take(unknown);\n} }\n`;
  const meant = await meantAt({ 'A.java': text });

  expect(meant(`A.java:${text.split('\n').indexOf('sink.take(unknown);') + 1}:5`)).toHaveLength(200);
});

/** Four interfaces that extend all four of the level below. */
function level(depth: number): string {
  const names = ['A', 'B', 'C', 'D'];
  const bases = depth === 0 ? '' : ` : ${names.map((name) => `I${name}${depth - 1}`).join(', ')}`;
  return names.map((name) => `interface I${name}${depth}${bases} { void Put(T${name}${depth} x); }`).join('\n');
}

test('C#: a base that many ways lead to is searched once', async () => {
  // 4 to the power of 20 ways.
  const levels = Array.from({ length: 20 }, (_, depth) => level(depth)).join('\n');
  const text = `${levels}\nclass Box : IA19, IB19 {\nvoid Put(int x) {}\nvoid Run() {\nPut(1);\nMissing();\n} }\n`;
  const meant = await meantAt({ 'A.cs': text });

  expect(meant(`A.cs:${text.split('\n').indexOf('Put(1);') + 1}:0`)).toEqual(['A.cs#Box/Put']);
});
