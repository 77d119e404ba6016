import { z } from 'zod';
import { pageFields } from '../platform/operation/paged-tool.ts';
import { GROUP_FIELDS } from '../signals/counts/counts.ts';
import type { Draft } from '../kernel/answer.ts';
import type { CallContext } from '../platform/operation/operation.ts';
import type { SearchParts } from './parts.ts';

/** The kinds of entries of the knowledge index that the tool searches. */
export const DOCUMENT_TYPES = ['upload', 'plan', 'signal', 'product_doc'] as const;

/** Arguments of `document-search-tool`: the contract with clients. */
export const DocumentSearchInput = z.object({
  action: z.enum(['search', 'get', 'themes', 'new', 'count']).describe('What to do'),
  query: z.string().optional().describe('Words; for get: document id'),
  types: z.array(z.enum(DOCUMENT_TYPES)).optional().describe('Default: all'),
  customer: z.string().optional().describe('Customer, segment or source'),
  tags: z.array(z.string()).optional().describe('All must match'),
  since: z.string().optional().describe('Date or 30d'),
  until: z.string().optional().describe('Date'),
  filter: z
    .array(z.string())
    .optional()
    .describe('field=value, != <= >=: rating<=2, segment=pro, language=de, tone=negative, theme=…'),
  group_by: z.enum(GROUP_FIELDS).optional().describe('count'),
  section: z.string().optional().describe('get: heading or page to start at'),
  ...pageFields({ rows: 10, most: 50 }),
});

export type DocumentSearchArguments = z.output<typeof DocumentSearchInput>;

/** One call of the tool. */
export interface DocumentCall {
  parts: SearchParts;
  context: CallContext;
  args: DocumentSearchArguments;
}

/** The result of an action: the parts of a draft that differ, and further fields of the JSON form. */
export type DocumentFindings = Pick<Draft, 'total' | 'rows' | 'detail' | 'notes' | 'next'> &
  Partial<Pick<Draft, 'coverage' | 'counts'>> & { extra?: Record<string, unknown> };
