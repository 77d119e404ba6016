import { beforeAll, expect, test } from 'vitest';
import { withIndexed } from '../../testing/indexed-code.ts';
import { findDefinitions } from '../queries/store.ts';
import type { Root } from '../dependencies/store-dependencies-nodes.ts';
import { type TestPage, testsOf } from './store-tests.ts';

/** One repository in several languages, each with its manifest. */
const FILES: Record<string, string> = {
  'web/package.json': JSON.stringify({
    name: 'web',
    scripts: { test: 'vitest run' },
    devDependencies: { vitest: '1' },
  }),
  'web/pnpm-lock.yaml': 'lockfileVersion: 9\n',
  'web/src/mail.ts': `export function sendMail(to: string): void {
  deliver(to);
}
export function deliver(to: string): void {}
export function retry(): void {}
export function unusedByTests(): void {}
`,
  'web/test/support.ts': `import { sendMail } from '../src/mail.ts';
export function sendTwice(): void {
  sendMail('a');
  sendMail('b');
}
`,
  'web/test/mail.test.ts': `import { describe, it, test } from 'vitest';
import { sendMail } from '../src/mail.ts';
import { sendTwice } from './support.ts';

describe('mail', () => {
  it('is sent', () => {
    sendMail('a@b.c');
  });

  it.each([
    ['once'],
    ['again'],
  ])('is sent %s', async () => {
    const run = () => sendMail('x');
    run();
  });
});

test(
  'is sent twice',
  () => {
    sendTwice();
  },
);
`,
  'web/test/retry.test.ts': "test('nothing yet', () => {});\n",
  'web/src/old.js': 'exports.render = function render(view) {};\nexports.dropped = function dropped() {};\n',
  'web/test/view.js': "describe('view', () => {\n  it('renders', () => {\n    unknown.render('x');\n  });\n});\n",
  'py/pyproject.toml': '[project]\nname = "shop"\n[tool.pytest.ini_options]\n',
  'py/shop/__init__.py': '',
  'py/shop/orders.py': `def cancel(order):
    """Cancels an order.

    >>> cancel(1)
    'cancelled'
    """
    return refund(order)

def refund(order):
    return 'cancelled'
`,
  'py/shop/carriers.py': `class Carrier:
    def __init__(self, weight):
        self.price = price_of(weight)

    def __str__(self):
        return 'carrier'

    def send(self):
        raise NotImplementedError

class Bike(Carrier):
    def send(self):
        return 'bike'

class Ship(Carrier):
    def send(self):
        return 'ship'

def price_of(weight):
    return weight
`,
  'py/tests/test_carriers.py': `from shop.carriers import Bike

def test_bike():
    bike = Bike(1)
    assert bike.send() == 'bike'
`,
  'cart/package.json': JSON.stringify({
    scripts: { test: 'mocha --require test/env --check-leaks test/ "test/more/*.js"' },
    devDependencies: { mocha: '11' },
  }),
  'cart/lib/cart.js': 'exports.sumOfCart = function sumOfCart() {};\n',
  'cart/test/cart.js': "const cart = require('../lib/cart');\nit('sums', () => {\n  cart.sumOfCart();\n});\n",
  'ruby/parcel.rb': `class Parcel
  def initialize(weight)
    @weight = weight
  end
end
`,
  'ruby/spec/parcel_spec.rb': `require_relative '../parcel'
describe Parcel do
  it 'is packed' do
    Parcel.new(1)
  end
end
`,
  'py/tests/test_orders.py': `import pytest
from shop.orders import cancel

@pytest.fixture
def cancelled():
    return cancel(2)

def test_cancel():
    assert cancel(1) == 'cancelled'

def test_cancelled(cancelled):
    assert cancelled == 'cancelled'

def helper():
    return cancel(3)

class TestMore:
    def test_helped(self):
        assert helper()
`,
  'go.mod': 'module example.org/shop\n',
  'stock/stock.go': `package stock

func Reserve(n int) int { return n }

type Shelf struct{}

func (s *Shelf) Fill() int { return Reserve(1) }

func Unused() {}
`,
  'stock/stock_test.go': `package stock

import "testing"

func TestReserve(t *testing.T) {
	if Reserve(1) != 1 {
		t.Fatal("no")
	}
}

func TestShelf_Fill(t *testing.T) {
	s := &Shelf{}
	s.Fill()
}
`,
  'core/Cargo.toml': '[package]\nname = "core-lib"\n',
  'core/src/lib.rs': `/// Adds.
///
/// \`\`\`
/// assert_eq!(core_lib::add(1, 2), 3);
/// \`\`\`
pub fn add(a: i32, b: i32) -> i32 {
    a + b
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adds() {
        assert_eq!(add(1, 2), 3);
    }
}
`,
  'core/tests/whole.rs': `use core_lib::add;

#[test]
fn adds_outside() {
    assert_eq!(add(1, 2), 3);
}
`,
  'jvm/settings.gradle.kts': '',
  'jvm/gradlew': '#!/bin/sh\n',
  'jvm/billing/build.gradle.kts': 'plugins { java }\n',
  'jvm/billing/src/main/java/shop/Invoice.java': `package shop;
public class Invoice {
    public int total() { return 1; }
    public int tax() { return 2; }
}
`,
  'jvm/billing/src/test/java/shop/InvoiceTest.java': `package shop;
import org.junit.jupiter.api.Test;
class InvoiceTest {
    private final Invoice invoice = new Invoice();
    @Test
    void hasTotal() {
        new Invoice().total();
    }
}
`,
};

let pages: Record<string, TestPage>;

/** Symbols that are queried once: an index takes longer than all questions. */
const SYMBOLS = ['sendMail', 'deliver', 'retry', 'cancel', 'refund', 'Reserve', 'add', 'Invoice'];
const MEMBERS = [
  'Carrier/__init__',
  'Carrier/__str__',
  'Carrier/send',
  'Ship/send',
  'price_of',
  'Parcel/initialize',
  'sumOfCart',
];

beforeAll(async () => {
  pages = await withIndexed(FILES, (db) => {
    const of = (root: Root, more: object = {}): TestPage =>
      testsOf(db, { root, depth: 3, companions: [], limit: 50, offset: 0, ...more });
    const symbolOf = (query: string): Root => ({
      symbols: findDefinitions(db, { query, limit: 9 }).rows.map(({ id }) => id),
    });
    const companions = [
      { path: 'web/test/retry.test.ts', shared: 3, revisions: 5 },
      { path: 'web/test/mail.test.ts', shared: 9, revisions: 9 },
      { path: 'go.mod', shared: 9, revisions: 9 },
    ];
    return {
      ...Object.fromEntries([...SYMBOLS, ...MEMBERS].map((name) => [name, of(symbolOf(name))])),
      near: of(symbolOf('deliver'), { depth: 1 }),
      second: of(symbolOf('sendMail'), { limit: 1, offset: 1 }),
      inGo: of({ path: 'stock' }, { path: 'web' }),
      file: of({ path: 'web/src/mail.ts' }),
      folder: of({ path: 'stock' }),
      test: of({ path: 'web/test/mail.test.ts' }),
      untyped: of({ path: 'web/src/old.js' }),
      changed: of({
        changed: [
          { path: 'web/src/mail.ts', lines: [[4, 4]] },
          { path: 'stock/stock_test.go', lines: [[6, 6]] },
        ],
      }),
      together: of(symbolOf('retry'), { companions }),
    };
  });
});

const shown = (name: string): string[] =>
  (pages[name]?.rows ?? []).map(({ path, line, test: title, reason, hop, via }) =>
    `${path}:${line} ${title} | ${reason} ${hop} ${via}`.trim(),
  );

const untested = (name: string): unknown => {
  const { of, total, rows } = pages[name]?.untested ?? { of: 0, total: 0, rows: [] };
  return { of, total, names: rows.map(({ symbol }) => symbol) };
};

test('tests are listed by hop with their titles, and helpers are followed', () => {
  expect(shown('sendMail')).toEqual([
    'web/test/mail.test.ts:6 mail > is sent | calls 1',
    'web/test/mail.test.ts:13 mail > is sent %s | calls 1',
    'web/test/mail.test.ts:19 is sent twice | calls 2 sendTwice',
  ]);
  expect(shown('deliver')).toEqual([
    'web/test/mail.test.ts:6 mail > is sent | calls 2 sendMail',
    'web/test/mail.test.ts:13 mail > is sent %s | calls 2 sendMail',
    'web/test/mail.test.ts:19 is sent twice | calls 3 sendTwice',
  ]);
  expect(shown('near')).toEqual(['web/test/mail.test.ts:1  | named alike 0']);
  expect(pages['second']).toMatchObject({ total: 3, rows: [{ line: 13 }] });
  expect(pages['inGo']?.total).toBe(0);
});

test('functions that a runner calls by their name are tests, fixtures and helpers lead to them', () => {
  expect(shown('cancel')).toEqual([
    'py/tests/test_orders.py:8 test_cancel | calls 1',
    'py/shop/orders.py:4 cancel | inline 1',
    'py/tests/test_orders.py:11 test_cancelled | calls 2 cancelled',
    'py/tests/test_orders.py:18 TestMore/test_helped | calls 2 helper',
  ]);
  expect(shown('Reserve')).toEqual([
    'stock/stock_test.go:5 TestReserve | calls 1',
    'stock/stock_test.go:11 TestShelf_Fill | calls 2 Shelf/Fill',
  ]);
  expect(shown('Invoice')).toEqual([
    'jvm/billing/src/test/java/shop/InvoiceTest.java:6 InvoiceTest/hasTotal | calls 1',
  ]);
});

test('a test that makes an instance reaches what the language calls for it', () => {
  expect(shown('Carrier/__init__')).toContain('py/tests/test_carriers.py:3 test_bike | calls 1');
  expect(shown('price_of')).toContain('py/tests/test_carriers.py:3 test_bike | calls 2 Carrier/__init__');
  expect(shown('Parcel/initialize')).toContain('ruby/spec/parcel_spec.rb:3 is packed | calls 1');
  expect(untested('Carrier/__str__')).toEqual({ of: 1, total: 0, names: [] });
});

test('a test of a member reaches what it implements, and no other that implements the same', () => {
  expect(shown('Carrier/send')).toContain('py/tests/test_carriers.py:3 test_bike | calls 1 Bike/send');
  expect(shown('Ship/send').filter((row) => row.includes('calls'))).toEqual([]);
  expect(untested('Ship/send')).toEqual({ of: 1, total: 1, names: ['Ship/send'] });
});

test('modules of tests and examples of documentation are inline', () => {
  expect(shown('add')).toEqual([
    'core/src/lib.rs:3 add | inline 1',
    'core/src/lib.rs:15 tests/adds | inline 1',
    'core/tests/whole.rs:4 adds_outside | calls 1',
  ]);
});

test('the commands are those of the manifests around a test, one for all tests of a runner', () => {
  expect(pages['sendMail']?.commands).toEqual(['cd web && pnpm exec vitest run test/mail.test.ts']);
  expect(pages['cancel']?.commands).toEqual([
    'cd py && pytest tests/test_orders.py::test_cancel tests/test_orders.py::test_cancelled tests/test_orders.py::TestMore::test_helped',
    'cd py && pytest --doctest-modules shop/orders.py',
  ]);
  expect(pages['Reserve']?.rows[0]?.command).toBe("go test ./stock -run '^(TestReserve)$'");
  expect(pages['Reserve']?.commands).toEqual(["go test ./stock -run '^(TestReserve|TestShelf_Fill)$'"]);
  expect(pages['add']?.commands).toEqual([
    'cd core && cargo test --doc add',
    'cd core && cargo test -- tests::adds',
    'cd core && cargo test --test whole -- adds_outside',
  ]);
  expect(pages['sumOfCart']?.commands).toEqual(['cd cart && npx mocha --require test/env --check-leaks test/cart.js']);
  expect(pages['Invoice']?.commands).toEqual(['cd jvm && ./gradlew :billing:test --tests InvoiceTest.hasTotal']);
});

test('what no test reaches is named, whatever the number of hops', () => {
  expect(untested('file')).toEqual({ of: 4, total: 2, names: ['retry', 'unusedByTests'] });
  expect(untested('folder')).toEqual({ of: 3, total: 1, names: ['Unused'] });
  expect(untested('Invoice')).toEqual({ of: 2, total: 1, names: ['Invoice/tax'] });
  expect(untested('near')).toEqual({ of: 1, total: 0, names: [] });
});

test('of a path its tests are looked for; a test that is asked about, or changed, is one itself', () => {
  expect(shown('folder')).toEqual([
    'stock/stock_test.go:5 TestReserve | calls 1',
    'stock/stock_test.go:11 TestShelf_Fill | calls 1',
  ]);
  expect(shown('test')).toEqual(['web/test/mail.test.ts:1  | itself 0']);
  expect(shown('changed')).toEqual([
    'stock/stock_test.go:5 TestReserve | changed 0',
    'web/test/mail.test.ts:6 mail > is sent | calls 2 sendMail',
    'web/test/mail.test.ts:13 mail > is sent %s | calls 2 sendMail',
    'web/test/mail.test.ts:19 is sent twice | calls 3 sendTwice',
  ]);
});

test('where nothing is resolved, uses by name alone lead to tests, and are told apart', () => {
  expect(shown('untyped')).toEqual(['web/test/view.js:2 view > renders | calls 1']);
  expect(pages['untyped']).toMatchObject({
    rows: [{ grade: 'name' }],
    untested: { of: 2, total: 1, byName: 1, rows: [{ symbol: 'dropped' }] },
  });
});

test('tests that changed together come last, once, and only tests', () => {
  expect(shown('together')).toEqual([
    'web/test/mail.test.ts:1  | named alike 0',
    'web/test/retry.test.ts:1  | changed together 0',
  ]);
  expect(pages['together']?.rows[1]).toMatchObject({ shared: 3, revisions: 5, grade: 'name' });
});
