import type { DecodeHints } from './decode.ts';

/** Bytes at the beginning of a text that may hold a declaration: as many as the HTML standard's prescan reads. */
const HEAD_BYTES = 1_024;

/** `# -*- coding: latin-1 -*-`, `# vim: set fileencoding=cp1252 :`, `;; coding: utf-8`, in a comment of the first two lines. */
const CODING_LINE = /^[ \t\f]*(?:#|\/\/|\/\*|;|--|%|"|<!--|\(\*).*?coding[:=][ \t]*["']?([-\w.]+)/;
const XML_DECLARATION = /^\s*<\?xml[^>]{0,200}?\sencoding\s*=\s*["']([\w.:-]+)["']/;
const CSS_CHARSET = /^@charset "([\w.:-]+)";/;
const HEADER_CHARSET = /charset\s*=\s*["']?\s*([\w.:-]+)/i;

const MARKUP = /\.(?:html?|xhtml|xht|mhtml)$/i;
const STYLE = /\.(?:css|less|s[ac]ss)$/i;

/**
 * The encoding that a header or the text itself declares, as it is spelled there; undefined without a declaration. The
 * header goes before the text.
 */
export function declaredEncoding(bytes: Uint8Array, { contentType = '', path = '' }: DecodeHints): string | undefined {
  const named = HEADER_CHARSET.exec(contentType)?.[1];
  if (named !== undefined) return named;
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(HEAD_BYTES, bytes.byteLength)).toString('latin1');
  const xml = XML_DECLARATION.exec(head)?.[1];
  if (xml !== undefined) return xml;
  if (STYLE.test(path)) return CSS_CHARSET.exec(head)?.[1];
  if (MARKUP.test(path) || /html/i.test(contentType) || /^\s*<(?:!doctype html|html|head|meta)\b/i.test(head))
    return prescanMarkup(head);
  const [first = '', second = ''] = head.split(/\r\n?|\n/, 2);
  return CODING_LINE.exec(first)?.[1] ?? (isComment(first) ? CODING_LINE.exec(second)?.[1] : undefined);
}

/** A second line declares only below a comment or an empty line, as Python has it. */
function isComment(line: string): boolean {
  return /^[ \t\f]*(?:$|#|\/\/|\/\*|;|--|%|"|<!--|\(\*)/.test(line);
}

/**
 * The encoding of a `meta` element by the HTML standard's "prescan a byte stream to determine its encoding": comments and
 * other elements are skipped, and a `charset` counts as an attribute of its own or in the `content` of a
 * `http-equiv=content-type`, so that a description which mentions one does not.
 */
function prescanMarkup(head: string): string | undefined {
  const comment = /^<!--(?:>|->|[\s\S]*?-->)/;
  for (let at = head.indexOf('<'); at !== -1; at = head.indexOf('<', at)) {
    const remainder = head.slice(at);
    const skipped = comment.exec(remainder)?.[0].length ?? 0;
    if (skipped > 0) at += skipped;
    else if (remainder.startsWith('<!--')) return undefined;
    else if (/^<\/?[a-z]/i.test(remainder)) {
      const tag = readTag(head, at);
      const encoding = /^meta$/i.test(tag.name) ? encodingOfMeta(tag.attributes) : undefined;
      if (encoding !== undefined) return encoding;
      at = tag.end;
    } else if (/^<[!/?]/.test(remainder)) {
      const end = head.indexOf('>', at);
      if (end === -1) return undefined;
      at = end + 1;
    } else at += 1;
  }
  return undefined;
}

interface Tag {
  name: string;
  attributes: Map<string, string>;
  end: number;
}

function readTag(head: string, start: number): Tag {
  const [whole = '', name = ''] = /^<(\/?[^\s/>]*)/.exec(head.slice(start)) ?? [];
  const attributes = new Map<string, string>();
  const attribute = /[\s/]*(?:([^\s/>=][^\s/>=]*)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]*)))?|(>)|=)/y;
  attribute.lastIndex = start + whole.length;
  for (let match = attribute.exec(head); match !== null; match = attribute.exec(head)) {
    const [, key, double, single, bare, close] = match;
    if (close !== undefined) return { name, attributes, end: attribute.lastIndex };
    if (key !== undefined && !attributes.has(key.toLowerCase()))
      attributes.set(key.toLowerCase(), double ?? single ?? bare ?? '');
  }
  return { name, attributes, end: head.length };
}

function encodingOfMeta(attributes: ReadonlyMap<string, string>): string | undefined {
  const charset = attributes.get('charset');
  const isContentType = attributes.get('http-equiv')?.toLowerCase() === 'content-type';
  const content = isContentType ? HEADER_CHARSET.exec(attributes.get('content') ?? '')?.[1] : undefined;
  const label = charset ?? content;
  if (label === undefined) return undefined;
  if (/^utf-?16/i.test(label.trim())) return 'utf-8';
  return /^x-user-defined$/i.test(label.trim()) ? 'windows-1252' : label;
}
