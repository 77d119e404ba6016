import { type ProductRequest, recordAudit } from '../../accounts/accounts.ts';
import type { Severity } from '../detect/judge.ts';
import { type ChangeRow, type Triage, updateTriage } from '../store/store-changes.ts';
import type { Competitors } from './context.ts';

/** Triage of a change by somebody; an omitted field stays. */
interface TriageRequest {
  change: ChangeRow;
  owner?: string | undefined;
  importance?: Severity | null | undefined;
  dismissed?: boolean | undefined;
}

/** Sets who looks after a change and how much it matters, dismisses it or takes it back. */
export async function triageChange(
  { db, now }: Competitors,
  tenant: ProductRequest,
  { change, owner = change.owner, importance = change.importance, dismissed }: TriageRequest,
): Promise<ChangeRow> {
  const { accountId, actor } = tenant;
  const at = now();
  const isDismissed = dismissed ?? change.dismissedAt !== null;
  const dismissal = isDismissed
    ? { dismissedAt: change.dismissedAt ?? at, dismissedBy: change.dismissedBy ?? actor }
    : { dismissedAt: null, dismissedBy: null };
  const triage: Triage = { owner: owner.trim(), importance, ...dismissal };
  await db.transaction().execute(async (tx) => {
    await updateTriage(tx, tenant, { id: change.id, ...triage });
    const detail = { owner: triage.owner, importance, dismissed: isDismissed };
    await recordAudit(tx, { accountId, actor, action: 'competitor.triage', target: change.id, at, detail });
  });
  return { ...change, ...triage };
}
