import { expect, test } from 'vitest';
import { canonicalEncoding, decodeText, type DecodeHints } from './decode.ts';

const latin = (text: string): Buffer => Buffer.from(text, 'latin1');
const hex = (digits: string): Buffer => Buffer.from(digits.replaceAll(' ', ''), 'hex');

/** Returns the decoded text's encoding and source in one line, with `?` for doubt. */
function described(bytes: Uint8Array, hints: DecodeHints = {}): string {
  const decoded = decodeText(bytes, hints);
  if (decoded === undefined) return 'no text';
  return `${decoded.encoding} ${decoded.source}${decoded.isDoubtful ? '?' : ''} ${decoded.text}`;
}

test('a byte order mark says the encoding and is no part of the text', () => {
  expect(described(Buffer.from('\ufeffprüfe'))).toBe('utf-8 mark prüfe');
  expect(described(Buffer.from('\ufeffprüfe', 'utf16le'))).toBe('utf-16le mark prüfe');
  expect(described(Buffer.from('\ufeffprüfe', 'utf16le').swap16())).toBe('utf-16be mark prüfe');
  expect(described(hex('fffe0000 70000000 fc000000'))).toBe('utf-32le mark pü');
  expect(described(hex('0000feff 00000070 000000fc'))).toBe('utf-32be mark pü');
});

test.each<[string, Buffer, DecodeHints, string]>([
  ['a header', latin('caf\xe9'), { contentType: 'text/html; charset=iso-8859-1' }, 'windows-1252 declared café'],
  ['a Python coding line', latin('# -*- coding: latin-1 -*-\n\xe9'), { path: 'a.py' }, 'windows-1252 declared'],
  ['one in the second line', latin('#!/usr/bin/python\n# vim: set fileencoding=cp1251 :\n\xcf'), {}, 'windows-1251'],
  ['a Ruby magic comment', hex('2320656e636f64696e673a206575632d6a700a a4a2'), { path: 'a.rb' }, 'euc-jp declared'],
  ['an XML declaration', latin('<?xml version="1.0" encoding="ISO-8859-2"?><a>\xb1</a>'), {}, 'iso-8859-2 declared'],
  ['a style sheet', latin('@charset "windows-1250";\na{content:"\xb9"}'), { path: 'a.css' }, 'windows-1250 declared'],
  ['a meta element', latin('<meta charset="windows-1251">\xcf'), {}, 'windows-1251 declared'],
  [
    'an http-equiv element',
    latin('<html><meta http-equiv=Content-Type content="text/html; charset=koi8-r">\xcf'),
    {},
    'koi8-r declared',
  ],
])('%s declares the encoding', (_, bytes, hints, expected) => {
  expect(described(bytes, hints)).toContain(expected);
});

test.each<[string, string]>([
  ['a description', '<meta name="description" content="set charset=shift_jis to test"><p>größe</p>'],
  ['a comment', '<!-- <meta charset="windows-1251"> --><meta charset="utf-8"><p>größe</p>'],
  ['a script', '<title>a</title><script>x = "charset=koi8-r"</script><p>größe</p>'],
  ['an attribute of another element', '<p data-x=\'<meta charset="koi8-r">\'>größe</p>'],
])('a page in UTF-8 of which %s mentions another charset stays UTF-8', (_, html) => {
  expect(described(Buffer.from(html), { contentType: 'text/html' })).toMatch(/^utf-8 (?:valid|declared) .*größe/);
});

test('where carriage returns alone end lines they are line feeds; beside line feeds they stay', () => {
  expect(decodeText(latin('a\rb\r'))?.text).toBe('a\nb\n');
  expect(decodeText(latin('a\r\nb\rc\n'))?.text).toBe('a\r\nb\rc\n');
});

test('a declaration that the bytes contradict gives way, and that is reported', () => {
  expect(described(Buffer.from('# coding: latin-1\nprüfe'))).toBe('utf-8 valid? # coding: latin-1\nprüfe');
  expect(described(latin('<meta charset=utf-8>pr\xfcfe'))).toContain('windows-1252 guessed? <meta charset=utf-8>prüfe');
  expect(described(Buffer.from('é'), { contentType: 'text/html; charset=klingon' })).toBe('utf-8 valid é');
  expect(described(latin('# sets the coding: of a car\n'))).toContain('utf-8 valid');
});

test.each([
  ['windows-1252', '7072fc6665', 'prüfe'],
  ['windows-1252', '6e61ef76652093713294 8020', 'naïve “q2”€ '],
  ['shift_jis', '2f2f20 90dd92e8', '// 設定'],
  ['shift_jis', '93fa967b8cea82c582b7', '日本語です'],
  ['euc-jp', 'c6fccbdcb8eca4c7a4b9', '日本語です'],
  ['gb18030', '2f2f20 b3f5cabcbbafc5e4d6c3', '// 初始化配置'],
  ['gb18030', 'd5e2cac7d2bbb8f6b2e2cad4', '这是一个测试'],
  ['big5', 'b36fac4fa440add3b4fab8d5', '這是一個測試'],
  ['euc-kr', 'c7d1b1b9beee', '한국어'],
  ['windows-1251', 'cff0e8e2e5f220ece8f0', 'Привет мир'],
  ['koi8-r', 'f0d2c9d7c5d420cdc9d2', 'Привет мир'],
  ['ibm866', '8fe0a8a2a5e220aca8e0', 'Привет мир'],
  ['windows-1253', 'cae1ebe7ecddf1e1', 'Καλημέρα'],
])('text in %s without a declaration is read by statistics, in doubt', (encoding, digits, text) => {
  expect(described(hex(digits))).toBe(`${encoding} guessed? ${text}`);
});

test('UTF-16 without a mark is known by its zeros, and bytes with others are no text', () => {
  expect(described(Buffer.from('const a = 1;', 'utf16le'))).toBe('utf-16le guessed? const a = 1;');
  expect(described(Buffer.from('const a = 1;', 'utf16le').swap16())).toBe('utf-16be guessed? const a = 1;');
  expect(described(Buffer.from('package a\0'))).toBe('no text');
  expect(described(hex('00010203fffefd'))).toBe('no text');
  expect(described(hex('ffd8ffe0104a46494601'))).toBe('no text');
});

test('a few bytes that fit nothing do not make UTF-8 another encoding', () => {
  const bytes = Buffer.concat([Buffer.from('größe löschen für übung'), Buffer.from([0xfc])]);

  expect(described(bytes)).toBe('utf-8 guessed? größe löschen für übung\uFFFD');
});

test('an encoding that is named goes before all else, by any of its names', () => {
  expect(described(Buffer.from('ü'), { encoding: 'latin1' })).toBe('windows-1252 given Ã¼');
  expect(
    ['Latin-1', 'cp1252', 'UTF_8', 'sjis', 'cp949', 'utf-8-unix', 'klingon', '', undefined].map(canonicalEncoding),
  ).toEqual(['windows-1252', 'windows-1252', 'utf-8', 'shift_jis', 'euc-kr', 'utf-8', undefined, undefined, undefined]);
});

test('every text in UTF-8 is read as it is', () => {
  for (const text of ['', 'a', 'größe', '日本語', '😀', 'a\r\nb'])
    expect(decodeText(Buffer.from(text))).toMatchObject({ text, isDoubtful: false });
});
