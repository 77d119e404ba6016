import { posix } from 'node:path';
import mammoth from 'mammoth';
import { extractText, getDocumentProxy, getMeta } from 'unpdf';
import { ServiceError } from '../kernel/errors.ts';
import { repackArchive } from '../platform/pack-archive.ts';
import { lockedFile, readParts } from './office-parts.ts';
import { parseHtmlContent } from './parse-html.ts';
import { type ParsedDocument, sectionsOf } from './sections.ts';

const RELATIONS = 'http://schemas.openxmlformats.org/package/2006/relationships';
/** Parts that are read: text and what leads to it. */
const PART = /\.(?:xml|rels)$/i;

/** Reads the text of a PDF, one section a page. Scripts and forms in it are not looked at. */
export async function parsePdf(bytes: Uint8Array): Promise<ParsedDocument> {
  try {
    // A copy: the library takes the memory away.
    const pdf = await getDocumentProxy(new Uint8Array(bytes));
    const { text } = await extractText(pdf, { mergePages: false });
    const { info } = await getMeta(pdf);
    const blocks = text.map((page, index) => ({ path: [`Page ${index + 1}`], text: page }));
    const title: unknown = info['Title'];
    return { title: typeof title === 'string' ? title.trim() : '', tags: [], sections: sectionsOf(blocks) };
  } catch (cause) {
    const isLocked = cause instanceof Error && cause.name === 'PasswordException';
    if (isLocked) throw lockedFile('The PDF', cause);
    throw brokenFile('The PDF is broken', cause);
  }
}

/** Reads the text of a Word document with its headings. */
export async function parseDocx(bytes: Buffer): Promise<ParsedDocument> {
  // Also checks limits, as the library itself has none.
  const parts = await readParts(bytes, 'The Word document', (name) => PART.test(name));
  try {
    const { value } = await mammoth.convertToHtml(
      { buffer: await withLinkTargets(bytes, parts) },
      { convertImage: mammoth.images.imgElement(async () => ({ src: '' })), externalFileAccess: false },
    );
    return parseHtmlContent(value);
  } catch (cause) {
    throw brokenFile('The Word document is broken', cause);
  }
}

/** The document with a target for each link that has none: the library reads no document with one missing. */
async function withLinkTargets(document: Buffer, parts: ReadonlyMap<string, string>): Promise<Buffer> {
  const added = [...parts].flatMap(([name, text]) => targetsOf(name, text, parts));
  if (added.length === 0) return document;
  return repackArchive(
    document,
    (name) => PART.test(name),
    (texts) => {
      for (const [name, text] of added) texts.set(name, text);
    },
  );
}

/** The relations of a part, with those that it names without a declaration. */
function targetsOf(name: string, text: string, parts: ReadonlyMap<string, string>): [string, string][] {
  const relations = `${posix.dirname(name)}/_rels/${posix.basename(name)}.rels`;
  const declared = parts.get(relations) ?? `<Relationships xmlns="${RELATIONS}"></Relationships>`;
  const ids = new Set([...declared.matchAll(/\sId\s*=\s*["']([^"']+)["']/g)].map(([, id]) => id));
  const named = new Set([...text.matchAll(/\sr:(?:id|embed|link)\s*=\s*["']([^"'&<>]+)["']/g)].map(([, id]) => id));
  const missing = [...named].filter((id) => !ids.has(id));
  if (missing.length === 0) return [];
  const targets = missing.map(
    (id) => `<Relationship xmlns="${RELATIONS}" Id="${id}" Type="missing" Target="#" TargetMode="External"/>`,
  );
  const closed = declared.replace(/<((?:\w+:)?Relationships)([^>]*)\/>/, '<$1$2></$1>');
  return [[relations, closed.replace(/<\/(?:\w+:)?Relationships>/, (end) => targets.join('') + end)]];
}

function brokenFile(what: string, cause: unknown): ServiceError {
  if (cause instanceof RangeError) {
    return new ServiceError('bad_argument', `${what}: it is nested too deeply.`, {
      fix: 'Save it as PDF or text, and upload that.',
      cause,
    });
  }
  // The library's message does not help the owner of the file: it is in the log, as the cause.
  return new ServiceError('bad_argument', `${what}.`, {
    fix: 'Open it in its program, save it again, and upload it.',
    cause,
  });
}
