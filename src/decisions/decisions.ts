import type { Tenant } from '../kernel/tenant.ts';
import { type Actor, recordAudit } from '../accounts/accounts.ts';
import { ServiceError } from '../kernel/errors.ts';
import { isoDate } from '../kernel/time.ts';
import type { Decisions } from './context.ts';
import type { AnchorRow } from '../anchors/store/store.ts';
import {
  anchorsAt,
  currentAnchors,
  holderStaleness,
  retryUnresolved,
  type Staleness,
  stalenessOf,
} from '../anchors/anchors.ts';
import { type Lookups, lookupsOf } from '../anchors/lookups/lookups.ts';
import { collectCandidates } from '../anchors/mentions/mentions.ts';
import { codeMentions } from './links.ts';
import { checkNotFile } from './take-records.ts';
import { indexDecision, numbersOf, unknownDecision } from './record.ts';
import { type DecisionRow, type GivenStatus, selectByNumbers, selectDecisions, updateStatus } from './store.ts';

export type { Decisions } from './context.ts';
export { dateOfDecision } from './store.ts';
export { takeRepositoryRecords } from './repository-records.ts';
export { recordDecision } from './record.ts';

/** Most decisions that an export of a plan, or an answer about a file, is given. */
const MOST_RELATED = 20;

/** A decision with how much of what it names is still as it was. */
export interface DecisionSummary {
  row: DecisionRow;
  /** Undefined for a decision that names nothing that is indexed. */
  staleness: Staleness | undefined;
}

/** All decisions of the product, newest first, at most 5,000. */
export async function listDecisions(decisions: Decisions, tenant: Tenant): Promise<DecisionSummary[]> {
  return summaries(decisions, tenant, await selectDecisions(decisions.db, tenant));
}

/**
 * One decision with its anchors, compared with the indexes as they are now, and the numbers of those it took the place of.
 *
 * @throws ServiceError `unknown_id`, `bad_argument` for what is no handle.
 */
export async function findDecision(
  decisions: Decisions,
  tenant: Tenant,
  handle: string,
): Promise<DecisionSummary & { anchors: AnchorRow[]; supersedes: number[] }> {
  const [number = 0] = numbersOf([handle]);
  const [row] = await selectByNumbers(decisions.db, tenant, [number]);
  if (row === undefined) throw unknownDecision(number);
  const anchors = await currentAnchors(decisions, tenant, { holder: 'decision', ids: [row.id] });
  const all = await selectDecisions(decisions.db, tenant);
  const supersedes = all.filter(({ supersededBy }) => supersededBy === number).map((decisionRow) => decisionRow.number);
  return { row, anchors, staleness: stalenessOf(anchors), supersedes };
}

/**
 * Changes status or review date of a decision.
 *
 * @throws ServiceError `unknown_id`; `conflict` for one that was superseded, or whose status a file of a repository says;
 * `bad_argument` for what is no date.
 */
export async function updateDecision(
  decisions: Decisions,
  tenant: Tenant,
  {
    handle,
    change,
    actor,
  }: {
    handle: string;
    change: { status?: GivenStatus; reviewOn?: string | null };
    actor: Actor;
  },
): Promise<DecisionRow> {
  const [number = 0] = numbersOf([handle]);
  const { reviewOn } = change;
  if (typeof reviewOn === 'string' && isoDate(reviewOn) === undefined) {
    throw new ServiceError('bad_argument', `"${reviewOn.slice(0, 40)}" is not a date.`, {
      fix: 'Write it as 2027-01-31.',
    });
  }
  const [file] = await selectByNumbers(decisions.db, tenant, [number]);
  // When to look at it again is said here alone.
  if (file !== undefined && change.status !== undefined) await checkNotFile(decisions, tenant, file);
  const at = decisions.now();
  return decisions.db.transaction().execute(async (tx) => {
    const [row] = await selectByNumbers(tx, tenant, [number], { lock: true });
    if (row === undefined) throw unknownDecision(number);
    if (change.status !== undefined && row.supersededBy !== null) {
      throw new ServiceError('conflict', `dec:${number} was superseded by dec:${row.supersededBy}.`, {
        fix: `Change the status of dec:${row.supersededBy}, or record a new decision.`,
      });
    }
    const status = change.status ?? row.status;
    const next = { ...row, status, reviewOn: reviewOn === undefined ? row.reviewOn : reviewOn, updatedAt: at };
    await updateStatus(tx, tenant, next);
    await indexDecision(tx, tenant, next);
    const { accountId } = tenant;
    const detail = { number, status: next.status, review_on: next.reviewOn };
    await recordAudit(tx, { accountId, actor, action: 'decision.update', target: row.id, at, detail });
    return next;
  });
}

/**
 * Returns how stale the anchors of these decisions are now, by handle (`dec:12`). Decisions without an indexed target are
 * absent.
 */
export async function decisionStaleness(
  decisions: Decisions,
  tenant: Tenant,
  handles: readonly string[],
): Promise<Map<string, Staleness>> {
  const rows = await selectByNumbers(decisions.db, tenant, numbersOf(handles));
  const rowSummaries = await summaries(decisions, tenant, rows);
  return new Map(
    rowSummaries.flatMap(({ row, staleness }) => (staleness === undefined ? [] : [[`dec:${row.number}`, staleness]])),
  );
}

/** Decisions that are linked to a plan, or name one of the paths; the newest first, at most 20. */
export async function decisionsAbout(
  decisions: Decisions,
  tenant: Tenant,
  { plan, paths }: { plan?: string; paths: readonly string[] },
): Promise<DecisionSummary[]> {
  const naming = new Set<string>();
  for (const path of paths)
    for (const { holder, id } of await anchorsAt(decisions, tenant, path)) if (holder === 'decision') naming.add(id);
  const rows = (await selectDecisions(decisions.db, tenant)).filter(
    ({ id, links }) => naming.has(id) || (plan !== undefined && links.includes(`plan:${plan}`)),
  );
  return summaries(decisions, tenant, rows.slice(0, MOST_RELATED));
}

/** Decisions that name one of these files, or symbols (`Class/method`) of them; the newest first, at most 20. One query for each. */
export async function decisionsAt(
  decisions: Decisions,
  tenant: Tenant,
  places: readonly { path: string; symbol?: string | undefined }[],
): Promise<DecisionSummary[]> {
  const anchors = await Promise.all(places.map(({ path, symbol }) => anchorsAt(decisions, tenant, path, symbol)));
  const ids = new Set(anchors.flat().flatMap(({ holder, id }) => (holder === 'decision' ? [id] : [])));
  if (ids.size === 0) return [];
  const rows = (await selectDecisions(decisions.db, tenant)).filter(({ id }) => ids.has(id));
  return summaries(decisions, tenant, rows.slice(0, MOST_RELATED));
}

/** Looks again for what decisions name and no index had. After an index run; safe twice. */
export async function refreshDecisions(decisions: Decisions, tenant: Tenant, signal: AbortSignal): Promise<void> {
  let lookups: Lookups[] | undefined;
  for (const row of await selectDecisions(decisions.db, tenant)) {
    signal.throwIfAborted();
    const anchors = await currentAnchors(decisions, tenant, { holder: 'decision', ids: [row.id] });
    if (anchors.every(({ target }) => target !== undefined)) continue;
    // One for each repository of the product: none for decisions that name nothing.
    lookups ??= await lookupsOf(decisions, tenant);
    await retryUnresolved(decisions, tenant, {
      anchors,
      names: collectCandidates(await codeMentions(decisions, row)),
      lookups,
    });
  }
}

async function summaries(
  decisions: Decisions,
  tenant: Tenant,
  rows: readonly DecisionRow[],
): Promise<DecisionSummary[]> {
  const staleness = await holderStaleness(
    decisions,
    tenant,
    'decision',
    rows.map(({ id }) => id),
  );
  return rows.map((row) => ({ row, staleness: staleness.get(row.id) }));
}
