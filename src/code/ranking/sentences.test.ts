import { expect, test } from 'vitest';
import { isQuestionText } from './sentences.ts';

test.each([
  ['How is the wait before the next attempt worked out?', true],
  ['where are mails sent to customers', true],
  ['jobs that still run when the server shuts down?', true],
  ['With which permissions is a file written? write', true],
  ['Returns how many mails were sent to a customer', false],
  ['Checks whether the mail was sent', false],
  ['how retry', false],
  ['Sends a mail to whoever has ordered', false],
])('"%s" is a question: %s', (query, isQuestion) => {
  expect(isQuestionText(query)).toBe(isQuestion);
});
