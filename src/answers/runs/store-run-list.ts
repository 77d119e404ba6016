import { within } from '../../platform/product-rows.ts';
import { sql } from 'kysely';
import type { Db } from '../../platform/db.ts';
import type { Tenant } from '../../kernel/tenant.ts';
import type { RunRow, RunState } from './store-runs.ts';

/** A run as a list shows it. */
export type ListedRun = Omit<RunRow, 'accountId' | 'productId' | 'result'>;

/** Filter of the listed runs. */
export interface RunFilter {
  kind?: string | undefined;
  state?: RunState | undefined;
  /** Only those that began before the one with this id. */
  before?: string | undefined;
  limit: number;
}

/** Runs of a product, newest first: their ids are in the order of their beginning. */
export async function selectRuns(db: Db, tenant: Tenant, { limit, ...filter }: RunFilter): Promise<ListedRun[]> {
  const { kind = null, state = null, before = null } = filter;
  const { rows } = await sql<ListedRun>`
    select id, key_id as "keyId", kind, input, state, stage, pct, error, started_at as "startedAt", ended_at as "endedAt"
      from workflow_run
     where ${within(tenant)}
       and (${kind}::text is null or kind = ${kind})
       and (${state}::text is null or state = ${state})
       and (${before}::uuid is null or id < ${before}::uuid)
     order by id desc limit ${limit}`.execute(db);
  return rows;
}

/** The finished steps of a run in their order, with when each ended. */
export async function selectStepTimes(
  db: Db,
  accountId: string,
  runId: string,
): Promise<{ name: string; endedAt: Date; calls: string[] }[]> {
  const { rows } = await sql<{ name: string; endedAt: Date; calls: string[] | null }>`
    select name, ended_at as "endedAt",
           case when jsonb_typeof(result -> 'calls') = 'array' then result -> 'calls' end as calls
      from workflow_step where account_id = ${accountId} and run_id = ${runId}
     order by ended_at, name`.execute(db);
  return rows.map(({ calls, ...step }) => ({ ...step, calls: calls ?? [] }));
}
