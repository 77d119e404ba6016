import { mkdtempSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { extractTypeScript } from '../../languages/typescript/typescript.ts';
import { compressFacts, FactsCache, type FactsEntry } from './facts-cache.ts';
import { TABLES } from '../../languages/facts/table.ts';
import { encodeFacts } from '../../languages/facts/facts-codec.ts';
import { DefinitionKind, Scope } from '../../languages/facts/facts.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'facts-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const facts = extractTypeScript('typescript', 'export const one = 1;');

function entry(blob: string): FactsEntry {
  return { blob, parser: 'typescript', packed: compressFacts(encodeFacts(facts)) };
}

test('gives back what was kept, by blob and parser, after it was closed', () => {
  const file = join(folder, 'facts');
  {
    using cache = new FactsCache(file);
    cache.write([entry('a'), { blob: 'b', parser: 'python', reason: 'too deeply nested' }]);
  }

  using again = new FactsCache(file);

  expect(again.read('a', 'typescript')).toEqual({ facts });
  expect(again.read('b', 'python')).toEqual({ reason: 'too deeply nested' });
  expect(again.read('a', 'tsx')).toBeUndefined();
  expect(again.read('c', 'typescript')).toBeUndefined();
  expect(again.size).toBe(2);
});

test('gives back the heads of files in packages, and forgets them with their facts', () => {
  using cache = new FactsCache(join(folder, 'facts'));
  const head = {
    packageName: 'shop.mail',
    top: [[0, DefinitionKind.class, 'Mail'] as const, [3, DefinitionKind.function, 'post'] as const],
  };
  cache.write([
    { ...entry('a'), head },
    { ...entry('b'), head: { packageName: 'shop', top: [] } },
    ...Array.from({ length: 2_100 }, (_, id) => ({ blob: String(id), parser: 'go', reason: 'x' }) as const),
  ]);
  expect(cache.head('a', 'typescript')).toEqual(head);
  expect(cache.head('c', 'typescript')).toBeUndefined();

  cache.prune([{ blob: 'b', parser: 'typescript' }]);

  using again = new FactsCache(join(folder, 'facts'));
  expect(again.head('a', 'typescript')).toBeUndefined();
  expect(again.head('b', 'typescript')).toEqual({ packageName: 'shop', top: [] });
});

test('replaces what is known already', () => {
  using cache = new FactsCache(join(folder, 'facts'));
  cache.write([{ blob: 'a', parser: 'typescript', reason: 'crashed' }]);

  cache.write([entry('a')]);

  expect(cache.read('a', 'typescript')).toEqual({ facts });
  expect(cache.size).toBe(1);
});

test('starts anew when another version wrote the file', () => {
  const file = join(folder, 'facts');
  new FactsCache(file).close();
  const db = new DatabaseSync(file);
  db.exec("insert into facts values ('a', 'typescript', null, 'old'); pragma user_version = 99999");
  db.close();

  using cache = new FactsCache(file);

  expect(cache.size).toBe(0);
});

test('throws away a file that is no cache', () => {
  const file = join(folder, 'facts');
  writeFileSync(file, 'not a database, but long enough to be read as the head of one'.repeat(100));

  using cache = new FactsCache(file);
  cache.write([entry('a')]);

  expect(cache.read('a', 'typescript')).toEqual({ facts });
});

test('throws away a file that turns out to be cut off', () => {
  const file = join(folder, 'facts');
  {
    using cache = new FactsCache(file);
    cache.write(Array.from({ length: 200 }, (_, id) => entry(String(id))));
  }
  truncateSync(file, Math.floor(statSync(file).size / 8192) * 4096);

  using cache = new FactsCache(file);
  const entries = Array.from({ length: 200 }, (_, id) => cache.read(String(id), 'typescript'));
  cache.write([entry('new')]);

  expect(entries).toContain(undefined);
  expect(cache.read('new', 'typescript')).toEqual({ facts });
});

test('takes one entry that cannot be read for unknown', () => {
  using cache = new FactsCache(join(folder, 'facts'));
  cache.write([{ blob: 'a', parser: 'typescript', packed: compressFacts(Uint8Array.of(1, 2, 3)) }]);

  expect(cache.read('a', 'typescript')).toBeUndefined();
});

test('takes facts that do not hold together for unknown', () => {
  using cache = new FactsCache(join(folder, 'facts'));
  const scopes = new TABLES.scopes(facts.scopes.words.slice());
  scopes.words[Scope.parent] = 0;
  cache.write([{ ...entry('a'), packed: compressFacts(encodeFacts({ ...facts, scopes })) }, entry('b')]);

  expect(cache.read('a', 'typescript')).toBeUndefined();
  expect(cache.read('b', 'typescript')).toEqual({ facts });
});

test('forgets texts of other commits once there are many', () => {
  using cache = new FactsCache(join(folder, 'facts'));
  cache.write(Array.from({ length: 2_100 }, (_, id) => ({ blob: String(id), parser: 'go', reason: 'x' }) as const));

  cache.prune([{ blob: '7', parser: 'go' }]);

  expect(cache.size).toBe(1);
  expect(cache.read('7', 'go')).toEqual({ reason: 'x' });
});
