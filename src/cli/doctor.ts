import { accessSync, constants, existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { type BackupList, backupBody } from '../backups/backup-bodies.ts';
import { selectBackups } from '../backups/backups.ts';
import { ServiceError } from '../kernel/errors.ts';
import { type Config, type ConfigRow, describeConfig } from '../platform/config.ts';
import { OBJECT_URL } from '../platform/data-dir.ts';
import { checkGit } from '../platform/git/git.ts';
import { describeKeys, refuseLostKey } from '../platform/installation-key.ts';
import { openFolders } from '../platform/private-files.ts';
import { findRunning, remoteClient } from './client.ts';
import { ownCommand } from './own-command.ts';

/** Backups that are read for the last one that did not fail. */
const LISTED_BACKUPS = 20;
/** Intervals without a backup after which the schedule is late. */
const INTERVALS_LATE = 2;
const MS_PER_SECOND = 1_000;

interface Check {
  name: string;
  state: 'ok' | 'problem';
  detail: string;
}

/** Looks at what the service needs from its machine. Changes nothing. */
export async function doctor(config: Config): Promise<{ settings: ConfigRow[]; checks: Check[]; problems: number }> {
  const checks: Check[] = [
    { name: 'Node.js', state: 'ok', detail: process.versions.node },
    await check('git', async () => `version ${await checkGit()}`),
    await check('data folder', async () => dataFolder(config)),
    await check('database', () => database(config)),
    ...(OBJECT_URL.test(config.blobUrl) ? [await check('object storage', () => objectStorage(config))] : []),
    await check('key of secrets', async () => describeKeys(config)),
    await check('backup', () => lastBackup(config)),
    await check('service', async () => {
      const running = await findRunning(config.dataDir);
      return running === undefined ? 'no service runs on this data' : `runs at ${running.url}`;
    }),
  ];
  const problems = checks.filter(({ state }) => state === 'problem').length;
  return { settings: describeConfig(config), checks, problems };
}

/** Describes the result of `doctor` for people. */
export function doctorText({ settings, checks }: { settings: readonly ConfigRow[]; checks: readonly Check[] }): string {
  const set = settings.map(({ name, value, source, meaning }) => `${name}=${value}\n    ${source} · ${meaning}`);
  return [...set, '', ...checks.map(({ name, state, detail }) => `${state.padEnd(7)} ${name}: ${detail}`)].join('\n');
}

function dataFolder(config: Config): string {
  const path = config.dataDir;
  let folder = path;
  while (!existsSync(folder) && folder !== dirname(folder)) folder = dirname(folder);
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (cause) {
    throw new ServiceError('bad_argument', `${folder} cannot be written.`, {
      fix: 'Give this user write permission there, or choose another folder with SVC_DATA_DIR or --data-dir.',
      cause,
    });
  }
  const [open] = openFolders(config);
  if (open !== undefined) {
    throw new ServiceError('bad_argument', `Other users may enter ${open}.`, {
      fix: `The next start of the service closes it. If it stays open, run every process of the service as the user who owns the folder, on a file system with permissions (chmod 700 ${open}).`,
    });
  }
  return folder === path ? `${path} can be written` : `${path} will be created`;
}

async function database(config: Config): Promise<string> {
  const { databaseUrl } = config;
  if (databaseUrl === undefined) return 'embedded PostgreSQL';
  const { checkServer, openServer } = await import('../platform/db-server.ts');
  const server = openServer({ url: databaseUrl });
  try {
    await checkServer(server);
    await refuseLostKey(server.db, config);
    return 'the PostgreSQL server answers';
  } finally {
    await server.close();
  }
}

async function objectStorage(config: Config): Promise<string> {
  const { openObjectStorage } = await import('../platform/object-storage.ts');
  // The storage answers that there is no such object, in a bucket that this service may read.
  await openObjectStorage(config).read('0'.repeat(64), 0);
  return `${config.blobUrl} answers`;
}

async function lastBackup(config: Config): Promise<string> {
  const listed = await readBackups(config);
  return listed === undefined ? 'the service knows the last one, and none runs here' : describeLast(listed, Date.now());
}

/** Backups, newest first, and the interval of the schedule. */
interface ListedBackups {
  backups: BackupList['backups'];
  intervalSeconds: number | undefined;
}

/** Describes the last backup. @throws ServiceError when the last one failed, or one of the schedule is late. */
export function describeLast({ backups, intervalSeconds }: ListedBackups, nowMs: number): string {
  const [newest] = backups;
  const last = backups.find(({ error }) => error === null);
  const described =
    last === undefined
      ? 'none was made yet'
      : `the last one began ${last.started_at}: ${last.file ?? 'sent to whoever asked for it'}, ${(last.bytes / 1e6).toFixed(1)} MB`;
  if (newest !== undefined && newest.error !== null)
    throw new ServiceError('conflict', `The backup of ${newest.started_at} failed: ${newest.error}`, {
      fix: `Check the folder of SVC_BACKUP_DIR and its disk; ${described}.`,
    });
  if (intervalSeconds === undefined) return `${described}; SVC_BACKUP_DIR makes them regularly`;
  if (last !== undefined && nowMs - Date.parse(last.started_at) > INTERVALS_LATE * intervalSeconds * MS_PER_SECOND)
    throw new ServiceError('conflict', `No backup was made for ${INTERVALS_LATE} times SVC_BACKUP_INTERVAL_SECONDS.`, {
      fix: `Check that a process that works runs (${ownCommand('serve')}, ${ownCommand('worker')}); ${described}.`,
    });
  return described;
}

/** The last backups as the service or the database server lists them; undefined where neither can be asked. */
async function readBackups(config: Config): Promise<ListedBackups | undefined> {
  const running = await findRunning(config.dataDir);
  if (running !== undefined) {
    const client = remoteClient({ url: running.url, key: running.token });
    const { backups, schedule } = await client.send<BackupList>('GET', '/v1/backups');
    return { backups, intervalSeconds: schedule?.interval_seconds };
  }
  if (config.databaseUrl === undefined) return undefined;
  const { openServer } = await import('../platform/db-server.ts');
  const server = openServer({ url: config.databaseUrl });
  try {
    const backups = (await selectBackups(server.db, LISTED_BACKUPS)).map(backupBody);
    return { backups, intervalSeconds: config.backupDir === undefined ? undefined : config.backupIntervalSeconds };
  } finally {
    await server.close();
  }
}

async function check(name: string, look: () => Promise<string>): Promise<Check> {
  try {
    return { name, state: 'ok', detail: await look() };
  } catch (error) {
    const fix = error instanceof ServiceError ? ` ${error.fix}` : '';
    return { name, state: 'problem', detail: `${error instanceof Error ? error.message : String(error)}${fix}` };
  }
}
