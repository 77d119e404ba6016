import { bugWorkflow } from './answers/bugs/analyse.ts';
import { bugAnalysisTool } from './answers/bugs/bug-analysis-tool.ts';
import { askProductTool } from './answers/ask-product-tool.ts';
import type { Encoder } from './text/encoder/encoder.ts';
import type { ModelUsage } from './answers/model/model-usage.ts';
import type { Runs } from './answers/runs/runs.ts';
import { deepResearchTool, researchWorkflow } from './answers/research/deep-research-tool.ts';
import { askArchitectureTool, askCodeTool } from './answers/ask-tools.ts';
import { codeTool } from './code/code-tool.ts';
import { readThresholds } from './code/code.ts';
import type { FindNamingWork, NamingWork } from './code/naming/naming.ts';
import { findAskers, themesOfAskers } from './signals/links/links.ts';
import { openCodeHistory } from './commits/code-history.ts';
import { FileFacts } from './commits/commits.ts';
import { commitTool } from './commits/commit-tool.ts';
import type { AgentTools } from './evidence/evidence.ts';
import { competitorTool } from './competitors/competitor-tool.ts';
import { type Competitors, listCompetitors } from './competitors/competitors.ts';
import { decisionsAt } from './decisions/decisions.ts';
import { recordDecisionTool } from './decisions/record-decision-tool.ts';
import { callOperation } from './mcp/call.ts';
import type { Config } from './platform/config.ts';
import type { ModelProvider } from './platform/language-model.ts';
import type { Log } from './platform/log.ts';
import type { AnyOperation } from './platform/operation/operation.ts';
import { specExportTool } from './plans/export/spec-export-tool.ts';
import { type Plans, plansAt } from './plans/plans.ts';
import { entityAnalysisTool } from './graph/entity-analysis-tool.ts';
import type { Graph } from './graph/graph.ts';
import type { ExportSources } from './plans/export/gather.ts';
import { documentSearchTool } from './search/document-search-tool.ts';
import type { SearchParts } from './search/search.ts';
import { searchTool } from './search/search-tool.ts';
import { exportSources } from './service-plans.ts';

/** Parts from which operations are built. */
export interface OperationParts extends SearchParts {
  competitors: Competitors;
  graph: Graph;
  naming: FindNamingWork;
  thresholds: ReturnType<typeof readThresholds>;
  exportSources: ExportSources;
  /** Address of the page of a decision. */
  decisionUrl: (number: number) => string;
  agentTools: AgentTools;
  runs: Runs;
}

/**
 * The operations a client can call, in the order of `tools/list`. The only list of them: what is served, tested and
 * described in docs/tools.md is read from it. A new operation is a file in its slice, its test and a line here.
 */
export const OPERATIONS: readonly ((parts: OperationParts) => AnyOperation)[] = [
  ({ indexes, naming, thresholds }) => codeTool({ ...indexes, naming, thresholds, history: openCodeHistory(indexes) }),
  ({ indexes, naming }) => commitTool({ ...indexes, naming }),
  searchTool,
  documentSearchTool,
  ({ competitors }) => competitorTool(competitors),
  ({ graph }) => entityAnalysisTool(graph),
  ({ plans, exportSources: sources }) => specExportTool(plans, sources),
  ({ plans, decisionUrl }) => recordDecisionTool(plans, decisionUrl),
  ({ agentTools: tools, indexes }) => askCodeTool({ tools, indexes }),
  ({ agentTools: tools }) => askProductTool(tools),
  ({ agentTools: tools, indexes }) => askArchitectureTool({ tools, indexes }),
  ({ indexes, runs }) => bugAnalysisTool({ indexes, runs }),
  ({ agentTools: tools, indexes, runs }) => deepResearchTool({ parts: { tools, indexes }, runs }),
];

type ServiceParts = Omit<SearchParts, 'onFault' | 'competitorNames'> & {
  competitors: Competitors;
  graph: Graph;
  /** Public address of the service, without a slash at the end. */
  baseUrl: () => string;
  config: Pick<Config, 'smells'>;
  log: Log;
  now: () => Date;
  model?: ModelProvider | undefined;
  modelUsage: ModelUsage;
  encoder?: Encoder | undefined;
  runs: Runs;
};

/** The operations of a service, built from its parts. */
export function serviceOperations(service: ServiceParts): AnyOperation[] {
  const { plans, knowledge, baseUrl, config, log, now } = service;
  const operations: AnyOperation[] = [];
  const parts: OperationParts = {
    ...service,
    onFault: (error) => log.error({ err: error }, 'a corpus could not be searched'),
    competitorNames: async (tenant) => (await listCompetitors(service.competitors, tenant)).map(({ name }) => name),
    naming: namingWork(plans),
    thresholds: readThresholds(config.smells),
    exportSources: exportSources(plans, knowledge),
    decisionUrl: (number) => `${baseUrl()}/decisions/${number}`,
    agentTools: agentTools(operations, service),
  };
  const { indexes } = service;
  service.runs.define(bugWorkflow({ indexes, ask: parts.agentTools.ask, facts: new FileFacts(indexes) }));
  service.runs.define(researchWorkflow({ tools: parts.agentTools, indexes }, now));
  operations.push(...OPERATIONS.map((build) => build(parts)));
  return operations;
}

/** The most that operations take: agents keep to budgets of their own. */
const MOST_TOKENS = 20_000;

/**
 * The operations as agents ask them: like a client, but not counted, because the call of the agent is, and only to read. What they
 * are is known when the first question comes.
 */
function agentTools(
  operations: readonly AnyOperation[],
  {
    now,
    log,
    model,
    modelUsage: budget,
    encoder,
  }: Pick<ServiceParts, 'now' | 'log' | 'model' | 'modelUsage' | 'encoder'>,
): AgentTools {
  const reading = (): AnyOperation[] => operations.filter(({ scope }) => scope === 'read');
  return {
    model,
    budget,
    encoder,
    onFault: (error, what) => log.error({ err: error }, what),
    offered: () => new Map(reading().map((operation) => [operation.name, actionsThatRead(operation)])),
    ask: async (name, input, { caller, signal }) => {
      const operation = reading().find((candidate) => candidate.name === name);
      if (operation === undefined) throw new Error(`Agents have no ${name}.`);
      if (!operation.annotations.readOnlyHint && !operation.readingActions?.includes(String(input['action'])))
        throw new Error(`Agents only read, and ${name} ${String(input['action'])} does more.`);
      const given = { ...input, max_tokens: MOST_TOKENS, format: 'json' };
      return (await callOperation(operation, given, { caller, signal, now, progress: () => {} })).json;
    },
  };
}

/** The actions of an operation that only read; none of one without actions. */
function actionsThatRead({ commands, readingActions }: AnyOperation): readonly string[] {
  return readingActions ?? Object.keys(commands?.actions ?? {}).filter((action) => action !== '');
}

/** Plans, decisions and themes about code, for the tools that answer about code. */
function namingWork(plans: Plans): FindNamingWork {
  return async (caller, places) => {
    const naming = (await plansAt(plans, caller, places)).flat();
    const distinct = new Map(naming.map(({ handle, title, status, stale }) => [handle, { title, status, stale }]));
    const decisions = await decisionsAt(plans, caller, places);
    const written: NamingWork[] = [
      ...Array.from(distinct, ([id, plan]) => ({ id, ...plan })),
      ...decisions.map(({ row: { number, title, status }, staleness }) => {
        return { id: `dec:${number}`, title, status, stale: staleness?.label };
      }),
    ];
    const symbols = places.flatMap(({ path, symbol }) => (symbol === undefined ? [] : [`sym:${symbol}@${path}`]));
    const askers = await findAskers(plans.db, caller, [...written.map(({ id }) => id), ...symbols]);
    return [...written, ...themesOfAskers(askers)];
  };
}
