import { expect, test } from 'vitest';
import type { ShardDatabase } from '../../indexes/shards/shards.ts';
import { withIndexed } from '../../testing/indexed-code.ts';
import { type DeadCodeRow, deadCode } from './store-dead-code.ts';

const PAGE = { limit: 100, offset: 0 };
const listDead = (db: ShardDatabase, more = {}): string[] =>
  deadCode(db, { ...PAGE, ...more }).rows.map(
    ({ path, qualified, certainty, reason }: DeadCodeRow) => `${certainty} ${qualified}@${path}: ${reason}`,
  );

const SCRIPTS = {
  'package.json': JSON.stringify({
    name: 'shop',
    exports: { '.': './dist/index.js', './extra/*': './dist/extra/*.js' },
    bin: { shop: './dist/cli.js' },
  }),
  'rollup.config.js': "export default { input: 'src/worker.ts' };\n",
  'src/index.ts': "export * from './api.ts';\nexport { named } from './named.ts';\n",
  'src/api.ts': 'export function offered(): void {}\nfunction hidden(): void {}\n',
  'src/named.ts': 'export function named(): void {}\nexport function unnamed(): void {}\n',
  'src/cli.ts': "import { run } from './run.ts';\nrun();\n",
  'src/worker.ts': 'export function onMessage(): void {}\n',
  'src/extra/one.ts': 'export const one = 1;\n',
  'src/run.ts': `import * as whole from './whole.ts';
export function run(): void { console.log(whole, handlers); }
export function onlyTested(): void {}
export function first(): void { second(); }
export function second(): void { first(); }
export function lookedUp(): void {}
const handlers: Record<string, unknown> = { key: 'lookedUp' };
export const made = register(1);
function register(size: number): number { return size; }
declare module 'elsewhere' { interface Added { size: number } }
`,
  'src/whole.ts': 'export const kept = 1;\nexport const alsoKept = 2;\n',
  'src/shop.ts': `import { Base } from 'elsewhere';
export class Shop {
  #secret(): void {}
  private unused(): void {}
  used(): void {}
  onOpen(): void {}
  toString(): string { return ''; }
  static from(event: string): unknown { return (new Shop() as never)[\`on\${event}\`]; }
}
export class Other extends Base { called(): void {} }
export class Escaping { read(): void {} }
export enum Size { small, large }
new Shop().used(); Shop.from('Open'); new Other(); console.log(Escaping, Size.small);
`,
  'src/run.test.ts': "import { onlyTested } from './run.ts';\nonlyTested();\nfunction unusedInTest(): void {}\n",
  'src/generated.ts': '// @generated\nexport function made(): void {}\n',
};

test('tells what no entry, file or test of a package of scripts reaches, and why', () =>
  withIndexed(SCRIPTS, (db) => {
    expect(listDead(db, { tests: 'exclude' })).toEqual([
      'certain hidden@src/api.ts: nothing uses it',
      'certain unnamed@src/named.ts: nothing uses it',
      'certain first@src/run.ts: only code that nothing reaches uses it: second',
      'certain second@src/run.ts: only code that nothing reaches uses it: first',
      'certain Shop/#secret@src/shop.ts: nothing uses it',
      'certain Shop/unused@src/shop.ts: nothing uses it',
      'likely lookedUp@src/run.ts: nothing uses it; its name appears in a string or in data',
      'likely made@src/run.ts: nothing uses it; its value comes from a call, which may have side effects',
      'likely Size/large@src/shop.ts: nothing uses it; other code could reach this member',
      'test_only onlyTested@src/run.ts: only tests use it',
    ]);
    expect(listDead(db, { tests: 'only' })).toEqual(['certain unusedInTest@src/run.test.ts: nothing uses it']);
    expect(listDead(db, { kinds: ['enum_member'] })).toHaveLength(1);
    expect(listDead(db, { path: 'src/api.ts' })).toHaveLength(1);
    const page = deadCode(db, { limit: 2, offset: 5 });
    expect([page.rows.length, page.byCertainty]).toEqual([2, { certain: 7, likely: 3, test_only: 1 }]);
    expect(page.roots).toMatchObject({ 'test files': 1, 'files named in configuration': 1, 'modules used whole': 1 });
  }));

test('tests yield to code: what they alone use is likely dead, and code that is shown or declared is not judged', () =>
  withIndexed(
    {
      'package.json': '{"name": "shop", "exports": "./src/index.ts"}',
      'src/index.ts': "import { used } from './parts.ts';\nused();\n",
      'src/parts.ts':
        'export function used(): void {}\nexport function tested(): void { helper(); }\nfunction helper(): void {}\nexport function dead(): void {}\n',
      'src/parts.test.ts': "import { tested } from './parts.ts';\ntested();\nfunction unusedInTest(): void {}\n",
      'fixtures/shown.ts': 'function inFixtures(): void {}\n',
      'src/testdata/shown.ts': 'function inTestdata(): void {}\n',
      'templates/shown.ts': 'function inTemplates(): void {}\n',
      'examples/shown.ts': 'function inExamples(): void {}\n',
      'test-d/types.ts': 'function inTypes(): void {}\n',
      'src/shop.test-d.ts': 'function inTypeTests(): void {}\n',
      'src/shown.d.ts': 'declare function declared(): void;\n',
    },
    (db) => {
      expect(listDead(db)).toMatchInlineSnapshot(`
        [
          "certain unusedInTest@src/parts.test.ts: nothing uses it",
          "certain dead@src/parts.ts: nothing uses it",
          "likely inExamples@examples/shown.ts: nothing uses it; it is in an example",
          "test_only tested@src/parts.ts: only tests use it",
          "test_only helper@src/parts.ts: only tests use it",
        ]
      `);
    },
  ));

test('tells apart what a build makes for the package and what for the program itself', () =>
  withIndexed(
    {
      'package.json': JSON.stringify({ exports: { '.': './dist/index.js', './node': './dist/node.mjs' } }),
      'rollup.config.js': `export default { input: {
  index: 'src/public/index.ts',
  'node': './src/node/entry.ts',
  'workers/pool': 'src/pool.ts',
} };
`,
      'src/public/index.ts': "export function offered(): void {}\nexport { run } from '../pool.ts';\n",
      'src/node/entry.ts': 'export function alsoOffered(): void {}\n',
      'src/pool.ts': `export function run(): void {}
export function teardown(): void { close(); }
export function collect(): void {}
export default function start(): void {}
export class Pool { open(): void {} }
export function counted(): void {}
function close(): void { counted(); }
`,
      'jsr.json': JSON.stringify({ exports: { '.': './src/public/index.ts', './own': './src/own.ts' } }),
      'src/own.ts': 'export type Own = string;\n',
      'src/start.ts': "void import(`${'./'}pool.ts`).then((pool) => pool['teardown']());\n",
    },
    (db) => {
      const built = 'nothing uses it, but the build makes its file loadable by path';
      expect(listDead(db)).toEqual([
        `likely teardown@src/pool.ts: ${built}; its name appears in a string or in data`,
        `likely collect@src/pool.ts: ${built}; something may take it by name`,
        `likely Pool@src/pool.ts: ${built}; something may take it by name`,
      ]);
    },
  ));

test('knows what Python calls by name, registers, documents and offers', () =>
  withIndexed(
    {
      'pyproject.toml': '[project]\nname = "shop"\nentry = { shop = "shop.parts.start:begin" }\n',
      'src/shop/parts/start.py': 'def begin(): pass\ndef Guard(): pass\ndef begun(): pass\n',
      'settings.py': 'GUARDS = ["shop.parts.start.Guard"]\n',
      'docs/api.md': 'Call `documented()`.\n',
      'shop/__init__.py': 'from shop.core import offered\n',
      'shop/core.py': `import click

def offered(): pass
def documented(): pass
def _unused(): pass
def importable(): pass
def __getattr__(name): pass

@click.command()
@click.option('--size',
              type=Choice(
                  ['a'],
              ),
              help='Some.')
def command(size): pass

class _Worker:
    def __init__(self):
        self.run()
    def run(self):
        return getattr(self, "visit_" + self.kind)()
    def visit_name(self): pass
    def _shared(self): pass
    def on_name(self): pass
    def find(self, event): return 'on_%s' % event
    def take(self, other: '_Other'): other._shared()
    def _left(self): pass
    @property
    def _also(self): pass

class _Other:
    def _shared(self): pass

_Worker().take(_Other())
_Worker().find('name')
`,
      'tests/conftest.py': 'def helper(): pass\n',
      'tests/test_parts.py': 'class PartTests:\n    def test_one(self): Helper()\n\nclass Helper: pass\n',
      'tests/test_shop.py': 'def test_one():\n    assert True\n\ndef unused_helper():\n    pass\n',
    },
    (db) => {
      expect(listDead(db)).toEqual([
        'certain _unused@shop/core.py: nothing uses it',
        'certain _Worker/_left@shop/core.py: nothing uses it',
        'certain _Worker/_also@shop/core.py: nothing uses it',
        'likely importable@shop/core.py: nothing uses it; other programs can import it',
        'likely begun@src/shop/parts/start.py: nothing uses it; other programs can import it',
        'likely helper@tests/conftest.py: nothing uses it; other programs can import it',
        'likely unused_helper@tests/test_shop.py: nothing uses it; other programs can import it',
      ]);
    },
  ));

test('keeps what Go, Java and Rust offer, implement and start', () =>
  withIndexed(
    {
      'go.mod': 'module example.com/shop\n',
      'shop.go':
        'package shop\n\ntype loader interface{ load() error }\n\ntype file struct{}\n\nfunc (f *file) load(from string) {}\n\nfunc (f *file) left() {}\n\nfunc Offered() { println(file{}, loader(nil)) }\n\nfunc unused() {}\n\nfunc init() {}\n',
      'cmd/shop/main.go': 'package main\n\nfunc main() { start() }\n\nfunc start() {}\n\nfunc Unstarted() {}\n',
      'Shop.java':
        'public class Shop {\n  public static void main(String[] a) {}\n  public void offered() {}\n  private void unused() {}\n  private int mapped;\n  record Pair(int one) {}\n  Pair pair() { return new Pair(1); }\n  @Override\n  public int hashCode() { return 1; }\n  private static class Inner extends Shop {\n    @Override\n    int called() { return 1; }\n    int left() { return 1; }\n    public int getSize() { return 1; }\n    private int getWidth() { return 1; }\n  }\n  public void make() { new Inner(); }\n}\n',
      'src/main/resources/META-INF/services/com.shop.Part': 'com.shop.parts.Gear\n',
      'src/main/java/com/shop/parts/Gear.java':
        'package com.shop.parts;\nclass Gear {}\nclass Wheel {}\nclass Start {\n  public static void main(String[] a) {}\n}\n',
      'src/test/java/ShopTest.java':
        'class ShopTest {\n  class Inner {\n    @Test\n    void sells() { new Helper(); }\n  }\n}\nclass Helper {}\nclass Unused {}\n',
      'src/lib.rs':
        'pub struct Shop;\nimpl Shop {\n    fn unused(&self) {}\n    pub fn offered(&self) {}\n}\nimpl std::fmt::Display for Shop {\n    fn fmt(&self) {}\n}\nfn private() {}\nfn expanded() {}\nmacro_rules! made {\n    ($a:ident) => { expanded() };\n}\n#[serde(default = "fallback")]\npub struct Priced;\nfn fallback() {}\nmod inner {\n    pub fn handed_on() {}\n    fn left() {}\n    #[test]\n    fn also() { super::helped() }\n}\nfn helped() {}\n#[cfg_attr(\n    unix,\n    test\n)]\nfn on_unix() {}\n#[cfg_attr(docs, doc(hidden))]\nfn undocumented() {}\n#[test]\nfn checks() {}\n',
    },
    (db) => {
      expect(listDead(db)).toEqual([
        'certain Shop/unused@Shop.java: nothing uses it',
        'certain Shop/Inner/left@Shop.java: nothing uses it',
        'certain Shop/Inner/getWidth@Shop.java: nothing uses it',
        'certain Unstarted@cmd/shop/main.go: nothing uses it',
        'certain file/left@shop.go: nothing uses it',
        'certain unused@shop.go: nothing uses it',
        'certain Shop/unused@src/lib.rs: nothing uses it',
        'certain private@src/lib.rs: nothing uses it',
        'certain made@src/lib.rs: nothing uses it',
        'certain inner/left@src/lib.rs: nothing uses it',
        'certain undocumented@src/lib.rs: nothing uses it',
        'certain Wheel@src/main/java/com/shop/parts/Gear.java: nothing uses it',
        'certain Unused@src/test/java/ShopTest.java: nothing uses it',
        'likely Shop/mapped@Shop.java: nothing uses it; reflection may read it',
      ]);
    },
  ));

test('typings that only declare what is elsewhere, and members with quoted keys, are left out', () =>
  withIndexed(
    {
      'package.json': JSON.stringify({ main: 'index.js' }),
      'index.ts': `import './typings.ts';\nclass Branded {\n  readonly '@brand' = 1;\n  private left = 2;\n}\nnew Branded();\n`,
      'test-d/sizes.ts': 'type Checked = 1;\n',
      'typings.ts': Array.from({ length: 12 }, (_, at) => `export declare class Foreign${at} {}\n`).join(''),
    },
    (db) => {
      expect(listDead(db)).toEqual(['certain Branded/left@index.ts: nothing uses it']);
    },
  ));

test('a method of Java is kept where its name is called more often than it is declared, or an overload is used', () =>
  withIndexed(
    {
      'Shop.java': `public class Shop {
  private void called() {}
  private void alone() {}
  private void both() {}
  private void both(int one) {}
  public static void main(String[] a) { a.called(); both(1); }
}
`,
    },
    (db) => {
      expect(listDead(db)).toMatchInlineSnapshot(`
        [
          "certain Shop/alone@Shop.java: nothing uses it",
        ]
      `);
    },
  ));

test('members are kept where their class is handed on whole, not where it is made, compared or reached', () =>
  withIndexed(
    {
      'package.json': '{"name": "shop", "main": "start.ts"}',
      'parts.ts': ['Made', 'Handed', 'Compared', 'Reached', 'Listed']
        .map((name) => `export class ${name} { static one = 1; private in${name}(): void {} }\n`)
        .join(''),
      'start.ts': `import { Compared, Handed, Listed, Made, Reached } from './parts.ts';
const made = new Made();
console.log(made instanceof Compared, Reached.one);
console.log(Handed);
console.log([Listed]);
`,
    },
    (db) => {
      expect(listDead(db, { kinds: ['method'] })).toMatchInlineSnapshot(`
        [
          "certain Made/inMade@parts.ts: nothing uses it",
          "certain Compared/inCompared@parts.ts: nothing uses it",
          "certain Reached/inReached@parts.ts: nothing uses it",
        ]
      `);
    },
  ));

test('what other languages call, what runs when it is made, and what an alias may mean is never certain', () =>
  withIndexed(
    {
      'package.json': JSON.stringify({ exports: './src/index.ts', dependencies: { '@docusaurus/core': '3' } }),
      'src/index.ts': 'export function offered(): void {}\n',
      'src/actions.ts': `import { type Kind, register } from './register.ts';
export const deleteAll = register<Kind>(
  { name: 'delete' },
);
export const sizes = { small: 1 };
export const double = (size: number): number => twice(size);
`,
      'src/register.ts': 'export type Kind = string;\nexport function register(one: object): object { return one; }\n',
      'src/theme/Scope/index.js': 'const Scope = { one: 1 };\nexport default Scope;\nexport const extra = 1;\n',
      'src/components/Home/index.tsx': 'export default function Home(): void {}\n',
      'src/start.ts': "import Start from '@site/src/components/Home';\nStart();\n",
      'docs/start.mdx': 'See sizes for the rest.\n',
      'src/messages.ts': 'console.log(`run openMenu(1) now`);\nexport function openMenu(): void {}\n',
      'src/mock.test.ts': 'class Observer { observe(): void {} }\nwindow.Observer = Observer;\nnew Observer();\n',
      'src/plain.ts': 'class Plain { left(): void {} private lost(): void {} }\nnew Plain();\n',
      'src/lib.rs': `pub struct Info;
#[pymethods]
impl Info {
    fn mode_is_json(&self) -> bool { true }
}
#[wasm_bindgen]
impl Info {
    fn from_web(&self) {}
}
impl Info {
    fn left(&self) {}
}
extern "C" fn from_c() {}
#[no_mangle]
fn by_name() {}
`,
      'cgo.go': 'package main\n\nfunc main() {}\n\n//export fromC\nfunc fromC() {}\n\nfunc unused() {}\n',
      'src/native.c': 'int run(void) { return call("fromNative"); }\n',
      'Native.java':
        'public class Native {\n  private void fromNative() {}\n  private void left() {}\n  public static void main(String[] a) {}\n}\n',
    },
    (db) => {
      expect(listDead(db)).toEqual([
        'certain Native/left@Native.java: nothing uses it',
        'certain unused@cgo.go: nothing uses it',
        'certain sizes@src/actions.ts: nothing uses it',
        'certain double@src/actions.ts: nothing uses it',
        'certain Info/left@src/lib.rs: nothing uses it',
        'certain Plain/lost@src/plain.ts: nothing uses it',
        'likely deleteAll@src/actions.ts: nothing uses it; its value comes from a call, which may have side effects',
        'likely Home@src/components/Home/index.tsx: nothing uses it; an import that is not resolved may mean its file',
        'likely openMenu@src/messages.ts: nothing uses it; its name appears in a string or in data',
        'likely Plain/left@src/plain.ts: nothing uses it; other code could reach this member',
      ]);
    },
  ));

test('what a Makefile, an image, a script or a Procfile starts by its module is alive', () =>
  withIndexed(
    {
      Makefile: 'run:\n\tgunicorn shop.server:make_app\n',
      Dockerfile: 'FROM python\nCMD ["python", "-c", "from shop.jobs import sweep; sweep()"]\n',
      Procfile: 'web: uvicorn shop.server:application\n',
      'start.sh': 'python -c "from shop.jobs import warm; warm()"\n',
      'shop/server.py': 'def make_app(): pass\ndef application(): pass\ndef idle(): pass\n',
      'shop/jobs.py': 'def sweep(): pass\ndef warm(): pass\n',
    },
    (db) => {
      expect(listDead(db)).toEqual(['likely idle@shop/server.py: nothing uses it; other programs can import it']);
    },
  ));

test('what Python loads by listing a folder, or by a name that is put together, is not only for tests', () =>
  withIndexed(
    {
      'shop/__init__.py': '',
      'shop/load.py': `from pathlib import Path

def paths():
    return Path(__file__).parent.joinpath('rules').glob('*.py')
`,
      'shop/again.py': "from pathlib import Path\nfound = list(Path(__file__).parent.joinpath('rules').glob('*.py'))\n",
      'shop/types.py': 'def read(name, path): return load_source(name, str(path))\n',
      'shop/plugins.py':
        "from importlib import import_module\ndef plugin(name): return import_module(f'shop.extra.{name}')\n",
      'shop/rules/one.py': 'def match(command): return command\n',
      'shop/extra/deep/two.py': 'def start(): return 2\n',
      'shop/other/three.py': 'def only_tested(): return 3\n',
      'tests/test_rules.py': `from shop.rules.one import match
from shop.extra.deep.two import start
from shop.other.three import only_tested

def test_one():
    assert match(only_tested()) == start()
`,
    },
    (db) => {
      const { rows, roots } = deadCode(db, { ...PAGE, tests: 'exclude' });
      expect(rows.filter(({ certainty }) => certainty === 'test_only').map(({ qualified }) => qualified)).toEqual([
        'only_tested',
      ]);
      expect(roots).toMatchObject({ 'modules loaded by a computed name': 2 });
    },
  ));
