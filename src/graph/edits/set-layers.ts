import type { Tenant } from '../../kernel/tenant.ts';
import { type Actor, recordAudit } from '../../accounts/accounts.ts';
import type { Db } from '../../platform/db.ts';
import { deleteLayerSetting, type LayerSetting, upsertLayerSetting } from './store-layers.ts';

/** Sets the layers of a repository from the top down, in the place of those before; null leaves them to its code again. */
export async function setLayers(
  { db, now }: { db: Db; now: () => Date },
  tenant: Tenant & { actor: Actor },
  { repositoryId, layers }: { repositoryId: string; layers: LayerSetting['layers'] | null },
): Promise<void> {
  const { accountId, actor } = tenant;
  const at = now();
  await db.transaction().execute(async (tx) => {
    if (layers === null) await deleteLayerSetting(tx, tenant, repositoryId);
    else await upsertLayerSetting(tx, tenant, { repositoryId, layers, updatedAt: at, updatedBy: actor });
    const detail = { layers: layers?.map(({ name }) => name) ?? null };
    await recordAudit(tx, { accountId, actor, action: 'layers.set', target: repositoryId, at, detail });
  });
}
