import { z } from '@hono/zod-openapi';
import type { BackupRow } from './backups.ts';

export const BackupList = z
  .object({
    schedule: z
      .object({ folder: z.string(), interval_seconds: z.int(), count: z.int() })
      .nullable()
      .describe('null: backups are made only when somebody asks for one'),
    backups: z.array(
      z.object({
        started_at: z.string(),
        finished_at: z.string(),
        file: z.string().nullable().describe('null: it was sent to the one who asked for it'),
        bytes: z.int(),
        error: z.string().nullable().describe('Why there is none'),
      }),
    ),
  })
  .openapi('BackupList');
export type BackupList = z.output<typeof BackupList>;

export function backupBody({ startedAt, finishedAt, file, bytes, error }: BackupRow): BackupList['backups'][number] {
  return { started_at: startedAt.toISOString(), finished_at: finishedAt.toISOString(), file, bytes, error };
}
