import type { Tenant } from '../kernel/tenant.ts';
import { compareTexts } from '../kernel/text-order.ts';
import { decisionStaleness } from '../decisions/decisions.ts';
import { planStaleness, plansAt, type Plans } from '../plans/plans.ts';
import type { RankedHit } from './fuse.ts';

/** The staleness of a hit, and the plans that name it. */
export interface StaleFlag {
  /** Of the plan or decision that it is, or of the stalest plan that names it: `fresh`, `stale 3/7 since a1b2c3d`. */
  stale: string | undefined;
  /** Plans that name it, the stalest first. */
  plans: { id: string; stale: string | undefined }[];
}

const ORDER = ['broken', 'stale', 'aging', 'unresolved', 'fresh'];

/** The flags of hits, in their order. Costs a few queries of the database, whatever the number of plans. */
export async function staleFlags(plans: Plans, tenant: Tenant, hits: readonly RankedHit[]): Promise<StaleFlag[]> {
  const handles = (corpus: string): string[] => [
    ...new Set(hits.filter(({ candidate }) => candidate.corpus === corpus).map(({ candidate }) => candidate.id)),
  ];
  const places = hits.flatMap(({ candidate: { location } }) => location ?? []);
  const symbolQueries = places.map(({ path, symbol }) => ({ path, symbol: symbol === '' ? undefined : symbol }));
  const [ofPlans, ofDecisions, naming] = await Promise.all([
    unlessNone(handles('plans'), (ids) => planStaleness(plans, tenant, ids)),
    unlessNone(handles('decisions'), (ids) => decisionStaleness(plans, tenant, ids)),
    plansAt(plans, tenant, symbolQueries),
  ]);
  const namingOf = new Map(places.map((location, at) => [location, naming[at] ?? []]));
  return hits.map(({ candidate: { id, location } }) => {
    const own = (ofPlans.get(id) ?? ofDecisions.get(id))?.label;
    const around = location === undefined ? [] : (namingOf.get(location) ?? []);
    const named = stalestFirst(around.map(({ handle, stale }) => ({ id: handle, stale })));
    return { stale: own ?? named[0]?.stale, plans: named };
  });
}

/** The stalest first, then by id. */
export function stalestFirst(plans: StaleFlag['plans']): StaleFlag['plans'] {
  return plans.toSorted((a, b) => rankOf(a.stale) - rankOf(b.stale) || compareTexts(a.id, b.id));
}

function rankOf(stale: string | undefined): number {
  const at = ORDER.findIndex((word) => stale?.startsWith(word) === true);
  return at === -1 ? ORDER.length : at;
}

async function unlessNone<Value>(
  ids: readonly string[],
  look: (ids: readonly string[]) => Promise<Map<string, Value>>,
): Promise<Map<string, Value>> {
  return ids.length === 0 ? new Map() : look(ids);
}
