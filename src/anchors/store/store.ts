import { within } from '../../platform/product-rows.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Tenant } from '../../kernel/tenant.ts';
import type { Db } from '../../platform/db.ts';

/** Anchors of one statement: bounds its size. */
const BATCH = 500;

/** The kind of text that names code: a plan, or a decision. */
export type HolderKind = 'plan' | 'decision';
export interface Holder {
  holder: HolderKind;
  id: string;
}

export type AnchorStatus = 'fresh' | 'moved' | 'changed' | 'gone';

/** The change of a commit to the target of an anchor. */
export interface AnchorChange {
  /** `signature`: the head of a definition, or more. `removed`: it is no longer where it was. */
  kind: 'body' | 'signature' | 'moved' | 'removed';
  /** Lines that are there and were not, and the other way round. */
  added: number;
  removed: number;
}

/** A commit that had a part in what became of an anchor. */
export interface AnchorCommit {
  sha: string;
  subject: string;
  /** ISO 8601. */
  date: string;
  /** Absent where only its file is known to be touched. */
  change?: AnchorChange;
}

/** The target of an anchor, as it was at its baseline. */
export interface AnchorTarget {
  repositoryId: string;
  path: string;
  /** `Class/method`; null for a whole file. */
  symbol: string | null;
  line: number | null;
  syntax: string | null;
  /** Numbers that texts with much in common share. */
  sketch: readonly number[] | null;
  baselineCommit: string;
}

/** The state of a target in one snapshot of its repository. */
export interface AnchorState {
  /** Hash of the shard. */
  snapshot: string;
  status: AnchorStatus;
  /** Null when it is gone. */
  path: string | null;
  symbol: string | null;
  line: number | null;
  /**
   * Those that made it what it is, first the one that removed or moved it, then newest first, at most five; where that cannot
   * be told, those that touched its file. Empty while it is fresh.
   */
  commits: AnchorCommit[];
}

/** One thing that a plan or decision names. Without `target` it names nothing that is indexed, and `reason` says why. */
export interface AnchorRow extends Holder {
  written: string;
  position: number;
  reason: string | null;
  target: AnchorTarget | undefined;
  state: AnchorState | undefined;
}

interface Columns extends Holder {
  written: string;
  position: number;
  reason: string | null;
  repositoryId: string | null;
  path: string | null;
  symbol: string | null;
  line: number | null;
  syntax: string | null;
  sketch: number[] | null;
  baselineCommit: string | null;
  snapshot: string | null;
  status: AnchorStatus | null;
  nowPath: string | null;
  nowSymbol: string | null;
  nowLine: number | null;
  commits: AnchorCommit[];
}

const COLUMNS = sql`holder, holder_id as id, written, position, reason, repository_id as "repositoryId", path, symbol, line,
  syntax, sketch, baseline_commit as "baselineCommit", snapshot, status, now_path as "nowPath", now_symbol as "nowSymbol",
  now_line as "nowLine", commits`;

/** Anchors of these plans or decisions, by holder and position. */
export async function selectAnchors(
  db: Db,
  tenant: Tenant,
  { holder, ids }: { holder: HolderKind; ids: readonly string[] },
): Promise<AnchorRow[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<Columns>`
    select ${COLUMNS} from anchor
     where ${within(tenant)} and holder = ${holder}
       and holder_id in (${sql.join(ids)})
     order by holder_id, position, written collate "C"`.execute(db);
  return rows.map(toAnchor);
}

/** All anchors of the product, or those that name this path or stand there now; at most 20,000. */
export async function selectProductAnchors(db: Db, tenant: Tenant, path?: string): Promise<AnchorRow[]> {
  const named = path === undefined ? sql`` : sql`and (path = ${path} or now_path = ${path})`;
  const { rows } = await sql<Columns>`
    select ${COLUMNS} from anchor
     where ${within(tenant)} ${named}
     order by holder, holder_id, position, written collate "C" limit 20000`.execute(db);
  return rows.map(toAnchor);
}

/** Replaces all anchors of a plan or decision. */
export async function replaceAnchors(
  tx: Db,
  tenant: Tenant,
  { holder, id }: Holder,
  anchors: readonly AnchorRow[],
): Promise<void> {
  await deleteAnchors(tx, tenant, { holder, id });
  for (const { written, position, reason, target, state } of anchors)
    await sql`
      insert into anchor (account_id, product_id, holder, holder_id, written, position, reason, repository_id, path, symbol,
        line, syntax, sketch, baseline_commit, snapshot, status, now_path, now_symbol, now_line, commits)
      values (${tenant.accountId}, ${tenant.productId}, ${holder}, ${id}, ${written}, ${position}, ${reason},
        ${target?.repositoryId ?? null}, ${target?.path ?? null}, ${target?.symbol ?? null}, ${target?.line ?? null},
        ${target?.syntax ?? null}, ${target?.sketch ? JSON.stringify(target.sketch) : null}::jsonb,
        ${target?.baselineCommit ?? null}, ${state?.snapshot ?? null}, ${state?.status ?? null}, ${state?.path ?? null},
        ${state?.symbol ?? null}, ${state?.line ?? null}, ${JSON.stringify(state?.commits ?? [])}::jsonb)`.execute(tx);
}

export async function deleteAnchors(tx: Db, tenant: Tenant, { holder, id }: Holder): Promise<void> {
  await sql`
    delete from anchor
     where ${within(tenant)} and holder = ${holder}
       and holder_id = ${id}`.execute(tx);
}

/** Keeps what was found out about anchors, but for those whose baseline was moved meanwhile. */
export async function updateAnchorStates(db: Db, tenant: Tenant, anchors: readonly AnchorRow[]): Promise<void> {
  for (let at = 0; at < anchors.length; at += BATCH) {
    const rows = anchors
      .slice(at, at + BATCH)
      .flatMap(({ holder, id, written, target, state }) =>
        target === undefined || state === undefined
          ? []
          : [{ holder, id, written, baseline: target.baselineCommit, ...state }],
      );
    await sql`
      update anchor set snapshot = row.snapshot, status = row.status, now_path = row.path, now_symbol = row.symbol,
        now_line = row.line, commits = row.commits
        from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as row (holder text, id uuid, written text, baseline text,
          snapshot text, status text, path text, symbol text, line integer, commits jsonb)
       where anchor.account_id = ${tenant.accountId} and anchor.product_id = ${tenant.productId}
         and anchor.holder = row.holder and anchor.holder_id = row.id and anchor.written = row.written
         and anchor.baseline_commit = row.baseline`.execute(db);
  }
}

/** Gives a target to an anchor that had none. */
export async function updateAnchorTarget(db: Db, tenant: Tenant, anchor: AnchorRow): Promise<void> {
  const { target } = anchor;
  if (target === undefined) return;
  await sql`
    update anchor set reason = null, repository_id = ${target.repositoryId}, path = ${target.path},
      symbol = ${target.symbol}, line = ${target.line}, syntax = ${target.syntax},
      sketch = ${target.sketch ? JSON.stringify(target.sketch) : null}::jsonb,
      baseline_commit = ${target.baselineCommit}
     where ${unresolved(tenant, anchor)}`.execute(db);
}

/** Says anew why an anchor has no target. */
export async function updateAnchorReason(db: Db, tenant: Tenant, anchor: AnchorRow): Promise<void> {
  await sql`update anchor set reason = ${anchor.reason} where ${unresolved(tenant, anchor)}`.execute(db);
}

/** Takes away an anchor that has no target. */
export async function deleteUnresolved(db: Db, tenant: Tenant, anchor: AnchorRow): Promise<void> {
  await sql`delete from anchor where ${unresolved(tenant, anchor)}`.execute(db);
}

function unresolved(tenant: Tenant, { holder, id, written }: AnchorRow): RawBuilder<unknown> {
  return sql`${within(tenant)} and holder = ${holder}
    and holder_id = ${id} and written = ${written} and repository_id is null`;
}

/** True if it names something that is indexed. */
export function hasTarget(anchor: AnchorRow): anchor is AnchorRow & { target: AnchorTarget } {
  return anchor.target !== undefined;
}

function toAnchor(row: Columns): AnchorRow {
  const { holder, id, written, position, reason, repositoryId, path, symbol, line, syntax, sketch } = row;
  const target =
    repositoryId === null || path === null || row.baselineCommit === null
      ? undefined
      : { repositoryId, path, symbol, line, syntax, sketch, baselineCommit: row.baselineCommit };
  const state =
    row.snapshot === null || row.status === null
      ? undefined
      : {
          snapshot: row.snapshot,
          status: row.status,
          path: row.nowPath,
          symbol: row.nowSymbol,
          line: row.nowLine,
          commits: row.commits,
        };
  return { holder, id, written, position, reason, target, state };
}
