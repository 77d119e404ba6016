import { within } from '../../platform/product-rows.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Tenant } from '../../kernel/tenant.ts';
import type { Db } from '../../platform/db.ts';

export type RunState = 'running' | 'done' | 'failed' | 'cancelled';

/** Reason why a run failed, as in a tool error. */
interface RunFailure {
  code: string;
  message: string;
  fix: string;
}

/** A row of `workflow_run`. */
export interface RunRow {
  accountId: string;
  id: string;
  productId: string;
  keyId: string;
  kind: string;
  input: Record<string, unknown>;
  state: RunState;
  stage: string;
  /** 0 to 100. */
  pct: number;
  /** Result of the run, as JSON; null before its end. */
  result: unknown;
  error: RunFailure | null;
  startedAt: Date;
  endedAt: Date | null;
}

/** The process that works on a run. */
interface Holding {
  accountId: string;
  id: string;
  holder: string;
}

const COLUMNS = sql`account_id as "accountId", id, product_id as "productId", key_id as "keyId", kind, input, state,
  stage, pct, result, error, started_at as "startedAt", ended_at as "endedAt"`;

const isHeld = ({ accountId, id, holder }: Holding): RawBuilder<unknown> =>
  sql`account_id = ${accountId} and id = ${id} and holder = ${holder} and state = 'running'`;

/** Stores a run that `holder` works on until `until`. */
export async function insertRun(
  db: Db,
  run: Omit<RunRow, 'state' | 'stage' | 'pct' | 'result' | 'error' | 'startedAt' | 'endedAt'>,
  { holder, now, until }: { holder: string; now: Date; until: Date },
): Promise<void> {
  const { accountId, id, productId, keyId, kind, input } = run;
  await sql`
    insert into workflow_run (account_id, id, product_id, key_id, kind, input, state, started_at, holder, held_until)
    values (${accountId}, ${id}, ${productId}, ${keyId}, ${kind}, ${JSON.stringify(input)}, 'running', ${now},
      ${holder}, ${until})`.execute(db);
}

export async function selectRun(db: Db, tenant: Tenant, id: string): Promise<RunRow | undefined> {
  const { rows } = await sql<RunRow>`
    select ${COLUMNS} from workflow_run
     where ${within(tenant)} and id = ${id}`.execute(db);
  return rows[0];
}

/** Runs of a key that have not ended. */
export async function countOpenRuns(db: Db, accountId: string, keyId: string): Promise<number> {
  const { rows } = await sql<{ open: number }>`
    select count(*)::int as open from workflow_run
     where account_id = ${accountId} and key_id = ${keyId} and state = 'running'`.execute(db);
  return rows[0]?.open ?? 0;
}

/** Runs that a product, or one key of it, began since a moment. */
export async function countRunsSince(
  db: Db,
  { accountId, productId, keyId }: Tenant & { keyId?: string },
  since: Date,
): Promise<number> {
  const { rows } = await sql<{ runs: number }>`
    select count(*)::int as runs from workflow_run
     where account_id = ${accountId} and product_id = ${productId} and started_at >= ${since}
       and (${keyId ?? null}::text is null or key_id = ${keyId ?? null})`.execute(db);
  return rows[0]?.runs ?? 0;
}

/** Takes over abandoned runs, oldest first: one of them, or some of all accounts. */
export async function takeAbandoned(
  db: Db,
  { holder, now, until, most, id }: { holder: string; now: Date; until: Date; most: number; id?: string },
): Promise<RunRow[]> {
  const { rows } = await sql<RunRow>`
    update workflow_run set holder = ${holder}, held_until = ${until}
     where (account_id, id) in (
       select account_id, id from workflow_run
        where state = 'running' and held_until < ${now} and (${id ?? null}::uuid is null or id = ${id ?? null}::uuid)
        order by started_at limit ${most} for update skip locked)
    returning ${COLUMNS}`.execute(db);
  return rows;
}

/** Holds a run for longer; false when it was cancelled or another process took it over. */
export async function extendHold(db: Db, holding: Holding, until: Date): Promise<boolean> {
  const { rows } = await sql`
    update workflow_run set held_until = ${until} where ${isHeld(holding)} returning id`.execute(db);
  return rows.length > 0;
}

/** Counts that work on a run begins, and gives how often it has since a step was last finished; none when it is not held. */
export async function countAttempt(db: Db, holding: Holding): Promise<number | undefined> {
  const { rows } = await sql<{ attempts: number }>`
    update workflow_run set attempts = attempts + 1 where ${isHeld(holding)} returning attempts`.execute(db);
  return rows[0]?.attempts;
}

/** Stores the current stage of a run; false as for `extendHold`. */
export async function updateStage(
  db: Db,
  holding: Holding,
  { stage, pct }: { stage: string; pct: number },
): Promise<boolean> {
  const { rows } = await sql`
    update workflow_run set stage = ${stage}, pct = ${pct} where ${isHeld(holding)} returning id`.execute(db);
  return rows.length > 0;
}

/** Stores what a step gave, unless the run is no longer held. What comes next is on its first attempt. */
export async function insertStep(
  db: Db,
  holding: Holding,
  { name, result, now }: { name: string; result: unknown; now: Date },
): Promise<void> {
  await sql`
    with held as (update workflow_run set attempts = 1 where ${isHeld(holding)} returning account_id, id)
    insert into workflow_step (account_id, run_id, name, result, ended_at)
    select account_id, id, ${name}, ${JSON.stringify(result ?? null)}::jsonb, ${now}::timestamptz from held
    on conflict (account_id, run_id, name) do nothing`.execute(db);
}

/** Selects the results of the finished steps of a run, by name. */
export async function selectSteps(db: Db, accountId: string, id: string): Promise<Map<string, unknown>> {
  const { rows } = await sql<{ name: string; result: unknown }>`
    select name, result from workflow_step
     where account_id = ${accountId} and run_id = ${id} order by ended_at, name`.execute(db);
  return new Map(rows.map(({ name, result }) => [name, result]));
}

/** Ends a run that is held. */
export async function endRun(
  db: Db,
  holding: Holding,
  { state, result, error, now }: { state: RunState; result?: unknown; error?: RunFailure; now: Date },
): Promise<void> {
  await sql`
    update workflow_run
       set state = ${state}, ended_at = ${now}, pct = case when ${state} = 'done' then 100 else pct end,
           result = ${result === undefined ? null : JSON.stringify(result)}::jsonb,
           error = ${error === undefined ? null : JSON.stringify(error)}::jsonb
     where ${isHeld(holding)}`.execute(db);
}

/** Cancels a run that has not ended; who works on it notices with its next step. */
export async function cancelRun(db: Db, tenant: Tenant, id: string, now: Date): Promise<void> {
  await sql`
    update workflow_run set state = 'cancelled', ended_at = ${now}
     where ${within(tenant)} and id = ${id} and state = 'running'`.execute(db);
}

/** Lets go of all runs of a process that stops: others may take them at once, and its attempts do not count. */
export async function releaseRuns(db: Db, holder: string, now: Date): Promise<void> {
  await sql`
    update workflow_run set held_until = ${new Date(now.getTime() - 1)}, attempts = greatest(attempts - 1, 0)
     where holder = ${holder} and state = 'running'`.execute(db);
}

/** Lets go of the runs of all other processes, which are gone. Their attempts count. */
export async function releaseLostRuns(db: Db, holder: string, now: Date): Promise<void> {
  await sql`
    update workflow_run set held_until = ${new Date(now.getTime() - 1)}
     where holder <> ${holder} and state = 'running'`.execute(db);
}

/** Deletes the runs of an account that began before. */
export async function deleteRuns(db: Db, accountId: string, before: Date): Promise<void> {
  await sql`delete from workflow_run where account_id = ${accountId} and started_at < ${before}`.execute(db);
}
