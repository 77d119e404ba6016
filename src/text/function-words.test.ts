import { expect, test } from 'vitest';
import { isFunctionWord, languagesOf } from './function-words.ts';

test.each([
  ['The', 'en', true],
  ['dont', 'en', true],
  ['don’t', 'en', true],
  ['battery', 'en', false],
  ['die', 'de', true],
  ['die', 'en', false],
  ['niet', 'nl', true],
  ['the', 'ja', true],
])('whether “%s” is a function word of %s: %s', (word, language, expected) => {
  expect(isFunctionWord(word, language)).toBe(expected);
});

test('the language of a text is the one that came with it, or shows, or that most others have', () => {
  const texts = [
    'die App stürzt ab und ich kann nichts machen',
    'app crash',
    'le virement ne passe pas et je suis bloqué',
    'battery of the app',
  ];

  expect(languagesOf(texts)).toEqual(['de', 'de', 'fr', 'en']);
  expect(languagesOf(texts, [null, 'pt-BR', 'fr', 'EN_us'])).toEqual(['de', 'pt', 'fr', 'en']);
  expect(languagesOf(['crash'])).toEqual(['en']);
  // One word is enough to choose among the languages that others show.
  const [mixed] = languagesOf([
    'zufrieden mit allem',
    'it is what I was looking for',
    'I like it',
    'ich bin mit dem Konto zufrieden',
  ]);
  expect(mixed).toBe('de');
});
