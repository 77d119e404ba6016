/** Encodings of the code pages of `\ansicpg` that the platform decodes. */
const BY_CODE_PAGE: ReadonlyMap<number, string> = new Map([
  [866, 'ibm866'],
  [874, 'windows-874'],
  [932, 'shift_jis'],
  [936, 'gbk'],
  [949, 'euc-kr'],
  [950, 'big5'],
  [10000, 'macintosh'],
  [10007, 'x-mac-cyrillic'],
  [20866, 'koi8-r'],
  [54936, 'gb18030'],
  [65001, 'utf-8'],
  ...Array.from({ length: 9 }, (_, at) => [1250 + at, `windows-${1250 + at}`] as const),
]);

/** Encodings of the character sets of fonts (`\fcharset`). 0 and 1 are those of the document. */
const BY_CHARACTER_SET: ReadonlyMap<number, string> = new Map([
  [77, 'macintosh'],
  [128, 'shift_jis'],
  [129, 'euc-kr'],
  [134, 'gb18030'],
  [136, 'big5'],
  [161, 'windows-1253'],
  [162, 'windows-1254'],
  [163, 'windows-1258'],
  [177, 'windows-1255'],
  [178, 'windows-1256'],
  [186, 'windows-1257'],
  [204, 'windows-1251'],
  [222, 'windows-874'],
  [238, 'windows-1250'],
]);

export const DEFAULT_ENCODING = 'windows-1252';

/** The encoding of a code page; that of Western Windows for one that the platform cannot decode. */
export function encodingOfCodePage(codePage: number): string {
  return BY_CODE_PAGE.get(codePage) ?? DEFAULT_ENCODING;
}

/** The encoding of the text in a font of this character set; undefined for that of the document. */
export function encodingOfCharacterSet(characterSet: number): string | undefined {
  return BY_CHARACTER_SET.get(characterSet);
}
