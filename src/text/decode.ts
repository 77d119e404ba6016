import { declaredEncoding } from './declared-encoding.ts';
import { guessEncoding, decodeStrictly } from './guess-encoding.ts';

/** Text of bytes, and how its encoding was determined. */
interface DecodedText {
  /** Without a byte order mark. Where carriage returns alone end the lines, as on old Macs, they are line feeds. */
  text: string;
  /** Name of the encoding as the Encoding Standard spells it: `utf-8`, `windows-1252`, `shift_jis`. */
  encoding: string;
  /**
   * - `given`: named by the caller, such as an option at import;
   * - `mark`: a byte order mark;
   * - `declared`: a header, or a declaration inside the text;
   * - `valid`: nothing names it, and the bytes are valid UTF-8;
   * - `guessed`: by statistics over the bytes.
   */
  source: 'given' | 'mark' | 'declared' | 'valid' | 'guessed';
  /** True when it may be wrong: the encoding was guessed, or is not the declared one, or bytes were replaced. */
  isDoubtful: boolean;
}

/** Hints about bytes that do not come from the bytes themselves. */
export interface DecodeHints {
  /** Name or path of the file: its ending decides how a declaration is written. */
  path?: string;
  /** Encoding that somebody named, such as an option at import. A name that nobody knows counts as none. */
  encoding?: string | undefined;
  /** Value of a `Content-Type` header. */
  contentType?: string;
}

/** Share of zeros at even or odd positions from which on text is UTF-16: text in Latin letters has nearly all. */
const ZERO_SHARE = 0.3;
/** Fewer zeros tell nothing about an encoding. */
const LEAST_ZEROS = 3;
/** Zeros in this many bytes at the start tell UTF-16 and binary files; git looks at as many. */
const ZERO_WINDOW = 8_000;
/** A text with at least so many characters of several bytes for each invalid byte is UTF-8 with errors. */
const VALID_PER_INVALID = 4;

/**
 * Decodes bytes as text: by the encoding that the caller names, a byte order mark, a declaration (header, HTML `meta`, XML
 * declaration, CSS `@charset`, coding line), as UTF-8 where the bytes are valid, and by statistics otherwise. Undefined for
 * bytes that are not text. The one decoder of the service. About 300 MB a second for UTF-8.
 */
export function decodeText(bytes: Uint8Array, hints: DecodeHints = {}): DecodedText | undefined {
  const decoded = decodeBytes(bytes, hints);
  return decoded === undefined || decoded.text.includes('\n') || !decoded.text.includes('\r')
    ? decoded
    : { ...decoded, text: decoded.text.replaceAll('\r', '\n') };
}

function decodeBytes(bytes: Uint8Array, hints: DecodeHints): DecodedText | undefined {
  const given = canonicalEncoding(hints.encoding);
  if (given !== undefined) return decodeAs(bytes, given, 'given');
  const marked = markedEncoding(bytes);
  if (marked === 'utf-32le' || marked === 'utf-32be') return decodeUtf32(bytes, marked);
  if (marked !== undefined) return decodeAs(bytes, marked, 'mark');
  const declared = canonicalEncoding(declaredEncoding(bytes, hints));
  // UTF-16 that has no zeros is not: a declaration in ASCII that says so is wrong, as the HTML standard has it.
  if (declared !== undefined && !declared.startsWith('utf-16')) return decodeDeclared(bytes, declared);
  return decodeUndeclared(bytes);
}

/** The text of bytes that are text in any case, such as the body of a request; bytes that fit no encoding are replaced. */
export function decodeAnyText(bytes: Uint8Array, hints: DecodeHints = {}): string {
  return decodeText(bytes, hints)?.text ?? new TextDecoder().decode(bytes);
}

/** The standard name of an encoding; undefined for a name that nobody knows. */
export function canonicalEncoding(label: string | undefined): string | undefined {
  if (label === undefined || label.trim() === '') return undefined;
  const name = label.trim().toLowerCase();
  // As Python, Ruby, PHP and editors spell it.
  for (const spelling of [name, name.replaceAll('_', '-'), name.replace(/^(?:latin-(?=\d))/, 'latin'), `x-${name}`])
    try {
      return new TextDecoder(spelling.replace(/-(?:unix|dos|mac|sig)$/, '')).encoding;
    } catch {
      // Another spelling is tried.
    }
  const codePage = /^cp-?(\d+)$/.exec(name)?.[1];
  return codePage === undefined ? undefined : canonicalEncoding(CODE_PAGES[codePage] ?? `windows-${codePage}`);
}

const CODE_PAGES: Readonly<Record<string, string>> = {
  '65001': 'utf-8',
  '866': 'ibm866',
  '932': 'shift_jis',
  '936': 'gb18030',
  '949': 'euc-kr',
  '950': 'big5',
};

function markedEncoding([a, b, c, d]: Uint8Array): string | undefined {
  if (a === 0xef && b === 0xbb && c === 0xbf) return 'utf-8';
  if (a === 0xff && b === 0xfe) return c === 0 && d === 0 ? 'utf-32le' : 'utf-16le';
  if (a === 0 && b === 0 && c === 0xfe && d === 0xff) return 'utf-32be';
  return a === 0xfe && b === 0xff ? 'utf-16be' : undefined;
}

function decodeAs(bytes: Uint8Array, encoding: string, source: DecodedText['source']): DecodedText {
  const strict = decodeStrictly(bytes, encoding);
  const text = strict ?? new TextDecoder(encoding).decode(bytes);
  return { text, encoding, source, isDoubtful: source === 'guessed' || strict === undefined };
}

function decodeDeclared(bytes: Uint8Array, declared: string): DecodedText | undefined {
  if (declared === 'utf-8') {
    const text = decodeStrictly(bytes, declared);
    if (text === undefined) return decodeUndeclared(bytes);
    return { text, encoding: declared, source: 'declared', isDoubtful: false };
  }
  // Text of one-byte encodings is as good as never valid UTF-8 by chance.
  if (isOneByte(declared) && /[^\0-\x7f]/.test(decodeStrictly(bytes, 'utf-8') ?? ''))
    return { ...decodeAs(bytes, 'utf-8', 'valid'), isDoubtful: true };
  return decodeAs(bytes, declared, 'declared');
}

function isOneByte(encoding: string): boolean {
  return /^(?:windows|iso-8859|koi8|ibm|macintosh|x-mac)/.test(encoding);
}

function decodeUndeclared(bytes: Uint8Array): DecodedText | undefined {
  const zeros = encodingOfZeros(bytes);
  if (zeros === 'binary') return undefined;
  if (zeros !== undefined) return decodeAs(bytes, zeros, 'guessed');
  const text = decodeStrictly(bytes, 'utf-8');
  if (text !== undefined) {
    if (text.includes('\u001B$B') || text.includes('\u001B$@')) return decodeAs(bytes, 'iso-2022-jp', 'guessed');
    return { text, encoding: 'utf-8', source: 'valid', isDoubtful: false };
  }
  const replaced = new TextDecoder().decode(bytes);
  let [invalid, several] = [0, 0];
  for (let at = 0; at < replaced.length; at += 1) {
    const code = replaced.charCodeAt(at);
    if (code === 0xfffd) invalid += 1;
    else if (code > 0x7f) several += 1;
  }
  if (several >= invalid * VALID_PER_INVALID) return decodeAs(bytes, 'utf-8', 'guessed');
  const guessed = guessEncoding(bytes);
  return guessed === undefined ? undefined : decodeAs(bytes, guessed, 'guessed');
}

/** The encoding that zeros tell: UTF-16 without a mark, or none because the bytes are no text; undefined without any. */
function encodingOfZeros(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | 'binary' | undefined {
  const sample = bytes.subarray(0, ZERO_WINDOW);
  let [even, odd] = [0, 0];
  for (let at = sample.indexOf(0); at !== -1; at = sample.indexOf(0, at + 1))
    if (at % 2 === 0) even += 1;
    else odd += 1;
  if (even + odd === 0) return bytes.includes(0) ? 'binary' : undefined;
  if (even + odd < LEAST_ZEROS) return 'binary';
  const least = (ZERO_SHARE * sample.length) / 2;
  if (odd >= least && even * 10 < odd) return 'utf-16le';
  return even >= least && odd * 10 < even ? 'utf-16be' : 'binary';
}

function decodeUtf32(bytes: Uint8Array, encoding: 'utf-32le' | 'utf-32be'): DecodedText {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const parts: string[] = [];
  let isDoubtful = bytes.byteLength % 4 !== 0;
  for (let at = 4; at + 3 < bytes.byteLength; at += 4) {
    const point = view.getUint32(at, encoding === 'utf-32le');
    const isPoint = point <= 0x10ffff && (point < 0xd800 || point > 0xdfff);
    if (!isPoint) isDoubtful = true;
    parts.push(isPoint ? String.fromCodePoint(point) : '\uFFFD');
  }
  return { text: parts.join(''), encoding, source: 'mark', isDoubtful };
}
