import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { uuidv7 } from '../kernel/ids.ts';
import { fetchBackup, openBackupFolder } from '../platform/backup/backup-folder.ts';
import { checkBackup } from '../platform/backup/check-backup.ts';
import { readConfig } from '../platform/config.ts';
import type { Db } from '../platform/db.ts';
import { testDatabase } from '../testing/database.ts';
import { testFolder } from '../testing/git.ts';
import { openTestStorage, type TestStorage } from '../testing/object-storage.ts';
import { Backups, insertBackup, selectBackups } from './backups.ts';

const folder = testFolder();
let storage: TestStorage;
beforeAll(async () => {
  storage = await openTestStorage(join(folder, 'storage'));
});
afterAll(async () => {
  await storage.close();
  rmSync(folder, { recursive: true });
});
const HOUR_MS = 3_600_000;

let db: Db;
let time = new Date();
beforeEach(async () => {
  const database = await testDatabase();
  db = database.db;
  await database.execute('delete from backup');
  time = new Date('2026-03-01T00:00:00Z');
});

/** Settings of a service that writes its backups there. */
const configOf = (target: string) => ({
  ...readConfig({ SVC_DATA_DIR: folder, SVC_BACKUP_DIR: target }),
  ...storage.settings,
});

/** Backups of the database of the tests, read as one on a server is. */
function backupsIn(target: string): Backups {
  return new Backups({
    source: { database: { db, copy: undefined }, blobs: { path: async (hash) => hash }, dataDir: folder },
    version: '1.0.0',
    now: () => time,
    schedule: {
      folder: target,
      target: openBackupFolder(target, configOf(target)),
      intervalMs: 24 * HOUR_MS,
      count: 2,
    },
  });
}

test('a backup is made once in an interval, and the newest stay', async () => {
  const target = join(folder, 'regular');
  const backups = backupsIn(target);
  // Saved by hand where nobody looks for those of the schedule.
  const manual = { startedAt: new Date(Date.UTC(2026, 1, 28, 23)), finishedAt: time, bytes: 1, error: null };
  await insertBackup(db, { id: uuidv7(manual.startedAt), file: join(folder, 'by-hand.tar.zst'), ...manual });
  for (let hour = 0; hour < 75; hour += 3) {
    time = new Date(Date.UTC(2026, 2, 1, hour));
    await backups.makeDue();
    if (hour === 0) writeFileSync(join(target, 'notes.txt'), 'mine');
  }

  expect(readdirSync(target).toSorted()).toEqual([
    'notes.txt',
    'svc-2026-03-03T00-00-00Z.tar.zst',
    'svc-2026-03-04T00-00-00Z.tar.zst',
  ]);
  const rows = await selectBackups(db, 10);
  expect(rows).toHaveLength(5);
  expect(rows[0]).toMatchObject({ file: expect.stringContaining('2026-03-04'), error: null });
  expect(rows[0]?.bytes).toBeGreaterThan(1_000);
});

test('a backup that fails is recorded with its reason, and tried again after a pause', async () => {
  const target = join(folder, 'file');
  writeFileSync(target, 'no folder');
  const backups = backupsIn(target);
  await expect(backups.makeDue()).rejects.toThrow(/EEXIST|ENOTDIR/);
  time = new Date(time.getTime() + 60_000);
  await backups.makeDue();
  expect(await selectBackups(db, 10)).toMatchObject([{ bytes: 0, error: expect.stringMatching(/EEXIST|ENOTDIR/) }]);

  rmSync(target);
  time = new Date(time.getTime() + 600_000);
  await backups.makeDue();
  expect(readdirSync(target)).toEqual(['svc-2026-03-01T00-11-00Z.tar.zst']);
});

test('a backup that somebody asked for is recorded at its end, and only one is sent at a time', async () => {
  const backups = backupsIn(folder);
  const archive = backups.open('uploads');
  expect(() => backups.open('uploads')).toThrow('A backup is being sent already.');

  let bytes = 0;
  for await (const chunk of archive) bytes += (chunk as Buffer).length;

  await expect.poll(() => selectBackups(db, 10)).toMatchObject([{ file: null, bytes, error: null }]);
  backups.open('uploads').destroy();
  await expect
    .poll(async () => (await selectBackups(db, 10)).map(({ error }) => error))
    .toContainEqual(expect.any(String));
});

test('backups go to object storage as they are made, the newest stay, and one comes back whole', async () => {
  const target = 's3://blobs/backups/svc';
  const backups = backupsIn(target);
  for (const day of [1, 2, 3]) {
    time = new Date(Date.UTC(2026, 2, day));
    await backups.makeDue();
    await backups.makeDue();
  }

  const remote = openBackupFolder(target, configOf(target));
  const names = ['svc-2026-03-02T00-00-00Z.tar.zst', 'svc-2026-03-03T00-00-00Z.tar.zst'];
  expect((await remote.list()).toSorted()).toEqual(names);
  expect(await selectBackups(db, 1)).toMatchObject([{ file: `${target}/${names[1]}`, error: null }]);
  await using fetched = await fetchBackup(`${target}/${names[1]}`, configOf(target));
  const { manifest } = await checkBackup(fetched.file);
  expect(manifest.tables.find(({ name }) => name === 'backup')).toMatchObject({ rows: 2 });
  await expect(fetchBackup(`${target}/none.tar.zst`, configOf(target))).rejects.toThrow('There is no s3://');
});

test('object storage has no backup that is none, broke off, or would replace another one', async () => {
  const target = 's3://blobs/backups/broken';
  const remote = openBackupFolder(target, configOf(target));
  const whole = Buffer.concat(await Array.fromAsync(backupsIn(folder).open('none')));
  const save = (content: Buffer) => remote.save(Readable.from([content]), 'one.tar.zst');

  await expect(save(Buffer.from('nothing of the kind'))).rejects.toThrow('is no complete backup');
  await expect(save(whole.subarray(0, whole.length / 2))).rejects.toThrow('is no complete backup');
  const breaks = async function* () {
    yield whole.subarray(0, 100);
    throw new Error('The service ended.');
  };
  await expect(remote.save(Readable.from(breaks()), 'one.tar.zst')).rejects.toThrow('The service ended.');
  expect(await remote.list()).toEqual([]);
  await save(whole);
  await expect(save(whole)).rejects.toThrow('s3://blobs/backups/broken/one.tar.zst already exists.');
});
