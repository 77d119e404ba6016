import type { z } from '@hono/zod-openapi';
import type * as routes from '../../src/answers/runs/run-routes.ts';
import type { AgentAnswer } from '../ask/queries.ts';
import { readPages, readQuery, toolQuery } from '../queries.ts';
import type { BugAnalysis } from './bug-analysis.ts';

export type Run = z.output<typeof routes.RunBody>;
export type RunDetail = z.output<typeof routes.RunDetail>;

const PAGE = 50;
/** Enough for all that a run has to say. */
const MOST_TOKENS = 20_000;

/** Name of each workflow, and the operation that starts it. */
export const WORKFLOWS = {
  deep_research: { label: 'Research', operation: 'run_deepResearchWorkflow' },
  'bug-analysis': { label: 'Bug analysis', operation: 'run_bugAnalysisWorkflow' },
} as const;

export type Workflow = keyof typeof WORKFLOWS;

export function workflowOf(kind: string): Workflow | undefined {
  return kind === 'deep_research' || kind === 'bug-analysis' ? kind : undefined;
}

export interface RunFilter {
  kind?: string;
  state?: string;
}

/** Looks again while one of them runs. */
export function runsQuery(product: string, filter: RunFilter) {
  const parameters = { ...filter, product, limit: PAGE };
  return readPages<z.output<typeof routes.RunList>>('runs', 'runs', parameters, {
    watch: ({ runs }) => runs.some(isRunning),
  });
}

export function runQuery(product: string, id: string) {
  return readQuery<RunDetail>('run', `runs/${encodeURIComponent(id)}`, { product }, { watch: isRunning });
}

function isRunning({ state }: Pick<Run, 'state'>): boolean {
  return state === 'running';
}

/** The arguments with which an MCP client gets what a run found. */
export function reportCall(kind: Workflow, id: string) {
  return { name: WORKFLOWS[kind].operation, arguments: { run_id: id, max_tokens: MOST_TOKENS } };
}

/** Reads the result of a research; its sources are looked up again each time. */
export function researchQuery(product: string, id: string) {
  return reportQuery<Research>(product, 'deep_research', id);
}

export function bugAnalysisQuery(product: string, id: string) {
  return reportQuery<BugAnalysis>(product, 'bug-analysis', id);
}

function reportQuery<Report>(product: string, kind: Workflow, id: string) {
  const { name, arguments: given } = reportCall(kind, id);
  return toolQuery<Report>('run', { product, name }, given, { staleTime: Infinity, retry: false });
}

/** An answer with what only a research has. Numbers are those of its sources. */
export interface Research extends AgentAnswer {
  contradictions?: {
    a: { claim: string; sources: number[] };
    b: { claim: string; sources: number[] };
    why: string;
  }[];
  timeline?: { date: string; claim: string; sources: number[] }[];
  findings?: { claim: string; corpus: string; sources: number[]; confidence: 'high' | 'medium' | 'low' }[];
}
