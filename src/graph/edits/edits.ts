import type { Tenant } from '../../kernel/tenant.ts';
import { type Actor, recordAudit } from '../../accounts/accounts.ts';
import { ServiceError } from '../../kernel/errors.ts';
import { slugOf } from '../../kernel/slug.ts';
import type { Db } from '../../platform/db.ts';
import {
  deleteLayerSetting,
  type FeatureEdit,
  type LayerSetting,
  selectFeatureEdits,
  upsertFeatureEdit,
  upsertLayerSetting,
} from './store.ts';

export { type FeatureEdit, type LayerSetting, selectFeatureEdits, selectLayerSettings } from './store.ts';

/** Change of a feature; what is absent stays. */
interface FeatureChange {
  name?: string;
  /** Handle or key of the feature that it becomes a part of; null parts them again. */
  mergedInto?: string | null;
  isPinned?: boolean;
  isDeleted?: boolean;
  paths?: string[];
}

interface EditParts {
  db: Db;
  now: () => Date;
}

type Editor = Tenant & { actor: Actor };

/**
 * Changes a feature; the change stays whatever becomes of the code.
 *
 * @throws ServiceError `conflict` when it would become a part of itself.
 */
export async function editFeature(
  { db, now }: EditParts,
  tenant: Editor,
  { key, change }: { key: string; change: FeatureChange },
): Promise<FeatureEdit> {
  return db.transaction().execute(async (tx) => {
    const all = await selectFeatureEdits(tx, tenant);
    const before = all.find((edit) => edit.key === key);
    const next: FeatureEdit = {
      key,
      name: change.name ?? before?.name ?? null,
      mergedInto: change.mergedInto === undefined ? (before?.mergedInto ?? null) : keyOf(change.mergedInto),
      isPinned: change.isPinned ?? before?.isPinned ?? false,
      isDeleted: change.isDeleted ?? before?.isDeleted ?? false,
      paths: change.paths ?? before?.paths ?? [],
      updatedAt: now(),
      updatedBy: tenant.actor,
    };
    const others = all.filter((edit) => edit.key !== key);
    if (next.mergedInto !== null && mergeChain(next.mergedInto, others).includes(key)) {
      throw new ServiceError('conflict', `feature:${key} would become a part of itself.`, {
        fix: `Part feature:${next.mergedInto} from it first: send {"merged_into": null} there.`,
      });
    }
    await upsertFeatureEdit(tx, tenant, next);
    const detail = { ...change };
    await recordAudit(tx, {
      accountId: tenant.accountId,
      actor: tenant.actor,
      action: 'feature.edit',
      target: key,
      at: now(),
      detail,
    });
    return next;
  });
}

/**
 * A feature that people made: it has the paths that they name.
 *
 * @throws ServiceError `bad_argument` for a name without letters, `conflict` when people made one of this name before.
 */
export async function pinFeature(
  parts: EditParts,
  tenant: Editor,
  { name, paths }: { name: string; paths: string[] },
): Promise<FeatureEdit> {
  const key = slugOf(name);
  if (key === '') {
    throw new ServiceError('bad_argument', `"${name}" has no letters.`, {
      fix: 'Give the feature a name such as "Checkout".',
    });
  }
  const existing = (await selectFeatureEdits(parts.db, tenant)).find((edit) => edit.key === key);
  if (existing !== undefined && existing.isPinned && !existing.isDeleted) {
    throw new ServiceError('conflict', `feature:${key} is pinned already.`, {
      fix: `Change it: PATCH /v1/features/${key}`,
    });
  }
  return editFeature(parts, tenant, {
    key,
    change: { name, paths, isPinned: true, isDeleted: false, mergedInto: null },
  });
}

/** The feature that a key means after merges. */
export function finalKey(key: string, edits: readonly Pick<FeatureEdit, 'key' | 'mergedInto'>[]): string {
  return mergeChain(key, edits).at(-1) ?? key;
}

/** A key and what it was merged into, one after the other. */
function mergeChain(key: string, edits: readonly Pick<FeatureEdit, 'key' | 'mergedInto'>[]): string[] {
  const merged = new Map(edits.map((edit) => [edit.key, edit.mergedInto]));
  const chain = [key];
  for (let next = merged.get(key); next != null && !chain.includes(next); next = merged.get(next)) chain.push(next);
  return chain;
}

/** The key of a handle, `feature:checkout` or `checkout`. */
function keyOf(handle: string | null): string | null {
  return handle === null ? null : handle.replace(/^feature:/, '');
}

/** Sets the layers of a repository from the top down, in the place of those before; null leaves them to its code again. */
export async function setLayers(
  { db, now }: EditParts,
  tenant: Editor,
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
