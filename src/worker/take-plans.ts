import type { Tenant } from '../kernel/tenant.ts';
import { refreshDecisions, takeRepositoryRecords } from '../decisions/decisions.ts';
import type { Log } from '../platform/log.ts';
import { listPlans, type Plans, takePlans } from '../plans/plans.ts';

/** Dependencies of the job that follows an index run. */
interface PlanParts {
  plans: Plans;
  log: Log;
}

/**
 * Takes over the plans and decision records that a repository keeps, and compares what plans and decisions of its product name with the new
 * index, so that readers find it done. Safe twice.
 */
export async function takeRepositoryPlans(
  { plans: parts, log }: PlanParts,
  { tenant, repositoryId, signal }: { tenant: Tenant; repositoryId: string; signal: AbortSignal },
): Promise<void> {
  const plans: Plans = { ...parts, background: true };
  const taken = await takePlans(plans, tenant, { repositoryId, signal });
  if (taken.saved + taken.removed + taken.failed.length > 0) log.info({ repository: repositoryId, ...taken }, 'plans');
  const records = await takeRepositoryRecords(plans, tenant, { repositoryId, signal });
  if (records !== undefined && records.created.length + records.updated.length + records.removed.length > 0)
    log.info({ repository: repositoryId, ...records }, 'decision records');
  await refreshDecisions(plans, tenant, signal);
  await listPlans(plans, tenant);
}
