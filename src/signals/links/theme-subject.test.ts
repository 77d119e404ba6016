import { expect, test } from 'vitest';
import { subjectsOf } from './theme-subject.ts';

const texts = (...all: string[]): { text: string; language: string }[] => all.map((text) => ({ text, language: 'en' }));

test('the subject of a theme is what its texts say and those of other themes do not', () => {
  const subjects = subjectsOf(
    new Map([
      [
        'vouchers',
        texts('The app refuses my voucher', 'A voucher of the app fails', 'voucher not accepted by the app'),
      ],
      ['exports', texts('The app exports nothing', 'An export of the app is empty', 'Where is my export in the app?')],
    ]),
  );

  expect(subjects.get('vouchers')?.[0]).toMatchObject({ term: 'vouch', word: 'voucher' });
  expect(subjects.get('exports')?.map(({ term }) => term)).toEqual(['export']);
  expect(subjects.get('vouchers')?.map(({ term }) => term)).not.toContain('app');
});

test('words of one text, and function words of the language of a text, are no subject', () => {
  const german = ['Der Gutschein geht nicht', 'Gutschein kaputt, der Laden auch', 'Nicht der Gutschein'];
  const subjects = subjectsOf(new Map([['one', german.map((text) => ({ text, language: 'de' }))]]));

  expect(subjects.get('one')?.map(({ word }) => word)).toEqual(['Gutschein']);
});
