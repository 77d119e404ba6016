import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureFirstAccount, type FirstAccount, TOTP_SECRETS } from './accounts/accounts.ts';
import { DIGEST_SECRETS } from './competitors/competitors.ts';
import { ServiceError } from './kernel/errors.ts';
import type { Config } from './platform/config.ts';
import { checkServer, openServer } from './platform/db-server.ts';
import type { Database } from './platform/db.ts';
import { type EmbeddedOptions, openEmbedded } from './platform/embedded/embedded.ts';
import { expectedFailure } from './platform/failures.ts';
import { checkGit } from './platform/git/git.ts';
import { installationKeys } from './platform/installation-key.ts';
import type { Log } from './platform/log.ts';
import { migrate, runAlone } from './platform/migrate.ts';
import { keepPrivate, openFolders } from './platform/private-files.ts';
import { resealColumn } from './platform/sealed-column.ts';
import type { SecretKeys } from './platform/secrets.ts';
import type { Supervisor } from './platform/supervision.ts';
import { ORGANIZATION_TOKENS } from './repositories/organizations/organizations.ts';
import { REPOSITORY_WEBHOOK_SECRETS } from './repositories/webhooks/webhooks.ts';
import { SOURCE_TOKENS } from './signals/sources/sources.ts';
import { WEBHOOK_SECRETS } from './signals/webhooks/webhooks.ts';
import { TRACKER_WEBHOOK_SECRETS } from './trackers/trackers.ts';

/** The columns whose secrets a start encrypts with the first key. */
const SEALED_COLUMNS = [
  ...TOTP_SECRETS,
  WEBHOOK_SECRETS,
  SOURCE_TOKENS,
  DIGEST_SECRETS,
  TRACKER_WEBHOOK_SECRETS,
  REPOSITORY_WEBHOOK_SECRETS,
  ORGANIZATION_TOKENS,
];

/** The database with the schema of this build, and what is sealed in it under the newest key. */
export async function openData(
  config: Config,
  { log, now, supervisor }: { log: Log; now: () => Date; supervisor: Supervisor },
  opening: AsyncDisposableStack,
): Promise<{ database: Database; account: FirstAccount; secretKeys: SecretKeys }> {
  await checkGit();
  makeFolders(config, log);
  const database = await openDatabase(config, { log, watch: supervisor.watch('database') });
  opening.defer(() => database.close());
  const account = await prepareDatabase(database, now());
  const secretKeys = await runAlone(database, () => installationKeys(database.db, config));
  for (const column of SEALED_COLUMNS) await resealColumn(database.db, secretKeys, column);
  return { database, account, secretKeys };
}

/**
 * The database alone, as it is: nothing is migrated.
 *
 * @throws ServiceError when the folder is in use or damaged, or the server cannot be reached.
 */
export async function openDatabase(
  config: Config,
  events: Pick<EmbeddedOptions, 'log' | 'watch'> = {},
): Promise<Database> {
  if (config.databaseUrl === undefined) return openEmbedded({ dataDir: config.dataDir, ...events });
  const database = openServer({ url: config.databaseUrl });
  try {
    await checkServer(database);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** Brings the schema to this build and makes the first account. Damage that opening did not meet is met here. */
async function prepareDatabase({ db }: Database, now: Date): Promise<FirstAccount> {
  try {
    await migrate(db);
    return await ensureFirstAccount(db, now);
  } catch (cause) {
    throw expectedFailure(cause) ?? cause;
  }
}

/** Makes the folders of the data, where only this user may enter. */
function makeFolders(config: Config, log: Log): void {
  const path = config.dataDir;
  try {
    keepPrivate(config);
    const probe = join(path, `.probe-${process.pid}`);
    writeFileSync(probe, '');
    rmSync(probe);
    // It may lie in a checkout, and holds nothing that belongs into a commit.
    if (!existsSync(join(path, '.gitignore'))) writeFileSync(join(path, '.gitignore'), '*\n');
  } catch (cause) {
    throw new ServiceError('bad_argument', `The data folder ${path} cannot be written.`, {
      fix: 'Give this user write permission there, or choose another folder with SVC_DATA_DIR or --data-dir.',
      cause,
    });
  }
  const open = openFolders(config);
  if (open.length > 0) log.warn({ folders: open }, 'others than the user of the service may enter folders of the data');
}
