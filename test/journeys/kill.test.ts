import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { type RepositoryJson } from '../../src/cli/repo.ts';
import { openEmbedded } from '../../src/platform/embedded/embedded.ts';
import { testGit, testRepository } from '../../src/testing/git.ts';
import {
  descendants,
  eventually,
  isAlive,
  killService,
  serverFile,
  type ServiceProcess,
  startCommand,
  startSvc,
  temporaryFolder,
} from './service-process.ts';

/** Number of kills; `SVC_KILLS=20 npx vitest run test/journeys/kill.test.ts` is the long run. */
const KILLS = Number(process.env['SVC_KILLS'] ?? 3);

/** A repository to try on instead of the generated one. It is cloned: nothing is written to it. */
const SOURCE = process.env['SVC_KILL_REPOSITORY'];

/** Several of the processes that a run starts are there when it is killed. */
const PARSERS = { SVC_EXTRACT_PROCESSES: '2' };

/** Enough that a run takes a second or two in which it can be killed. */
const FILES = 64;
const FUNCTIONS = 24;
/** Kills before there is anything. */
const FIRST_STARTS = 2;
/** A first start makes the database and begins to index by then. */
const FIRST_START_MS = 2_500;

interface Installation {
  path: string;
  dataDir: string;
}

test('a service killed at any moment of its first starts and of indexing goes on from there, to the index that nobody disturbed', async () => {
  const installation = { path: source(), dataDir: join(temporaryFolder(), 'data') };
  await killFirstStarts(installation);
  // What they had parsed is of no use: the run below takes as long as one that nobody disturbed.
  changeEveryFile(installation.path, 0);
  // The first one is let publish its index, so that the others begin with one.
  const { tookMs: usualMs, ...first } = await killWhen(installation, (service) => service.until(/ ready · /));
  const killed = [`when ready (${first.where})`];

  for (let round = 1; round < KILLS; round += 1) {
    changeEveryFile(installation.path, round);
    const delay = randomInt(0, usualMs);
    const { where } = await killWhen(installation, () => setTimeout(delay));
    killed.push(`after ${delay} ms (${where})`);
  }

  const resumed = await finalIndex(installation);
  const reference = await finalIndex({ ...installation, dataDir: join(temporaryFolder(), 'data') });
  process.stderr.write(`an undisturbed run takes ${usualMs} ms; killed ${killed.join(', ')}\n`);
  expect(reference.code.size).toBeGreaterThan(3);
  for (const kind of ['code', 'history'] as const) {
    expect([...resumed[kind].keys()]).toEqual([...reference[kind].keys()]);
    for (const [table, rows] of reference[kind]) {
      const resumedRows = resumed[kind].get(table) ?? [];
      expect({ table, rows: resumedRows.length }).toEqual({ table, rows: rows.length });
      expect({ table, different: rows.filter((row, index) => row !== resumedRows[index]).slice(0, 3) }).toEqual({
        table,
        different: [],
      });
    }
  }
});

/** Kills first starts: at any moment until the database is made and the index of the checkout has begun. */
async function killFirstStarts({ path, dataDir }: Installation): Promise<void> {
  for (let round = 0; round < FIRST_STARTS; round += 1) {
    const launcher = startCommand(['up', '--data-dir', dataDir], { cwd: path, env: PARSERS });
    await setTimeout(randomInt(200, FIRST_START_MS));
    const started = descendants(launcher.pid ?? 0);
    if (started[0] !== undefined) process.kill(started[0], 'SIGKILL');
    else launcher.kill('SIGTERM');
    await once(launcher, 'close');
    await eventually(() => started.every((pid) => !isAlive(pid)));
  }
}

/** Starts, kills the service alone when it is time, and sees that all it had started ends. Tells where it was by then. */
async function killWhen(
  installation: Installation,
  isTime: (service: ServiceProcess) => Promise<unknown>,
): Promise<{ tookMs: number; where: string }> {
  const service = await startSvc(['up', '--data-dir', installation.dataDir], { cwd: installation.path, env: PARSERS });
  const startedMs = performance.now();
  await isTime(service);
  const tookMs = Math.ceil(performance.now() - startedMs);
  const children = descendants(service.pid).length;
  const stage = await stageOf(installation);
  await killService(service);
  return { tookMs, where: `${stage}, ${children} processes` };
}

/** Returns the stage of the run that the service reports, just before it is killed. */
async function stageOf({ dataDir }: Installation): Promise<string> {
  const { url, token } = serverFile(dataDir);
  const response = await fetch(`${url}/v1/repositories`, { headers: { authorization: `Bearer ${token}` } });
  const [repository] = ((await response.json()) as { repositories: RepositoryJson[] }).repositories;
  return repository?.progress?.stage ?? repository?.status ?? 'nothing yet';
}

/** The rows of both shards, by table, once the repository is ready and nothing works on them any more; `meta` without what names the repository. */
async function finalIndex(installation: Installation): Promise<Record<'code' | 'history', Map<string, string[]>>> {
  const service = await startSvc(['up', '--data-dir', installation.dataDir], { cwd: installation.path, env: PARSERS });
  await service.until(/ ready · /);
  await eventually(() => isLookedThrough(installation));
  await service.end();
  const database = await openEmbedded({ dataDir: installation.dataDir });
  const [row = {}] = (await database.execute(
    'select snapshot_commit, status, shard_hash, history_hash from repository',
    [],
  )) as Record<string, string>[];
  await database.close();
  expect(row['snapshot_commit']).toBe(testGit(installation.path, ['rev-parse', 'HEAD']));
  expect(row['status']).toBe('ready');
  const rowsOf = (hash = ''): Map<string, string[]> =>
    shardRows(join(installation.dataDir, 'blobs', hash.slice(0, 2), hash));
  return { code: rowsOf(row['shard_hash']), history: rowsOf(row['history_hash']) };
}

/** True if the job that follows an index run has read all commits: until then answers state what is unknown. */
async function isLookedThrough({ dataDir }: Installation): Promise<boolean> {
  const { url, token } = serverFile(dataDir);
  const response = await fetch(`${url}/v1/tools/commit-tool`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ action: 'changelog' }),
  });
  const answer = await response.text();
  expect({ status: response.status, answer }).toMatchObject({ status: 200 });
  return !answer.includes('not known yet');
}

function shardRows(file: string): Map<string, string[]> {
  using db = new DatabaseSync(file, { readOnly: true });
  // A virtual table keeps its content in tables of its own, which are compared too.
  const query = `select name from sqlite_schema where type = 'table' and sql not like 'create virtual%' order by name`;
  const tables = db.prepare(query).all();
  return new Map(
    tables.map(({ name }) => {
      const rows = db.prepare(`select * from "${String(name)}"`).all();
      const texts = rows.map((row) => JSON.stringify(row, hexadecimal)).toSorted();
      return [String(name), name === 'meta' ? texts.filter((text) => !/"repository"/.test(text)) : texts];
    }),
  );
}

function hexadecimal(_key: string, value: unknown): unknown {
  return value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value;
}

/** Gives every module something new, so that each round parses everything. */
function changeEveryFile(path: string, round: number): void {
  const files = testGit(path, ['ls-files', '*.ts']).split('\n');
  for (const file of files) appendFileSync(join(path, file), `export const round${round} = ${round};\n`);
  testGit(path, ['commit', '--all', '--quiet', '--message', `Round ${round}`]);
}

function source(): string {
  if (SOURCE !== undefined) {
    const path = join(temporaryFolder(), 'source');
    testGit('/', ['clone', '--quiet', SOURCE, path]);
    return path;
  }
  const repository = testRepository([{ files: generated() }]);
  onTestFinished(() => repository.remove());
  return repository.path;
}

/** Modules that import one another, with enough in each to keep a parser busy for a moment. */
function generated(): Record<string, string> {
  const files: Record<string, string> = {};
  for (let id = 0; id < FILES; id += 1) {
    const parts = Array.from(
      { length: FUNCTIONS },
      (_, part) =>
        `export function step${id}x${part}(order: Order${id}): number {\n` +
        `  const price = order.lines.map((line) => line.price * ${part}).reduce((sum, one) => sum + one, 0);\n` +
        `  return price > ${part} ? next(price) : step${id}x${(part + 1) % FUNCTIONS}(order);\n}\n`,
    );
    const imported = `import { step${(id + 1) % FILES}x0 as next } from './module-${(id + 1) % FILES}.ts';\n`;
    const type = `export interface Order${id} {\n  lines: { price: number }[];\n}\n`;
    files[`src/module-${id}.ts`] = imported + type + parts.join('');
  }
  return files;
}
