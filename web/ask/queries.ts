import { linkOptions } from '@tanstack/react-router';
import { readLines, shortId, writeSourceAddress } from '../code/address.ts';
import { readHandle } from '../code/handles.ts';
import { fileLink } from '../code/links.ts';
import { toolQuery } from '../queries.ts';
import { askParameters } from './parameters.ts';

/** Agents and workflows, each with its operation and the argument that takes the question. */
export const AGENTS = {
  code: { label: 'Code', operation: 'ask_codeIntelligenceAgent', argument: 'message' },
  product: { label: 'Product', operation: 'ask_productInsightsAgent', argument: 'message' },
  architecture: { label: 'Architecture', operation: 'ask_architectureInvestigationAgent', argument: 'message' },
  research: { label: 'Research', operation: 'run_deepResearchWorkflow', argument: 'question' },
  bug: { label: 'Bug', operation: 'run_bugAnalysisWorkflow', argument: 'report' },
} as const;

export type Agent = keyof typeof AGENTS;

/** A place that an answer cites. */
export interface Source {
  n: number;
  id: string;
  kind: 'code' | 'commit' | 'document' | 'plan' | 'signal' | 'decision' | 'change';
  repo?: string;
  path?: string;
  /** `66-72`. */
  lines?: string;
  commit?: string;
  /** The symbol around it. */
  symbol?: string;
  /** Reasons for which it is among the sources. */
  why: string[];
  /** Its lines, those of code with their numbers. */
  text: string;
}

export interface AgentAnswer {
  /** The question as it was read: names that exist, and words. */
  read?: { names: string[]; words: string[] };
  answer: string;
  sources: Source[];
  confidence: 'high' | 'medium' | 'low';
  gaps: string[];
  engine: string;
  looked_at: { calls: number; places: number };
  /** Calls that lead on, as a client writes them. */
  next?: string[];
  /** Use of a model; `cost` in the currency of the operator's price, where there is one. */
  usage?: { input_tokens: number; output_tokens: number; cost?: number };
  /** Of a workflow, whose answer is kept. */
  run?: { id: string };
}

export interface Question {
  agent: Agent;
  message: string;
  repo?: string | undefined;
}

export function agentOf(text: string | undefined): Agent {
  return text !== undefined && Object.hasOwn(AGENTS, text) ? (text as Agent) : 'code';
}

/** The question as an MCP client sends it. */
export function callOf({ agent, message, repo }: Question) {
  const { operation, argument } = AGENTS[agent];
  return { name: operation, arguments: { [argument]: message, ...(repo !== undefined && { repo }) } };
}

/** The answer of an agent: half a second to some seconds. Leaving the page, or another question, ends it. */
export function answerQuery(product: string, question: Question) {
  const { name, arguments: given } = callOf(question);
  return toolQuery<AgentAnswer>('ask', { product, name }, given, { staleTime: Infinity, retry: false });
}

/**
 * Returns what a suggested call does on this page: ask again, read lines, list uses of a symbol; undefined for calls that only
 * a client can make. A call without a repository is about that of the question.
 */
export function nextLink(call: string, { about, repo: ownRepository }: { about: Agent; repo?: string | undefined }) {
  const argument = (name: string): string | undefined => {
    const quoted = new RegExp(`\\b${name}=("(?:[^"\\\\]|\\\\.)*")`).exec(call)?.[1];
    return quoted === undefined ? undefined : String(JSON.parse(quoted));
  };
  const [message, query = '', repo = ownRepository] = [argument('message'), argument('query'), argument('repo')];
  if (message !== undefined && call.startsWith('ask_'))
    return {
      label: message,
      link: linkOptions({ to: '/ask', search: askParameters({ q: message, about, repo: argument('repo') }) }),
    };
  const entity = readHandle(query);
  if (repo === undefined || !('path' in entity)) return undefined;
  const { path } = entity;
  if (entity.kind === 'path' && entity.lines !== undefined && call.startsWith('code-tool definition'))
    return { label: `Read ${query}`, link: fileLink({ repo, path, lines: entity.lines }) };
  if (entity.kind !== 'symbol' || !call.startsWith('code-tool usages')) return undefined;
  const params = { _splat: writeSourceAddress({ repo, ref: '', path }) };
  const name = entity.name.slice(entity.name.lastIndexOf('/') + 1);
  return { label: `Who uses ${name}`, link: linkOptions({ to: '/s/$', params, search: { symbol: entity.name } }) };
}

/** Link to a source, to code as it was when it was cited; undefined for sources without a page. */
export function sourceLink({ kind, id, repo, path, lines, commit }: Source) {
  const handle = id.slice(id.indexOf(':') + 1);
  if (kind === 'commit' && repo !== undefined)
    return linkOptions({ to: '/history/$repositoryId/commits/$sha', params: { repositoryId: repo, sha: handle } });
  if (kind === 'document') return linkOptions({ to: '/documents/$documentId', params: { documentId: id } });
  if (kind === 'plan') return linkOptions({ to: '/plans/$slug', params: { slug: handle.replace(/[#/].*/, '') } });
  if (kind === 'decision') return linkOptions({ to: '/decisions/$decisionId', params: { decisionId: id } });
  if (kind === 'signal') return linkOptions({ to: '/signals/$signalId', params: { signalId: id } });
  if (kind === 'change') return linkOptions({ to: '/competitors' });
  if (repo === undefined || path === undefined) return undefined;
  const ref = commit === undefined ? '' : shortId(commit);
  return fileLink({ repo, ref, path, lines: readLines(`L${lines ?? ''}`) });
}
