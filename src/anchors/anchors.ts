import type { ProductScope } from '../repositories/repositories.ts';
import { compareAnchors } from './compare-anchors.ts';
import { type Lookups, lookupsOf, type Plans, unlessDamaged } from './lookups/lookups.ts';
import { resolveAnchors } from './resolve-anchors.ts';
import {
  type AnchorRow,
  type AnchorTarget,
  type Holder,
  type HolderKind,
  selectAnchors,
  updateAnchorStates,
  updateAnchorTarget,
} from './store/store.ts';
import type { wantedAnchors } from './mentions/wanted-anchors.ts';

/**
 * Anchors of these plans or decisions, compared with the snapshots that are served now. What was compared with a snapshot
 * is remembered, so this costs one query of the database until the next index run.
 */
export async function currentAnchors(
  plans: Plans,
  scope: ProductScope,
  holders: { holder: HolderKind; ids: readonly string[] },
): Promise<AnchorRow[]> {
  const anchors = await selectAnchors(plans.db, scope, holders);
  return bringUpToDate(plans, scope, anchors);
}

/** The same anchors, compared with the snapshots that are served now; keeps what it finds. */
export async function bringUpToDate(
  plans: Plans,
  scope: ProductScope,
  anchors: readonly AnchorRow[],
): Promise<AnchorRow[]> {
  const targeted = anchors.filter(hasTarget);
  if (targeted.length === 0) return [...anchors];
  const fresh = new Map<AnchorRow, AnchorRow>();
  for (const lookups of await lookupsOf(plans, scope)) {
    const { id, shard } = lookups.repository;
    const outdated = targeted.filter(
      ({ target, state }) => target.repositoryId === id && state?.snapshot !== shard.hash,
    );
    if (outdated.length === 0) continue;
    const compared = await unlessDamaged(compareAnchors(outdated, lookups.code, lookups.history), outdated);
    outdated.forEach((anchor, index) => fresh.set(anchor, compared[index] ?? anchor));
    await updateAnchorStates(plans.db, scope, compared);
  }
  return anchors.map((anchor) => fresh.get(anchor) ?? anchor);
}

/** What a text names, as anchors of a holder. Those it had keep their baseline, unless `rebase` is set. */
export async function anchorsOf(
  holder: Holder,
  names: ReturnType<typeof wantedAnchors>,
  { before, lookups }: { before: readonly AnchorRow[]; lookups: readonly Lookups[] },
): Promise<AnchorRow[]> {
  const kept = new Map(before.filter(hasTarget).map((anchor) => [anchor.written, anchor]));
  const codes = lookups.map(({ code }) => code);
  const resolved = await unlessDamaged(resolveAnchors(names, codes), []);
  return resolved.map(({ written, target, reason = null }, position) => {
    const known = kept.get(written);
    if (known !== undefined) return { ...known, position };
    if (target === undefined) return { ...holder, written, position, reason, target, state: undefined };
    const snapshot = codes.find(({ repositoryId }) => repositoryId === target.repositoryId)?.snapshot ?? '';
    const { path, symbol, line } = target;
    // What was just looked up in a snapshot is as it is there.
    const state = { snapshot, status: 'fresh' as const, path, symbol, line, commits: [] };
    return { ...holder, written, position, reason: null, target, state };
  });
}

/** Tries again what had no target: the file may have been written since. */
export async function retryUnresolved(
  plans: Plans,
  scope: ProductScope,
  {
    anchors,
    names,
    lookups,
  }: {
    anchors: readonly AnchorRow[];
    names: ReturnType<typeof wantedAnchors>;
    lookups: readonly Lookups[];
  },
): Promise<void> {
  const open = new Map(anchors.filter((anchor) => !hasTarget(anchor)).map((anchor) => [anchor.written, anchor]));
  if (open.size === 0) return;
  const codes = lookups.map(({ code }) => code);
  for (const { written, target } of await unlessDamaged(resolveAnchors(names, codes), [])) {
    const anchor = open.get(written);
    if (anchor !== undefined && target !== undefined) await updateAnchorTarget(plans.db, scope, { ...anchor, target });
  }
}

export function hasTarget(anchor: AnchorRow): anchor is AnchorRow & { target: AnchorTarget } {
  return anchor.target !== undefined;
}
