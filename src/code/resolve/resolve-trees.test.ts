import { expect, test } from 'vitest';
import { resolveSources } from './resolve-sources.ts';

const places = (uses: readonly string[]): (string | undefined)[] => uses.map((one) => one.split(' ')[0]);

test('Go: files of a package share names, imports go by the module path, methods by their receiver', async () => {
  const { usesOf, families } = await resolveSources({
    'go.mod': 'module example.com/shop\n\ngo 1.25\n',
    'cart/cart.go':
      'package cart\n\ntype Cart struct{ Items []Item }\n\nfunc (c *Cart) Total() int { return c.Items[0].Price() }\n',
    'cart/item.go':
      'package cart\n\ntype Item struct{ price int }\n\nfunc (i Item) Price() int { return i.price }\n\nfunc New() *Cart { return &Cart{} }\n',
    'main.go':
      'package main\n\nimport "example.com/shop/cart"\n\ntype Store struct{ *cart.Cart }\n\nfunc main() {\n\tc := cart.New()\n\tc.Total()\n\tvar s Store\n\ts.Total()\n}\n',
  });

  expect(places(usesOf('cart/item.go#New'))).toEqual(['main.go:8:11']);
  expect(places(usesOf('cart/cart.go#Cart/Total'))).toEqual(['main.go:9:3', 'main.go:11:3']);
  expect(places(usesOf('cart/item.go#Item/Price'))).toEqual(['cart/cart.go:5:47']);
  expect(places(usesOf('cart/item.go#Item/price'))).toEqual(['cart/item.go:5:37']);
  expect(families).toEqual([]);
});

test('Java: names go by package, import and nesting, members by declared types', async () => {
  const { usesOf, families } = await resolveSources({
    'src/a/Base.java':
      'package a;\npublic abstract class Base {\n  public Base self() { return this; }\n  public abstract void run();\n  public static class Inner { public void in() {} }\n  public static int LIMIT = 1;\n}\n',
    'src/b/Child.java':
      'package b;\nimport a.Base;\nimport static a.Base.LIMIT;\npublic class Child extends Base {\n  private final Helper helper = new Helper();\n' +
      '  @Override public void run() {\n    self().run();\n    helper.help(LIMIT);\n    new Base.Inner().in();\n    var other = new Child();\n    other.self();\n  }\n}\n',
    'src/b/Helper.java': 'package b;\nclass Helper {\n  Helper() {}\n  void help(int x) {}\n}\n',
  });

  expect(places(usesOf('src/a/Base.java#Base/self'))).toEqual(['src/b/Child.java:7:4', 'src/b/Child.java:11:10']);
  expect(places(usesOf('src/a/Base.java#Base/run'))).toEqual(['src/b/Child.java:7:11']);
  expect(places(usesOf('src/b/Helper.java#Helper/help'))).toEqual(['src/b/Child.java:8:11']);
  expect(places(usesOf('src/a/Base.java#Base/Inner/in'))).toEqual(['src/b/Child.java:9:21']);
  expect(places(usesOf('src/a/Base.java#Base/LIMIT'))).toContain('src/b/Child.java:8:16');
  expect(families).toEqual([['src/a/Base.java#Base/run', 'src/b/Child.java#Child/run']]);
});
