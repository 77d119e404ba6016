import type { ImportRecord } from './import-file.ts';

/** A file of an archive or a folder. */
export interface NamedFile {
  /** Its path there. */
  name: string;
  bytes: Buffer;
}

/** What JSON says; undefined for what is none. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

export function isRecord(value: unknown): value is ImportRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
