import { posix } from 'node:path';
import { ServiceError } from '../kernel/errors.ts';
import { readParts, takePart, titleOfPart, withoutPrefix } from './office-parts.ts';
import { htmlBlocks } from './parse-html.ts';
import { type Block, documentOf, type ParsedDocument } from './sections.ts';
import { readXml } from '../platform/xml.ts';

const CONTAINER = 'META-INF/container.xml';
const ENCRYPTION = 'META-INF/encryption.xml';
const PART = /\.(?:xml|opf|ncx|x?html?|htm)$/i;

/** The package document of a book. */
interface Package {
  title: string;
  /** Paths of the chapters, in reading order. */
  chapters: string[];
  /** Path of the list of chapters. */
  contents: string | undefined;
}

/** Reads the text of a book: its chapters in reading order, by their headings, or by their names in the table of contents. */
export async function parseEpub(bytes: Buffer): Promise<ParsedDocument> {
  const parts = await readParts(bytes, 'The EPUB', (name) => PART.test(name));
  const packaged = packageOf(parts);
  if (isProtected(parts, packaged.chapters))
    throw new ServiceError('bad_argument', 'The EPUB is protected: its chapters are encrypted.', {
      fix: 'Upload a copy without protection.',
    });
  const names = contentsOf(parts, packaged.contents);
  const blocks = packaged.chapters.flatMap((chapter): Block[] => {
    const read = htmlBlocks(takePart(parts, chapter));
    const name = names.get(chapter);
    if (name === undefined || read.some(({ path }) => path.length > 0)) return read;
    return read.map(({ text }) => ({ path: [name], text }));
  });
  return documentOf(blocks, packaged.title);
}

function packageOf(parts: ReadonlyMap<string, string>): Package {
  let root: string | undefined;
  readXml(parts.get(CONTAINER) ?? '', {
    open: (name, { 'full-path': path }) => {
      if (withoutPrefix(name) === 'rootfile') root ??= path;
    },
  });
  const items = new Map<string, { path: string; properties: string; type: string }>();
  const spine: string[] = [];
  let ncx = '';
  const folder = posix.dirname(root ?? '');
  const source = parts.get(root ?? '') ?? '';
  readXml(source, {
    open: (name, { id = '', href = '', properties = '', idref = '', toc = '', 'media-type': type = '' }) => {
      const tag = withoutPrefix(name);
      if (tag === 'item') items.set(id, { path: pathOf(folder, href), properties, type });
      else if (tag === 'itemref') spine.push(idref);
      else if (tag === 'spine') ncx = toc;
    },
  });
  const contents = [...items.values()].find(({ properties }) => properties.split(/\s+/).includes('nav'))?.path;
  const chapters = spine.flatMap((id) => items.get(id)?.path ?? []).filter((path) => path !== contents);
  return { title: titleOfPart(source), chapters, contents: contents ?? items.get(ncx)?.path };
}

/** The path in the archive that an address in a part of `folder` means. */
function pathOf(folder: string, href: string): string {
  const [path = ''] = href.split('#', 1);
  try {
    return posix.join(folder, decodeURIComponent(path));
  } catch {
    return posix.join(folder, path);
  }
}

/** The name of each chapter in the table of contents: of EPUB 3 (`nav`) or 2 (`ncx`). */
function contentsOf(parts: ReadonlyMap<string, string>, contents: string | undefined): Map<string, string> {
  const names = new Map<string, string>();
  if (contents === undefined) return names;
  const folder = posix.dirname(contents);
  let [text, target] = ['', ''];
  const add = (path: string, name: string): void => {
    const trimmed = name.replaceAll(/\s+/g, ' ').trim();
    if (trimmed !== '' && !names.has(path)) names.set(path, trimmed);
  };
  readXml(parts.get(contents) ?? '', {
    open: (name, { href = '', src = '' }) => {
      const tag = withoutPrefix(name);
      if (tag === 'a') [text, target] = ['', pathOf(folder, href)];
      else if (tag === 'text') text = '';
      else if (tag === 'content') add(pathOf(folder, src), text);
    },
    text: (part) => {
      text += part;
    },
    close: (name) => {
      if (withoutPrefix(name) === 'a') add(target, text);
    },
  });
  return names;
}

/** Reports whether the bytes of a chapter are encrypted; books may scramble fonts alone. */
function isProtected(parts: ReadonlyMap<string, string>, chapters: readonly string[]): boolean {
  const encrypted = new Set<string>();
  readXml(parts.get(ENCRYPTION) ?? '', {
    open: (name, { URI: path = '' }) => {
      if (withoutPrefix(name) === 'CipherReference') encrypted.add(pathOf('', path));
    },
  });
  return chapters.some((chapter) => encrypted.has(chapter));
}
