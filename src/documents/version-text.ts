import { ServiceError } from '../kernel/errors.ts';
import type { Tenant } from '../kernel/tenant.ts';
import type { Documents } from './context.ts';
import { type ReadFile, readFileInProcess, sectionsOfFile } from './read-file.ts';
import { type DocumentRow, selectVersions } from './store.ts';

/** Longest text of an answer; two of them are compared in a page. */
const MOST_CHARACTERS = 400_000;

/** The text of one version of an upload. */
interface VersionText {
  version: number;
  /** Sections under their headings, with a blank line between. */
  text: string;
  /** There is more than 400,000 characters. */
  isCut: boolean;
}

/**
 * Reads a version of an upload from its kept bytes, in a process of its own: some 50 ms for Markdown, up to a minute for a
 * large PDF.
 *
 * @throws ServiceError `not_found` for a version that is not there, as for all of a product doc, whose versions its
 * repository has; `conflict` when it cannot be read.
 */
export async function versionText(
  documents: Documents,
  { tenant, row, signal }: { tenant: Tenant; row: DocumentRow; signal: AbortSignal },
  version: number,
): Promise<VersionText> {
  const versions = await selectVersions(documents.db, tenant, row.id);
  const match = versions.find((candidate) => candidate.version === version);
  if (match === undefined) {
    throw new ServiceError('not_found', `"${row.name}" has no version ${version}.`, {
      fix:
        row.kind === 'product_doc'
          ? 'Look at its history in the repository.'
          : `Use one of: ${versions.map((stored) => stored.version).join(', ')}.`,
    });
  }
  const file = { name: row.name, content: await documents.blobs.path(match.hash) };
  return readFileInProcess(documents, file, signal, async (result) => {
    if ('error' in result) throw new ServiceError('conflict', result.error.message, { fix: result.error.fix });
    if (result.type === 'zip') {
      throw new ServiceError('conflict', 'An archive has no text of its own.', { fix: 'Open one of its files.' });
    }
    return { version, ...(await joinSections(result)) };
  });
}

async function joinSections(file: ReadFile): Promise<Pick<VersionText, 'text' | 'isCut'>> {
  const parts: string[] = [];
  let length = 0;
  for await (const sections of sectionsOfFile(file)) {
    for (const { heading, text } of sections) {
      const part = heading === '' ? text : `${heading}\n\n${text}`;
      parts.push(part);
      length += part.length + 2;
    }
    if (length > MOST_CHARACTERS) break;
  }
  const text = parts.join('\n\n');
  return { text: text.slice(0, MOST_CHARACTERS), isCut: text.length > MOST_CHARACTERS };
}
