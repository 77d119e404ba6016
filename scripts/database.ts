/**
 * Makes the database without rows that each new data folder begins with, `migrations/empty-database.zst`:
 * `node scripts/database.ts`. To be run again with each new version of the embedded engine, and when a migration that it
 * has was changed; a test says so. New migrations are applied when the database is opened, until it is made again.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbedded } from '../src/platform/embedded/embedded.ts';
import { packFolder } from '../src/platform/embedded/template.ts';
import { openQueue } from '../src/platform/jobs.ts';
import { createLog } from '../src/platform/log.ts';
import { migrate, migrationsFolder } from '../src/platform/migrate.ts';

const ENGINE = '@electric-sql/pglite';
const target = join(import.meta.dirname, '..', 'migrations', 'empty-database.zst');
const folder = mkdtempSync(join(tmpdir(), 'empty-database-'));

// In a process of its own: the engine changes what it runs in, and is used here as it comes.
const program = `
  const { PGlite } = await import('${ENGINE}');
  const lite = await PGlite.create({ dataDir: process.argv[1] });
  await lite.close();`;
execFileSync(process.execPath, ['--input-type=module', '--eval', program, join(folder, 'postgres')]);
const database = await openEmbedded({ dataDir: folder });
const applied = await migrate(database.db);
await (await openQueue(database, { log: createLog('warn') })).stop();
await database.execute('vacuum (freeze, analyze)');
await database.close();

const { version: engine } = JSON.parse(
  readFileSync(join(createRequire(import.meta.url).resolve(ENGINE), '../../package.json'), 'utf8'),
) as { version: string };
const hashed = applied.map((name) => {
  const content = readFileSync(join(migrationsFolder(), name));
  return [name, createHash('sha256').update(content).digest('hex')];
});
const archive = packFolder(join(folder, 'postgres'), { engine, migrations: Object.fromEntries(hashed) });
writeFileSync(target, archive);
rmSync(folder, { recursive: true });
console.log(`${target}: ${archive.length} bytes, made by ${ENGINE} ${engine}, with ${applied.length} migrations`);
