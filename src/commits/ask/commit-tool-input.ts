import { z } from 'zod';
import { pageFields } from '../../platform/operation/paged-tool.ts';

/** Arguments of `commit-tool`. Names, order, defaults and descriptions are the contract with clients: see docs/tools.md. */
export const CommitToolInput = z.object({
  action: z.enum(['search', 'show', 'compare', 'classify', 'hotspots', 'coupling', 'changelog']).describe('What to do'),
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
