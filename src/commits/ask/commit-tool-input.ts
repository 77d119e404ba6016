import {
  type ActionCommand,
  type CombinedArguments,
  sameMeaning,
  type Synonyms,
} from '../../platform/operation/operation.ts';
import { OtherArguments } from '../../platform/operation/other-arguments.ts';
import { pageFields, PATH_ALIASES } from '../../platform/operation/paged-tool.ts';
import { z } from 'zod';

/** Names that other tools give the arguments of `commit-tool`. */
export const COMMIT_TOOL_ALIASES: Record<string, readonly string[]> = {
  ...PATH_ALIASES,
  types: ['type', 'kind'],
  since: ['after', 'from'],
  until: ['before', 'to'],
  limit: [...(PATH_ALIASES['limit'] ?? []), 'max_count'],
};

/** Names that other tools give the actions and choices. */
export const COMMIT_TOOL_SYNONYMS: Synonyms = {
  action: {
    ...sameMeaning('log history list commits find blame git_log list_commits file_history', { action: 'search' }),
    ...sameMeaning('get view commit get_commit', { action: 'show' }),
    ...sameMeaning('patch', { action: 'show', detail: 'body' }),
    ...sameMeaning('diff compare_commits', { action: 'compare' }),
    ...sameMeaning('hotspot churn', { action: 'hotspots' }),
    ...sameMeaning('cochange co_change related_files', { action: 'coupling' }),
    ...sameMeaning('change_log release_notes changes', { action: 'changelog' }),
    ...sameMeaning('classification', { action: 'classify' }),
    // Who works on something: commits of it by author, further back than the default period.
    ...sameMeaning('ownership owners owner authors contributors experts', {
      action: 'classify',
      group_by: 'author',
      since: '5y',
    }),
  },
  detail: sameMeaning('patch diff full', { detail: 'body' }),
};

type Given = Record<string, unknown>;

/** Names of the argument for a commit, first to last. */
const COMMIT_NAMES = ['sha', 'commit', 'hash', 'ref', 'id', 'commit_sha', 'commit_hash', 'revision'];

/**
 * Translates arguments of other tools for `commit-tool`: a commit by its own name for `show`, two refs for `compare`, a range
 * of refs as the query of any action, a number of days.
 */
export function combineCommitArguments(given: Given, others: Given): CombinedArguments {
  const other = new OtherArguments(others);
  let args = given;
  if (args['action'] === 'show' && args['query'] === undefined) {
    const query = other.text(...COMMIT_NAMES);
    if (query !== undefined) args = { ...args, query };
  }
  args = args['action'] === 'compare' ? asTwoRefs(args, other) : asRange(args);
  const days = args['since'] === undefined ? other.number('days', 'last_days', 'since_days') : undefined;
  if (days !== undefined) args = { ...args, since: `${days}d` };
  return { args, used: other.used };
}

/** `base` and `head`, `since` and `until`, or two words, as `a..b`. */
function asTwoRefs(args: Given, other: OtherArguments): Given {
  const { query, since, until, ...rest } = args;
  if (typeof query === 'string') {
    const [, a, b] = /^\s*([^\s.]\S*)\s+(?:to\s+|and\s+|with\s+|vs\.?\s+)?(\S+)\s*$/.exec(query) ?? [];
    return a === undefined || b === undefined || query.includes('..') ? args : { ...args, query: `${a}..${b}` };
  }
  const base = other.text('base', 'from_ref', 'base_ref', 'old', 'ref1', 'a', 'source') ?? since;
  const head = other.text('head', 'to_ref', 'head_ref', 'new', 'ref2', 'b', 'target') ?? until;
  return typeof base === 'string' ? { ...rest, query: `${base}..${typeof head === 'string' ? head : 'HEAD'}` } : args;
}

/** `a..b` as the query of what looks for commits: the range, and not words. */
function asRange(args: Given): Given {
  const { query, ...rest } = args;
  if (typeof query !== 'string' || !['search', 'classify', 'hotspots', 'coupling'].includes(String(args['action'])))
    return args;
  const [, since, until = ''] = /^\s*([\w@][^\s.]*(?:\.[^\s.]+)*)\.\.([\w@]\S*)?\s*$/.exec(query) ?? [];
  if (since === undefined || args['since'] !== undefined || args['until'] !== undefined) return args;
  return { ...rest, since, ...(until !== '' && until !== 'HEAD' && { until }) };
}

/** The actions that answer, with their commands. Clients see exactly these, in this order. */
export const COMMIT_ACTIONS = {
  search: { name: 'commits', description: 'Commits by words, author, type, path or time', subject: 'query' },
  show: { name: 'commit', description: 'One commit with its files or patch', subject: 'query' },
  compare: {
    name: 'compare',
    description: 'What differs between two refs: files, symbols, what breaks',
    subject: 'query',
  },
  classify: { name: 'commit-types', description: 'Commits by type', subject: 'query' },
  hotspots: { name: 'hotspots', description: 'Files that change often and are complex', subject: 'path' },
  coupling: { name: 'coupling', description: 'Files that change together', subject: 'path' },
  changelog: { name: 'changelog', description: 'A changelog of a range of commits: v1..v2', subject: 'query' },
} as const satisfies Record<string, ActionCommand>;
type CommitAction = keyof typeof COMMIT_ACTIONS;

/** Arguments of `commit-tool`. Names, order, defaults and descriptions are the contract with clients: see docs/tools.md. */
export const CommitToolInput = z.object({
  action: z
    // The keys of an object are its type's.
    .enum(Object.keys(COMMIT_ACTIONS) as CommitAction[])
    .describe('What to do'),
  query: z.string().optional().describe('Words; a sha for show; a..b for compare and changelog'),
  repo: z.string().optional().describe('Name or id; omit when there is one'),
  path: z.string().optional().describe('File, folder or glob'),
  author: z.string().optional().describe('Name or email'),
  types: z.array(z.string()).optional().describe('Keep these commit types'),
  since: z.string().optional().describe('Date, 30d, or ref (exclusive)'),
  until: z.string().optional().describe('Date or ref (inclusive)'),
  group_by: z
    .enum(['type', 'scope', 'author', 'path', 'month'])
    .default('type')
    .describe('classify/changelog grouping'),
  detail: z.enum(['lines', 'body']).default('lines').describe('lines: files. body: patch'),
  ...pageFields({ rows: 20, most: 100 }),
});

export type CommitToolArguments = z.output<typeof CommitToolInput>;

export const COMMIT_TOOL_DESCRIPTION =
  'Query git history: find commits by words or filter, show one with its patch, compare two refs (files, symbols, what breaks), classify them (feat, fix, refactor, perf, docs, test, build, ci, style, chore, revert + breaking), rank hotspots (change frequency x complexity), find files that change together, build a changelog.';
