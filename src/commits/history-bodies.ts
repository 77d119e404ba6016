import { OmittedFilesBody } from '../platform/body-fields.ts';
import { z } from '@hono/zod-openapi';
import { ChangelogRow, CommitRow, CouplingRow, HotspotRow } from './outputs/outputs.ts';

/** Bodies of the pages about history: what `commit-tool` answers, as far as pages show it. Fields as docs/history.md has them. */

const Page = z.object({
  total: z.int(),
  at_least: z.boolean().default(false).describe('The search stopped at a limit: there may be more than `total`'),
  next: z.string().nullable(),
  notes: z.array(z.string()).describe('The period, and what was left out'),
});

/** Fields that a row has or not; pages read them with their defaults. */
const Absent = {
  breaking_by: CommitRow.shape.breaking_by.unwrap().default([]),
  removed_exports: CommitRow.shape.removed_exports.unwrap().default([]),
  scope: z.string().nullable().default(null),
};

/** GET repositories/{id}/history/hotspots. */
export const HotspotPage = Page.extend({
  rows: z.array(HotspotRow.omit({ repo: true }).extend({ series: HotspotRow.shape.series.unwrap().default([]) })),
});

/** GET repositories/{id}/history/coupling. */
export const CouplingPage = Page.extend({ rows: z.array(CouplingRow.omit({ repo: true })) });

/** GET repositories/{id}/history/changelog. */
export const ChangelogPage = Page.extend({
  rows: z.array(
    ChangelogRow.omit({ repo: true, group: true, type: true, breaking_by: true }).extend({
      removed_exports: Absent.removed_exports,
      scope: Absent.scope,
    }),
  ),
});

const Commit = CommitRow.omit({ repo: true, id: true }).extend({
  ...Absent,
  best: CommitRow.shape.best.unwrap().default([]),
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
