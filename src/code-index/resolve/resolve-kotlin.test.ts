import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { resolveSources } from '../../testing/resolve-sources.ts';

const FIXTURES = new URL('../../../fixtures/kotlin/', import.meta.url);

const places = (uses: readonly string[]): (string | undefined)[] => uses.map((use) => use.split(' ')[0]);

test('Kotlin: names by package and import, members by type, extensions, companions, and from Java', async () => {
  const names = readdirSync(FIXTURES).filter((name) => /\.(kt|java)$/.test(name));
  const sources = Object.fromEntries(names.map((name) => [name, readFileSync(new URL(name, FIXTURES), 'utf8')]));
  const { usesOf, families, importsOf } = await resolveSources(sources);

  expect(usesOf('Goods.kt#Price')).toEqual([
    'Goods.kt:9:18 type',
    'Goods.kt:12:15 call',
    'Goods.kt:17:13 type',
    'Goods.kt:17:21 read',
    'Shop.kt:5:19 import',
    'Shop.kt:27:24 type',
    'Shop.kt:28:16 read',
    'Shop.kt:33:60 call',
    'Shop.kt:51:24 type',
  ]);
  expect(places(usesOf('Goods.kt#Price/amount'))).toEqual([
    'Goods.kt:9:41',
    'Goods.kt:9:56',
    'Goods.kt:22:36',
    'Shop.kt:60:31',
  ]);
  expect(places(usesOf('Goods.kt#Item/isHeavy'))).toEqual(['Shop.kt:7:19', 'Shop.kt:33:36']);
  expect(places(usesOf('Goods.kt#cents'))).toEqual(['Goods.kt:22:48', 'Shop.kt:6:19', 'Shop.kt:33:70']);
  expect(places(usesOf('Goods.kt#Item/name'))).toEqual(['Shop.kt:12:59', 'Shop.kt:37:21']);
  expect(places(usesOf('Shop.kt#Cart/LIMIT'))).toEqual(['Shop.kt:10:42', 'Shop.kt:62:47']);
  expect(places(usesOf('Shop.kt#Basket/owner'))).toEqual(['Shop.kt:38:21', 'Shop.kt:61:62']);
  expect(places(usesOf('Shop.kt#Cart/add'))).toEqual(['Shop.kt:46:38', 'Shop.kt:62:62', 'Till.java:7:9']);
  expect(places(usesOf('Goods.kt#Price/plus'))).toEqual(['Shop.kt:31:20', 'Shop.kt:33:55', 'Till.java:8:24']);
  expect(families).toEqual([
    ['Shop.kt#Cart/count', 'Shop.kt#Counted/count'],
    ['Shop.kt#Cart/total', 'Shop.kt#Basket/total'],
  ]);
  expect(importsOf('Shop.kt')).toEqual(['Goods.kt']);
});

test('Kotlin: classes of Java are found by package and import', async () => {
  const { usesOf } = await resolveSources({
    'Base.java': 'package lib;\nimport lib.parts.Part;\npublic class Base { public Part part() { return null; } }\n',
    'Part.java': 'package lib.parts;\npublic class Part { public int size() { return 1; } }\n',
    'Main.kt': 'package app\n\nimport lib.Base\n\nclass Main : Base() {\n  fun run() = part().size()\n}\n',
  });

  expect(usesOf('Base.java#Base')).toEqual(['Main.kt:3:11 import', 'Main.kt:5:13 implements']);
  expect(places(usesOf('Base.java#Base/part'))).toEqual(['Main.kt:6:14']);
  expect(places(usesOf('Part.java#Part/size'))).toEqual(['Main.kt:6:21']);
});

test('Kotlin: members of companions and objects are imported by name, extensions among them', async () => {
  const { usesOf } = await resolveSources({
    'Url.kt':
      'package p\n\nclass Url(val text: String) {\n  fun host() = text\n\n  companion object {\n    fun String.toUrl(): Url = Url(this)\n\n    fun parse(text: String): Url = text.toUrl()\n\n    fun Body.wrapped(): Url = Url("")\n  }\n}\n\n' +
      'class Body\n\nclass Key {\n  companion object Names {\n    val NONE = 1\n  }\n}\n\nobject Tools {\n  fun String.tidy() = this\n  fun help() = 1\n}\n',
    'Main.kt':
      'package app\n\nimport p.Body\nimport p.Key.Names.NONE\nimport p.Tools.help\nimport p.Tools.tidy\nimport p.Url.Companion.parse as read\nimport p.Url.Companion.toUrl\nimport p.Url.Companion.wrapped\n\n' +
      'fun main(given: String, unknown: Any) {\n  "a".toUrl()\n  given.toUrl()\n  read("b").host()\n  help()\n  "c".tidy()\n  Body().wrapped()\n  println(NONE)\n  unknown.foo().toUrl()\n}\n',
  });

  expect(usesOf('Url.kt#Url/toUrl')).toEqual([
    'Main.kt:8:23 import',
    'Main.kt:12:6 call',
    'Main.kt:13:8 call',
    'Main.kt:19:16 call',
    'Url.kt:9:40 call',
  ]);
  expect(usesOf('Url.kt#Url/host')).toEqual(['Main.kt:14:12 call']);
  expect(usesOf('Url.kt#Url/parse')).toEqual(['Main.kt:7:23 import', 'Main.kt:14:2 call']);
  expect(usesOf('Url.kt#Url/wrapped')).toEqual(['Main.kt:9:23 import', 'Main.kt:17:9 call']);
  expect(usesOf('Url.kt#Key/NONE')).toEqual(['Main.kt:4:19 import', 'Main.kt:18:10 read']);
  expect(usesOf('Url.kt#Tools/help')).toEqual(['Main.kt:5:15 import', 'Main.kt:15:2 call']);
  expect(usesOf('Url.kt#Tools/tidy')).toEqual(['Main.kt:6:15 import', 'Main.kt:16:6 call']);
});

test('Kotlin: the name of a companion is another name of its class', async () => {
  const { usesOf, symbols } = await resolveSources({
    'Key.kt':
      'package p\n\nclass Key(val id: Int) {\n  companion object Factory {\n    val NONE = Key(0)\n    fun of(id: Int) = Key(id)\n  }\n\n  fun next() = Factory.of(id + 1)\n}\n',
    'Main.kt':
      'package app\n\nimport p.Key\nimport p.Key.Factory\nimport p.Key.Factory.of\n\n' +
      'fun make(factory: Key.Factory) = factory.of(1)\n\nfun main() {\n  println(Key.Factory.NONE)\n  println(Key.NONE)\n  Factory.of(2).next()\n  of(3)\n  make(Key.Factory)\n  make(Key)\n}\n',
  });

  expect(symbols).toContain('Key.kt#Key/Factory');
  expect(usesOf('Key.kt#Key/Factory')).toEqual([
    'Key.kt:9:15 read',
    'Main.kt:4:13 import',
    'Main.kt:7:22 type',
    'Main.kt:10:14 read',
    'Main.kt:12:2 read',
    'Main.kt:14:11 read',
  ]);
  expect(usesOf('Key.kt#Key/NONE')).toEqual(['Main.kt:10:22 read', 'Main.kt:11:14 read']);
  expect(usesOf('Key.kt#Key/of')).toEqual([
    'Key.kt:9:23 call',
    'Main.kt:5:21 import',
    'Main.kt:7:41 call',
    'Main.kt:12:10 call',
    'Main.kt:13:2 call',
  ]);
  expect(usesOf('Key.kt#Key/next')).toEqual(['Main.kt:12:16 call']);
});

test('Kotlin: calling an object uses its invoke', async () => {
  const { usesOf } = await resolveSources({
    'Find.kt':
      'package p\n\nclass Item { fun name() = "" }\n\nclass Find {\n  operator fun invoke(id: Int): Item = Item()\n}\n',
    'Page.kt':
      'package p\n\nclass Page(private val find: Find) {\n  fun show() = find(1).name()\n  fun again(page: Page) = page.find(2)\n  fun made() = Find()\n}\n',
  });

  expect(usesOf('Find.kt#Find/invoke')).toEqual(['Page.kt:4:15 call', 'Page.kt:5:31 call']);
  expect(places(usesOf('Find.kt#Item/name'))).toEqual(['Page.kt:4:23']);
});

test('Kotlin: in a function in braces the members of what it is called on are names', async () => {
  const { usesOf } = await resolveSources({
    'Page.kt':
      'package p\n\nclass Page {\n  var title = ""\n  var width = 1\n  fun show() = this\n  fun row(build: Row.() -> Unit) = Row().build()\n}\n\n' +
      'class Row {\n  fun cell(text: String) {}\n}\n\nclass Frame(val width: Int)\n\nfun Page.fold() {}\n\n' +
      'fun page(name: String, lines: Int = 1, build: Page.(Frame) -> Unit): Page = Page()\n\nfun plain(build: (Page) -> Unit) {}\n\n' +
      'fun pick(text: String, build: Row.() -> Unit) {}\nfun pick(count: Int, build: Page.() -> Unit) {}\n',
    'Main.kt':
      'package p\n\nclass Main {\n  val width = 2\n  fun cell(text: String) {}\n\n  fun run(given: Page) {\n' +
      '    given.apply { title = "a" }\n    given.run { show().fold() }\n    with(given) { fold() }\n' +
      '    page("b") { frame -> title = "c" + frame.width\n      row { cell(title) }\n      this.show()\n    }\n' +
      '    plain { cell("d") + it.width }\n    page("e", build = { width = 3 })\n    given.apply { val title = 1\n      print(title) }\n' +
      '    given.also { show() }\n    cell("f")\n    pick(1) { show() }\n    given.apply { object : Runnable { override fun run() { width } } }\n  }\n\n  fun show() {}\n}\n',
  });

  expect(usesOf('Page.kt#Page/title')).toEqual(['Main.kt:8:18 write', 'Main.kt:11:25 write', 'Main.kt:12:17 read']);
  expect(places(usesOf('Page.kt#Page/show'))).toEqual(['Main.kt:9:16', 'Main.kt:13:11', 'Main.kt:21:14']);
  expect(places(usesOf('Page.kt#Page/fold'))).toEqual(['Main.kt:9:23', 'Main.kt:10:18']);
  expect(places(usesOf('Page.kt#Page/row'))).toEqual(['Main.kt:12:6']);
  expect(places(usesOf('Page.kt#Row/cell'))).toEqual(['Main.kt:12:12']);
  expect(places(usesOf('Page.kt#Frame/width'))).toEqual(['Main.kt:11:45']);
  expect(places(usesOf('Page.kt#Page/width'))).toEqual(['Main.kt:15:27']);
  expect(places(usesOf('Main.kt#Main/cell'))).toEqual(['Main.kt:15:12', 'Main.kt:20:4']);
  expect(places(usesOf('Main.kt#Main/show'))).toEqual(['Main.kt:19:17']);
});

test('Kotlin: a function in braces that is given to an invoke is called on what that asks for', async () => {
  const { usesOf } = await resolveSources({
    'Validation.kt':
      'package p\n\ninterface Validation<T> {\n  companion object {\n    operator fun <T> invoke(init: Builder<T>.() -> Unit): Validation<T> = build(init)\n  }\n}\n\n' +
      'class Builder<T> {\n  fun constrain(hint: String) {}\n  fun verify() {}\n  operator fun <R> KProperty1<T, R>.invoke(init: Builder<R>.() -> Unit) {}\n  fun <R> KProperty1<T, R>.onEach(init: () -> Unit) {}\n  fun <R> KProperty1<T, R>.check() {}\n}\n\n' +
      'class Form {\n  operator fun invoke(fill: Builder<Form>.() -> Unit) {}\n}\n\nfun Builder<String>.minLength(length: Int) {}\nfun <T> Builder<T>.onEach(init: T.() -> Unit) {}\n',
    'Main.kt':
      'package p\n\nclass User(val name: String)\n\nfun constrain(hint: String) {}\n\nval checked = Validation<User> {\n  verify()\n' +
      '  User::name {\n    constrain("a")\n    minLength(2)\n    onEach { }\n    check()\n  }\n  User("c").each { verify() }\n}\n\nfun fill(form: Form) {\n  form { verify() }\n  library { verify() }\n  User::name { constrain("b") }\n}\n',
  });

  expect(places(usesOf('Validation.kt#Builder/verify'))).toEqual(['Main.kt:8:2', 'Main.kt:15:19', 'Main.kt:19:9']);
  expect(places(usesOf('Validation.kt#Builder/constrain'))).toEqual(['Main.kt:10:4']);
  expect(places(usesOf('Validation.kt#Builder/minLength'))).toEqual(['Main.kt:11:4']);
  // Outside of a builder no invoke is in sight.
  expect(places(usesOf('Main.kt#constrain'))).toEqual(['Main.kt:21:15']);
  // A member extension needs a receiver of its own; by its name alone it is meant where nothing else is.
  expect(places(usesOf('Validation.kt#Builder/onEach((T) -> Unit)'))).toEqual(['Main.kt:12:4']);
  expect(places(usesOf('Validation.kt#Builder/onEach(() -> Unit)'))).toEqual([]);
  expect(places(usesOf('Validation.kt#Builder/check'))).toEqual(['Main.kt:13:4']);
});

test('Kotlin: an internal extension is seen in the source sets of its module only', async () => {
  const { usesOf } = await resolveSources({
    'core/src/main/Box.kt': 'package p\n\nclass Box\n\ninternal fun Box.shut() {}\nfun Box.lift() {}\n',
    'core/src/test/BoxTest.kt': 'package p\n\nfun check(box: Box) {\n  box.shut()\n  box.apply { shut() }\n}\n',
    'app/src/main/App.kt':
      'package p\n\nfun start(box: Box) {\n  box.shut()\n  box.lift()\n  box.apply { shut() }\n}\n',
  });

  expect(places(usesOf('core/src/main/Box.kt#Box/shut'))).toEqual([
    'core/src/test/BoxTest.kt:4:6',
    'core/src/test/BoxTest.kt:5:14',
  ]);
  expect(places(usesOf('core/src/main/Box.kt#Box/lift'))).toEqual(['app/src/main/App.kt:5:6']);
});

test('Kotlin: the name of an argument of a constructor is a use of the property', async () => {
  const { usesOf } = await resolveSources({
    'Main.kt':
      'class Mouse(val x: Int, val y: Int = 0)\n\nfun at(x: Int) = Mouse(x = x, y = 2)\n\nval here = at(x = 1)\n',
  });

  expect(usesOf('Main.kt#Mouse/x')).toEqual(['Main.kt:3:23 read']);
  expect(usesOf('Main.kt#Mouse/y')).toEqual(['Main.kt:3:30 read']);
});

test('Kotlin: of classes with one full name that of the own module is meant, in whichever source set', async () => {
  const { usesOf, names } = await resolveSources({
    'api/src/commonMain/kotlin/a/Config.kt': 'package a\nclass Config { fun open() {}; fun close() {} }\n',
    'web/src/commonMain/kotlin/a/Config.kt': 'package a\nexpect class Config { fun open() }\n',
    'web/src/jvmMain/kotlin/a/Config.kt': 'package a\nactual class Config { actual fun open() {} }\n',
    'web/src/commonMain/kotlin/b/User.kt': 'package b\nimport a.Config\nfun run(config: Config) { config.open() }\n',
    'cli/src/main/kotlin/b/User.kt': 'package b\nimport a.Config\nfun run(config: Config) { config.open() }\n',
  });

  expect(usesOf('web/src/commonMain/kotlin/a/Config.kt#Config').filter((use) => use.includes('User'))).toEqual([
    'web/src/commonMain/kotlin/b/User.kt:2:9 import',
    'web/src/commonMain/kotlin/b/User.kt:3:16 type',
  ]);
  expect(usesOf('api/src/commonMain/kotlin/a/Config.kt#Config')).toEqual([]);
  expect(usesOf('api/src/commonMain/kotlin/a/Config.kt#Config/open')).toEqual([]);
  expect(names.filter((name) => name.startsWith('cli/')).map((name) => name.split(' ')[1])).toEqual([
    'Config',
    'Config',
    'open',
  ]);
});
