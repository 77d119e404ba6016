import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { openEmbedded } from '../platform/embedded/embedded.ts';
import { openServer } from '../platform/db-server.ts';
import { migrate, migrationsFolder } from '../platform/migrate.ts';
import type { TestDatabaseSource } from './database.ts';
import { startPostgres } from './postgres-server.ts';

/** Dumps of other migrations are kept for a while, because another run may be reading one. */
const KEEP_MS = 24 * 60 * 60_000;

const CACHE = join(import.meta.dirname, '../../node_modules/.cache');

/** Prepares the database that every test process copies: a dump of an embedded one, or a template on a server. */
export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  if (process.env['SVC_TEST_DATABASE'] === 'server') return setupServer(project);
  const source: TestDatabaseSource = { kind: 'embedded', templatePath: await embeddedTemplate() };
  project.provide('database', source);
  return undefined;
}

async function setupServer(project: TestProject): Promise<() => Promise<void>> {
  const server = await startPostgres();
  try {
    const url = `${server.url}/template_svc`;
    const admin = openServer({ url: `${server.url}/postgres` });
    await admin.execute('create database template_svc');
    await admin.close();
    const template = openServer({ url });
    await migrate(template.db);
    await template.close();
    project.provide('database', { kind: 'server', url });
    return server.stop;
  } catch (error) {
    await server.stop();
    throw error;
  }
}

/** Path of the dump for today's migrations; made once and kept, because booting and migrating takes 4 s. */
async function embeddedTemplate(): Promise<string> {
  const path = join(CACHE, `database-${templateKey()}.tar`);
  if (existsSync(path)) return path;
  mkdirSync(CACHE, { recursive: true });
  const database = await openEmbedded();
  await migrate(database.db);
  writeFileSync(`${path}.${process.pid}`, await database.dump());
  await database.close();
  renameSync(`${path}.${process.pid}`, path);
  removeOldTemplates();
  return path;
}

function removeOldTemplates(): void {
  for (const name of readdirSync(CACHE).filter((file) => file.startsWith('database-'))) {
    const file = join(CACHE, name);
    const ageMs = Date.now() - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    if (ageMs > KEEP_MS) rmSync(file, { force: true });
  }
}

/** Changes when a migration or the engine does. */
function templateKey(): string {
  const hash = createHash('sha256');
  const engine = join(dirname(createRequire(import.meta.url).resolve('@electric-sql/pglite')), '../package.json');
  hash.update(readFileSync(engine));
  const folder = migrationsFolder();
  for (const name of readdirSync(folder).toSorted()) hash.update(name).update(readFileSync(join(folder, name)));
  return hash.digest('hex').slice(0, 16);
}
