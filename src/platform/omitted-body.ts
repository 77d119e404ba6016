import { z } from '@hono/zod-openapi';

/** Numbers of files that answers about code do not rank, by the reason. */
export const OmittedFilesBody = z.object({
  data: z.int().describe('Data: its format says so, or nearly all lines are literals (translations, fixtures)'),
  generated: z.int().describe('Generated, vendored, lock files and snapshots'),
  prose: z.int().describe('Documents'),
});
