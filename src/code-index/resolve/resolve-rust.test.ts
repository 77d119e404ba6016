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
