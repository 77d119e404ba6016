import { expect, test } from 'vitest';
import { resolveSources } from '../../testing/resolve-sources.ts';

const places = (uses: readonly string[]): (string | undefined)[] => uses.map((use) => use.split(' ')[0]);

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

test('Java: fields and private methods override nothing, and a call means the method of a name', async () => {
  const { resolution, symbols, families } = await resolveSources({
    'src/a/A.java':
      'package a;\nclass A {\n  static final long VERSION = 1;\n  private void hidden() {}\n  boolean done;\n  boolean done() { return done; }\n}\n',
    'src/a/B.java':
      'package a;\nclass B extends A {\n  static final long VERSION = 2;\n  void hidden() {}\n  boolean read() { return done() && this.done() && this.done; }\n}\n',
  });

  expect(families).toEqual([]);
  // The field is the first of the two symbols of that name, the method the second.
  const field = symbols.indexOf('src/a/A.java#A/done');
  const used = resolution.uses[1]?.occurrences;
  expect(Array.from(used?.target ?? []).filter((target) => target === field || target === field + 1)).toEqual([
    field + 1,
    field + 1,
    field,
  ]);
});

test('Java: methods of anonymous classes are of the family they implement; a case names a constant or a member', async () => {
  const { usesOf, families } = await resolveSources({
    'src/a/Task.java':
      'package a;\ninterface Task { void run(); }\nclass Tasks {\n  static final int ONE = 1;\n  static final Task NONE = new Task() { public void run() {} };\n' +
      '  int pick(int number, Level level) {\n    switch (number) { case ONE: return 1; }\n    switch (level) { case LOW: return 2; }\n    return 0;\n  }\n}\n',
    'src/a/Level.java': 'package a;\nenum Level { LOW }\n',
  });

  expect(families).toEqual([['src/a/Task.java#Task/run', 'src/a/Task.java#Tasks/NONE/run']]);
  expect(places(usesOf('src/a/Task.java#Tasks/ONE'))).toEqual(['src/a/Task.java:7:27']);
  expect(places(usesOf('src/a/Level.java#Level/LOW'))).toEqual(['src/a/Task.java:8:26']);
});

test('Java: files that import the members of each other have an end, and so have bases that nobody declares', async () => {
  const { usesOf } = await resolveSources({
    'src/a/A.java':
      'package a;\nimport static b.B.*;\npublic class A extends Lost {\n  public static class Item { void go() {} }\n}\n',
    'src/b/B.java':
      'package b;\nimport static a.A.*;\npublic class B extends Lost {\n  void run(Item item) { item.go(); }\n}\n',
  });

  expect(places(usesOf('src/a/A.java#A/Item'))).toEqual(['src/b/B.java:4:11']);
  expect(places(usesOf('src/a/A.java#A/Item/go'))).toEqual(['src/b/B.java:4:29']);
});

/** Each case is a statement of a function that takes a Store; its last `.go()` must be that of Item. */
test.each([
  ['a result under another name', 's.open().unwrap().go();'],
  ['an iterator', 's.items.iter().filter(|x| x.ready).for_each(|x| { x.go(); });'],
  ['what a closure gives', 'for y in s.items.iter().map(|x| x.twin()) { y.go(); }'],
  ['an option', 's.find().map(|x| x.go());'],
  ['an option after an option', 's.find().and_then(|x| s.find()).unwrap().go();'],
  ['the first element', 's.items.first().unwrap().go();'],
  ['elements with their positions', 'for (i, x) in s.items.iter().enumerate() { x.go(); }'],
])('Rust: a closure or loop takes its values from %s', async (_, statement) => {
  const { usesOf } = await resolveSources({
    'Cargo.toml': '[package]\nname = "app"\n',
    'src/error.rs':
      'use std::result::Result as StdResult;\npub struct Error;\npub type Result<T, E = Error> = StdResult<T, E>;\n',
    'src/lib.rs':
      'mod error;\nuse crate::error::Result as Outcome;\npub struct Item { ready: bool }\n' +
      'impl Item { pub fn go(&self) {} pub fn twin(&self) -> Item { todo!() } }\npub struct Store { items: Vec<Item> }\n' +
      `impl Store { fn open(&self) -> Outcome<Item> { todo!() } fn find(&self) -> Option<&Item> { None } }\nfn f(s: Store) {\n${statement}\n}\n`,
  });

  expect(places(usesOf('src/lib.rs#Item/go'))).toEqual([`src/lib.rs:8:${statement.lastIndexOf('go()')}`]);
});

test('Go and Rust: a name means what is outside while its own value is made, and a path never a variable', async () => {
  const { usesOf } = await resolveSources({
    'go.mod': 'module example.com/shop\n\ngo 1.25\n',
    'main.go':
      'package main\n\nfunc bundle() ([]byte, error) { return nil, nil }\n\ntype claims struct{}\n\nfunc main() {\n\tclaims := &claims{}\n\tbundle, err := bundle()\n\tprintln(bundle, err, claims)\n}\n',
    'Cargo.toml': '[package]\nname = "shop"\n',
    'src/main.rs':
      'mod target;\nconst INDENT: &str = "";\nfn script() -> Option<u8> { None }\n' +
      'fn main() {\n    let target = 1;\n    if let Some(script) = script() { println!("{INDENT}{script:?} {{script}}"); }\n' +
      '    let script = script();\n    target::load(target, script);\n}\n',
    'src/target.rs': 'pub fn load(one: u8, two: Option<u8>) {}\n',
  });

  expect(places(usesOf('main.go#claims'))).toEqual(['main.go:8:12']);
  expect(places(usesOf('main.go#bundle'))).toEqual(['main.go:9:16']);
  expect(places(usesOf('src/main.rs#script'))).toEqual(['src/main.rs:6:26', 'src/main.rs:7:17']);
  expect(places(usesOf('src/main.rs#INDENT'))).toEqual(['src/main.rs:6:48']);
  expect(places(usesOf('src/target.rs#load'))).toEqual(['src/main.rs:8:12']);
});

test('Go: a name means what is outside in the type and values of its own var, in its range and in its switch', async () => {
  const { usesOf } = await resolveSources({
    'go.mod': 'module example.com/shop\n\ngo 1.25\n',
    'main.go':
      'package main\n\ntype answer struct{}\n\nvar word = [...]string{"a"}\n\nvar shape any = 1\n\nvar limit = 3\n\n' +
      'func main() {\n\tvar answer answer\n\tfor _, word := range word {\n\t\tprintln(word)\n\t}\n' +
      '\tswitch shape := shape.(type) {\n\tcase int:\n\t\tprintln(shape)\n\t}\n\tvar limit = limit + 1\n\tprintln(answer, limit)\n}\n',
  });

  expect(places(usesOf('main.go#answer'))).toEqual(['main.go:12:12']);
  expect(places(usesOf('main.go#word'))).toEqual(['main.go:13:22']);
  expect(places(usesOf('main.go#shape'))).toEqual(['main.go:16:17']);
  expect(places(usesOf('main.go#limit'))).toEqual(['main.go:20:13']);
});

test('Rust: a module may be declared inside a macro, and the root of a program lie anywhere', async () => {
  const { usesOf } = await resolveSources({
    'Cargo.toml': '[package]\nname = "shop"\n\n[[bin]]\nname = "shop"\npath = "core/main.rs"\n',
    'core/main.rs': 'mod flags;\ncfg_fs! {\n    pub mod files;\n}\nfn main() { flags::parse(); }\n',
    'core/flags.rs': 'use crate::files::open;\npub fn parse() { open(); }\n',
    'core/files/mod.rs': 'pub(crate) fn open() {}\n',
  });

  expect(places(usesOf('core/flags.rs#parse'))).toEqual(['core/main.rs:5:19']);
  expect(places(usesOf('core/files/mod.rs#open'))).toEqual(['core/flags.rs:1:18', 'core/flags.rs:2:17']);
});

test('Go: keys of a literal are fields of a struct, and uses of what they name anywhere else', async () => {
  const { usesOf, names } = await resolveSources({
    'go.mod': 'module example.com/shop\n\ngo 1.25\n',
    'kinds/kinds.go':
      'package kinds\n\ntype Set map[string]bool\ntype Again Set\ntype Weeks [2]int\ntype Point struct{ X int }\ntype Named Point\n',
    'main.go':
      'package main\n\nimport (\n\t"example.com/shop/kinds"\n\t"other.org/x"\n)\n\nconst kA = "a"\nconst kB = "b"\nconst kC = 1\nconst X = 3\n' +
      'type M map[string]int\n' +
      'var a = M{kA: 2}\nvar b = kinds.Set{kA: true}\nvar c = kinds.Again{kB: true}\nvar d = kinds.Weeks{kC: 2}\n' +
      'var e = []M{{kB: 1}}\nvar f = map[string]M{kA: {kB: 1}}\nvar g = kinds.Named{X: 1}\nvar h = []kinds.Point{{X: 1}}\n' +
      'var i = x.T{kC: 1}\nvar j = map[kinds.Point]int{{X: 1}: 2}\n',
  });

  expect(usesOf('main.go#kA')).toEqual(['main.go:13:10 read', 'main.go:14:18 read', 'main.go:18:21 read']);
  expect(usesOf('main.go#kB')).toEqual(['main.go:15:20 read', 'main.go:17:13 read', 'main.go:18:26 read']);
  expect(usesOf('main.go#kC')).toEqual(['main.go:16:20 read']);
  expect(usesOf('main.go#X')).toEqual([]);
  expect(usesOf('kinds/kinds.go#Point/X')).toEqual(['main.go:19:20 read', 'main.go:20:23 read']);
  // What a type outside of the repository has is not known: the name is kept, so that nothing calls it unused.
  expect(names).toEqual(expect.arrayContaining(['main.go:21:12 kC', 'main.go:22:29 X']));
});

test('Swift: attributes, constraints, captures, casts, key paths and cases of conditions use what they name', async () => {
  const { usesOf } = await resolveSources({
    'Sources/Kit.swift':
      '@propertyWrapper struct Clamped {}\nprotocol Item {}\nstruct Shelf { var size = 1 }\nlet total = 1\nlet message = 2\nenum Kind { case open(Int) }\n',
    'Sources/App.swift': `class App<T> where T: Item {
  @Clamped var level: Int
  @available(iOS 13, message: "x") func run(kind: Kind) {
    let done = { [n = total] in n }
    let path = \\Shelf.size
    guard kind is Shelf else { return }
    if case .open(let z) = kind { use(z) }
  }
}
`,
  });

  expect(places(usesOf('Sources/Kit.swift#Clamped'))).toEqual(['Sources/App.swift:2:3']);
  expect(places(usesOf('Sources/Kit.swift#Item'))).toEqual(['Sources/App.swift:1:22']);
  expect(places(usesOf('Sources/Kit.swift#total'))).toEqual(['Sources/App.swift:4:22']);
  expect(places(usesOf('Sources/Kit.swift#message'))).toEqual([]);
  expect(places(usesOf('Sources/Kit.swift#Shelf'))).toEqual(['Sources/App.swift:5:16', 'Sources/App.swift:6:18']);
  expect(places(usesOf('Sources/Kit.swift#Shelf/size'))).toEqual(['Sources/App.swift:5:22']);
});

test('Scala: annotations, bounds and what cases of an enum are made from use what they name', async () => {
  const { usesOf } = await resolveSources({
    'src/Kit.scala':
      'package kit\nclass old extends scala.annotation.StaticAnnotation\ntrait Low\ntrait Flat\nclass Key\n',
    'src/App.scala':
      'package kit\n@old class Box[-A >: Low](@old val inner: A) {\n  type Ex <: Flat\n}\nenum Shape {\n  case Square(side: Key) extends Shape with Flat\n}\n',
  });

  expect(places(usesOf('src/Kit.scala#old'))).toEqual(['src/App.scala:2:1', 'src/App.scala:2:27']);
  expect(places(usesOf('src/Kit.scala#Low'))).toEqual(['src/App.scala:2:21']);
  expect(places(usesOf('src/Kit.scala#Flat'))).toEqual(['src/App.scala:3:13', 'src/App.scala:6:44']);
  expect(places(usesOf('src/Kit.scala#Key'))).toEqual(['src/App.scala:6:20']);
});

test('methods that a symbol calls in Ruby, and members that a class of C++ lends, are used', async () => {
  const { usesOf } = await resolveSources({
    'item.rb': 'class Item\n  def price = 1\nend\n',
    'cart.rb': 'class Cart\n  def total(items) = items.sum(&:price)\nend\n',
    'base.hpp': 'struct Base { void lent(); };\nstruct Own : Base { using Base::lent; };\n',
  });

  expect(places(usesOf('base.hpp#Base/lent'))).toEqual(['base.hpp:2:32']);
  expect(places(usesOf('item.rb#Item/price'))).toEqual([]);
});

test('Scala: of types with one full name that of the own module is meant, the parts of a cross build being one', async () => {
  const config = 'package a\nclass Config { def open() = 1 }\n';
  const user = 'package b\nimport a.Config\nclass User { def run(config: Config) = config.open() }\n';
  const { usesOf, names } = await resolveSources({
    'api/src/main/scala/a/Config.scala': config,
    'web/jvm/src/main/scala/a/Config.scala': config,
    'web/shared/src/main/scala/b/User.scala': user,
    'cli/src/main/scala/b/User.scala': user,
  });

  expect(places(usesOf('web/jvm/src/main/scala/a/Config.scala#Config'))).toEqual([
    'web/shared/src/main/scala/b/User.scala:2:9',
    'web/shared/src/main/scala/b/User.scala:3:29',
  ]);
  expect(places(usesOf('web/jvm/src/main/scala/a/Config.scala#Config/open'))).toEqual([
    'web/shared/src/main/scala/b/User.scala:3:46',
  ]);
  expect(usesOf('api/src/main/scala/a/Config.scala#Config')).toEqual([]);
  expect(names.filter((name) => name.startsWith('cli/')).length).toBeGreaterThan(1);
});
