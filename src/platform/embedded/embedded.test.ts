import { spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, inject, onTestFinished, test, vi } from 'vitest';
import { ServiceError } from '../../kernel/errors.ts';
import { emptyDatabasePath, unpackFolder } from './template.ts';
import { dueUpkeep, openEmbedded, type EmbeddedDatabase, type EmbeddedOptions } from './embedded.ts';

const opened: EmbeddedDatabase[] = [];
let dataDir = '';

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'svc-embedded-'));
});
afterEach(async () => {
  for (const database of opened.splice(0)) await database.close();
  rmSync(dataDir, { recursive: true });
});

async function open(options: EmbeddedOptions = { dataDir }): Promise<EmbeddedDatabase> {
  const database = await openEmbedded(options);
  opened.push(database);
  return database;
}

/** A database in memory, from the template of the run: to make one from nothing takes seconds. */
function memory(): EmbeddedOptions {
  const source = inject('database');
  return source.kind === 'embedded' ? { template: readFileSync(source.templatePath) } : {};
}

const minutes = (count: number): number => Date.now() + count * 60_000;

async function readRefusal(options: EmbeddedOptions): Promise<string> {
  const error: unknown = await open(options).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof ServiceError)) throw error ?? new Error('It opened.');
  return `${error.code}: ${error.message} ${error.fix}`;
}

test('a folder is open once at a time, and has what was committed when it is opened again', async () => {
  const first = await open();
  await first.execute('create table kept (n int); insert into kept values (1)');
  const refused = await readRefusal({ dataDir });
  await first.close();

  const second = await open();

  expect(refused).toMatch(
    /^conflict: The data folder .*svc-embedded-.* is in use by another process\. Stop the other process/,
  );
  expect(await second.execute('select n from kept')).toEqual([{ n: 1 }]);
});

test('what was acknowledged survives kill -9, and the lock does not', async () => {
  const module = JSON.stringify(new URL('./embedded.ts', import.meta.url).href);
  const script = `
    const { openEmbedded } = await import(${module});
    const database = await openEmbedded({ dataDir: ${JSON.stringify(dataDir)} });
    await database.execute('create table kept (n int)');
    for (let n = 1; ; n += 1) {
      await database.execute('insert into kept values ($1)', [n]);
      process.stdout.write(n + '\\n');
    }`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let acknowledged = 0;
  await new Promise<void>((resolve) => {
    child.stdout.on('data', (chunk: Buffer) => {
      acknowledged = Number(chunk.toString().trim().split('\n').at(-1));
      if (acknowledged >= 50) child.kill('SIGKILL');
    });
    child.once('close', () => resolve());
  });

  const database = await open();

  const [row] = await database.execute('select count(*) as count, max(n) as largest from kept');
  expect(Number(row?.['count'])).toBeGreaterThanOrEqual(50);
  expect(row?.['largest']).toBe(row?.['count']);
});

test('a process killed while it created the database leaves a folder that can be used', async () => {
  const unfinished = join(dataDir, 'postgres.unfinished');
  mkdirSync(join(unfinished, 'base'), { recursive: true });
  writeFileSync(join(unfinished, 'PG_VERSION'), '18\n');

  const database = await open();

  expect(await database.execute('select 1 as n')).toEqual([{ n: 1 }]);
  expect(existsSync(unfinished)).toBe(false);
});

test.each<[what: string, damage: (postgres: string) => void]>([
  ['the version', (postgres) => writeFileSync(join(postgres, 'PG_VERSION'), 'garbage\n')],
  ['the state', (postgres) => truncateSync(join(postgres, 'global/pg_control'), 100)],
  [
    'the log',
    (postgres) => {
      for (const name of readdirSync(join(postgres, 'pg_wal')))
        if (/^[0-9A-F]{24}$/.test(name)) truncateSync(join(postgres, 'pg_wal', name));
    },
  ],
])('where %s of a database is damaged one clear sentence says so, and the folder is free again', async (_, damage) => {
  const postgres = join(dataDir, 'postgres');
  await unpackFolder(readFileSync(emptyDatabasePath()), postgres);
  damage(postgres);

  // The second time it is not in use by the first.
  for (let time = 0; time < 2; time += 1)
    expect(await readRefusal({ dataDir })).toMatch(
      /^content_damaged: The database in .* is damaged or cannot be read\. Restore a backup with `svc restore`/,
    );
});

test('files of another PostgreSQL are named as such', async () => {
  mkdirSync(join(dataDir, 'postgres'));
  writeFileSync(join(dataDir, 'postgres/PG_VERSION'), '17\n');

  expect(await readRefusal({ dataDir })).toContain('belongs to PostgreSQL 17; this build reads 18. Run `svc backup`');
});

test('a query on the outer database inside a transaction ends that transaction instead of waiting for ever', async () => {
  const database = await open({ idleTransactionMs: 50, ...memory() });

  const stuck = database.db.transaction().execute(async (tx) => {
    await sql`select 1`.execute(tx);
    await sql`select 1`.execute(database.db);
    await sql`select 1`.execute(tx);
  });

  await expect(stuck).rejects.toThrow(/sent nothing for 50 ms.*outer `db`/);
  expect(await database.execute('select 1 as n')).toEqual([{ n: 1 }]);
});

test('requests that changed rows are counted, and no others; a dump opens as a copy that goes its own way', async () => {
  const database = await open(memory());
  await database.execute('create table thing (id int)');
  const before = database.writes() ?? Number.NaN;

  await database.execute('select 1');
  await database.execute('update thing set id = 2 where id = $1', [1]);
  expect(database.writes()).toBe(before);

  await database.execute('insert into thing values ($1)', [1]);
  expect(database.writes()).toBe(before + 1);
  await database.db.transaction().execute((tx) => sql`update thing set id = 2`.execute(tx));
  expect(database.writes()).toBeGreaterThan(before + 1);

  const copy = await open({ template: await database.dump() });
  await database.execute('insert into thing values (3)');
  expect(await copy.execute('select id from thing')).toEqual([{ id: 2 }]);
});

test('upkeep keeps the log small and does nothing when nothing was written', async () => {
  // On a busy machine its own timer would come in between.
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const database = await open();
  const log = join(dataDir, 'postgres/pg_wal');
  await database.maintain(minutes(0));
  await database.execute('create table large (text text)');
  const position = `select redo_lsn::text as redo from pg_control_checkpoint()`;
  const [before] = await database.execute(position);
  for (let n = 0; n < 8; n += 1)
    await database.execute(`insert into large select repeat(md5(g::text), 30) from generate_series(1, 10000) g`);

  expect(await database.maintain(minutes(0))).toBe('checkpoint');
  expect(await database.maintain(minutes(6))).toBe('nothing');
  await database.execute('delete from large');
  expect(await database.maintain(minutes(7 * 60))).toBe('vacuum');

  const [after] = await database.execute(position);
  expect(after).not.toEqual(before);
  const logBytes = readdirSync(log).reduce((sum, name) => sum + statSync(join(log, name)).size, 0);
  expect(logBytes).toBeLessThan(400_000_000);
});

const MB = 1024 * 1024;
const last = { checkpointAtMs: 0, checkpointLsn: 0, vacuumAtMs: 0, vacuumLsn: 0 };
test.each([
  ['nothing was written', 0, 24 * 3_600_000, 'nothing'],
  ['a little, just now', MB, 1_000, 'nothing'],
  ['a little, five minutes ago', MB, 5 * 60_000, 'checkpoint'],
  ['much, just now', 64 * MB, 1_000, 'checkpoint'],
  ['a little, six hours ago', MB, 6 * 3_600_000, 'vacuum'],
] as const)('upkeep when %s', (_, writtenBytes, nowMs, due) => {
  expect(dueUpkeep(last, writtenBytes, nowMs)).toBe(due);
});
