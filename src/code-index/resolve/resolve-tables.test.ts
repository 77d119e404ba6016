import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type ResolvedSources, resolveSources } from '../../testing/resolve-sources.ts';

const FIXTURES = new URL('../../../fixtures/', import.meta.url);

/** A fixture project, resolved. */
function resolveFixture(name: string): Promise<ResolvedSources> {
  const folder = new URL(`${name}/`, FIXTURES);
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isFile() && !entry.name.endsWith('.facts.txt'),
  );
  const paths = files.map((entry) => join(entry.parentPath, entry.name));
  return resolveSources(
    Object.fromEntries(paths.map((path) => [path.slice(folder.pathname.length), readFileSync(path, 'utf8')])),
  );
}

const places = (uses: readonly string[]): (string | undefined)[] => uses.map((use) => use.split(' ')[0]);

test('Ruby: constants by full name over files, members of modules and classes by type and side', async () => {
  const { usesOf, families, importsOf } = await resolveFixture('ruby');

  expect(usesOf('lib/shop/item.rb#Shop/Item')).toEqual([
    'lib/shop/cart.rb:30:11 read',
    'lib/shop/cart.rb:31:16 read',
    'lib/shop/cart.rb:32:42 read',
    'lib/shop/cart.rb:62:17 call',
  ]);
  expect(places(usesOf('lib/shop/item.rb#Shop/Priced/cheap?'))).toEqual(['lib/shop/cart.rb:32:14']);
  expect(places(usesOf('lib/shop/item.rb#Shop/Item/name'))).toEqual([
    'lib/shop/cart.rb:32:29',
    'lib/shop/cart.rb:32:52',
    'lib/shop/item.rb:48:18',
  ]);
  expect(places(usesOf('lib/shop/item.rb#Shop/Item/none'))).toEqual(['lib/shop/cart.rb:32:47']);
  expect(places(usesOf('lib/shop/cart.rb#Shop/Discount/apply'))).toEqual(['lib/shop/cart.rb:24:16']);
  expect(families).toEqual([['lib/shop/cart.rb#Shop/Discount/apply', 'lib/shop/cart.rb#Shop/HalfPrice/apply']]);
  expect(importsOf('lib/shop/cart.rb')).toEqual(['lib/shop/item.rb']);
});

test('Ruby: a module that only names of classes declare holds them', async () => {
  const { usesOf, families } = await resolveSources({
    'app/admin/base_controller.rb': 'class Admin::BaseController\n  def self.limit = 5\n  def show = 1\nend\n',
    'app/admin/hats_controller.rb': 'class Admin::HatsController < Admin::BaseController\n  def show = 2\nend\n',
    'app/report.rb': 'class Report\n  def size = Admin::BaseController.limit\nend\n',
  });

  expect(usesOf('app/admin/base_controller.rb#Admin/BaseController')).toEqual([
    'app/admin/hats_controller.rb:1:37 implements',
    'app/report.rb:2:20 read',
  ]);
  expect(places(usesOf('app/admin/base_controller.rb#Admin/BaseController/limit'))).toEqual(['app/report.rb:2:35']);
  expect(families).toEqual([
    [
      'app/admin/base_controller.rb#Admin/BaseController/show',
      'app/admin/hats_controller.rb#Admin/HatsController/show',
    ],
  ]);
});

test('Ruby: who names a module of a library uses no file that adds to it, but what was added', async () => {
  const { usesOf } = await resolveSources({
    'config/initializers/console.rb': 'module Rails\n  def self.banner = 1\nend\nmodule Paint\nend\n',
    'lib/core_ext/string.rb': 'class String\n  def loud = upcase\nend\n',
    'lib/shop/cart.rb': 'module Shop\n  class Cart\n  end\nend\n',
    'app/page.rb': 'class Page\n  def head = [Rails.root, Rails.banner, Paint.red, Shop, String.new]\nend\n',
  });

  expect(usesOf('config/initializers/console.rb#Rails')).toEqual([]);
  expect(usesOf('lib/core_ext/string.rb#String')).toEqual([]);
  // What nothing tells of as a library is the program's own.
  expect(places(usesOf('config/initializers/console.rb#Paint'))).toEqual(['app/page.rb:2:40']);
  expect(places(usesOf('config/initializers/console.rb#Rails/banner'))).toEqual(['app/page.rb:2:32']);
  expect(places(usesOf('lib/shop/cart.rb#Shop'))).toEqual(['app/page.rb:2:51']);
});

/** A script that declares a class of its own and adds to one of a file that is loaded. */
const script = (limit: string): string =>
  `#!/usr/bin/env ruby\nrequire_relative '../lib/cart'\nclass Loader\n  LIMIT = ${limit}\n  def load = LIMIT\nend\n` +
  'class Cart\n  def debug = total\nend\nLoader.new.load\nLoader::LIMIT\nCart.new.debug\n';

test('Ruby: each script without an extension, which no file can require, declares its own', async () => {
  const { usesOf } = await resolveSources({
    'bin/bench': script('1'),
    'bin/measure': script('2'),
    'lib/cart.rb': 'class Cart\n  def total = Loader.new.load\nend\n',
  });

  for (const path of ['bin/bench', 'bin/measure']) {
    expect(places(usesOf(`${path}#Loader`))).toEqual([`${path}:10:0`, `${path}:11:0`]);
    expect(places(usesOf(`${path}#Loader/load`))).toEqual([`${path}:10:11`]);
    expect(places(usesOf(`${path}#Loader/LIMIT`))).toEqual([`${path}:5:13`, `${path}:11:8`]);
  }
  // A class of a file that is loaded is the same in all scripts that add to it.
  expect(places(usesOf('lib/cart.rb#Cart/total'))).toEqual(['bin/bench:8:14', 'bin/measure:8:14']);
});

test('Ruby: the members of a class and those of its instances are apart', async () => {
  const { usesOf, names } = await resolveSources({
    'base.rb': 'class Base\n  def self.call(x) = new.call(x)\n  def call(x) = x\nend\n',
    'job.rb':
      "require 'base'\nclass Job < Base\n  def call(x) = help(x)\n  def help(x) = x\nend\nJob.call(1)\nJob.help\n",
  });

  expect(places(usesOf('base.rb#Base/call'))).toContain('job.rb:6:4');
  expect(places(usesOf('job.rb#Job/call'))).toEqual([]);
  expect(places(usesOf('job.rb#Job/help'))).toEqual(['job.rb:3:16']);
  expect(names).toEqual(['job.rb:7:4 help']);
});

test('PHP: names by name space and import, members by declared types, traits and enums', async () => {
  const { usesOf, families, importsOf, names } = await resolveFixture('php');

  expect(usesOf('src/Billing/Support/money.php#Line')).toEqual([
    'src/Billing/Invoice.php:5:29 import',
    'src/Billing/Invoice.php:30:24 type',
    'src/Billing/Invoice.php:43:56 type',
    'src/Billing/Invoice.php:56:20 call',
    'src/Billing/Invoice.php:58:8 read',
    'src/Billing/Invoice.php:81:24 read',
  ]);
  expect(places(usesOf('src/Billing/Support/money.php#Line/amount'))).toEqual([
    'src/Billing/Invoice.php:43:88',
    'src/Billing/Invoice.php:57:15',
    'src/Billing/Invoice.php:58:22',
    'src/Billing/Support/money.php:32:22',
  ]);
  expect(places(usesOf('src/Billing/Support/money.php#Money/amount'))).toEqual(['src/Billing/Invoice.php:46:27']);
  expect(places(usesOf('src/Billing/Payable.php#Noted/note'))).toEqual([
    'src/Billing/Invoice.php:26:19',
    'src/Billing/Invoice.php:38:22',
  ]);
  expect(places(usesOf('src/Billing/Payable.php#State/Open'))).toEqual(['src/Billing/Invoice.php:18:37']);
  expect(usesOf('src/Billing/Support/money.php#round_up')).toEqual([
    'src/Billing/Invoice.php:6:37 import',
    'src/Billing/Invoice.php:46:37 call',
  ]);
  expect(families).toEqual([
    ['src/Billing/Invoice.php#Invoice/total', 'src/Billing/Payable.php#Payable/total'],
    ['src/Billing/Invoice.php#Invoice/number', 'src/Billing/Invoice.php#Draft/number'],
  ]);
  expect(importsOf('src/Billing/Invoice.php')).toEqual(['src/Billing/Support/money.php']);
  expect(names).toEqual(['src/Billing/Invoice.php:38:43 add']);
});

test('Swift: files of a module share names, extensions and protocols lend members', async () => {
  const { usesOf, families } = await resolveFixture('swift');

  expect(places(usesOf('Shelf.swift#Shelf/remove'))).toEqual([
    'Library.swift:48:14',
    'Shelf.swift:39:20',
    'Shelf.swift:40:8',
  ]);
  expect(places(usesOf('Shelf.swift#Shelf/lend'))).toEqual(['Shelf.swift:20:8', 'Shelf.swift:48:10']);
  expect(places(usesOf('Library.swift#Book/borrow'))).toEqual(['Library.swift:55:29', 'Shelf.swift:27:29']);
  expect(places(usesOf('Library.swift#Loan/days'))).toEqual([
    'Library.swift:14:8',
    'Library.swift:57:16',
    'Library.swift:58:23',
  ]);
  expect(places(usesOf('Library.swift#Genre/novel'))).toEqual(['Library.swift:22:32', 'Library.swift:26:14']);
  expect(usesOf('Shelf.swift#Reader')).toContain('Shelf.swift:25:25 call');
  expect(families).toEqual([
    ['Library.swift#Borrowable/title', 'Library.swift#Book/title'],
    ['Library.swift#Borrowable/borrow', 'Library.swift#Book/borrow', 'Library.swift#Atlas/borrow'],
  ]);
});

test('Scala: names by package and import, a class and its companion are one type', async () => {
  const { usesOf, families, importsOf } = await resolveFixture('scala');

  expect(places(usesOf('Money.scala#Money/Zero'))).toEqual([
    'Ledger.scala:23:29',
    'Ledger.scala:43:27',
    'Ledger.scala:55:25',
  ]);
  expect(places(usesOf('Money.scala#Money/plus'))).toEqual(['Ledger.scala:19:45', 'Ledger.scala:56:42']);
  expect(places(usesOf('Ledger.scala#Transfer/Empty'))).toEqual(['Ledger.scala:48:21']);
  expect(places(usesOf('Ledger.scala#Bookable/label'))).toEqual([
    'Ledger.scala:42:14',
    'Ledger.scala:45:20',
    'Ledger.scala:47:31',
  ]);
  expect(usesOf('Ledger.scala#Totals')).toEqual(['Ledger.scala:34:27 call']);
  expect(families).toContainEqual(['Ledger.scala#Bookable/book', 'Ledger.scala#Entry/book']);
  expect(importsOf('Ledger.scala')).toEqual(['Money.scala']);
});

test('Bash: functions and variables of sourced files, those of a file that sources this one', async () => {
  const { usesOf, importsOf } = await resolveFixture('bash');

  expect(usesOf('lib/log.sh#log')).toEqual([
    'deploy.sh:20:2 call',
    'deploy.sh:26:19 call',
    'deploy.sh:30:10 call',
    'lib/log.sh:8:2 call',
  ]);
  expect(places(usesOf('lib/paths.sh#build_dir'))).toEqual(['deploy.sh:21:14']);
  expect(places(usesOf('deploy.sh#cleanup'))).toEqual(['deploy.sh:34:7']);
  expect(importsOf('deploy.sh')).toEqual(['lib/log.sh', 'lib/paths.sh']);
});

test('SQL: tables, columns and functions over files, by alias and in any case', async () => {
  const { usesOf } = await resolveFixture('sql');

  expect(usesOf('schema.sql#orders')).toEqual([
    'queries.sql:1:12 write',
    'queries.sql:9:7 write',
    'queries.sql:11:70 read',
    'schema.sql:19:7 read',
    'schema.sql:23:42 type',
    'schema.sql:33:34 read',
    'schema.sql:43:47 type',
    'schema.sql:47:9 write',
  ]);
  expect(places(usesOf('schema.sql#orders/total'))).toEqual([
    'queries.sql:9:38',
    'schema.sql:18:17',
    'schema.sql:33:13',
  ]);
  expect(usesOf('queries.sql#orders/note')).toEqual(['queries.sql:9:18 write', 'queries.sql:11:77 read']);
  expect(usesOf('schema.sql#amount_due')).toEqual(['queries.sql:4:22 call']);
  expect(usesOf('schema.sql#open_orders')).toEqual(['queries.sql:4:68 read']);
});

test('Vue and Svelte: a file is its component, the markup uses names of the script', async () => {
  const vue = await resolveFixture('vue');
  const svelte = await resolveFixture('svelte');

  expect(vue.usesOf('PriceTag.vue#PriceTag')).toEqual(['Basket.vue:4:5 read', 'Basket.vue:15:7 import']);
  expect(vue.usesOf('BasketRow.vue#BasketRow')).toEqual(['Basket.vue:3:5 read', 'Basket.vue:14:7 import']);
  expect(vue.usesOf('money.ts#format')).toEqual(['Basket.vue:4:34 call', 'Basket.vue:16:9 import']);
  expect(places(vue.usesOf('Basket.vue#Basket/LIMIT'))).toEqual(['Basket.vue:20:66', 'money.ts:1:17', 'money.ts:4:27']);
  expect(vue.usesOf('Basket.vue#Basket')).toEqual(['money.ts:1:7 import', 'money.ts:4:12 read']);
  expect(svelte.usesOf('Button.svelte#Button')).toEqual(['Counter.svelte:7:9 import', 'Counter.svelte:21:3 read']);
  expect(places(svelte.usesOf('stores.ts#count'))).toEqual(['Counter.svelte:6:11', 'Counter.svelte:19:26']);
  expect(places(svelte.usesOf('Counter.svelte#Counter/press'))).toEqual(['Counter.svelte:21:20']);
});
