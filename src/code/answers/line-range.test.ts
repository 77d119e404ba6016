import { expect, test } from 'vitest';
import { parseLineRange } from './definition.ts';

test('path:from-to names lines', () => {
  expect(parseLineRange('src/mail.ts:10-60')).toEqual({ path: 'src/mail.ts', from: 10, to: 60 });
  expect(parseLineRange(' ./src/mail.ts:7-7 ')).toEqual({ path: './src/mail.ts', from: 7, to: 7 });
  expect(parseLineRange('src/mail.ts#L10-L60')).toEqual({ path: 'src/mail.ts', from: 10, to: 60 });
});

test.each(['sendMail', 'src/mail.ts:41', 'Mailer/send', ''])('"%s" names no lines', (text) => {
  expect(parseLineRange(text)).toBeUndefined();
});

test.each(['a.ts:60-10', 'a.ts:0-5', 'a.ts:1-2001'])('%s is refused with what to send instead', (text) => {
  expect(() => parseLineRange(text)).toThrowError(expect.objectContaining({ code: 'bad_argument' }));
});
