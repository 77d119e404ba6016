import { expect, test } from 'vitest';
import { withIndexed } from '../../testing/indexed-code.ts';
import { pathOfAnyPlatform } from './platform.ts';
import { deadCode } from './store-dead-code.ts';

test.each([
  ['src/list.ios.tsx', 'src/list.tsx'],
  ['src/list.tsx', 'src/list.tsx'],
  ['net/poll_linux_arm64.go', 'net/poll.go'],
  ['sys/unix/pipe.rs', 'sys/*/pipe.rs'],
  ['sys/windows.rs', 'sys/*.rs'],
  ['src/webhook.ts', 'src/webhook.ts'],
  ['rpc/client.ts', 'rpc/client.ts'],
  ['src/store/other.rs', 'src/store/other.rs'],
  ['web/native-list.ts', '*/*-list.ts'],
])('%s is %s on any platform', (path, expected) => {
  expect(pathOfAnyPlatform(path)).toBe(expected);
});

/** Symbols that are listed as dead, with their certainty. */
async function dead(files: Record<string, string>): Promise<string[]> {
  return withIndexed(files, (db) =>
    deadCode(db, { limit: 100, offset: 0 }).rows.map(({ certainty, name, path }) => `${certainty} ${name}@${path}`),
  );
}

test('uses of a Go function count for the files of all platforms, and what a constraint chooses is never certain', async () => {
  expect(
    await dead({
      'go.mod': 'module example.com/shop\n',
      'main.go': 'package main\n\nfunc main() { wake() }\n\nfunc lost() {}\n',
      'wake_linux.go': 'package main\n\nfunc wake() { nudge() }\n\nfunc nudge() {}\n',
      'wake_windows.go': 'package main\n\nfunc wake() { press() }\n\nfunc press() {}\n\nfunc idle() {}\n',
      'wake_rare.go': '//go:build !linux && !windows\n\npackage main\n\nfunc wake() {}\n\nfunc spare() {}\n',
    }),
  ).toEqual(['certain lost@main.go', 'likely spare@wake_rare.go', 'likely idle@wake_windows.go']);
});

test('uses of a script count for the files of all platforms and conditions', async () => {
  expect(
    await dead({
      'package.json': JSON.stringify({
        name: 'app',
        private: true,
        main: 'src/index.ts',
        imports: { '#store': { node: './src/disk.ts', default: './src/memory.ts' } },
      }),
      'src/index.ts': "import { draw } from './list';\nimport { save } from '#store';\ndraw(save);\n",
      'src/list.tsx': 'export function draw(value: unknown) { return value; }\nexport function lost() {}\n',
      'src/list.web.tsx': 'export function draw(value: unknown) { return value; }\nexport function only() {}\n',
      'src/disk.ts': 'export const save = 1;\n',
      'src/memory.ts': 'export const save = 2;\n',
    }),
  ).toEqual(['certain lost@src/list.tsx', 'likely only@src/list.web.tsx']);
});

test('uses of a Rust item count for all its conditions', async () => {
  expect(
    await dead({
      'Cargo.toml': '[package]\nname = "app"\n',
      'src/main.rs': `#[cfg(windows)]
mod press;
mod plain;
#[cfg(unix)]
fn wake() {}
#[cfg(not(unix))]
fn wake() {}
#[cfg(feature = "extras")]
fn slow() {}
quickcheck::quickcheck! {
    fn checked(a: u32) -> bool { a > 0 }
}
fn lost() {}
fn main() { wake() }
`,
      'src/press.rs': 'fn pressed() {}\n',
      'src/plain.rs': 'fn idle() {}\n',
    }),
  ).toEqual([
    'certain lost@src/main.rs',
    'certain idle@src/plain.rs',
    'likely slow@src/main.rs',
    'likely checked@src/main.rs',
    'likely pressed@src/press.rs',
  ]);
});

test('what a condition defines in Python, and what its base may take, is never certain', async () => {
  expect(
    await dead({
      'app.py': `import sys
from outside import Plugin

if sys.platform == 'win32':
    def _wake(): return 1
    def _spare(): return 1
else:
    def _wake(): return 2

class _Taken(Plugin): pass
class _Base:
    pass
class _Lost(_Base): pass

print(_wake())
`,
    }),
  ).toEqual(['certain _Base@app.py', 'certain _Lost@app.py', 'likely _spare@app.py', 'likely _Taken@app.py']);
  expect(
    await dead({
      'app.py': `class _Base:
    def __init_subclass__(cls): pass

class _Taken(_Base): pass

print(_Base)
`,
    }),
  ).toEqual(['likely _Taken@app.py']);
});

test('a module that is used as a value keeps what it hands on by name', async () => {
  expect(
    await dead({
      'package.json': '{"name":"ns","version":"1.0.0","private":true,"main":"src/index.ts"}',
      'src/index.ts':
        'import * as fruits from "./fruits";\nconst all: Record<string, unknown> = fruits;\nexport const run = () => Object.keys(all);\n',
      'src/fruits/index.ts':
        'export { apricot } from "./apricot";\nexport { default as pear } from "./pear";\nexport const own = 1;\n',
      'src/fruits/apricot.ts': 'export const apricot = 1;\n',
      'src/fruits/pear.ts': 'const p = 2;\nexport default p;\n',
      'src/never.ts': 'export const never = 1;\nexport class Starts {\n  static { console.log(1); }\n}\n',
    }),
  ).toEqual(['certain never@src/never.ts', 'likely Starts@src/never.ts']);
});

test('a file beside tests that stands alone may be what they read, one that uses the code may not', async () => {
  expect(
    await dead({
      'package.json': '{"name":"app","private":true,"main":"src/index.ts"}',
      'src/index.ts': 'export function start() {}\nstart();\n',
      'tests/start.test.ts': "import { start } from '../src/index';\nstart();\nfunction lost() {}\n",
      'tests/highlights/sample.ts': 'function shown() {}\n',
    }),
  ).toEqual(['certain lost@tests/start.test.ts', 'likely shown@tests/highlights/sample.ts']);
});
