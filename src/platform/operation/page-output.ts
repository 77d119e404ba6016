import { z } from 'zod';

/**
 * Fields that the JSON form of every answer in pages of rows has. Its notes are for people and none of them: what a program needs
 * is a field of its own.
 */
export const PAGE_OUTPUT = {
  op: z.string(),
  /** Absent where no repository was queried, and `*` for several: then rows name theirs. */
  repo: z.string().default('*'),
  ref: z.string().optional(),
  commit: z.string().optional(),
  index: z.unknown().optional(),
  total: z.int(),
  /** The search ended at a limit: there may be more than `total`. */
  at_least: z.boolean().default(false),
  counts: z.record(z.string(), z.number()).optional(),
  shown: z.int(),
  /** Parts that `max_tokens` cut: rows of the page, their bodies, or the texts of the only row. */
  truncated: z.enum(['rows', 'bodies', 'texts']).optional(),
  /** Cursor of the next page. */
  next: z.string().optional(),
};
