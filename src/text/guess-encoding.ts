/** Encodings that are tried, each with what its scores count: the order decides between equals, rare ones must fit better. */
const CANDIDATES: readonly (readonly [encoding: string, weight: number])[] = [
  ['windows-1252', 1],
  ['shift_jis', 1],
  ['euc-jp', 1],
  ['gb18030', 1],
  ['euc-kr', 1],
  ['big5', 1],
  ['windows-1251', 1],
  ['koi8-r', 1],
  ['ibm866', 0.75],
  ['windows-1253', 1],
  ['windows-1250', 1],
  ['windows-1255', 0.65],
  ['windows-1256', 0.65],
];

/** Bytes of a text that are looked at. */
const SAMPLE_BYTES = 4_096;
/** Characters with a lower mean score are not text in any encoding. */
const LEAST_SCORE = 0.3;

/** The most frequent characters of Chinese text: the forms of the mainland, then those of Taiwan that differ. */
const FREQUENT_HAN = new Set(
  '的一是不了在人有我他这中大来上个国到说们为子和你地出道也时年得就那要下以生会自着去之过家学对可里后小么心多天而能好都然没日于起还发成事只作当想看文无开手用主行方又如前所本见经头面公同三已老从动两长知样现分将外但身些与高意进把法此实回二理美点月明其种声全工己话儿者向情部正名定女问力机给等几很业最间新什打便位因重被走电四第门相次东政海口使教西再平真听世气信北少关并内加化由却代军产入先山五太水万市' +
    '這來個國說們為時會著過學對裡後麼沒還發當無開見經頭從動兩長樣現將與進實點種聲話兒問機給幾業間電門東氣關並內卻軍產萬',
);

/**
 * The likeliest encoding of bytes that are no UTF-8: of those in which all bytes mean something, the one whose characters
 * stand together as they do in words. Undefined when none reads as text. Short texts can be in doubt: then it is
 * windows-1252.
 */
export function guessEncoding(bytes: Uint8Array): string | undefined {
  const sample = sampleOf(bytes);
  let best: { encoding: string; score: number } | undefined;
  for (const [encoding, weight] of CANDIDATES) {
    const text = decodeStrictly(sample, encoding);
    if (text === undefined) continue;
    const score = scoreOf(text) * weight;
    if (best === undefined || score > best.score + 0.02) best = { encoding, score };
  }
  return best !== undefined && best.score >= LEAST_SCORE ? best.encoding : undefined;
}

/** The lines that are not ASCII, as far as there is room. */
function sampleOf(bytes: Uint8Array): Uint8Array {
  const lines: Uint8Array[] = [];
  let size = 0;
  for (let start = 0; start < bytes.length && size < SAMPLE_BYTES;) {
    const feed = bytes.indexOf(0x0a, start);
    const end = feed === -1 ? bytes.length : feed + 1;
    const line = bytes.subarray(start, end);
    if (line.some((byte) => byte >= 0x80)) {
      lines.push(line.subarray(0, SAMPLE_BYTES));
      size += line.length;
    }
    start = end;
  }
  return Buffer.concat(lines);
}

/** The text of bytes in an encoding; undefined where they are none in it. */
export function decodeStrictly(sample: Uint8Array, encoding: string): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(sample);
  } catch {
    return undefined;
  }
}

/** Returns how much a decoded text reads like text: the mean over its characters that are not ASCII, 0 to 1. */
function scoreOf(text: string): number {
  const characters = Array.from(text);
  let [sum, count] = [0, 0];
  for (const [at, character] of characters.entries()) {
    if (character <= '\x7f') {
      // A form feed or a tab is text; other control characters are not.
      if (character < ' ' && !'\t\n\f\r\u001B'.includes(character)) [sum, count] = [sum - 1, count + 1];
      continue;
    }
    sum += scoreOfCharacter(character, characters[at - 1] ?? '', characters[at + 1] ?? '');
    count += 1;
  }
  return count === 0 ? 0 : sum / count;
}

const ASCII_LETTER = /^[A-Za-z]$/;
const LETTER = /^\p{L}$/u;

function scoreOfCharacter(character: string, before: string, after: string): number {
  if (/[\u0080-\u009f\uFFFD]|\p{Co}|\p{Cn}/u.test(character)) return -2;
  if (/\p{Script=Latin}/u.test(character)) return scoreOfLatin(character, before, after);
  for (const script of [/\p{Script=Cyrillic}/u, /\p{Script=Greek}/u, /\p{Script=Hebrew}/u, /\p{Script=Arabic}/u])
    if (script.test(character)) return scoreOfAlphabet(script, character, [before, after]);
  if (/[\u3040-\u30ff]/.test(character)) return isAmongAscii(before, after) ? 0.3 : 1;
  if (/\p{Script=Hangul}/u.test(character))
    return isAmongAscii(before, after) ? 0.2 : /\p{Script=Han}/u.test(before + after) ? 0.3 : 0.95;
  if (/\p{Script=Han}/u.test(character)) return scoreOfHan(character, before, after);
  if (/[\uff61-\uff9f]/.test(character)) return 0.2;
  if (/[\u2500-\u259f]/.test(character)) return 0.1;
  if (/[\u3000-\u303f\uff01-\uff5e]/.test(character)) return 0.9;
  return /[«»–—‘’“”„…•·©®°€£§№¿¡²³½×\u00a0]/.test(character) ? 0.7 : 0.25;
}

/** A Latin letter with a sign stands in a word of plain ones; two and more in a row are rare. */
function scoreOfLatin(character: string, before: string, after: string): number {
  const neighbours = [before, after].filter((one) => LETTER.test(one));
  if (neighbours.some((one) => !/\p{Script=Latin}/u.test(one))) return 0.1;
  const foreign = neighbours.filter((one) => !ASCII_LETTER.test(one)).length;
  if (foreign > 0) return foreign === 2 ? 0.1 : 0.45;
  const isCapitalInside = /\p{Lu}/u.test(character) && /\p{Ll}/u.test(before);
  const isCommon = /[äöüßÄÖÜàâçéèêëîïôùûœæÀÂÇÉÈÊáíóúñÁÍÓÚÑåøÅØãõÃÕìòÌÒ]/.test(character);
  return isCapitalInside ? 0.4 : isCommon ? 0.97 : 0.8;
}

/** A letter of another alphabet stands among its own, and capitals before small letters. */
function scoreOfAlphabet(script: RegExp, character: string, neighbours: readonly [string, string]): number {
  if (neighbours.some((one) => ASCII_LETTER.test(one) || /\p{Script=Latin}/u.test(one))) return 0.1;
  if (!neighbours.some((one) => script.test(one))) return 0.5;
  const isSmallBefore = script.test(neighbours[0]) && /\p{Ll}/u.test(neighbours[0]);
  if (/\p{Lu}/u.test(character)) return isSmallBefore ? 0.1 : 0.9;
  const isCapitalBefore = /\p{Lu}/u.test(neighbours[0]) && script.test(neighbours[0]);
  return isCapitalBefore ? 0.95 : 1;
}

function scoreOfHan(character: string, before: string, after: string): number {
  if (isAmongAscii(before, after)) return 0.1;
  if (FREQUENT_HAN.has(character)) return 1;
  return ASCII_LETTER.test(before) || ASCII_LETTER.test(after) ? 0.4 : 0.7;
}

function isAmongAscii(before: string, after: string): boolean {
  return ASCII_LETTER.test(before) && ASCII_LETTER.test(after);
}
