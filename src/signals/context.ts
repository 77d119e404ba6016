import type { Tenant } from '../kernel/tenant.ts';
import type { IndexedRepository } from '../indexes/indexes.ts';
import type { Db } from '../platform/db.ts';
import type { Watch } from '../platform/supervision.ts';
import type { SecretKeys } from '../platform/secrets.ts';
import type { Encoder } from '../text/encoder/encoder.ts';
import type { ShardReaders } from '../indexes/shards/shards.ts';

/** What signals of all products work with. */
export interface Signals {
  db: Db;
  readers: ShardReaders;
  /** The repositories of a product that have an index. */
  indexed: (tenant: Tenant) => Promise<IndexedRepository[]>;
  /** What secrets of webhooks are kept encrypted with. */
  secretKeys: SecretKeys;
  now: () => Date;
  /** Told when a process that groups signals ends without being told to. The job is tried again. */
  themeWatch?: Watch | undefined;
  /** Undefined where signals are compared by their words alone. */
  encoder?: Encoder | undefined;
}
