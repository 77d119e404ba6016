import { z } from '@hono/zod-openapi';
import { bodyOfRow } from '../platform/row-body.ts';
import type { Staleness } from './staleness.ts';
import type { AnchorRow } from './store/store.ts';

export const StalenessBody = z.object({
  state: z.enum(['fresh', 'unresolved', 'aging', 'stale', 'broken']),
  label: z.string().describe('As in lists: fresh, aging, stale 3/7 since a1b2c3d, broken'),
  fresh: z.int(),
  moved: z.int(),
  changed: z.int(),
  gone: z.int(),
  total: z.int().describe('Anchors that were compared'),
  unresolved: z.int().describe('Things that the text names but no index contains'),
  since: z.string().nullable().describe('The commit of the baseline'),
  changed_at: z
    .string()
    .nullable()
    .describe('Date of the newest commit that changed what it names; null where none is known'),
});

export const AnchorBody = z.object({
  written: z.string().describe('As in the text: path, path:10-20, Class/method, Class/method@path'),
  status: z.enum(['fresh', 'moved', 'changed', 'gone', 'unresolved']),
  reason: z.string().nullable().describe('Why it is unresolved'),
  path: z.string().nullable().describe('At the baseline'),
  symbol: z.string().nullable(),
  repository: z.string().nullable().describe('Id of the repository that has it'),
  baseline: z.string().nullable().describe('The commit of the baseline'),
  now: z.object({ path: z.string(), symbol: z.string().nullable(), line: z.int().nullable() }).nullable(),
  commits: z
    .array(
      z.object({
        sha: z.string(),
        subject: z.string(),
        date: z.string(),
        change: z
          .object({
            kind: z.enum(['body', 'signature', 'moved', 'removed']),
            added: z.int().describe('Lines'),
            removed: z.int(),
          })
          .optional()
          .describe('What it did; absent where only its file is known to be touched'),
      }),
    )
    .describe(
      'Commits since the baseline that changed it, first the one that removed or moved it, then newest first, at most 5; empty while it is fresh',
    ),
});

export function stalenessBody(staleness: Staleness | undefined): z.output<typeof StalenessBody> | null {
  return staleness === undefined ? null : bodyOfRow(StalenessBody, staleness, {});
}

export function anchorBody({ written, reason, target, state }: AnchorRow): z.output<typeof AnchorBody> {
  const now = state?.path == null ? null : { path: state.path, symbol: state.symbol, line: state.line };
  const row = { ...target, written, reason };
  return bodyOfRow(AnchorBody, row, {
    // What was never compared is as it was.
    status: target === undefined ? 'unresolved' : (state?.status ?? 'fresh'),
    repository: target?.repositoryId ?? null,
    baseline: target?.baselineCommit ?? null,
    now,
    commits: state?.commits ?? [],
  });
}
