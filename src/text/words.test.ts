import { expect, test } from 'vitest';
import { replaceWords, wordMatches, wordsOf } from './words.ts';

test.each([
  ['term', 'const größe = 2FA + $x_1; // 7, 42', ['const', 'größe', '2FA', '$x_1', '42']],
  ['name', 'größe[0] = $x_1', ['größe', '0', '$x_1']],
  ['identifier', '0x1F größe $x', ['x1F', 'größe', '$x']],
  ['asciiName', 'größe $x 7', ['gr', 'e', '$x', '7']],
  ['asciiIdentifier', '7 $x a1', ['$x', 'a1']],
  ['qualifiedName', 'a.b::c#d->e f', ['a.b::c#d->e', 'f']],
  ['markedName', 'empty? #secret', ['empty?', '#secret']],
  ['pathName', 'acme/shop-api, v1.2', ['acme/shop-api', 'v1.2']],
  ['asciiPart', 'parseHTTPRequest2 getPDFs IPv6', ['parse', 'HTTP', 'Request', '2', 'get', 'PDFs', 'IP', 'v', '6']],
  ['part', 'größeÄndern', ['größe', 'Ändern']],
  ['asciiHump', 'getHTTPUrl2', ['get', 'HTTP', 'Url']],
  ['word', 'größe_1 $x', ['größe_1', 'x']],
  ['asciiWord', 'größe_1', ['gr', 'e_1']],
  ['plain', 'größe_1', ['größe', '1']],
  ['asciiPlain', 'größe_1', ['gr', 'e', '1']],
  ['hyphenated', 'follow-up, 2', ['follow-up', '2']],
  ['letters', 'größe1 a', ['größe', 'a']],
  ['asciiLetters', 'größe1 A', ['gr', 'e', 'A']],
  ['spoken', 'don’t a1', ['don’t', 'a']],
  ['prose', "covid19's a1 7", ["covid19's", 'a1']],
  ['compound', "follow-up's rock'n'roll", ['follow-up', 's', "rock'n'roll"]],
  ['asked', 'l’app 4.2 $x', ['l’app', '4', '2', 'x']],
  ['askedName', "$x's follow-up", ["$x's", 'follow-up']],
  ['amount', '$20.50 costs 20%', ['$20.50', 'costs', '20%']],
] as const)('by the rule %s the words of «%s» are cut', (rule, text, words) => {
  expect(wordsOf(text, rule)).toEqual(words);
  expect(wordsOf('', rule)).toEqual([]);
});

test('words are found at their places, and replaced there', () => {
  expect(Array.from(wordMatches('to be', 'letters'), ({ index }) => index)).toEqual([0, 3]);
  expect(replaceWords('to, be!', 'letters', (word) => word.toUpperCase())).toBe('TO, BE!');
});
