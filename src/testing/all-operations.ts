import { testCompetitors } from './competitors.ts';
import { ModelUsage } from '../answers/model/model-usage.ts';
import { Runs } from '../answers/runs/runs.ts';
import { openGraph } from '../graph/graph.ts';
import { serviceOperations } from '../operations.ts';
import type { ModelProvider } from '../platform/language-model.ts';
import type { AnyOperation } from '../platform/operation/operation.ts';
import { createLog } from '../platform/log.ts';
import { NOW } from './plans.ts';
import type { SearchBench } from './search.ts';

/** The operations of a service over what a bench holds. */
export function allOperations(
  { parts }: Pick<SearchBench, 'parts'>,
  model?: ModelProvider,
  modelUsage = new ModelUsage({ db: parts.plans.db, now: () => NOW }),
): AnyOperation[] {
  return serviceOperations({
    ...parts,
    competitors: testCompetitors(parts.plans.db, { knowledge: parts.knowledge }).competitors,
    graph: openGraph(parts),
    baseUrl: () => 'http://localhost',
    config: { smells: '' },
    log: createLog('silent'),
    now: () => NOW,
    model,
    modelUsage,
    runs: new Runs({ db: parts.plans.db, now: () => NOW, log: createLog('silent') }),
  });
}
