import { expect, test } from 'vitest';
import { withIndexed } from '../../testing/indexed-code.ts';
import { deadCode } from './store-dead-code.ts';

test('what only something uses that is not certain to be dead is likely, also where its user is not told', () =>
  withIndexed(
    {
      'docs/api.md': 'Take `Documented`.\n',
      'shop/parts.py': `class Documented:
    size = _sized()

def _sized(): return 1

def importable(): return _shaped()

def _shaped(): return 1

def _left(): return _also()

def _also(): return 1
`,
      'migrations/versions/2024_unique.py': `revision = 'a1'

def _rows(): return []

def upgrade(): return _rows()

def _lost(): return 1
`,
      'go.mod': 'module example.com/shop\n',
      'main.go': 'package main\n\nimport "example.com/shop/pkg/gear"\n\nfunc main() { gear.Start() }\n',
      'gen.go': 'package main\n',
      'pkg/gear/gear.go': `package gear

const (
	small = iota
	medium
	large
)

func Start() int { return large }

func Stop() { slow() }

func slow() {}

func Probed() {}

func lost() {}
`,
      'pkg/gear/gear_test.go': 'package gear\n\nimport "testing"\n\nfunc TestIt(t *testing.T) { Probed() }\n',
      'package.json': JSON.stringify({ name: 'shop', main: 'start.js' }),
      'start.js': `const size = 1;
(function start() { run(size); })();
start.layout = function laidOut() { placed(); };
run(function called() {});
export default run(class Made {});
function placed() {}
function run(size) { return size; }
function left() {}
`,
      'internal/rim/rim.go': 'package rim\n\nfunc Offered() {}\n',
      'vendor/example.com/rim/rim.go': 'package rim\n\nfunc unused() {}\n\nfunc Unused() {}\n',
      'tools/go.mod': 'module example.com/shop/tools\n',
      'tools/tools.go': 'package tools\n\nfunc Offered() {}\n',
    },
    (db) => {
      const { rows } = deadCode(db, { limit: 100, offset: 0 });
      expect(rows.map((row) => `${row.certainty} ${row.qualified}@${row.path}: ${row.reason}`)).toEqual([
        'certain Offered@internal/rim/rim.go: nothing uses it',
        'certain _lost@migrations/versions/2024_unique.py: nothing uses it',
        'certain lost@pkg/gear/gear.go: nothing uses it',
        'certain _left@shop/parts.py: nothing uses it',
        'certain _also@shop/parts.py: only code that nothing reaches uses it: _left',
        'certain left@start.js: nothing uses it',
        'likely small@pkg/gear/gear.go: nothing uses it; the constants below it are counted from it',
        'likely medium@pkg/gear/gear.go: nothing uses it; the constants below it are counted from it',
        'likely Stop@pkg/gear/gear.go: nothing uses it; other programs can import it',
        'likely slow@pkg/gear/gear.go: only code that nothing reaches uses it: Stop; not all of that is certain to be dead',
        'likely _sized@shop/parts.py: only code that nothing reaches uses it: Documented; not all of that is certain to be dead',
        'likely importable@shop/parts.py: nothing uses it; other programs can import it',
        'likely _shaped@shop/parts.py: only code that nothing reaches uses it: importable; not all of that is certain to be dead',
        'test_only Probed@pkg/gear/gear.go: only tests use it',
      ]);
    },
  ));

test('a word of a template keeps no export of a module alive, and a name space is one thing with its parts', () =>
  withIndexed(
    {
      'package.json': JSON.stringify({ name: 'shop', exports: './src/index.ts' }),
      'src/index.ts':
        "import { Kept } from './sizes.ts';\nexport function offered(): Kept.Size { return Kept.largest(); }\n",
      'src/sizes.ts': `export namespace Kept {
  export type Size = number;
  export function largest(): Size { return helped(); }
  export function unread(): void {}
}
export namespace Left {
  export const part = prepared();
}
export const title = 'Shop';
export const lost = 1;
function helped(): number { return 1; }
function prepared(): number { return 1; }
`,
      'src/page.html': '<h1 id="title">{{ title }}</h1><button onclick="pressed()">x</button>\n',
      'src/old.js': 'function pressed() {}\nfunction unpressed() {}\n',
    },
    (db) => {
      const { rows } = deadCode(db, { limit: 100, offset: 0 });
      expect(rows.map((row) => `${row.certainty} ${row.qualified}: ${row.reason}`)).toEqual([
        'certain lost: nothing uses it',
        'likely unpressed: nothing uses it; its file is no module, so what is loaded with it may use it',
        'likely Left: nothing uses it; its code runs when its file is loaded',
        'likely title: nothing uses it; its name appears in a template',
        'likely prepared: only code that nothing reaches uses it: Left/part; not all of that is certain to be dead',
      ]);
    },
  ));

test('what a program that nobody imports exports is certain where its file is imported, and stubs hold no dead code', () =>
  withIndexed(
    {
      'page/package.json': JSON.stringify({ name: 'page', private: true }),
      'page/src/main.ts': "import { used } from './parts.ts';\nused();\n",
      'page/src/parts.ts': 'export function used() {}\nexport function left() {}\n',
      'page/src/hooks.ts': 'export function taken() {}\n',
      'site/package.json': JSON.stringify({ name: 'site' }),
      'site/index.html': '<script type="module" src="/main.js"></script>\n',
      'site/main.js': "import { used } from './parts.js';\nused();\n",
      'site/parts.js': 'export function used() {}\nexport function lost() {}\n',
      'open/package.json': JSON.stringify({ name: 'open' }),
      'open/src/main.ts': "import { used } from './parts.ts';\nused();\n",
      'open/src/parts.ts': 'export function used() {}\nexport function offered() {}\n',
      'shop.pyi': 'def _sized() -> int: ...\nclass _Rate: ...\n',
      'rate.py': 'def _sized() -> int: ...\ndef _named() -> int: ...\n',
      'table.py': '# Code generated by shopgen. DO NOT EDIT.\nNAMES = ["_named"]\n',
    },
    (db) => {
      const { rows } = deadCode(db, { limit: 100, offset: 0 });
      expect(rows.map((one) => `${one.certainty} ${one.qualified}@${one.path}: ${one.reason}`)).toEqual([
        'certain left@page/src/parts.ts: nothing uses it',
        'certain _sized@rate.py: nothing uses it',
        'certain lost@site/parts.js: nothing uses it',
        'likely offered@open/src/parts.ts: nothing uses it; no entry file of a package is known, so other programs may use it',
        'likely taken@page/src/hooks.ts: nothing uses it; nothing imports its file, so a framework may take it by its place',
        'likely _named@rate.py: nothing uses it; its name appears in a string or in data',
      ]);
    },
  ));

test('what is loaded by a name that is put together keeps all that its files export', () =>
  withIndexed(
    {
      'package.json': JSON.stringify({ name: 'shop', main: './src/index.js' }),
      'src/index.js': 'export const load = (name) => import(`./jobs/${name}.js`);\n',
      'src/jobs/clean.js': 'export default function clean() {}\nexport function helped() {}\nfunction left() {}\n',
      'src/other/clean.js': 'export function lost() {}\n',
    },
    (db) => {
      const { rows } = deadCode(db, { limit: 100, offset: 0 });
      expect(rows.map(({ certainty, qualified }) => `${certainty} ${qualified}`)).toEqual([
        'certain left',
        'certain lost',
      ]);
    },
  ));

test('members of a class live where a base at any depth is not here, and names that are put together are never certain', () =>
  withIndexed(
    {
      'shop/made.py': `import lib

class Parser(lib.Parser):  # noqa: N801
    def _hook(self): ...

class Child(Parser):
    def _other(self): ...

class Alone:
    def _left(self): ...

Child().run()
Alone().run()

def _made_one(): ...

def run(name): return globals()[f"_made_{name}"]()

run("one")
`,
    },
    (db) => {
      const { rows } = deadCode(db, { limit: 100, offset: 0 });
      expect(rows.map(({ certainty, qualified, reason }) => `${certainty} ${qualified}: ${reason}`)).toEqual([
        'certain Alone/_left: nothing uses it',
        'likely _made_one: nothing uses it; a name that begins like it is put together',
      ]);
    },
  ));

test('a name that says its value is not wanted is not told', () =>
  withIndexed(
    {
      'shop/size.py': '_, __, _size = 1, 2, 3\n',
      'package.json': '{"name": "shop", "exports": "./index.js"}',
      'index.js': 'const [_, size] = [1, 2];\n',
    },
    (db) => {
      const rows = deadCode(db, { limit: 100, offset: 0 }).rows.map(({ path, qualified }) => `${qualified}@${path}`);
      expect(rows).toEqual(['_size@shop/size.py', 'size@index.js']);
    },
  ));

test('what test runners read by its name is not told', () =>
  withIndexed(
    {
      'tests/test_shop.py': `import pytest

pytestmark = pytest.mark.slow
marks = pytest.mark.slow

def load_tests(loader, tests, pattern): return tests
`,
    },
    (db) => {
      const rows = deadCode(db, { limit: 100, offset: 0 }).rows.map(({ qualified }) => qualified);
      expect(rows).toEqual(['marks']);
    },
  ));

test('what the functions of a literal use is alive where the literal is given to something', () =>
  withIndexed(
    {
      'package.json': '{"name": "shop", "main": "start.js"}',
      'start.js': `open({ setup() { set(); } });
const app = open({ on: { load() { load(); } } });
function open(parts) { return parts; }
function set() {}
function load() {}
function plugin() { return { config() { configure(); } }; }
function configure() {}
export {};
`,
    },
    (db) => {
      const { rows } = deadCode(db, { limit: 9, offset: 0 });
      expect(rows.map(({ qualified, certainty, reason }) => `${certainty} ${qualified}: ${reason}`)).toEqual([
        'certain plugin: nothing uses it',
        'certain configure: only code that nothing reaches uses it: plugin/config',
        'likely app: nothing uses it; its value comes from a call, which may have side effects',
      ]);
    },
  ));

test('a function that is set on an object from elsewhere may be called by what made it', () =>
  withIndexed(
    {
      'package.json': '{"name": "shop", "main": "store.js", "types": "store.d.ts"}',
      'store.d.ts': `export interface Store { value: number; same?: (a: number, b: number) => boolean }
export function makeStore(value: number): Store;
`,
      'store.js': 'export function makeStore(value) { return { value }; }\n',
      'errors.ts': `import { makeStore } from './store.js';
let counter = makeStore(1);
counter.same = (a, b) => a === b;
counter.same = (a: string, b: string) => a === b;
counter.same = (a, b) => {
  return a !== b;
};
`,
    },
    (db) => expect(deadCode(db, { limit: 9, offset: 0 }).rows).toEqual([]),
  ));

test('what a script declares that is no module may be used by what is loaded with it', () =>
  withIndexed(
    {
      'go.mod': 'module example.com/fx\n',
      'main.go':
        'package main\n\nimport _ "embed"\n\n//go:embed std.js\nvar std string\n\nfunc main() { run(std) }\n\nfunc run(string) {}\n',
      'std.js': 'function uniq(x) { return x }\n',
      'tool.js': "require('fs');\nfunction left() {}\n",
      'tool.mjs': 'function gone() {}\n',
    },
    (db) => {
      const { rows } = deadCode(db, { limit: 10, offset: 0 });

      expect(rows.map(({ certainty, qualified, reason }) => `${certainty} ${qualified}: ${reason}`)).toEqual([
        'certain left: nothing uses it',
        'certain gone: nothing uses it',
        'likely uniq: nothing uses it; its file is no module, so what is loaded with it may use it',
      ]);
    },
  ));

test('a dead symbol names three of the dead ones that use it, and says where only itself does', () =>
  withIndexed(
    {
      'package.json': '{"name": "shop", "main": "index.ts"}',
      'index.ts': "import './barrel.ts';\n",
      'barrel.ts': "export { left } from './left.ts';\n",
      'left.ts': 'export function left() {}\n',
      'dead.mjs': `function shared() {}
function three() {}
function itself() { itself(); }
function a() { shared(); three(); }
function b() { shared(); three(); }
function c() { shared(); three(); }
function d() { shared(); }
`,
    },
    (db) => {
      const { rows } = deadCode(db, { limit: 10, offset: 0 });

      const texts = rows.map(({ qualified, reason }) => `${qualified}: ${reason}`);
      expect([...texts.slice(0, 3), ...texts.filter((text) => text.startsWith('left'))]).toEqual([
        'shared: only code that nothing reaches uses it: a, b, c and 1 more',
        'three: only code that nothing reaches uses it: a, b, c',
        'itself: only itself, imports or exports use it',
        'left: only itself, imports or exports use it',
      ]);
    },
  ));
