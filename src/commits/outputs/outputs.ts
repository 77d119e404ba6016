import { WorkRow } from '../../code/outputs/outputs.ts';
import { z } from 'zod';
import { PAGE_OUTPUT } from '../../platform/operation/page-output.ts';

/** The scope of an answer: its period in words, and the commits that were omitted. */
const SCOPE = { period: z.string(), left_out: z.object({ bots: z.int(), merges: z.int() }) };
const COUNTS = z.record(z.string(), z.int());
/** Name of the repository of a row, where several were asked. */
const REPO = { repo: z.string().optional() };

export const CommitRow = z.object({
  ...REPO,
  sha: z.string(),
  date: z.string(),
  author: z.string(),
  email: z.string(),
  type: z.string(),
  breaking: z.boolean(),
  breaking_by: z.array(z.string()).describe('prefix, footer, removed_export').optional(),
  removed_exports: z.array(z.object({ path: z.string(), name: z.string() })).optional(),
  scope: z.string().optional(),
  confidence: z.number(),
  label_source: z.string().describe('author, rule, model'),
  best: z.array(z.string()).describe('The two likeliest types of an unclassified commit').optional(),
  subject: z.string(),
  /** `c:<sha7>`, as other calls take it. */
  id: z.string(),
});

const FileRow = z.object({
  path: z.string(),
  status: z.string(),
  old_path: z.string().optional(),
  added: z.int().optional(),
  deleted: z.int().optional(),
  left_out: z.string().optional(),
});

/** A commit as a whole; with `detail=body` its message, and after it rows of its files with their patches. */
const ShownRow = CommitRow.extend({
  authored_date: z.string().optional(),
  body: z.string().optional(),
  parents: z.array(z.string()),
  trailers: z.unknown().optional(),
  refs: z.array(z.string()).optional(),
  reverts: z.array(z.string()).optional(),
  tags: z.array(z.string()).optional(),
  files_total: z.int(),
  files_unknown: z.string().optional(),
  added: z.int().optional(),
  deleted: z.int().optional(),
  files: z.array(FileRow).optional(),
  symbols: z
    .array(z.object({ path: z.string(), line: z.int(), kind: z.string(), name: z.string(), id: z.string() }))
    .optional(),
  symbols_unknown: z.string().optional(),
  named_by: z.array(WorkRow).optional(),
});

const PatchRow = FileRow.extend({ ...REPO, from_line: z.int().optional(), patch: z.string() });

export const HotspotRow = z.object({
  ...REPO,
  path: z.string(),
  score: z.number(),
  revisions: z.int(),
  churn: z
    .int()
    .describe('Lines added and deleted; absent where git lacks the contents or needs more than 2 s')
    .optional(),
  authors: z.int(),
  complexity: z.number(),
  trend: z.number().describe('-1 (all in the earlier half of the period) to 1'),
  fix_share: z.number(),
  fixes: z.int(),
  lines: z.int(),
  last: z.string(),
  series: z.array(z.int()).describe('Revisions in each twelfth of the period, oldest twelfth first').optional(),
});

export const CouplingRow = z.object({
  ...REPO,
  a: z.string(),
  b: z.string(),
  /** Commits that changed both. */
  shared: z.int(),
  degree_pct: z.number(),
  support: z.number(),
  linked: z.boolean().describe('One of them uses the other'),
  revisions_a: z.int(),
  revisions_b: z.int(),
});

export const ChangelogRow = z.object({
  ...REPO,
  version: z.string().nullable().describe('The tag that has it first; null: not released'),
  section: z.string(),
  group: z.string(),
  text: z.string(),
  type: z.string(),
  breaking: z.boolean(),
  breaking_by: z.array(z.string()).optional(),
  removed_exports: z.array(z.object({ path: z.string(), name: z.string() })).optional(),
  scope: z.string().optional(),
  refs: z.array(z.string()),
  shas: z.array(z.string()),
  author: z.string(),
  date: z.string(),
});

/** A file that differs; `change` and what follows it is of one of its symbols. */
const CompareRow = z.object({
  path: z.string(),
  status: z.string().optional(),
  old_path: z.string().optional(),
  plus: z.int().optional(),
  minus: z.int().optional(),
  change: z.enum(['added', 'removed', 'changed', 'moved']).optional(),
  kind: z.string().optional(),
  name: z.string().optional(),
  line: z.int().optional(),
  signature: z.string().optional(),
  before: z.string().optional(),
  exported: z.boolean().optional(),
  /** Others use it, and it was removed or has another signature. */
  breaking: z.boolean().optional(),
  reach: z.string().optional(),
  reason: z.string().optional(),
  users: z.int().optional(),
  /** Files that use it. */
  used_in: z.array(z.string()).optional(),
});
export type CompareRow = z.output<typeof CompareRow>;

/** The JSON answers of each action of `commit-tool`. */
export const COMMIT_OUTPUTS = {
  search: z.object({ ...PAGE_OUTPUT, action: z.literal('search'), ...SCOPE, rows: z.array(CommitRow) }),
  show: z.object({ ...PAGE_OUTPUT, action: z.literal('show'), rows: z.array(z.union([ShownRow, PatchRow])) }),
  compare: z.object({
    ...PAGE_OUTPUT,
    action: z.literal('compare'),
    rows: z.array(CompareRow),
    from: z.string(),
    to: z.string(),
    /** Empty where the history between is not here. */
    commits: z
      .object({
        total: z.int(),
        by_type: COUNTS,
        merges: z.int(),
        only_in_first: z.int(),
        breaking: z.array(z.object({ sha: z.string(), subject: z.string() })),
      })
      .partial(),
    files: z.object({ total: z.int(), plus: z.int(), minus: z.int(), status: COUNTS }),
    symbols: z.object({
      added: z.int(),
      removed: z.int(),
      changed: z.int(),
      moved: z.int(),
      breaking: z.int(),
    }),
  }),
  classify: z.object({
    ...PAGE_OUTPUT,
    action: z.literal('classify'),
    ...SCOPE,
    rows: z.array(CommitRow),
    group_by: z.string(),
    /** The first hundred of `groups_total`. */
    groups: z.array(z.object({ name: z.string(), commits: z.int() })),
    groups_total: z.int(),
  }),
  hotspots: z.object({
    ...PAGE_OUTPUT,
    action: z.literal('hotspots'),
    ...SCOPE,
    commits: z.int(),
    rows: z.array(HotspotRow),
  }),
  coupling: z.object({
    ...PAGE_OUTPUT,
    action: z.literal('coupling'),
    ...SCOPE,
    commits: z.int(),
    rows: z.array(CouplingRow),
  }),
  changelog: z.object({
    ...PAGE_OUTPUT,
    action: z.literal('changelog'),
    rows: z.array(ChangelogRow),
    period: z.string(),
    skipped: z.object({ total: z.int(), by_type: COUNTS, bots: z.int(), reverted: z.int() }),
  }),
} as const;
