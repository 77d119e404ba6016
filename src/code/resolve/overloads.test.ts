import { expect, test } from 'vitest';
import { resolveSources, type ResolvedSources } from './resolve-sources.ts';

/** `line` of the symbols that a use at `path:line:column` means, by their places. */
async function meantAt(sources: Readonly<Record<string, string>>): Promise<(place: string) => string[]> {
  const resolved: ResolvedSources = await resolveSources(sources);
  return (place) =>
    resolved.symbols.filter((symbol) => resolved.usesOf(symbol).some((use) => use.split(' ')[0] === place));
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
