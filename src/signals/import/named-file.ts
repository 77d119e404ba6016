import type { ImportRecord } from './import-file.ts';

/** A file of an archive or a folder. */
export interface NamedFile {
  /** Its path there. */
  name: string;
  bytes: Buffer;
}

export function isRecord(value: unknown): value is ImportRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
