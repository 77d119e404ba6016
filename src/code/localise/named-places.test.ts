import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ShardDatabase } from '../../indexes/shards/shards.ts';
import { withIndexed } from '../../testing/indexed-code.ts';
import { ownFrames } from './named-places.ts';
import { pathFacts } from './path-features.ts';

const holding = (name: string): string => `export function ${name}(): number {\n  return 1;\n}\n`;

const LOOP = `export function loop(values: number[]): number {
  let sum = 0;
  for (const value of values) {
    if (value > 3) sum += value * 2;
    else sum -= value;
  }
  return sum > 0 ? sum : values.length;
}
`;

const FILES = {
  'package.json': '{"name": "shop", "main": "dist/index.js"}',
  'source/index.ts': holding('open'),
  'source/core/timed-out.ts': holding('startTimer'),
  'source/utils/retry.ts': holding('retry'),
  'source/queue/worker.ts': holding('drain'),
  'source/mail/worker.ts': holding('post'),
  'source/mail/worker.test.ts': `${holding('drain')}${holding('onlyTested')}`,
  'source/queue/carrier.ts': 'export class Carrier {\n  drain(): number {\n    return 1;\n  }\n}\n',
  'attic/retry-loop.ts': LOOP,
  'source/loop.ts': LOOP,
  'source/uses-loop.ts': "import { loop } from './loop.ts';\nexport const looped = loop([1]);\n",
  't/basic.ts': holding('basic'),
  'test-d/shop.ts': holding('typed'),
  'source/types.d.ts': 'export declare function startTimer(): void;\n',
  'packages/cart/package.json': '{"name": "@shop/cart"}',
  'packages/cart/src/utils/price.ts': holding('price'),
  'packages/bill/package.json': '{"name": "@shop/bill"}',
  'packages/bill/src/utils/price.ts': holding('price'),
  'python/pyproject.toml': '[project]\nname = "shop-tools"\n',
  'python/src/shop_tools/mail.py': 'def send():\n    return 1\n',
  'python/src/stock/count.py': 'def count():\n    return 1\n',
  'java/src/main/java/com/shop/Mailer.java': 'package com.shop;\nclass Mailer {\n  void send() {}\n}\n',
};

let db: ShardDatabase;
let close: () => void;
let closed: Promise<void>;

beforeAll(async () => {
  await new Promise<void>((opened) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    close = resolve;
    closed = withIndexed(FILES, async (shard) => {
      db = shard;
      opened();
      await promise;
    });
  });
});
afterAll(async () => {
  close();
  await closed;
});

const locate = (path: string, symbol?: string): (string | undefined)[] =>
  ownFrames(db, [{ path, line: 9, symbol }]).map(
    ({ file, line }) => `${pathFacts(db)[file]?.path}${line === undefined ? '' : `:${line}`}`,
  );

test.each([
  ['the same folders', '/app/dist/utils/retry.js', undefined, ['source/utils/retry.ts']],
  [
    'a file that has moved since',
    '/app/node_modules/shop/dist/source/utils/timed-out.js',
    'x',
    ['source/core/timed-out.ts'],
  ],
  ['the address of a bundler', 'webpack://shop/./dist/core/timed-out.mjs', undefined, ['source/core/timed-out.ts']],
  ['one of two by its function', '/app/dist/worker.js', 'Queue.drain', ['source/queue/worker.ts']],
  ['one of two by its folder', '/app/dist/mail/worker.js', undefined, ['source/mail/worker.ts']],
  [
    'one of two by its package',
    '/app/packages/bill/dist/utils/price.js',
    'price',
    ['packages/bill/src/utils/price.ts'],
  ],
  [
    'the package of a workspace',
    '/app/node_modules/@shop/cart/lib/utils/price.js',
    'price',
    ['packages/cart/src/utils/price.ts'],
  ],
  ['none of two', '/app/dist/worker.js', 'stop', []],
  ['a bundle of all files', '/app/dist/index.js', 'startTimer', []],
  ['the index by its function', '/app/dist/index.js', 'open', ['source/index.ts']],
  ['no source', '/app/dist/utils/cookies.js', 'startTimer', []],
])('a frame of a built file is in what that was built from: %s', (_, path, symbol, expected) => {
  expect(locate(path, symbol)).toEqual(expected);
});

test.each([
  ['to the one file that has it', '/app/source/index.ts', 'startTimer', ['source/core/timed-out.ts']],
  ['to the one with its class', '/app/source/index.ts', 'Carrier.drain', ['source/queue/carrier.ts']],
  ['nowhere where several have it', '/app/source/index.ts', 'price', ['source/index.ts:9']],
  ['nowhere where a test has it', '/app/source/index.ts', 'onlyTested', ['source/index.ts:9']],
  ['nowhere from a file that has it', '/app/source/mail/worker.ts', 'post', ['source/mail/worker.ts:9']],
])('a frame of a released version follows its function %s', (_, path, symbol, expected) => {
  expect(locate(path, symbol)).toEqual(expected);
});

test('of files with the same code the one that is used is the product, and trees of tests are beside it', () => {
  const beside = pathFacts(db).flatMap((facts) => (facts.beside === 1 ? facts.path : []));

  expect(beside.toSorted()).toEqual(['attic/retry-loop.ts', 't/basic.ts', 'test-d/shop.ts']);
});

test.each([
  ['/app/node_modules/other/source/utils/retry.ts', []],
  ['/app/node_modules/shop/node_modules/other/dist/utils/retry.js', []],
  ['/app/node_modules/.pnpm/shop@1.0.0/node_modules/shop/source/utils/retry.ts', ['source/utils/retry.ts:9']],
  ['/usr/lib/python3/site-packages/shop_tools/old/mail.py', ['python/src/shop_tools/mail.py:9']],
  ['/usr/lib/python3/site-packages/stock/count.py', ['python/src/stock/count.py:9']],
  ['/usr/lib/python3/site-packages/other/count.py', []],
  ['/gems/other-1.2/lib/mail.rb', []],
  ['shop.jar!/com/shop/Mailer.java', ['java/src/main/java/com/shop/Mailer.java:9']],
])('a file of an installed package is of this repository when the package is: %s', (path, expected) => {
  expect(locate(path)).toEqual(expected);
});
