/**
 * Makes the empty database that each new data folder begins with, `migrations/empty-database.zst`:
 * `node scripts/database.ts`. To be run again with each new version of the embedded engine; a test says so.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packFolder } from '../src/platform/embedded/template.ts';

const ENGINE = '@electric-sql/pglite';
const target = join(import.meta.dirname, '..', 'migrations', 'empty-database.zst');
const folder = mkdtempSync(join(tmpdir(), 'empty-database-'));

// In a process of its own: the engine changes what it runs in, and is used here as it comes.
const program = `
  const { PGlite } = await import('${ENGINE}');
  const lite = await PGlite.create({ dataDir: process.argv[1] });
  await lite.exec('vacuum (freeze, analyze)');
  await lite.exec('checkpoint');
  await lite.close();`;
execFileSync(process.execPath, ['--input-type=module', '--eval', program, join(folder, 'postgres')]);
const { version } = JSON.parse(
  readFileSync(join(createRequire(import.meta.url).resolve(ENGINE), '../../package.json'), 'utf8'),
) as { version: string };
const archive = packFolder(join(folder, 'postgres'), version);
writeFileSync(target, archive);
rmSync(folder, { recursive: true });
console.log(`${target}: ${archive.length} bytes, made by ${ENGINE} ${version}`);
