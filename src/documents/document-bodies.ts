import { z } from '@hono/zod-openapi';
import type { DocumentText } from './documents.ts';
import { DOCUMENT_TYPES } from './sniff.ts';
import type { DocumentRow, VersionRow } from './store.ts';
import type { UploadOutcome } from './upload.ts';
import { bodyOfRow } from '../platform/row-body.ts';

const Fault = z.object({ message: z.string(), fix: z.string() });

export const DocumentBody = z.object({
  id: z.string().describe('doc:…, as search results show it'),
  kind: z.enum(['upload', 'product_doc']),
  name: z.string().describe('File name, or path in an archive or repository'),
  repository: z.string().nullable().describe('Id of the repository that contains a product doc'),
  title: z.string(),
  type: z.enum(DOCUMENT_TYPES).nullable().describe('Type of the content; null until it has been read'),
  tags: z.array(z.string()),
  size_bytes: z.int(),
  version: z.int(),
  status: z.enum(['waiting', 'ready', 'failed']),
  error: Fault.nullable().describe('Why it could not be read'),
  problems: z
    .array(z.object({ name: z.string(), reason: z.string() }))
    .describe('Files of an archive that were left out'),
  sections: z.int(),
  created_at: z.string(),
  updated_at: z.string(),
  updated_by: z.string(),
});

export const DocumentList = z.object({
  documents: z.array(DocumentBody),
  total: z.int().describe('Matching the filters'),
  counts: z.object({ waiting: z.int(), ready: z.int(), failed: z.int() }).describe('In the whole product'),
  next: z.string().nullable(),
});

export const DocumentDetail = DocumentBody.extend({
  versions: z.array(
    z.object({ version: z.int(), size_bytes: z.int(), created_at: z.string(), created_by: z.string() }),
  ),
});

export const DocumentTextBody = z.object({
  id: z.string(),
  title: z.string(),
  sections: z.array(z.object({ id: z.string(), heading: z.string(), characters: z.int() })),
  text: z.array(z.object({ id: z.string(), heading: z.string(), text: z.string() })),
  next: z.string().nullable().describe('Section to continue with'),
});

export const VersionTextBody = z.object({
  version: z.int(),
  text: z.string().describe('Sections under their headings'),
  is_cut: z.boolean().describe('There is more than 400,000 characters'),
});

export const UploadBody = z.object({
  documents: z.array(
    z.object({
      name: z.string(),
      outcome: z.enum(['added', 'new_version', 'unchanged', 'refused']),
      id: z.string().nullable(),
      error: Fault.extend({ code: z.string() }).nullable(),
    }),
  ),
});

export function documentBody(row: DocumentRow): z.output<typeof DocumentBody> {
  return bodyOfRow(DocumentBody, row, {
    id: `doc:${row.id}`,
    repository: row.repository === '' ? null : row.repository,
  });
}

export function detailBody(row: DocumentRow, versions: readonly VersionRow[]): z.output<typeof DocumentDetail> {
  return {
    ...documentBody(row),
    versions: versions.map(({ version, sizeBytes, createdAt, createdBy }) => ({
      version,
      size_bytes: sizeBytes,
      created_at: createdAt.toISOString(),
      created_by: createdBy,
    })),
  };
}

export function textBody({ row, sections, text, next }: DocumentText): z.output<typeof DocumentTextBody> {
  return { id: `doc:${row.id}`, title: row.title, sections, text, next: next ?? null };
}

export function uploadBody(outcomes: readonly UploadOutcome[]): z.output<typeof UploadBody> {
  return {
    documents: outcomes.map((outcome) =>
      outcome.outcome === 'refused'
        ? { name: outcome.name, outcome: outcome.outcome, id: null, error: outcome.error }
        : { name: outcome.name, outcome: outcome.outcome, id: `doc:${outcome.document.id}`, error: null },
    ),
  };
}
