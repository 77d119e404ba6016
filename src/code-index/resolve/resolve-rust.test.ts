import { beforeAll, expect, test } from 'vitest';
import { type ResolvedSources, resolveSources } from '../../testing/resolve-sources.ts';

let program: ResolvedSources;

beforeAll(async () => {
  program = await resolveSources({
    'shop/Cargo.toml': '[package]\nname = "shop"\n',
    'shop/src/main.rs': `#[macro_use]
mod macros;
mod cmd;
mod images;
mod tests;
use std::sync::{Arc, Mutex, RwLock};
#[derive(Default)]
pub struct Shelf { items: Vec<Item> }
pub struct Item;
impl Item {
    pub fn go(&self) -> u8 { 1 }
    fn sized(&self) -> Option<Item> { None }
    fn scale(by: u8) -> u8 { by }
    fn show(&self) -> String { format!("{} {}", Self::scale(2), self.sized().unwrap().go()) }
}
pub struct Store { lock: Arc<RwLock<Shelf>>, queue: Mutex<Item> }
impl Shelf {
    fn first(&self) -> Item { Item }
    fn new() -> Self {
        let made = Self::default();
        made.first();
        made
    }
}
fn run(store: Store, images: images::Queue) {
    let other = Shelf::default();
    other.first();
    let held = store.lock.read().unwrap();
    held.first();
    assert!(store.queue.lock().expect("free").go() > 0 && other.items[0].go() > 0);
    assert!(doubled!(1) == 2);
}
fn main() { cmd::build::build(); }
`,
    'shop/src/macros.rs': `macro_rules! doubled {
    ($a:expr) => { $a * 2 };
}
#[macro_export]
macro_rules! shown {
    () => {};
}
`,
    'shop/src/images.rs': 'pub struct Queue;\n',
    'shop/src/cmd/mod.rs': 'pub mod build;\n',
    'shop/src/cmd/build.rs': `use crate::images;
use crate::shown;
pub enum Size { Small, Large }
pub fn build() {
    use Size::*;
    let queue = images::Queue;
    shown!();
    doubled!(2);
}
`,
    'shop/src/tests/mod.rs': 'mod parts;\n',
    'shop/src/tests/parts.rs': 'use crate::Item;\nfn check(item: Item) {}\n',
    'other/Cargo.toml': '[package]\nname = "other"\n',
    'other/src/lib.rs': 'fn run() { doubled!(1); }\n',
  });
});

const usesOf = (symbol: string): string[] => program.usesOf(`shop/src/${symbol}`).map((use) => use.slice(9));

test('Rust: `Type::default()` gives the type, and a lock that is taken what it holds', () => {
  expect(usesOf('main.rs#Shelf/first')).toEqual(['main.rs:21:13 call', 'main.rs:27:10 call', 'main.rs:29:9 call']);
});

test('Rust: what a macro is given has calls, elements, `Self` and what options and locks hold', () => {
  expect(usesOf('main.rs#Item/scale')).toEqual(['main.rs:14:54 call']);
  expect(usesOf('main.rs#Item/go')).toEqual(['main.rs:14:86 call', 'main.rs:30:46 call', 'main.rs:30:73 call']);
});

test('Rust: macros are found over the whole crate, inside of other macros and by the root that exports them', () => {
  expect(usesOf('macros.rs#doubled')).toEqual(['cmd/build.rs:8:4 call', 'main.rs:31:12 call']);
  expect(usesOf('macros.rs#shown')).toEqual(['cmd/build.rs:2:11 import', 'cmd/build.rs:7:4 call']);
});

test('Rust: a path begins with no parameter, and `build.rs` and `tests` are modules where no package begins', () => {
  expect(usesOf('images.rs#Queue')).toEqual(['cmd/build.rs:6:24 read', 'main.rs:25:37 type']);
  expect(usesOf('main.rs#Item')).toContain('tests/parts.rs:1:11 import');
});

test('Rust: a path of an import that begins with a type uses it', () => {
  expect(usesOf('cmd/build.rs#Size')).toEqual(['cmd/build.rs:5:8 import']);
});

test('the programs and examples of a package use its library by its name, wherever the manifest says the name', async () => {
  const { importsOf, usesOf: used } = await resolveSources({
    'Cargo.toml': '[package]\nauthors = ["A"]\nname = "big-shop"\nedition = "2021"\n',
    'src/lib.rs': 'pub mod config;\n',
    'src/config.rs': 'pub struct Config;\n',
    'src/bin/shop/main.rs': 'mod app;\nfn main() { app::run(); }\n',
    'src/bin/shop/app.rs': 'use big_shop::config::Config;\npub fn run() { let made = Config; }\n',
    'examples/one.rs': 'fn main() { let made = big_shop::config::Config; }\n',
  });

  expect(used('src/config.rs#Config')).toEqual([
    'examples/one.rs:1:41 read',
    'src/bin/shop/app.rs:1:22 import',
    'src/bin/shop/app.rs:2:26 read',
  ]);
  expect(importsOf('src/bin/shop/app.rs')).toContain('src/config.rs');
});

test('a loop over an iterator of the repository takes what its next gives', async () => {
  const words = await resolveSources({
    'src/lib.rs': `pub struct Word;
impl Word { pub fn upper(&self) -> bool { true } }
pub struct Words<'a> { text: &'a str }
impl<'a> Words<'a> { pub fn of(text: &'a str) -> Self { Self { text } } }
impl<'a> Iterator for Words<'a> {
  type Item = Word;
  fn next(&mut self) -> Option<Self::Item> { None }
}
pub fn read() {
  for word in Words::of("") { word.upper(); }
}
`,
    'Cargo.toml': '[package]\nname = "words"\n',
  });

  expect(words.usesOf('src/lib.rs#Word/upper')).toEqual(['src/lib.rs:10:35 call']);
});

test('Rust: what a trait gives is used through the types that implement it, and through type parameters', async () => {
  const { usesOf: used } = await resolveSources({
    'Cargo.toml': '[package]\nname = "shop"\n',
    'src/lib.rs': `pub trait Priced { const UNIT: u32 = 1; fn make() -> Self; fn price(&self) -> u32 { 1 } }
pub struct Item;
impl Priced for Item { fn make() -> Item { Item } }
pub trait Marked { fn mark(&self) {} }
impl Marked for Item {}
fn direct(item: Item) { item.price(); item.mark(); Item::UNIT; }
fn bound<T: Priced>(item: T) { T::make().price(); T::UNIT; }
fn whole<T>(item: T) where T: Priced { T::make(); }
`,
  });

  expect(used('src/lib.rs#Priced/price')).toEqual(['src/lib.rs:6:29 call', 'src/lib.rs:7:41 call']);
  expect(used('src/lib.rs#Priced/make')).toEqual(['src/lib.rs:7:34 call', 'src/lib.rs:8:42 call']);
  expect(used('src/lib.rs#Priced/UNIT')).toEqual(['src/lib.rs:6:57 read', 'src/lib.rs:7:53 read']);
  expect(used('src/lib.rs#Marked/mark')).toEqual(['src/lib.rs:6:43 call']);
});

test.each([
  'self.list.first().map(|p| p.go());',
  'self.list.iter().next().and_then(|p| Some(p.go()));',
  'let v: Vec<_> = self.list.iter().collect(); v[0].go();',
  'for (a, b) in self.list.iter().zip(&self.list) { a.go(); }',
  'self.list.chunks(2).for_each(|c| { c[0].go(); });',
  'self.map.get("x").map(|p| p.go());',
  'let c = std::cell::RefCell::new(Item); c.borrow().go();',
  'let c = std::sync::Arc::new(std::sync::Mutex::new(Item)); c.lock().unwrap().go();',
])('Rust: collections give options, parts and pairs: %s', async (line) => {
  const { usesOf: used } = await resolveSources({
    'Cargo.toml': '[package]\nname = "shop"\n',
    'src/lib.rs': `pub struct Item;
impl Item { pub fn go(&self) {} }
struct Shelf { list: Vec<Item>, map: HashMap<String, Item> }
impl Shelf {
  fn run(self: Box<Self>) {
    ${line}
  }
}
`,
  });

  expect(used('src/lib.rs#Item/go')).toHaveLength(1);
  expect(used('src/lib.rs#Shelf/list').length + used('src/lib.rs#Shelf/map').length).toBe(
    line.split('self.').length - 1,
  );
});

test('Rust: patterns take out what a variant holds, and variants have what their enum has', async () => {
  const { usesOf: used } = await resolveSources({
    'Cargo.toml': '[package]\nname = "shop"\n',
    'src/lib.rs': `pub struct Item;
impl Item { pub fn go(&self) {} }
enum Held<'s> { None, One(Item), More(&'s Item), Named { item: Box<Item> } }
impl<'s> Held<'s> {
  fn all(&self) { match self { Self::One(item) => item.go(), Held::More(item) => item.go(), _ => {} } }
}
struct Shelf<'s> { held: Held<'s> }
impl<'s> Shelf<'s> {
  fn first(&self) { if let Held::One(item) = &self.held { item.go(); } }
  fn named(&self) { if let Held::Named { item } = &self.held { item.go(); } }
  fn renamed(&self) { match &self.held { Held::Named { item: other } => other.go(), _ => {} } }
  fn made(&self) { Held::One(Item).all(); Held::None.all(); let held = Held::One(Item); held.all(); }
}
`,
  });

  expect(used('src/lib.rs#Item/go')).toEqual([
    'src/lib.rs:5:55 call',
    'src/lib.rs:5:86 call',
    'src/lib.rs:9:63 call',
    'src/lib.rs:10:68 call',
    'src/lib.rs:11:78 call',
  ]);
  expect(used('src/lib.rs#Held/all')).toEqual([
    'src/lib.rs:12:35 call',
    'src/lib.rs:12:53 call',
    'src/lib.rs:12:93 call',
  ]);
});

test('Rust: parts of a tuple are counted with those that a pattern leaves out', async () => {
  const { usesOf: used } = await resolveSources({
    'Cargo.toml': '[package]\nname = "shop"\n',
    'src/lib.rs': `pub struct Item;
impl Item { pub fn go(&self) {} }
pub struct Other;
impl Other { pub fn go(&self) {} }
pub enum Held { Pair(Other, Item) }
fn run(trio: (Other, u8, Item), held: Held, list: &[(Other, Item)]) {
  let (_, _, last) = trio; last.go();
  match held { Held::Pair(_, item) => item.go() }
  let &(_, item) = &list[0]; item.go();
  let (.., end) = trio; end.go();
}
`,
  });

  expect(used('src/lib.rs#Item/go')).toEqual(['src/lib.rs:7:32 call', 'src/lib.rs:8:43 call', 'src/lib.rs:9:34 call']);
  expect(used('src/lib.rs#Other/go')).toEqual([]);
});

test.each([
  ['', ['src/cmd/split.rs:4:11 call']],
  ['edition = "2015"\n', ['src/cmd/split.rs:4:11 call']],
  ['edition = "2021"\n', []],
  ['edition.workspace = true\n', []],
])('Rust: paths of `use` start at the root of the crate in the edition of 2015: %j', async (edition, uses) => {
  const { usesOf: used } = await resolveSources({
    'Cargo.toml': `[package]\nname = "table"\n${edition}\n[dependencies]\ncsv = { version = "1", edition = "2021" }\n`,
    'src/main.rs': 'mod cmd;\nmod config;\npub struct Failure;\n',
    'src/config.rs': 'pub struct Settings;\nimpl Settings { pub fn read() -> u8 { 1 } }\n',
    'src/cmd/mod.rs': 'pub mod split;\npub mod config;\n',
    'src/cmd/config.rs': 'pub struct Settings;\n',
    'src/cmd/split.rs': `use Failure;
use config::Settings;
fn run() -> Result<u8, Failure> {
Settings::read() }
`,
  });

  expect(used('src/config.rs#Settings/read').map((use) => use.replace(/:\d+ call/, ':11 call'))).toEqual(uses);
  expect(used('src/main.rs#Failure')).toHaveLength(uses.length * 2);
});

test('Rust: a macro is no function of the same name', async () => {
  const { usesOf: used } = await resolveSources({
    'Cargo.toml': '[package]\nname = "shop"\nedition = "2021"\n',
    'src/lib.rs': `mod files;
use std::io::Write;
pub fn write() {}
fn show(out: &mut dyn Write) { write!(out, "x").unwrap(); write(); }
`,
    'src/files.rs': 'use super::*;\nuse super::write;\nfn go(out: &mut dyn Write) { write!(out, "x"); write(); }\n',
  });

  expect(used('src/lib.rs#write')).toEqual([
    'src/files.rs:2:11 import',
    'src/files.rs:3:47 call',
    'src/lib.rs:4:58 call',
  ]);
});

test('Rust: what an import of the own crate cannot find is used by name, what one of another crate names is not', async () => {
  const { names } = await resolveSources({
    'Cargo.toml': '[package]\nname = "lib"\nedition = "2021"\n',
    'src/lib.rs': 'mod user;\n',
    'src/odd/place.rs': 'pub struct Thing;\npub struct Other;\n',
    'src/user.rs': 'use crate::made::Thing;\nuse elsewhere::Other;\nfn go(a: Thing, b: Other) {}\n',
  });

  expect(names).toContain('src/user.rs:3:9 Thing');
  expect(names.filter((name) => name.endsWith('Other'))).toEqual([]);
});

test('Rust: a method and a field of one name are told apart, in chains of builders and in paths too', async () => {
  const { usesOf: used } = await resolveSources({
    'Cargo.toml': '[package]\nname = "shop"\n',
    'src/main.rs': `pub struct Builder { name: String, size: u8 }
pub struct Shop;
impl Builder {
    fn name(mut self, name: String) -> Self { self.name = name; self }
    fn size(self, size: u8) -> Self { self }
    fn build(self) -> Shop { Shop }
}
fn main() {
    let shop = Builder { name: String::new(), size: 1 }.name(String::new()).size(2).build();
    let sizes = builders.into_iter().map(Builder::size);
}
`,
  });

  const methods = ['name', 'size', 'build'].map((name) => used(`src/main.rs#Builder/${name}`).join(', '));

  expect(methods).toEqual([
    'src/main.rs:4:51 write, src/main.rs:9:25 write, src/main.rs:9:56 call',
    'src/main.rs:9:46 write, src/main.rs:9:76 call, src/main.rs:10:50 read',
    'src/main.rs:9:84 call',
  ]);
});
