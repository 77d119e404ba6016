import { resolve } from 'node:path';
import { z } from 'zod';
import { wholeNumber } from './config-schemas.ts';
import { OBJECT_URL } from './data-dir.ts';

/** Settings of backups that are made on a schedule. */
export const BACKUP_VARIABLES = {
  backupDir: {
    name: 'SVC_BACKUP_DIR',
    schema: z
      .string()
      .min(1)
      .transform((path) => (OBJECT_URL.test(path) ? path.replace(/\/+$/, '') : resolve(path))),
    allowed: 'a folder, or s3://bucket/prefix',
    meaning:
      'Folder, best on another disk, or object storage, into which the service writes a backup regularly. Without it there are none.',
  },
  backupIntervalSeconds: {
    name: 'SVC_BACKUP_INTERVAL_SECONDS',
    schema: wholeNumber(60, 31_536_000),
    allowed: 'a whole number of seconds, at least 60',
    fallback: '86400',
    meaning: 'Time from one backup in SVC_BACKUP_DIR to the next.',
  },
  backupCount: {
    name: 'SVC_BACKUP_COUNT',
    schema: wholeNumber(1, 1000),
    allowed: 'a whole number from 1 to 1000',
    fallback: '7',
    meaning: 'Backups that stay in SVC_BACKUP_DIR; older ones are deleted.',
  },
};
