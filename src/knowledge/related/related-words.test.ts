import { expect, test } from 'vitest';
import { relatedWords } from './known-relations.ts';
import { germanStem, RelatedWords } from './related-words.ts';

const words = new RelatedWords({
  english: 'delet remov:40 drop:6',
  german: 'fehl error:90\nseit page:99\nsitzung session:90\nverwaltung manag:80\nbenutz user:95',
});
const terms = (word: string): string[] => words.of(word).map(({ term }) => term);

test('a word has related terms in any of its forms, the surest first, and never its own', () => {
  expect(words.of('Deleting')).toEqual([
    { term: 'remov', weight: 0.4 },
    { term: 'drop', weight: 0.06 },
  ]);
  expect(terms('user')).toEqual([]);
  expect(terms('unheard')).toEqual([]);
});

test('German words find what translates them, in any case and number', () => {
  expect(terms('Fehlers')).toEqual(['error']);
  expect(terms('Benutzern')).toEqual(['user']);
  expect([germanStem('Größe'), germanStem('Sitzungen')]).toEqual(['gröss', 'sitzung']);
});

test('German compounds find what translates their parts, whatever joins them', () => {
  expect(terms('Fehlerseite')).toEqual(['page', 'error']);
  expect(terms('Sitzungsverwaltung')).toEqual(['session', 'manag']);
  expect(terms('Wetterseite')).toEqual([]);
});

test('only sure translations stand for what was asked', () => {
  expect(words.likeAsked('Sitzung delete')).toEqual(['session', 'remov']);
});

/** What this build relates most to a word. */
const first = (word: string): string | undefined => relatedWords().of(word)[0]?.term;

test('the relations of this build know words of software in German and English', () => {
  expect(['Befehl', 'Kennwort', 'Rechnungen', 'Größe', 'löschen'].map(first)).toEqual([
    'command',
    'password',
    'invoic',
    'size',
    'delet',
  ]);
  expect(['remove', 'picture', 'folder'].map(first)).toEqual(['delet', 'imag', 'directori']);
});
