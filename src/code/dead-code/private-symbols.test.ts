import { expect, test } from 'vitest';
import { withIndexed } from '../../testing/indexed-code.ts';
import { deadCode } from './store-dead-code.ts';

test('of languages whose references are found by name only what is private is told, and never as certain', () =>
  withIndexed(
    {
      'a.kt': `private fun dead() {}
private fun used() {}
internal fun elsewhere() {}
class Shop {
  private fun inner() {}
  @Marked private fun marked() {}
  private class Part { fun part() {} }
  fun open() { used() }
  private companion object Factory { val NONE = 1 }
}
`,
      'a.cs': `public class Shop { private void Inner() {} [Fact] private void Marked() {} private void button_Click() {} void Open() {} }
public partial class Split { private partial void Half(); }
`,
      'a.php':
        "<?php\nclass Shop { private function inner() {} private function named() { return 'named'; } public function open() {} }\n",
      'b.php': `<?php
class Calls { private function add_proxy() {} private function openDoor() {} private function pageShown() {}
  public function run($key) { $this->{"add_{$key}"}(); $this->{'open' . $key}(); $this->{"{$key}Shown"}(); } }
`,
      'a.rb': 'class Shop\n  def open; end\n  private\n  def inner; end\n  def sent; send(:sent); end\nend\n',
      'a.swift':
        'fileprivate func dead() {}\nclass Shop { private func inner() {} @objc private func marked() {} private init() {} }\n',
      'a.c': 'static int dead(void) { return 1; }\nint offered(void) { return 1; }\n',
      'b.c': '#define CALL(x) call_##x()\nstatic int call_me(void) { return 1; }\n',
      'a.h': 'static int in_header(void) { return 1; }\n',
      'a.cc': 'static int dead(void) { return 1; }\nclass Shop { static int size(); };\n',
    },
    (db) => {
      const { rows } = deadCode(db, { limit: 100, offset: 0 });
      expect(rows.map((row) => `${row.certainty} ${row.qualified}@${row.path}: ${row.reason}`)).toEqual(
        [
          'dead@a.c',
          'dead@a.cc',
          'Shop/Inner@a.cs',
          'dead@a.kt',
          'Shop/inner@a.kt',
          'Shop/Part@a.kt',
          'Shop/inner@a.php',
          'Shop/inner@a.rb',
          'dead@a.swift',
          'Shop/inner@a.swift',
        ].map((symbol) => `likely ${symbol}: nothing uses it, and only its file could`),
      );
    },
  ));

test('a private method that its file calls is not told, whatever the call was taken for', () =>
  withIndexed(
    {
      'package.json': '{"name": "shop", "main": "main.ts"}',
      'main.ts': "import { Shop } from './shop.ts';\nnew Shop().run([]);\n",
      'shop.ts':
        'export class Shop {\n  private sent() {}\n  private left() {}\n  run(all: string[]) {\n    all.sent();\n  }\n}\n',
    },
    (db) => {
      const { rows } = deadCode(db, { limit: 10, offset: 0 });
      expect(rows.map(({ certainty, qualified }) => `${certainty} ${qualified}`)).toEqual(['certain Shop/left']);
    },
  ));
