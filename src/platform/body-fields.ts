import { z } from '@hono/zod-openapi';

/** A token of another service, as a request brings it; it goes into a header. */
export const TokenBody = z
  .string()
  .min(1)
  .max(2_000)
  .regex(/^[\x21-\x7E]+$/, 'contains characters that no token has')
  .describe('Is stored encrypted and never shown again');

/** A time as bodies have it. */
export const Time = z.string().describe('ISO 8601, UTC');

/** Numbers of files that answers about code do not rank, by the reason. */
export const OmittedFilesBody = z.object({
  data: z.int().describe('Data: its format says so, or nearly all lines are literals (translations, fixtures)'),
  generated: z.int().describe('Generated, vendored, lock files and snapshots'),
  prose: z.int().describe('Documents'),
});

/** When another service is read, how that went, and who connected it. */
export const READING_FIELDS = {
  next: Time.describe('When it is read next'),
  read_at: Time.nullable().describe('When it was last read to its end'),
  failures: z.int().describe('Tries in a row that failed'),
  fault: z.string().describe('Why the last try failed'),
  created_at: Time,
  created_by: z.string(),
};
