import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { resolveSources } from '../../testing/resolve-sources.ts';

const FIXTURES = new URL('../../../fixtures/cpp/', import.meta.url);

const places = (uses: readonly string[]): (string | undefined)[] => uses.map((use) => use.split(' ')[0]);

test('C and C++: declarations and definitions, members by declared type, name spaces, macros, includes', async () => {
  const names = readdirSync(FIXTURES).filter((name) => /\.(h|c|cc)$/.test(name));
  const sources = Object.fromEntries(names.map((name) => [name, readFileSync(new URL(name, FIXTURES), 'utf8')]));
  const { usesOf, families, importsOf, names: guessed } = await resolveSources(sources);

  expect(usesOf('goods.h#goods_double')).toEqual(['shop.h:11:18 call']);
  expect(usesOf('goods.c#goods_double')).toEqual(['shop.h:11:18 call']);
  expect(usesOf('goods.c#times')).toEqual(['goods.c:8:14 call']);
  expect(places(usesOf('goods.h#price/cents'))).toEqual([
    'goods.c:8:6',
    'goods.c:9:15',
    'shop.cc:12:22',
    'shop.cc:12:53',
  ]);
  expect(places(usesOf('goods.h#kind/KIND_BOOK'))).toEqual(['shop.cc:19:19']);
  expect(places(usesOf('shop.h#MOST'))).toEqual(['shop.cc:12:30']);
  expect(usesOf('shop.h#TWICE')).toEqual(['shop.cc:12:62 call']);
  expect(places(usesOf('shop.h#shop/Cart/Count'))).toEqual(['shop.cc:19:32', 'shop.cc:29:40']);
  expect(places(usesOf('shop.h#shop/Counted/Count'))).toEqual(['shop.cc:29:59']);
  expect(places(usesOf('shop.h#shop/Cart/items_'))).toEqual(['shop.cc:11:26', 'shop.cc:18:2']);
  expect(places(usesOf('shop.h#shop/Mode/kClosed'))).toEqual(['shop.cc:29:23']);
  expect(usesOf('shop.h#shop/Total')).toEqual(['shop.cc:36:15 call']);
  expect(families).toContainEqual(['shop.cc#shop/Add', 'shop.h#shop/Cart/Add']);
  expect(importsOf('shop.cc')).toEqual(['shop.h']);
  expect(guessed).toEqual([]);
});

test('C: a function that is static, or defined in the file itself, is meant there', async () => {
  const { usesOf } = await resolveSources({
    'a.c': 'static void log_it(void) {}\nvoid run(void) { log_it(); }\n',
    'b.c': 'void log_it(void) {}\nvoid other(void) { log_it(); }\n',
    'c.c': 'void log_it(void);\nvoid third(void) { log_it(); }\n',
  });

  expect(places(usesOf('a.c#log_it'))).toEqual(['a.c:2:17']);
  expect(places(usesOf('b.c#log_it'))).toEqual(['b.c:2:19', 'c.c:2:19']);
});

test('C++: of classes of one name in two programs each file means its own', async () => {
  const program =
    'namespace { class Box { public: int size() { return n_; }\n int n_; }; }\nint main() { return Box().size(); }\n';
  const { usesOf } = await resolveSources({ 'a.cc': program, 'b.cc': program });

  expect(places(usesOf('a.cc#Box/size'))).toEqual(['a.cc:3:26']);
  expect(places(usesOf('b.cc#Box/n_'))).toEqual(['b.cc:1:52']);
});

test('C: a static function of a header is meant by those that include it', async () => {
  const { usesOf } = await resolveSources({
    'memory.h': 'static inline void release(void *at) { (void)at; }\n',
    'a.c': '#include "memory.h"\nvoid run(void *at) { release(at); }\n',
  });

  expect(places(usesOf('memory.h#release'))).toEqual(['a.c:2:21']);
});
