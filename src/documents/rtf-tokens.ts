/** One piece of an RTF file, in the terms of its specification (1.9.1). */
export type RtfToken =
  | { kind: 'open' }
  | { kind: 'close' }
  /** A control word, with its parameter when it has one. */
  | { kind: 'word'; word: string; parameter: number | undefined }
  /** A control symbol, such as `~` or `*`. */
  | { kind: 'symbol'; symbol: string }
  /** One byte of text, in the code page of the font. */
  | { kind: 'byte'; byte: number };

const BACKSLASH = 0x5c;
const OPEN = 0x7b;
const CLOSE = 0x7d;
const CARRIAGE_RETURN = 0x0d;
const LINE_FEED = 0x0a;
const MINUS = 0x2d;
const SPACE = 0x20;
const APOSTROPHE = 0x27;
/** Longest control word and parameter that are read: Word writes none that is longer. */
const MOST_LETTERS = 32;
const MOST_DIGITS = 10;

/** The tokens of an RTF file, in order. Any bytes are read; `\bin` data is skipped. */
export function* rtfTokens(bytes: Uint8Array): Generator<RtfToken> {
  let at = 0;
  while (at < bytes.length) {
    const byte = bytes[at] ?? 0;
    if (byte === OPEN || byte === CLOSE) {
      at += 1;
      yield { kind: byte === OPEN ? 'open' : 'close' };
    } else if (byte === CARRIAGE_RETURN || byte === LINE_FEED) at += 1;
    else if (byte === BACKSLASH) {
      const { token, end } = readControl(bytes, at + 1);
      at = end;
      if (token.kind === 'word' && token.word === 'bin') at += Math.max(0, token.parameter ?? 0);
      else yield token;
    } else {
      at += 1;
      yield { kind: 'byte', byte };
    }
  }
}

/** The control word, control symbol or byte behind a backslash. */
function readControl(bytes: Uint8Array, start: number): { token: RtfToken; end: number } {
  const first = bytes[start] ?? SPACE;
  if (first === APOSTROPHE) {
    const digits = String.fromCharCode(bytes[start + 1] ?? 0, bytes[start + 2] ?? 0);
    const byte = /^[0-9a-f]{2}$/i.test(digits) ? Number.parseInt(digits, 16) : SPACE;
    return { token: { kind: 'byte', byte }, end: start + 3 };
  }
  // A line break behind a backslash ends a paragraph.
  if (first === CARRIAGE_RETURN || first === LINE_FEED)
    return { token: { kind: 'word', word: 'par', parameter: undefined }, end: start + 1 };
  if (!isLetter(first)) return { token: { kind: 'symbol', symbol: String.fromCharCode(first) }, end: start + 1 };
  let at = start;
  while (isLetter(bytes[at] ?? 0) && at - start < MOST_LETTERS) at += 1;
  const word = latin(bytes, start, at);
  const digits = bytes[at] === MINUS ? at + 1 : at;
  let end = digits;
  while (isDigit(bytes[end] ?? 0) && end - digits < MOST_DIGITS) end += 1;
  const parameter = end === digits ? undefined : Number(latin(bytes, at, end));
  if (parameter === undefined) end = at;
  if (bytes[end] === SPACE) end += 1;
  return { token: { kind: 'word', word, parameter }, end };
}

function latin(bytes: Uint8Array, start: number, end: number): string {
  return String.fromCharCode(...bytes.subarray(start, end));
}

function isLetter(byte: number): boolean {
  return (byte >= 0x61 && byte <= 0x7a) || (byte >= 0x41 && byte <= 0x5a);
}

function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39;
}
