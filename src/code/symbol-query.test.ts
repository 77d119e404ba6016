import { expect, test } from 'vitest';
import { parseSymbolQuery } from './symbol-query.ts';

test.each([
  ['sendMail', { form: 'name', qualified: 'sendMail', path: '' }],
  ['  sendMail() ', { form: 'name', qualified: 'sendMail', path: '' }],
  ['Mailer/send', { form: 'name', qualified: 'Mailer/send', path: '' }],
  ['Mailer.send', { form: 'name', qualified: 'Mailer/send', path: '' }],
  ['mail::Mailer::send', { form: 'name', qualified: 'mail/Mailer/send', path: '' }],
  ['Mailer#send', { form: 'name', qualified: 'Mailer/send', path: '' }],
  ['sym:Mailer/send@src/mail.ts', { form: 'name', qualified: 'Mailer/send', path: 'src/mail.ts' }],
  ['src/mail.ts:41', { form: 'position', path: 'src/mail.ts', line: 41 }],
  ['src/mail.ts:41:8', { form: 'position', path: 'src/mail.ts', line: 41, column: 8 }],
  ['src/mail.ts:10-60', { form: 'range', path: 'src/mail.ts', from: 10, to: 60 }],
])('%s names %j', (query, meaning) => {
  expect(parseSymbolQuery(query)).toEqual(meaning);
});

test.each(['', '  ', 'sym:', 'src/mail.ts:60-10', 'src/mail.ts:0-5', 'src/mail.ts:1-99999'])(
  'the query "%s" is refused with what to send instead',
  (query) => {
    expect(() => parseSymbolQuery(query)).toThrowError(expect.objectContaining({ code: 'bad_argument' }));
  },
);
