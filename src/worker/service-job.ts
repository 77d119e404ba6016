import { z } from 'zod';
import type { Tenant } from '../kernel/tenant.ts';
import type { Backups } from '../backups/backups.ts';
import type { Catalogs } from '../code/catalog/catalog.ts';
import type { Competitors } from '../competitors/competitors.ts';
import type { Documents } from '../documents/documents.ts';
import type { ShardReaders } from '../indexes/shards/shards.ts';
import type { JobRun } from '../platform/jobs.ts';
import type { VectorParts } from '../knowledge/vectors/vectors.ts';
import type { Plans } from '../plans/plans.ts';
import type { Signals } from '../signals/signals.ts';
import type { Organizations } from '../repositories/organizations/organizations.ts';
import type { SignalSources } from '../signals/sources/sources.ts';
import type { Encoder } from '../text/encoder/encoder.ts';
import type { Trackers } from '../trackers/trackers.ts';
import type { IndexParts } from './index-repository.ts';
import type { RefineParts } from './refine-repository.ts';

/** Subject of a job: a repository; a product, without a repository; or the whole service, without either. */
export const JobSubject = z.object({
  accountId: z.string().default(''),
  productId: z.string().default(''),
  repositoryId: z.string().default(''),
});
export type JobSubject = z.output<typeof JobSubject>;

/** The parts of the service that jobs work with. A job gets those that it names. */
export interface JobParts extends IndexParts, RefineParts {
  readers: ShardReaders;
  /** Undefined without a configured service: jobs that need it are then neither asked for nor run. */
  embeddings: Encoder | undefined;
  /** Undefined without an encoder of what people write. */
  vectors: VectorParts | undefined;
  plans: Plans;
  documents: Documents;
  catalogs: Pick<Catalogs, 'sweep'>;
  signals: Signals;
  sources: SignalSources;
  trackers: Trackers;
  organizations: Organizations;
  competitors: Competitors;
  /** Undefined without a schedule of backups. */
  backups: Backups | undefined;
  /** Puts an index run of a repository into the queue. */
  startIndexing: (tenant: Tenant, id: string) => Promise<void>;
}

/** One kind of background work, as the list has it. */
interface JobLine<Name extends string, Need extends keyof JobParts> {
  /** `slice.verb` */
  name: Name;
  /** Its group in the queue: of each, one job of this name runs at a time and one waits. */
  per: 'repository' | 'product' | 'service';
  /** Asked for, about the same subject, when a job of one of these names has run without an error. */
  follows?: readonly string[];
  needs: readonly Need[];
  /** False if there is nothing to do after a job that it follows, so that it is not queued; always queued when absent. */
  isNeeded?(parts: Pick<JobParts, Need>, subject: JobSubject): Promise<boolean>;
  /** Attempts after the first. */
  retries: number;
  /** Most that one process runs at a time; 1 when absent. */
  concurrency?: number;
  /** Asked for at each start of the service, and again each time when so long has passed. */
  everyMs?: number;
  /** Interval at which jobs that are due are queued after the start; at the start alone when absent. */
  owedEveryMs?: number;
  /** Returns the subjects to queue at a start, because a stop or a crash left them undone, or because they are due. */
  owed?(parts: Pick<JobParts, Need>): Promise<readonly Partial<JobSubject>[]>;
  /** Safe twice, because a job runs at least once. An error runs it again. */
  run(parts: Pick<JobParts, Need> & JobRun, subject: JobSubject): Promise<void>;
}

/** A line of the list, whatever it needs. */
export type ServiceJob<Name extends string = string> = JobLine<Name, keyof JobParts>;

/** Ties what a job does to the parts that it names, and hands it no others. */
export function serviceJob<const Name extends string, Need extends keyof JobParts>(
  line: JobLine<Name, Need>,
): ServiceJob<Name> {
  const { needs } = line;
  return {
    ...line,
    isNeeded: async (parts, subject) => (await line.isNeeded?.(pick(parts, needs), subject)) ?? true,
    owed: async (parts) => (await line.owed?.(pick(parts, needs))) ?? [],
    run: (parts, subject) => {
      const { signal, attempt } = parts;
      return line.run({ ...pick(parts, needs), signal, attempt }, subject);
    },
  };
}

function pick<Need extends keyof JobParts>(parts: JobParts, needs: readonly Need[]): Pick<JobParts, Need> {
  // The compiler does not follow keys through entries.
  return Object.fromEntries(needs.map((need) => [need, parts[need]])) as Pick<JobParts, Need>;
}
