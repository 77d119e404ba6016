import { z } from '@hono/zod-openapi';
import { Time, OmittedFilesBody } from '../platform/body-fields.ts';

const STATES = ['pending', 'indexing', 'ready', 'failed'] as const;
/** Repositories of a page: all, for most products. */
const MOST_LISTED = 1_000;

export const RepositoryBody = z.object({
  id: z.string(),
  name: z.string(),
  url: z.string().describe('Where it comes from, without credentials: a URL or a folder'),
  default_branch: z.string().nullable(),
  ref: z.string().nullable().describe('What it is pinned to; null follows the default branch'),
  product: z.string(),
  status: z.enum(STATES),
  progress: z
    .object({ stage: z.string(), done: z.int(), total: z.int(), percent: z.number() })
    .nullable()
    .describe('While indexing; percent is of the whole run'),
  commit: z.string().nullable().describe('The indexed commit'),
  indexed_at: Time.nullable(),
  fetched_at: Time.nullable().describe('The last successful fetch; null for a folder'),
  fetch_result: z.enum(['new_commits', 'no_change']).nullable().describe('What that fetch brought; null for a folder'),
  fetch_error: z
    .object({ message: z.string(), fix: z.string(), at: Time })
    .nullable()
    .describe('Why a later fetch failed; it is tried again'),
  exact: z
    .enum(['pending', 'done', 'failed'])
    .nullable()
    .describe('Whether compilers have resolved the names; null when none will be asked'),
  behind: z.int().nullable().describe('Commits that are not in the index yet; null when unknown'),
  freshness: z.string().describe('As the header of every answer states it: fresh; behind 3, exact pending'),
  files: z.int(),
  symbols: z.int(),
  languages: z
    .record(z.string(), z.number())
    .describe('Share of the code by language, 0..1; neither data nor prose nor generated files count'),
  unparsed: z.int(),
  gaps: z.array(z.string()).describe('What the index lacks, as sentences'),
  error: z.object({ message: z.string(), fix: z.string() }).nullable().describe('Why indexing failed'),
  last_run: z
    .object({
      parsed: z.int(),
      reused: z.int(),
      failed: z.int(),
      seconds: z.number(),
      history: z.object({ commits: z.int(), seconds: z.number() }).optional(),
    })
    .nullable()
    .describe('What the last index run did'),
});

export const RepositoryList = z.object({
  repositories: z.array(RepositoryBody),
  accepts_folders: z.boolean().describe('A folder on the machine that the service runs on can be added'),
  total: z.int().describe('Of all pages'),
  paused_since: Time.nullable().describe('Since when the repositories of the product are neither fetched nor indexed'),
  next: z.string().nullable().describe('`cursor` of the next page'),
});

export const RepositoryFilter = z.object({
  query: z.string().max(200).optional().describe('Part of a name or address'),
  status: z.enum(STATES).optional(),
  limit: z.coerce.number().int().min(1).max(MOST_LISTED).default(MOST_LISTED),
  cursor: z.string().optional().describe('`next` of the page before'),
});

export const JobList = z.object({
  paused_since: Time.nullable().describe('Since when nothing is fetched or indexed'),
  running: z.int(),
  waiting: z.int(),
  jobs: z.array(
    z.object({
      job: z.string().describe('repository.index, repository.fetch, knowledge.encode, …'),
      repository: z.string().nullable().describe('Its name; null for work on the whole product'),
      state: z.enum(['running', 'waiting']),
      sent_at: Time,
      started_at: Time.nullable(),
      failures: z.int().describe('Attempts that failed'),
      first: z.boolean(),
    }),
  ),
});

export const NewRepositoryBody = z.object({
  url: z
    .string()
    .min(1)
    .max(2048)
    .describe('https or ssh URL; in local mode also a folder on the machine that the service runs on'),
  name: z.string().optional().describe('Default: the last part of the URL'),
  ref: z.string().optional().describe('A branch, tag or commit to follow; default: the default branch'),
  awaited: z.boolean().optional().describe('Somebody waits for the first index: it does not yield to other work'),
});

export const FilesSummary = z.object({
  files: z.int(),
  parsed: z.int(),
  with_symbols: z.int().describe('Files with at least one symbol'),
  symbols: z.int(),
  lines: z.int(),
  languages: z.record(z.string(), z.number()).describe('Share of the code by language, 0..1'),
  omitted: OmittedFilesBody.describe('Files that the shares of languages do not count'),
  unparsed: z.int().describe('All files that could not be read in full'),
  unparsed_files: z.array(z.object({ path: z.string(), reason: z.string() })).describe('The first 100, by path'),
});

export const RepositoryWebhookBody = z.object({
  webhook: z.object({ url: z.string(), created_at: Time, last_used_at: Time.nullable() }).nullable(),
});

export const NewRepositoryWebhookBody = z.object({
  url: z.string().describe('The address to enter at the host'),
  secret: z.string().describe('The secret to enter there; it is not shown again'),
  content_type: z.string(),
  events: z.array(z.string()),
});

/** A repository as REST, pages and the command-line tool show it. */
export type RestRepository = z.output<typeof RepositoryBody>;
export type RepositoryList = z.output<typeof RepositoryList>;
export type NewRepository = z.input<typeof NewRepositoryBody>;
export type FilesSummary = z.output<typeof FilesSummary>;
