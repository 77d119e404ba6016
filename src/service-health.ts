import { setTimeout as delay } from 'node:timers/promises';
import type { Config } from './platform/config.ts';
import { blobFolder } from './platform/data-dir.ts';
import type { Database } from './platform/db.ts';
import { diskTroubles } from './platform/disk.ts';
import type { MissingPart, Supervisor } from './platform/supervision.ts';

/** Time that the database may take to answer the simplest query. */
const ANSWER_MS = 5_000;

/** An embedded database that could not be opened again for this long will not be without help. */
const OUTAGE_MS = 60_000;

interface Watched {
  database: Database;
  config: Pick<Config, 'dataDir' | 'blobUrl'>;
  supervisor: Pick<Supervisor, 'missing'>;
  now: () => Date;
}

/** Reasons why the service cannot answer, a sentence each, and missing threads and processes. */
interface Readiness {
  waiting: string[];
  missing: MissingPart[];
}

/** Reports whether the service can answer: `waiting` is empty then. Takes at most 5 s. */
export async function readinessOf({ database, config, supervisor }: Watched): Promise<Readiness> {
  const [databaseWaits, disk] = await Promise.all([
    databaseTroubles(database),
    diskTroubles([
      { name: 'the data folder', path: config.dataDir },
      { name: 'the folder of the blobs', path: blobFolder(config) },
    ]),
  ]);
  const missing = supervisor.missing();
  const down = missing.filter(({ isDown }) => isDown).map(({ message }) => message);
  return { waiting: [...databaseWaits, ...disk, ...down], missing };
}

/**
 * Returns why the process should be restarted: its own database has been failing for a minute. A database server is not the
 * process's fault, and a restart would not bring it back.
 */
export function findFailure({ database, now }: Watched): string | undefined {
  const outage = database.outage();
  if (outage === undefined || now().getTime() - outage.since.getTime() < OUTAGE_MS) return undefined;
  return `${outage.reason} It has been failing since ${outage.since.toISOString()}.`;
}

async function databaseTroubles(database: Database): Promise<string[]> {
  const outage = database.outage();
  if (outage !== undefined) return [outage.reason];
  const late = new AbortController();
  try {
    const answered = database.execute('select 1').then(
      () => true,
      () => false,
    );
    const waited = delay(ANSWER_MS, false, { signal: late.signal, ref: false });
    return (await Promise.race([answered, waited])) ? [] : ['The database does not answer.'];
  } finally {
    late.abort();
  }
}
