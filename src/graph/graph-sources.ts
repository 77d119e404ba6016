import type { IndexedRepository } from '../indexes/indexes.ts';
import type { Tenant } from '../kernel/tenant.ts';
import type { CallContext } from '../platform/operation/operation.ts';
import type { Tally } from '../platform/operation/tally.ts';
import { selectLayerSettings } from './edits/edits.ts';
import type { Graph } from './graph.ts';
import { GraphSources } from './queries/queries.ts';

/** The way to ask the graphs of some repositories, with the layers that people set for them. One query of the database. */
export async function graphSources(
  { indexes, plans }: Pick<Graph, 'indexes' | 'plans'>,
  call: Pick<CallContext, 'signal'> & { caller: Tenant; repositories: readonly IndexedRepository[]; tally?: Tally },
): Promise<GraphSources> {
  const settings = await selectLayerSettings(plans.db, call.caller);
  return new GraphSources(indexes, call, new Map(settings.map(({ repositoryId, layers }) => [repositoryId, layers])));
}
