import type { ListResourcesResult } from '@modelcontextprotocol/server';
import { type Documents, readDocument, selectDocuments } from './documents/documents.ts';
import { ServiceError } from './kernel/errors.ts';
import type { ProductResources } from './mcp/server.ts';
import { findPlan, listPlans, type Plans } from './plans/plans.ts';

const PAGE = 100;
/** Characters of a document that a client gets; a book is read by sections with document-search-tool. */
const MOST_CHARACTERS = 200_000;
const ADDRESS = /^svc:\/\/(plan|document)\/([\p{L}\p{N}-]+)$/u;
const CURSOR = /^\d{1,9}$/;

/** Plans and documents of the product of a key, for clients that let people attach them: `svc://plan/<slug>`, `svc://document/<id>`. */
export function productResources({ plans, documents }: { plans: Plans; documents: Documents }): ProductResources {
  return {
    list: async (caller, cursor) => {
      const offset = readCursor(cursor);
      const summaries = offset === 0 ? await listPlans(plans, caller) : [];
      const { rows, total } = await selectDocuments(documents.db, caller, { limit: PAGE, offset });
      const resources: ListResourcesResult['resources'] = [
        ...summaries.map(({ row }) => ({
          uri: `svc://plan/${encodeURIComponent(row.slug)}`,
          name: row.slug,
          title: row.title,
          description: `Plan, ${row.status}`,
          mimeType: 'text/markdown',
        })),
        ...rows.map(({ id, name, title }) => ({
          uri: `svc://document/${id}`,
          name,
          title,
          mimeType: 'text/plain',
        })),
      ];
      const next = offset + rows.length;
      return { resources, ...(next < total && rows.length > 0 && { nextCursor: String(next) }) };
    },
    read: async (caller, uri) => {
      const [, kind, name = ''] = ADDRESS.exec(unescaped(uri)) ?? [];
      if (kind === 'plan') {
        const { text } = await findPlan(plans, caller, name);
        return { mimeType: 'text/markdown', text };
      }
      if (kind === 'document') return { mimeType: 'text/plain', text: await documentText(documents, caller, name) };
      throw new ServiceError('unknown_id', `There is no resource "${uri.slice(0, 80)}".`, {
        fix: 'Use an address from resources/list.',
      });
    },
  };
}

/** How many documents the pages before had; 0 without a cursor. */
function readCursor(cursor = '0'): number {
  if (CURSOR.test(cursor)) return Number(cursor);
  throw new ServiceError('bad_argument', `"${cursor.slice(0, 80)}" is no cursor of resources/list.`, {
    fix: 'Repeat the call without cursor.',
  });
}

/** An address without escapes; as it is when they are malformed. */
function unescaped(uri: string): string {
  try {
    return decodeURIComponent(uri);
  } catch {
    return uri;
  }
}

async function documentText(
  documents: Documents,
  caller: Parameters<typeof readDocument>[1],
  id: string,
): Promise<string> {
  const parts: string[] = [];
  let characters = 0;
  for (let section: string | undefined; characters < MOST_CHARACTERS;) {
    const { row, text, next } = await readDocument(documents, caller, {
      id,
      ...(section !== undefined && { section }),
    });
    if (text.length === 0 && row.status !== 'ready') throw unread(row);
    for (const { heading, text: own } of text) parts.push(heading === '' ? own : `${heading}\n\n${own}`);
    characters += text.reduce((sum, { text: own }) => sum + own.length, 0);
    if (next === undefined) break;
    section = next;
  }
  return parts.join('\n\n').slice(0, MOST_CHARACTERS);
}

function unread({ name, error }: Awaited<ReturnType<typeof readDocument>>['row']): ServiceError {
  if (error === null)
    return new ServiceError('conflict', `"${name}" is being read.`, { fix: 'Repeat the call in a minute.' });
  return new ServiceError('conflict', `"${name}" could not be read: ${error.message}`, { fix: error.fix });
}
