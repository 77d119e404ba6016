import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { testFolder } from '../../testing/git.ts';
import { migrationsFolder } from '../migrate.ts';
import { emptyDatabasePath, originOf, packFolder, unpackFolder } from './template.ts';

function temporaryFolder(): string {
  const folder = testFolder();
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

test('the empty database is of the embedded engine that the lock file brings', () => {
  const engine = join(createRequire(import.meta.url).resolve('@electric-sql/pglite'), '../../package.json');

  expect(readFileSync(engine, 'utf8')).toContain(`"version": "${originOf(readFileSync(emptyDatabasePath())).engine}"`);
});

test('the empty database has migrations of this package as they are now: else run scripts/database.ts', () => {
  const { migrations } = originOf(readFileSync(emptyDatabasePath()));
  const now = Object.keys(migrations).map((name) => {
    const content = readFileSync(join(migrationsFolder(), name));
    return [name, createHash('sha256').update(content).digest('hex')];
  });

  expect(now.length).toBeGreaterThan(20);
  expect(migrations).toEqual(Object.fromEntries(now));
});

test('a packed folder is unpacked as it was, and for its user only', async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'one/base/empty'), { recursive: true });
  writeFileSync(join(folder, 'one/base/rows'), new Uint8Array([0, 255, 10]), { mode: 0o644 });
  writeFileSync(join(folder, 'one/nothing'), '');

  await unpackFolder(packFolder(join(folder, 'one'), { engine: '1.2.3', migrations: {} }), join(folder, 'two'));

  expect([...readFileSync(join(folder, 'two/base/rows'))]).toEqual([0, 255, 10]);
  expect(readFileSync(join(folder, 'two/nothing'))).toHaveLength(0);
  expect(statSync(join(folder, 'two/base/empty')).isDirectory()).toBe(true);
  const modes = ['two', 'two/base', 'two/base/rows'].map((path) => statSync(join(folder, path)).mode & 0o777);
  expect(modes).toEqual([0o700, 0o700, 0o600]);
});
