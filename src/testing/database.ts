import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, inject } from 'vitest';
import { openEmbedded } from '../platform/embedded/embedded.ts';
import { openServer } from '../platform/db-server.ts';
import type { Database, Db } from '../platform/db.ts';

/** Database that `global-setup.ts` prepared for this run. */
export type TestDatabaseSource = { kind: 'embedded'; templatePath: string } | { kind: 'server'; url: string };

declare module 'vitest' {
  export interface ProvidedContext {
    database: TestDatabaseSource;
  }
}

/** The one database of this test process. Test files share it, so that it is opened once. */
const shared: { database?: Promise<Database>; db?: Db } = {};

/**
 * The migrated database of this test process, embedded or on a server (`SVC_TEST_DATABASE=server`). All test files share
 * it: each test makes an account of its own and sees nothing of the others. Never close it.
 */
export function testDatabase(): Promise<Database> {
  shared.database ??= emptyDatabase().then((database) => {
    shared.db = database.db;
    return database;
  });
  return shared.database;
}

/** True for the database that all test files share. */
export function isTestDatabase(db: Db): boolean {
  return db === shared.db;
}

/**
 * Returns what opens a migrated database that only the tests of this file use: the first that asks opens it, and it is closed
 * after the last. For tests that change what all tests share, and put it back.
 */
export function ownDatabase(): () => Promise<Database> {
  let database: Promise<Database> | undefined;
  afterAll(async () => {
    await (await database)?.close();
  });
  return () => (database ??= emptyDatabase());
}

/** A migrated database for one test that needs it alone. The caller closes it. Costs 1.1 s; prefer `ownDatabase`. */
export async function emptyDatabase(): Promise<Database> {
  const source = inject('database');
  if (source.kind === 'embedded') return openEmbedded({ template: readFileSync(source.templatePath) });
  return openServer({ url: await copyOfTemplate(source.url) });
}

/** The address of a migrated database on the test server; undefined where the suite runs on the embedded one. */
export async function serverDatabaseUrl(): Promise<string | undefined> {
  const source = inject('database');
  return source.kind === 'server' ? copyOfTemplate(source.url) : undefined;
}

/** Creates a database from the template on the test server and gives its URL. */
async function copyOfTemplate(templateUrl: string): Promise<string> {
  const url = new URL(templateUrl);
  const template = url.pathname.slice(1);
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  url.pathname = '/postgres';
  const server = openServer({ url: url.href });
  await server.execute(`create database ${name} template ${template}`);
  await server.close();
  url.pathname = `/${name}`;
  return url.href;
}
