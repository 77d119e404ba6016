import { z } from 'zod';
import { PAGE_OUTPUT } from '../../platform/operation/page-output.ts';
import { SEVERITIES } from '../detect/judge.ts';
import { CHANGE_KINDS } from '../page/page-kind.ts';

/** The JSON answer of `competitor-tool` with `changes`, which agents read. */
export const ChangesOutput = z.object({
  ...PAGE_OUTPUT,
  action: z.literal('changes'),
  rows: z.array(
    z.object({
      id: z.string(),
      when: z.string(),
      competitor: z.string(),
      kind: z.enum(CHANGE_KINDS),
      severity: z.enum(SEVERITIES),
      url: z.string(),
      summary: z.string(),
      reasons: z.array(z.string()),
      added: z.array(z.string()),
      removed: z.array(z.string()),
      linked: z.array(z.string()),
    }),
  ),
});
