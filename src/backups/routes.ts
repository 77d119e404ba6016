import { Readable } from 'node:stream';
import { z } from '@hono/zod-openapi';
import { recordAudit } from '../accounts/accounts.ts';
import { BLOB_CHOICES } from '../platform/backup/create-backup.ts';
import type { Right } from '../platform/rights.ts';
import { authorize, describeRoutes, json, newRoutes, type SliceRoutes } from '../platform/web.ts';
import { backupBody, BackupList } from './backup-bodies.ts';
import { type Backups, selectBackups } from './backups.ts';

/** A backup has every secret of every account: it is for who owns the machine. */
const OWNER: Right = { scope: 'owner', role: 'owner' };
const LISTED = 20;
const MS_PER_SECOND = 1_000;

const route = describeRoutes('Backups');

const backupRoute = route('get', '/backup', 'Make a backup of the installation and send it (owner only)', {
  query: z.object({
    blobs: z
      .enum(BLOB_CHOICES)
      .default('uploads')
      .describe('What it carries beside the rows: uploads and indexes, uploads, or neither'),
  }),
  answers: { 200: { description: 'A tar archive in zstd', content: { 'application/zstd': { schema: z.string() } } } },
});

const listRoute = route('get', '/backups', 'The last backups, newest first (owner only)', {
  answers: { 200: json(BackupList, 'At most 20') },
});

/** Routes with which the owner makes backups of a running service. */
export function backupRoutes({ backups, now }: { backups: Backups; now: () => Date }): SliceRoutes {
  const routes = newRoutes();
  routes.openapi(backupRoute, async (c) => {
    const { accountId, actor } = authorize(c, OWNER);
    const { blobs } = c.req.valid('query');
    const archive = backups.open(blobs);
    const change = { accountId, actor, action: 'installation.backup', target: accountId, at: now() } as const;
    await recordAudit(backups.db, { ...change, detail: { blobs } });
    c.req.raw.signal.addEventListener('abort', () => archive.destroy(), { once: true });
    return c.newResponse(Readable.toWeb(archive) as ReadableStream, 200, { 'Content-Type': 'application/zstd' });
  });
  routes.openapi(listRoute, async (c) => {
    authorize(c, OWNER);
    const { schedule } = backups;
    return c.json(
      {
        schedule: schedule
          ? {
              folder: schedule.folder,
              interval_seconds: schedule.intervalMs / MS_PER_SECOND,
              count: schedule.count,
            }
          : null,
        backups: (await selectBackups(backups.db, LISTED)).map(backupBody),
      },
      200,
    );
  });
  return { routes, v1: '/' };
}
