import { baseName } from '../kernel/paths.ts';
import { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import type { Tenant } from '../kernel/tenant.ts';
import { ServiceError } from '../kernel/errors.ts';
import { decodeCursor, encodeCursor } from '../kernel/page.ts';
import { filesOfForm } from '../platform/forms.ts';
import { READ, type Right } from '../platform/rights.ts';
import { authorize, describeRoutes, json, newRoutes, type SliceRoutes, type WebEnv } from '../platform/web.ts';
import {
  detailBody,
  documentBody,
  DocumentDetail,
  DocumentList,
  DocumentTextBody,
  textBody,
  UploadBody,
  uploadBody,
  VersionTextBody,
} from './document-bodies.ts';
import {
  countDocuments,
  type DocumentFilter,
  type Documents,
  documentVersions,
  findDocument,
  originalOf,
  readDocument,
  removeDocument,
  saveUploads,
  selectDocuments,
  type UploadFile,
} from './documents.ts';
import { versionText } from './version-text.ts';

/** Largest body of an upload: one file of 50 MB, or several smaller ones, with what surrounds them. */
export const MOST_UPLOAD_BYTES = 64 * 1024 * 1024;
/** The paths that take bodies as large as this. */
export const UPLOAD_PATH = /^\/(?:v1|app\/api)\/documents$/;

const MOST_FILES = 1_000;
const route = describeRoutes('Documents');

/** Dependencies of the routes. `startReading` queues the job that reads what was uploaded. */
export interface DocumentRoutesParts {
  documents: Documents;
  startReading: (tenant: Tenant) => Promise<void>;
}

const Id = z.object({ id: z.string().describe('doc:… or the id alone') });
const Filter = z.object({
  kind: z.enum(['upload', 'product_doc']).optional(),
  status: z.enum(['waiting', 'ready', 'failed']).optional(),
  query: z.string().max(200).optional().describe('Part of the name or title'),
  limit: z.coerce.number().int().min(1).max(200).default(50),
  cursor: z.string().optional(),
});

const binary = { schema: { type: 'string' as const, format: 'binary' } };

const ALL = '/documents';
const ONE = `${ALL}/{id}` as const;

const descriptions = {
  list: route('get', ALL, 'Uploads and product docs, sorted by name', {
    query: Filter,
    answers: { 200: json(DocumentList, 'One page') },
  }),
  upload: uploadRoute(),
  find: route('get', ONE, 'One document with its versions', {
    params: Id,
    answers: { 200: json(DocumentDetail, 'The document') },
  }),
  text: route('get', `${ONE}/text`, 'The sections of a document, and its text from one section on', {
    params: Id,
    query: z.object({ section: z.string().optional().describe('Id or heading') }),
    answers: { 200: json(DocumentTextBody, 'Some 12,000 characters') },
  }),
  version: route('get', `${ONE}/versions/{version}/text`, 'The text of one version of an upload', {
    params: Id.extend({ version: z.coerce.number().int().min(1) }),
    answers: { 200: json(VersionTextBody, 'At most 400,000 characters') },
  }),
  original: route('get', `${ONE}/original`, 'The newest version, as uploaded', {
    params: Id,
    answers: { 200: { description: 'The file', content: { 'application/octet-stream': binary } } },
  }),
  remove: route('delete', ONE, 'Delete an upload with its versions', { params: Id }),
};

function uploadRoute() {
  return route('post', ALL, 'Upload files; they are read in the background', {
    description:
      'Either multipart/form-data with any number of files, or one file as the body with its name in `name`. Markdown, text, HTML, PDF, DOCX, PPTX, XLSX, ODT, RTF, EPUB, CSV, or a ZIP of these; 50 MB a file. A file with the name of an earlier one becomes a new version; the same content changes nothing. A file that cannot be accepted is refused without affecting the others.',
    query: z.object({
      name: z.string().optional().describe('Name of the file, when the body is one file'),
      tags: z.string().optional().describe('Separated by commas'),
    }),
    body: { content: { 'application/octet-stream': binary } },
    answers: { 202: json(UploadBody, 'What happened to each file') },
  });
}

const WRITE: Right = { scope: 'decisions:write', role: 'member' };
/** No key takes away what people uploaded. */
const MANAGE: Right = { scope: 'owner', role: 'member' };

/** Uploads and product docs. */
export function documentRoutes({ documents, startReading }: DocumentRoutesParts): SliceRoutes {
  const routes = newRoutes();
  const described = descriptions;
  routes.openapi(described.list, async (c) => {
    const tenant = authorize(c, READ);
    return c.json(await page(documents, tenant, c.req.valid('query')), 200);
  });
  routes.openapi(described.upload, async (c) => {
    const request = authorize(c, WRITE);
    const { name, tags = '' } = c.req.valid('query');
    const names = tags.split(',').map((tag) => tag.trim());
    const files = await filesOf(c, name);
    const outcomes = await saveUploads(documents, { ...request, tags: names.filter((tag) => tag !== '') }, files);
    await startReading(request);
    return c.json(uploadBody(outcomes), 202);
  });
  routes.openapi(described.find, async (c) => {
    const tenant = authorize(c, READ);
    const row = await findDocument(documents, tenant, c.req.valid('param').id);
    return c.json(detailBody(row, await documentVersions(documents, tenant, row.id)), 200);
  });
  routes.openapi(described.text, async (c) => {
    const tenant = authorize(c, READ);
    const { section } = c.req.valid('query');
    const request = { id: c.req.valid('param').id, ...(section !== undefined && { section }) };
    return c.json(textBody(await readDocument(documents, tenant, request)), 200);
  });
  routes.openapi(described.version, async (c) => {
    const tenant = authorize(c, READ);
    const { id, version } = c.req.valid('param');
    const row = await findDocument(documents, tenant, id);
    const { text, isCut } = await versionText(documents, { tenant, row, signal: c.req.raw.signal }, version);
    return c.json({ version, text, is_cut: isCut }, 200);
  });
  routes.openapi(described.original, async (c) => {
    const row = await findDocument(documents, authorize(c, READ), c.req.valid('param').id);
    const bytes = await originalOf(documents, row);
    if (bytes === undefined) {
      throw new ServiceError('not_found', `The service does not keep the original of "${row.name}".`, {
        fix: 'Open the file in its repository.',
      });
    }
    // Never shown by a browser: what it holds is somebody else's.
    const name = encodeURIComponent(baseName(row.name));
    c.header('Content-Disposition', `attachment; filename*=UTF-8''${name}`);
    c.header('Content-Type', 'application/octet-stream');
    c.header('Content-Security-Policy', "default-src 'none'; sandbox");
    return c.body(Uint8Array.from(bytes), 200);
  });
  routes.openapi(described.remove, async (c) => {
    await removeDocument(documents, authorize(c, MANAGE), c.req.valid('param').id);
    return c.body(null, 204);
  });
  return { routes, v1: '/', app: '/' };
}

async function page(
  documents: Documents,
  tenant: Tenant,
  { cursor, limit, ...filters }: z.output<typeof Filter>,
): Promise<z.output<typeof DocumentList>> {
  const given = Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined));
  const binding = { arguments: given, generation: tenant.productId };
  const offset = decodeCursor(binding, cursor);
  const filter: DocumentFilter = { ...given, limit, offset };
  const { rows, total } = await selectDocuments(documents.db, tenant, filter);
  const counts = { waiting: 0, ready: 0, failed: 0 };
  for (const { status, documents: number } of await countDocuments(documents.db, tenant)) counts[status] += number;
  const next = offset + rows.length < total ? encodeCursor(binding, offset + rows.length) : null;
  return { documents: rows.map(documentBody), total, counts, next };
}

/** @throws ServiceError `bad_argument` for a body without a name; what reading a form throws. */
async function filesOf(
  c: Context<WebEnv>,
  name: string | undefined,
): Promise<Iterable<UploadFile> | AsyncIterable<UploadFile>> {
  const contentType = c.req.header('content-type') ?? '';
  const body = await bodyOf(c);
  if (contentType.startsWith('multipart/form-data')) return filesOfForm({ contentType, body, mostFiles: MOST_FILES });
  if (name !== undefined && name !== '') return [{ name, content: body }];
  throw new ServiceError('bad_argument', 'The file has no name.', {
    fix: 'Add ?name=<file name>, or send multipart/form-data.',
  });
}

/** As it arrives, unless it was looked at before. */
async function bodyOf(c: Context<WebEnv>): Promise<AsyncIterable<Uint8Array>> {
  const { body } = c.req.raw.bodyUsed ? new Response(await c.req.arrayBuffer()) : c.req.raw;
  return body ?? new Blob([]).stream();
}
