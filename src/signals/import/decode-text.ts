/** The text of a file, and the encoding that it was read in. */
interface DecodedText {
  text: string;
  encoding: 'UTF-8' | 'UTF-16LE' | 'UTF-16BE' | 'Windows-1252';
}

/** Bytes that are looked at for the zeros of UTF-16. */
const SAMPLE_BYTES = 4_096;
/** Share of zeros at even or odd places from which on it is UTF-16: text of the Latin alphabet has nearly all. */
const ZERO_SHARE = 0.3;

/** Reads text by its byte order mark, else by its zeros, else as UTF-8, and as Windows-1252 when it is no UTF-8. */
export function decodeText(bytes: Uint8Array): DecodedText {
  const encoding = encodingOf(bytes);
  return { text: new TextDecoder(encoding).decode(bytes), encoding };
}

function encodingOf(bytes: Uint8Array): DecodedText['encoding'] {
  const [first, second, third] = bytes;
  if (first === 0xff && second === 0xfe) return 'UTF-16LE';
  if (first === 0xfe && second === 0xff) return 'UTF-16BE';
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'UTF-8';
  const sample = bytes.subarray(0, SAMPLE_BYTES);
  const zeros = [0, 0];
  for (const [at, byte] of sample.entries()) if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
  const least = (ZERO_SHARE * sample.length) / 2;
  if (sample.length > 1 && (zeros[1] ?? 0) >= least && least > 0) return 'UTF-16LE';
  if (sample.length > 1 && (zeros[0] ?? 0) >= least && least > 0) return 'UTF-16BE';
  try {
    new TextDecoder('UTF-8', { fatal: true }).decode(bytes);
    return 'UTF-8';
  } catch {
    return 'Windows-1252';
  }
}
