import { expect, test } from 'vitest';
import { termsOf } from '../../kernel/terms.ts';
import { rootOf, withVerbs } from './word-forms.ts';

const roots = (text: string): string[] => termsOf(text).map(rootOf);

test.each([
  ['sent', 'sending'],
  ['lost', 'losing'],
  ['losses', 'loses'],
  ['written', 'writes'],
  ['thrown', 'throwing'],
  ['Excel', 'xlsx'],
  ['environment', 'env'],
  ['colours', 'color'],
])('"%s" and "%s" are one', (one, other) => {
  expect(roots(one)).toEqual(roots(other));
});

test('what is no such verb stays, and a search has the verb besides the form', () => {
  expect(roots('last mailing')).toEqual(termsOf('last mailing'));
  expect(withVerbs('Where are mails sent and written, and sent again?')).toBe(
    'Where are mails sent and written, and sent again? send write',
  );
  expect(withVerbs('Where are mails booked?')).toBe('Where are mails booked?');
  expect(withVerbs('What happens when a mail times out?')).toBe('What happens when a mail times out? timeout');
  expect(withVerbs('How is the Excel export made?')).toBe('How is the Excel export made? make xlsx xls');
  expect(withVerbs('How do users log in?')).toBe('How do users log in? login');
});
