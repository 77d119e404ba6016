import { expect, test } from 'vitest';
import { resolveSources } from '../../testing/resolve-sources.ts';

test('Rust: modules that a macro of the project declares are those beside the file, and hand on what is theirs', async () => {
  const { usesOf: used } = await resolveSources({
    'Cargo.toml': '[package]\nname = "lib"\nedition = "2021"\n',
    'src/lib.rs': `macro_rules! modules { ($($m:ident),*) => { $(mod $m; pub use $m::*;)* } }
modules! { url, geo }
mod user;
pub fn top(u: UrlBuf) { geo::at(); }
`,
    'src/url.rs': 'pub struct UrlBuf;\npub trait Actor {}\npub(crate) fn shared() {}\nfn at() {}\n',
    'src/geo/mod.rs': 'use super::url::UrlBuf;\npub fn at() -> UrlBuf { UrlBuf }\nimpl crate::Actor for UrlBuf {}\n',
    'src/user.rs':
      'use crate::UrlBuf;\nuse crate::url::{self, Actor};\nfn go(a: url::UrlBuf, b: UrlBuf) { crate::shared(); }\n',
    'src/stray.rs': 'pub struct UrlBuf;\n',
    'app/Cargo.toml': '[package]\nname = "app"\nedition = "2021"\n',
    'app/src/main.rs': 'use lib::UrlBuf;\nfn main() { let b: UrlBuf; }\n',
  });

  expect(used('src/url.rs#UrlBuf')).toEqual([
    'app/src/main.rs:1:9 import',
    'app/src/main.rs:2:19 type',
    'src/geo/mod.rs:1:16 import',
    'src/geo/mod.rs:2:15 type',
    'src/geo/mod.rs:2:24 read',
    'src/geo/mod.rs:3:22 type',
    'src/lib.rs:4:14 type',
    'src/user.rs:1:11 import',
    'src/user.rs:3:14 type',
    'src/user.rs:3:25 type',
  ]);
  expect(used('src/url.rs#Actor')).toHaveLength(2);
  expect(used('src/geo/mod.rs#at')).toEqual(['src/lib.rs:4:29 call']);
  expect(used('src/url.rs#shared')).toEqual(['src/user.rs:3:42 call']);
  expect(used('src/url.rs#at')).toEqual([]);
  expect(used('src/stray.rs#UrlBuf')).toEqual([]);
});

const CARGO = '[package]\nname = "lib"\nedition = "2021"\n';

test('Rust: a macro of another crate that makes modules is expanded, by its path and without their names', async () => {
  const { usesOf: used } = await resolveSources({
    'made/Cargo.toml': '[package]\nname = "made-macro"\nedition = "2021"\n',
    'made/src/lib.rs': 'mod module;\n',
    'made/src/module.rs': `#[macro_export]
macro_rules! mod_pub { [ $( $name:ident $(,)? )+ ] => { $( pub mod $name; )+ }; }
#[macro_export]
macro_rules! mod_flat { [ $( $name:ident $(,)? )+ ] => { $( mod $name; pub use $name::*; )+ }; }
#[macro_export]
macro_rules! handlers {
    ($($(#[$meta:meta])* $vis:vis $name:ident => $type:ty),* $(,)?) => {
        $( $(#[$meta])* mod $name; $vis use self::$name::{$type, open}; )*
    };
}
`,
    'lib/Cargo.toml': CARGO,
    'lib/src/lib.rs': `made_macro::mod_pub!(url pool);
made_macro::mod_flat!(actor, act);
made_macro::handlers! {
    #[cfg(unix)] pub(crate) tidy => Tidy,
}
`,
    'lib/src/url/mod.rs': 'made_macro::mod_flat!(buf);\nuse crate::Actor;\n',
    'lib/src/url/buf.rs': 'use crate::{pool::Pool, Tidy};\npub struct UrlBuf;\nimpl crate::Actor for UrlBuf {}\n',
    'lib/src/pool.rs': 'pub struct Pool;\npub struct UrlBuf;\n',
    'lib/src/actor.rs': 'pub trait Actor {}\n',
    'lib/src/act.rs': 'fn Actor() {}\npub fn go(at: crate::url::UrlBuf) { crate::open(); }\n',
    'lib/src/tidy.rs': 'pub struct Tidy;\npub fn open() {}\n',
    'app/Cargo.toml': '[package]\nname = "app"\nedition = "2021"\n',
    'app/src/main.rs': 'use lib::{url::UrlBuf, Actor};\nfn main() { lib::go(UrlBuf); lib::Pool; }\n',
  });

  expect(used('lib/src/url/buf.rs#UrlBuf')).toEqual([
    'app/src/main.rs:1:15 import',
    'app/src/main.rs:2:20 read',
    'lib/src/act.rs:2:26 type',
    'lib/src/url/buf.rs:3:22 type',
  ]);
  expect(used('lib/src/actor.rs#Actor')).toEqual([
    'app/src/main.rs:1:23 import',
    'lib/src/url/buf.rs:3:12 type',
    'lib/src/url/mod.rs:2:11 import',
  ]);
  // Only `mod_flat!` hands names on.
  expect(used('lib/src/pool.rs#Pool')).toEqual(['lib/src/url/buf.rs:1:18 import']);
  expect(used('lib/src/tidy.rs#Tidy')).toEqual(['lib/src/lib.rs:4:36 read', 'lib/src/url/buf.rs:1:24 import']);
  expect(used('lib/src/tidy.rs#open')).toEqual(['lib/src/act.rs:2:43 call']);
  expect(used('made/src/module.rs#mod_flat')).toHaveLength(2);
});

test('Rust: modules of conditions, of named files and of folders, and texts that are included', async () => {
  const { usesOf: used } = await resolveSources({
    'Cargo.toml': CARGO,
    'src/lib.rs': `cfg_if::cfg_if! {
    if #[cfg(unix)] { mod unix; pub use unix::open; } else { mod other; pub use other::open; }
}
#[cfg_attr(unix, path = "sys/unix_imp.rs")]
#[cfg_attr(windows, path = "sys/windows_imp.rs")]
mod imp;
#[path = "made/tables_v2.rs"]
pub mod tables;
mod cases { automod::dir!(pub "src/cases"); }
mod parts { include!("parts.in.rs"); pub fn own() { part(); } }
include!(concat!(env!("CARGO_MANIFEST_DIR"), "/shared/all.rs"));
pub struct Kept;
fn run() { open(); imp::start(); tables::row(); cases::small::check(); parts::part(); everywhere(); }
`,
    'src/unix.rs': 'pub fn open() {}\n',
    'src/other.rs': 'pub fn open() {}\n',
    'src/sys/unix_imp.rs': 'pub fn start() { super::tables::row(); }\n',
    'src/sys/windows_imp.rs': 'pub fn start() {}\n',
    'src/made/tables_v2.rs': 'use super::Kept;\npub fn row() {}\n',
    'src/cases/small.rs': 'pub fn check() {}\n',
    'src/parts.in.rs': 'pub fn part() { own(); }\n',
    'shared/all.rs': 'pub fn everywhere() -> Kept { Kept }\n',
  });

  expect(used('src/unix.rs#open')).toContain('src/lib.rs:13:11 call');
  expect(used('src/sys/unix_imp.rs#start')).toEqual(['src/lib.rs:13:24 call']);
  expect(used('src/sys/windows_imp.rs#start')).toEqual(['src/lib.rs:13:24 call']);
  expect(used('src/made/tables_v2.rs#row')).toEqual(['src/lib.rs:13:41 call', 'src/sys/unix_imp.rs:1:32 call']);
  expect(used('src/cases/small.rs#check')).toEqual(['src/lib.rs:13:62 call']);
  expect(used('src/parts.in.rs#part')).toEqual(['src/lib.rs:10:52 call', 'src/lib.rs:13:78 call']);
  expect(used('src/lib.rs#parts/own')).toEqual(['src/parts.in.rs:1:16 call']);
  expect(used('shared/all.rs#everywhere')).toEqual(['src/lib.rs:13:86 call']);
  expect(used('src/lib.rs#Kept')).toEqual([
    'shared/all.rs:1:23 type',
    'shared/all.rs:1:30 read',
    'src/made/tables_v2.rs:1:11 import',
  ]);
});
