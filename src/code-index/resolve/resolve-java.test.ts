import { expect, test } from 'vitest';
import { resolveSources } from '../../testing/resolve-sources.ts';

/** Each case is a statement of a method that has a Shop and an Item list; its last `.go()` must be that of Item. */
test.each([
  ['each element', 'items.forEach(one -> one.go());'],
  [
    'elements of a stream',
    'items.stream().filter(one -> one.ready()).map(one -> one.twin()).anyMatch(one -> one.go());',
  ],
  ['what an optional may hold', 'items.stream().findFirst().ifPresent(one -> one.go());'],
  ['what is taken out of an optional', 'shop.first().orElseThrow().go();'],
  ['an entry of a map', 'shop.named.forEach((name, one) -> one.go());'],
  ['the values of a map', 'shop.named.values().removeIf(one -> one.go());'],
  ['the entries of a map', 'for (var entry : shop.named.entrySet()) entry.getValue().go();'],
  ['a consumer that a method takes', 'shop.listen((place, one) -> { one.go(); });'],
  ['a comparator', 'shop.order((left, right) -> right.go());'],
  ['a supplier', 'shop.maker.get().go();'],
])('Java: a lambda takes its values from %s', async (_, statement) => {
  const { usesOf } = await resolveSources({
    'src/a/Shop.java': `package a;
import java.util.*;
import java.util.function.*;
class Item { boolean go() { return true; } boolean ready() { return true; } Item twin() { return this; } }
class Shop {
  Map<String, Item> named;
  Supplier<Item> maker;
  Optional<Item> first() { return null; }
  void listen(BiConsumer<String, ? super Item> listener) {}
  void order(Comparator<Item> by) {}
  void run(Shop shop, List<Item> items) {
    ${statement}
  }
}
`,
  });

  expect(usesOf('src/a/Shop.java#Item/go')).toEqual([`src/a/Shop.java:12:${4 + statement.lastIndexOf('go()')} call`]);
});

test('Java: what is called without an object is a method, whatever a variable is called', async () => {
  const { usesOf } = await resolveSources({
    'src/a/Shop.java': `package a;
class Shop {
  String clean(String text) { return text; }
  void run(String text) {
    final String clean = clean(text);
    Runnable later = () -> clean(clean);
  }
}
`,
  });

  expect(usesOf('src/a/Shop.java#Shop/clean')).toEqual(['src/a/Shop.java:5:25 call', 'src/a/Shop.java:6:27 call']);
});

test('what is private is not inherited: inside a subclass the name means what is around it', async () => {
  const { usesOf } = await resolveSources({
    'Base.java': 'package m;\nclass Base { private int log; int open; void run() {} }\n',
    'Outer.java':
      'package m;\nclass Outer {\n  static int log; static int open;\n  Base made() {\n    return new Base() { void run() { log++; open++; } };\n  }\n}\n',
  });

  expect(usesOf('Outer.java#Outer/log').map((use) => use.split(' ')[0])).toEqual(['Outer.java:5:37']);
  expect(usesOf('Base.java#Base/log')).toEqual([]);
  expect(usesOf('Base.java#Base/open').map((use) => use.split(' ')[0])).toEqual(['Outer.java:5:44']);
});

test('Java: of classes with one full name the nearest source root is meant; between equally near modules only the name is known', async () => {
  const config = 'package a;\npublic class Config { public void open() {} }\n';
  const user = 'package b;\nimport a.Config;\nclass User { void run(Config config) { config.open(); } }\n';
  const { usesOf, names } = await resolveSources({
    'api/src/main/java/a/Config.java': config,
    'web/src/main/java/a/Config.java': config,
    'web/src/main/java/b/User.java': user,
    'web/src/test/java/a/Check.java': 'package a;\nclass Check { Config config; }\n',
    'cli/src/main/java/b/User.java': user,
  });

  expect(usesOf('web/src/main/java/a/Config.java#Config')).toEqual([
    'web/src/main/java/b/User.java:2:9 import',
    'web/src/main/java/b/User.java:3:22 type',
    'web/src/test/java/a/Check.java:2:14 type',
  ]);
  expect(usesOf('web/src/main/java/a/Config.java#Config/open')).toEqual(['web/src/main/java/b/User.java:3:46 call']);
  expect(usesOf('api/src/main/java/a/Config.java#Config')).toEqual([]);
  expect(usesOf('api/src/main/java/a/Config.java#Config/open')).toEqual([]);
  expect(names.filter((name) => name.startsWith('cli/')).map((name) => name.split(' ')[1])).toEqual([
    'Config',
    'Config',
    'open',
  ]);
});
