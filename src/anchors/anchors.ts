import type { Tenant } from '../kernel/tenant.ts';
import { compareAnchors } from './compare-anchors.ts';
import { type Anchors, type Lookups, lookupsOf, unlessDamaged } from './lookups/lookups.ts';
import { resolveAnchors } from './resolve-anchors.ts';
import {
  type AnchorRow,
  deleteUnresolved,
  hasTarget,
  type Holder,
  type HolderKind,
  selectAnchors,
  selectProductAnchors,
  updateAnchorReason,
  updateAnchorStates,
  updateAnchorTarget,
} from './store/store.ts';
import type { collectCandidates } from './mentions/mentions.ts';
import { type Staleness, stalenessOf } from './staleness.ts';

export { AnchorBody, anchorBody, StalenessBody, stalenessBody } from './anchor-bodies.ts';
export { atBaseline, baselineOf } from './baseline.ts';
export { describeChange, type Staleness, stalenessOf } from './staleness.ts';

/**
 * Anchors of these plans or decisions, compared with the snapshots that are served now. What was compared with a snapshot
 * is remembered, so this costs one query of the database until the next index run.
 */
export async function currentAnchors(
  parts: Anchors,
  tenant: Tenant,
  holders: { holder: HolderKind; ids: readonly string[] },
): Promise<AnchorRow[]> {
  const anchors = await selectAnchors(parts.db, tenant, holders);
  return bringUpToDate(parts, tenant, anchors);
}

/** The same anchors, compared with the snapshots that are served now; keeps what it finds. */
async function bringUpToDate(parts: Anchors, tenant: Tenant, anchors: readonly AnchorRow[]): Promise<AnchorRow[]> {
  const targeted = anchors.filter(hasTarget);
  if (targeted.length === 0) return [...anchors];
  const fresh = new Map<AnchorRow, AnchorRow>();
  for (const lookups of await lookupsOf(parts, tenant)) {
    const { id, shard } = lookups.repository;
    const outdated = targeted.filter(
      ({ target, state }) => target.repositoryId === id && state?.snapshot !== shard.hash,
    );
    if (outdated.length === 0) continue;
    const compared = await unlessDamaged(compareAnchors(outdated, lookups.code, lookups.history), outdated);
    outdated.forEach((anchor, index) => fresh.set(anchor, compared[index] ?? anchor));
    await updateAnchorStates(parts.db, tenant, compared);
  }
  return anchors.map((anchor) => fresh.get(anchor) ?? anchor);
}

/** Reason for names while an index cannot be read; they are looked up again after it was rebuilt. */
const REBUILT = 'The index is being rebuilt.';

/**
 * Resolves what a text names to anchors of a holder. Existing ones keep their baseline. While an index is damaged nothing is
 * lost: new ones wait without a target.
 */
export async function anchorsOf(
  holder: Holder,
  names: ReturnType<typeof collectCandidates>,
  { before, lookups }: { before: readonly AnchorRow[]; lookups: readonly Lookups[] },
): Promise<AnchorRow[]> {
  const anchorsByName = new Map(before.filter(hasTarget).map((anchor) => [anchor.written, anchor]));
  const codes = lookups.map(({ code }) => code);
  const waiting = names.candidates.map(({ written }) => ({ written, reason: REBUILT }));
  const resolved = await unlessDamaged(resolveAnchors(names, codes), waiting);
  return resolved.map(({ written, target, reason = null }, position) => {
    const previous = anchorsByName.get(written);
    if (previous !== undefined) return { ...previous, position };
    if (target === undefined) return { ...holder, written, position, reason, target, state: undefined };
    const snapshot = codes.find(({ repositoryId }) => repositoryId === target.repositoryId)?.snapshot ?? '';
    const { path, symbol, line } = target;
    // What was just looked up in a snapshot is as it is there.
    const state = { snapshot, status: 'fresh' as const, path, symbol, line, commits: [] };
    return { ...holder, written, position, reason: null, target, state };
  });
}

/** The anchors of one holder, what its text names now, and where that is looked up. */
interface HeldAnchors {
  anchors: readonly AnchorRow[];
  names: ReturnType<typeof collectCandidates>;
  lookups: readonly Lookups[];
}

/** Tries again what had no target: the file may have been written since, or the index been rebuilt. */
export async function retryUnresolved(
  parts: Anchors,
  tenant: Tenant,
  { anchors, names, lookups }: HeldAnchors,
): Promise<void> {
  const open = anchors.filter((anchor) => !hasTarget(anchor));
  if (open.length === 0) return;
  const codes = lookups.map(({ code }) => code);
  const resolved = await unlessDamaged(resolveAnchors(names, codes), undefined);
  if (resolved === undefined) return;
  const resolvedByName = new Map(resolved.map((result) => [result.written, result]));
  for (const anchor of open) {
    const { target, reason = null } = resolvedByName.get(anchor.written) ?? {};
    if (target !== undefined) await updateAnchorTarget(parts.db, tenant, { ...anchor, target });
    // Only what an index says tells a name from a word.
    else if (reason === null) await deleteUnresolved(parts.db, tenant, anchor);
    else if (reason !== anchor.reason) await updateAnchorReason(parts.db, tenant, { ...anchor, reason });
  }
}

/** Anchors with their baseline at what the indexes hold now. */
export async function acceptAnchors(
  parts: Anchors,
  tenant: Tenant,
  { anchors, names, lookups }: HeldAnchors,
): Promise<AnchorRow[]> {
  const [first] = anchors;
  if (first === undefined) return [];
  const current = await bringUpToDate(parts, tenant, anchors);
  const moved: AnchorRow[] = [];
  for (const { repository, code } of lookups) {
    const mine = current.filter(hasTarget).filter(({ target }) => target.repositoryId === repository.id);
    const ofFiles = mine.filter(({ state }) => state?.path != null && state.symbol === null);
    const ofSymbols = mine.filter(({ state }) => state?.path != null && state.symbol !== null);
    const files = await code.files(ofFiles.map(({ state }) => state?.path ?? ''));
    const symbols = await code.symbols(
      ofSymbols.map(({ state }) => ({ path: state?.path ?? '', symbol: state?.symbol ?? '' })),
    );
    const places = [
      ...files,
      ...symbols.map((locations, index) => locations.find(({ symbol }) => symbol === ofSymbols[index]?.state?.symbol)),
    ];
    [...ofFiles, ...ofSymbols].forEach((anchor, index) => {
      const location = places[index];
      if (location === undefined) return;
      const { path, symbol, line, syntax, sketch } = location;
      const target = { repositoryId: repository.id, path, symbol, line, syntax, sketch, baselineCommit: code.commit };
      moved.push({ ...anchor, target, state: undefined });
    });
  }
  return anchorsOf(first, names, { before: moved, lookups });
}

/**
 * Returns how stale the anchors of plans or decisions are now, by the id of the holder. Holders without an indexed target are
 * absent.
 */
export async function holderStaleness(
  parts: Anchors,
  tenant: Tenant,
  holder: HolderKind,
  ids: readonly string[],
): Promise<Map<string, Staleness>> {
  const anchors = await currentAnchors(parts, tenant, { holder, ids });
  const staleness = new Map<string, Staleness>();
  for (const [id, group] of Map.groupBy(anchors, (anchor) => anchor.id)) {
    const groupStaleness = stalenessOf(group);
    if (groupStaleness !== undefined) staleness.set(id, groupStaleness);
  }
  return staleness;
}

/** Anchors of plans and decisions that name this file, or this symbol of it. */
export async function anchorsAt(parts: Anchors, tenant: Tenant, path: string, symbol?: string): Promise<AnchorRow[]> {
  const currentRows = await bringUpToDate(parts, tenant, await selectProductAnchors(parts.db, tenant, path));
  return currentRows.filter(({ target, state }) => {
    const names = [target, state]
      .filter((location) => location?.path === path)
      .map((location) => location?.symbol ?? null);
    return names.some((name) => symbol === undefined || name === null || name === symbol);
  });
}
