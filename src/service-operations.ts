import { codeTool, type FindNamingWork, readThresholds } from './code/code.ts';
import { commitTool } from './commits/commits.ts';
import { decisionsAt, recordDecisionTool } from './decisions/decisions.ts';
import type { KnowledgeIndex } from './knowledge/knowledge.ts';
import type { Documents } from './documents/documents.ts';
import { operations } from './mcp/operations.ts';
import type { Config } from './platform/config.ts';
import type { Log } from './platform/log.ts';
import type { AnyOperation } from './platform/operation/operation.ts';
import { type Plans, plansAt, specExportTool } from './plans/plans.ts';
import { documentSearchTool, searchTool } from './search/search.ts';
import type { ProductIndexes } from './service-indexes.ts';
import { exportSources } from './service-plans.ts';
import type { Signals } from './signals/signals.ts';

interface OperationParts {
  indexes: ProductIndexes;
  plans: Plans;
  knowledge: KnowledgeIndex;
  documents: Documents;
  signals: Signals;
  /** Where people reach the service, without a slash at the end. */
  baseUrl: () => string;
  config: Pick<Config, 'smells'>;
  log: Log;
}

/** Gives each operation what it works with. */
export function serviceOperations(parts: OperationParts): AnyOperation[] {
  const { indexes, plans, knowledge, documents, signals, baseUrl, config, log } = parts;
  const naming = namingWork(plans);
  const onFault = (error: unknown): void => log.error({ err: error }, 'a corpus could not be searched');
  const searched = { indexes, plans, knowledge, documents, signals, onFault };
  return operations({
    codeTool: codeTool({ ...indexes, naming, thresholds: readThresholds(config.smells) }),
    commitTool: commitTool({ ...indexes, naming }),
    searchTool: searchTool(searched),
    documentSearchTool: documentSearchTool(searched),
    specExportTool: specExportTool(plans, exportSources(plans, knowledge)),
    recordDecisionTool: recordDecisionTool(plans, (number) => `${baseUrl()}/decisions/${number}`),
  });
}

/** Plans and decisions that name code, for the tools that answer about code. */
function namingWork(plans: Plans): FindNamingWork {
  return async (caller, places) => {
    const naming = (await plansAt(plans, caller, places)).flat();
    const distinct = new Map(naming.map(({ handle, title, status, stale }) => [handle, { title, status, stale }]));
    const decisions = await decisionsAt(plans, caller, places);
    return [
      ...Array.from(distinct, ([id, plan]) => ({ id, ...plan })),
      ...decisions.map(({ row: { number, title, status }, staleness }) => {
        return { id: `dec:${number}`, title, status, stale: staleness?.label };
      }),
    ];
  };
}
