import { z } from '@hono/zod-openapi';
import { OmittedFilesBody } from '../platform/omitted-body.ts';

/** Bodies of the pages about history: what `commit-tool` answers, as far as pages show it. Fields as docs/history.md has them. */

const Page = z.object({
  total: z.int(),
  at_least: z.boolean().default(false).describe('The search stopped at a limit: there may be more than `total`'),
  next: z.string().nullable(),
  notes: z.array(z.string()).describe('The period, and what was left out'),
});

/** GET repositories/{id}/history/hotspots. */
export const HotspotPage = Page.extend({
  rows: z.array(
    z.object({
      path: z.string(),
      score: z.number(),
      revisions: z.int(),
      churn: z.int(),
      authors: z.int(),
      complexity: z.int(),
      lines: z.int(),
      trend: z.number().describe('-1 (all in the earlier half of the period) to 1'),
      fix_share: z.number(),
      fixes: z.int(),
      last: z.string(),
      series: z.array(z.int()).default([]).describe('Revisions in each twelfth of the period, oldest twelfth first'),
    }),
  ),
});

/** GET repositories/{id}/history/coupling. */
export const CouplingPage = Page.extend({
  rows: z.array(
    z.object({
      a: z.string(),
      b: z.string(),
      shared: z.int(),
      degree_pct: z.number(),
      support: z.number(),
      linked: z.boolean().describe('One of them uses the other'),
      revisions_a: z.int(),
      revisions_b: z.int(),
    }),
  ),
});

const RemovedExport = z.object({ path: z.string(), name: z.string() });

/** GET repositories/{id}/history/changelog. */
export const ChangelogPage = Page.extend({
  rows: z.array(
    z.object({
      version: z.string().nullable().describe('The tag that has it first; null: not released'),
      section: z.string(),
      text: z.string(),
      breaking: z.boolean(),
      removed_exports: z.array(RemovedExport).default([]),
      scope: z.string().nullable().default(null),
      refs: z.array(z.string()),
      shas: z.array(z.string()),
      author: z.string(),
      date: z.string(),
    }),
  ),
});

const Commit = z.object({
  sha: z.string(),
  date: z.string(),
  author: z.string(),
  email: z.string(),
  type: z.string(),
  breaking: z.boolean(),
  breaking_by: z.array(z.string()).default([]).describe('prefix, footer, removed_export'),
  removed_exports: z.array(RemovedExport).default([]),
  scope: z.string().nullable().default(null),
  confidence: z.number(),
  label_source: z.string().describe('author, rule, model'),
  best: z.array(z.string()).default([]).describe('The two likeliest types of an unclassified commit'),
  subject: z.string(),
});

/** GET repositories/{id}/history/commits. */
export const CommitPage = Page.extend({ rows: z.array(Commit) });

/** GET repositories/{id}/commits/{sha}. */
export const CommitDetail = Commit.extend({
  authored_date: z.string(),
  body: z.string(),
  parents: z.array(z.string()),
  trailers: z.array(z.object({ key: z.string(), value: z.string() })),
  refs: z.array(z.string()),
  tags: z.array(z.string()).default([]),
  files_total: z.int(),
  added: z.int(),
  deleted: z.int(),
  files: z.array(
    z.object({
      path: z.string(),
      status: z.string(),
      old_path: z.string().nullable().default(null),
      added: z.int().nullable().default(null),
      deleted: z.int().nullable().default(null),
      left_out: z.string().default(''),
    }),
  ),
  symbols: z
    .array(z.object({ path: z.string(), line: z.int(), kind: z.string(), name: z.string() }))
    .nullable()
    .default(null)
    .describe('Symbols of the indexed commit on lines that it touched; null when file contents are missing'),
});

/** GET repositories/{id}/history/refs. */
export const HistoryRefs = z.object({
  branch: z.string().describe('What the index follows'),
  commit: z.string(),
  tags: z.array(z.object({ name: z.string(), date: z.string() })).describe('The newest commit first'),
});

/** GET repositories/{id}/history/files. */
export const FileNames = z.object({ paths: z.array(z.string()) });

/** GET repositories/{id}/history/owners. */
export const FileOwners = z.object({
  path: z.string(),
  bus_factor: z.int(),
  owners: z.array(
    z.object({
      author: z.string(),
      email: z.string(),
      lines: z.int(),
      lines_pct: z.number(),
      commits: z.int(),
      commits_decayed_pct: z.number(),
      last: z.string().nullable(),
    }),
  ),
  reviewers: z.array(z.object({ reviewer: z.string(), reviews: z.int() })),
  likely_next: z.array(z.object({ author: z.string(), score: z.number() })),
  codeowners: z
    .object({
      file: z.string(),
      line: z.int(),
      pattern: z.string(),
      owners: z.array(z.string()),
      agrees: z.boolean().nullable(),
    })
    .nullable(),
  notes: z.array(z.string()),
});

/** GET repositories/{id}/history/ownership. */
export const OwnershipMap = z.object({
  commit: z.string(),
  total: z.int().describe('Files of code with lines; `files` has the largest of them'),
  omitted: OmittedFilesBody,
  people: z.array(z.string()).describe('Main owners, those of most lines first'),
  files: z
    .array(
      z.object({
        path: z.string(),
        lines: z.int(),
        bus_factor: z
          .int()
          .describe('The fewest people with more than half of the decayed commits; 0 when no person is known'),
        owner: z.int().nullable().describe('Main owner: an index into `people`'),
        owner_pct: z.number().describe('Their share of the decayed commits'),
      }),
    )
    .describe('By lines, most first'),
});

/** GET repositories/{id}/history/blame. */
export const FileBlame = z.object({
  commit: z.string(),
  ranges: z
    .array(z.object({ start: z.int(), end: z.int(), sha: z.string(), author: z.string(), date: z.string() }))
    .nullable()
    .describe('Lines by the commit that last changed them; null where git does not know'),
});

export type HotspotPage = z.output<typeof HotspotPage>;
export type CouplingPage = z.output<typeof CouplingPage>;
export type ChangelogPage = z.output<typeof ChangelogPage>;
export type CommitPage = z.output<typeof CommitPage>;
export type CommitDetail = z.output<typeof CommitDetail>;
export type HistoryRefs = z.output<typeof HistoryRefs>;
export type FileNames = z.output<typeof FileNames>;
export type FileOwners = z.output<typeof FileOwners>;
export type OwnershipMap = z.output<typeof OwnershipMap>;
export type FileBlame = z.output<typeof FileBlame>;
