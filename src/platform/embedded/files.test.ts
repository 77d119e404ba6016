import { PGlite } from '@electric-sql/pglite';
import { fsyncSync, mkdtempSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { SyncedFolder, SYNCING } from './files.ts';
import { emptyDatabasePath, unpackFolder } from './template.ts';

test.runIf(process.platform === 'linux')(
  'a checkpoint puts data on the disk before the control file that counts on them, and renamed segments with their folder',
  async () => {
    const home = mkdtempSync(join(tmpdir(), 'svc-synced-'));
    onTestFinished(() => rmSync(home, { recursive: true }));
    const folder = join(home, 'postgres');
    await unpackFolder(readFileSync(emptyDatabasePath()), folder);
    const syncedPaths: string[] = [];
    const fs = new SyncedFolder(
      folder,
      () => undefined,
      (descriptor) => {
        syncedPaths.push(relative(folder, readlinkSync(`/proc/self/fd/${descriptor}`)));
        fsyncSync(descriptor);
      },
    );
    const lite = await PGlite.create({ fs, startParams: [...SYNCING] });
    await lite.exec('create table kept (n int); insert into kept values (1)');
    const { rows } = await lite.query<{ path: string }>(`select pg_relation_filepath('kept') as path`);
    await lite.exec('select pg_switch_wal(); checkpoint; select pg_switch_wal()');
    syncedPaths.length = 0;

    await lite.exec('insert into kept values (2); select pg_switch_wal(); checkpoint');
    await lite.close();

    const data = syncedPaths.indexOf(rows[0]?.path ?? '');
    const control = syncedPaths.indexOf('global/pg_control');
    expect(data).toBeGreaterThanOrEqual(0);
    expect(control).toBeGreaterThan(data);
    expect(syncedPaths.indexOf('pg_wal')).toBeGreaterThan(
      syncedPaths.findIndex((path) => /^pg_wal\/[0-9A-F]{24}$/.test(path)),
    );
    expect(syncedPaths).toContain('pg_wal');
  },
);
