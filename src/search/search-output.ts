import { z } from 'zod';
import { PAGE_OUTPUT } from '../platform/operation/page-output.ts';
import { SEARCH_CORPORA } from './candidate.ts';

const Hit = z.object({
  rank: z.int(),
  corpus: z.enum(SEARCH_CORPORA),
  /** `sym:…`, `c:…`, `plan:…`, `doc:…`, `sig:…`, `dec:…`, `chg:…` */
  id: z.string(),
  title: z.string(),
  /** In words: for code `src/mail.ts:3-9`. */
  where: z.string(),
  section: z.string().optional(),
  repo: z.string().optional(),
  path: z.string().optional(),
  date: z.string().optional(),
  snippet: z.string(),
  score: z.number(),
  stale: z.string().optional(),
  plans: z.array(z.object({ id: z.string(), stale: z.string().optional() })).optional(),
  /** Hits that say nearly the same. */
  folded: z.int().optional(),
});

const Coverage = z.object({
  hits: z.int().optional(),
  at_least: z.boolean().optional(),
  searched: z.string().optional(),
  /** Documents that no search finds yet. */
  unread: z.int().optional(),
  error: z.string().optional(),
});

/** The JSON answer of `search-tool`. */
export const SearchOutput = z.object({
  ...PAGE_OUTPUT,
  action: z.literal(''),
  rows: z.array(Hit),
  coverage: z.partialRecord(z.enum(SEARCH_CORPORA), Coverage),
});

export type SearchHit = z.output<typeof Hit>;
