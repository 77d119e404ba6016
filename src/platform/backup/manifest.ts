import { z } from 'zod';

/** Version of the form of a backup. */
export const BACKUP_FORMAT = 1;
export const MANIFEST_NAME = 'manifest.json';
export const KEY_NAME = 'secret.key';

const Sha256 = z.string().regex(/^[0-9a-f]{64}$/);
/** What a backup holds: its last file. */
export const Manifest = z.object({
  format: z.literal(BACKUP_FORMAT),
  created_at: z.string(),
  /** Version of the program that made it. */
  version: z.string(),
  migrations: z.array(z.string()),
  tables: z.array(z.object({ name: z.string(), rows: z.int(), sha256: Sha256 })),
  /** Blobs that are in it. */
  blobs: z.array(z.object({ hash: Sha256, bytes: z.int() })),
  /** Blobs that stayed where they are. */
  referenced: z.array(Sha256),
  /** Blobs that were lost or damaged before. */
  lost: z.array(Sha256),
  /** Hash of the key of secrets, where the installation made one. */
  secret_key: Sha256.optional(),
});
export type Manifest = z.output<typeof Manifest>;
