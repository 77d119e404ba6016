import type { Tenant } from '../kernel/tenant.ts';
import type { IndexedRepository, Indexes } from '../indexes/indexes.ts';
import type { Db } from '../platform/db.ts';
import type { Watch } from '../platform/supervision.ts';
import type { SecretKeys } from '../platform/secrets.ts';
import type { Encoder } from '../text/encoder/encoder.ts';
import type { KnowledgeIndex } from '../knowledge/knowledge.ts';

/** Dependencies of the signals of all products. */
export interface Signals {
  db: Db;
  indexes: Pick<Indexes, 'readers' | 'rebuild'>;
  knowledge: Pick<KnowledgeIndex, 'rank'>;
  /** The repositories of a product that have an index. */
  indexed: (tenant: Tenant) => Promise<IndexedRepository[]>;
  /** Encrypts the secrets of webhooks. */
  secretKeys: SecretKeys;
  now: () => Date;
  /** Receives a report when a process that groups signals ends unexpectedly. The job is tried again. */
  themeWatch?: Watch | undefined;
  /** Undefined where signals are compared by their words alone. */
  encoder?: Encoder | undefined;
}
