import { codeTool, readThresholds } from './code/code.ts';
import { commitTool } from './commits/commits.ts';
import { recordDecisionTool } from './decisions/decisions.ts';
import type { KnowledgeIndex } from './knowledge/knowledge.ts';
import { operations } from './mcp/operations.ts';
import type { Config } from './platform/config.ts';
import type { AnyOperation } from './platform/operation.ts';
import { type Plans, specExportTool } from './plans/plans.ts';
import type { ProductIndexes } from './service-indexes.ts';
import { exportSources } from './service-plans.ts';

interface OperationParts {
  indexes: ProductIndexes;
  plans: Plans;
  knowledge: KnowledgeIndex;
  /** Where people reach the service, without a slash at the end. */
  baseUrl: () => string;
  config: Pick<Config, 'smells'>;
}

/** Gives each operation what it works with. */
export function serviceOperations({ indexes, plans, knowledge, baseUrl, config }: OperationParts): AnyOperation[] {
  return operations({
    codeTool: codeTool({ ...indexes, thresholds: readThresholds(config.smells) }),
    commitTool: commitTool(indexes),
    specExportTool: specExportTool(plans, exportSources(plans, knowledge)),
    recordDecisionTool: recordDecisionTool(plans, (number) => `${baseUrl()}/decisions/${number}`),
  });
}
