import { expect, test } from 'vitest';
import { type AnswerForm, answerFormOf } from './content-negotiation.ts';

const cases: [string | null, AnswerForm | undefined][] = [
  [null, 'json'],
  ['', 'json'],
  [' ', 'json'],
  ['*/*', 'json'],
  ['*/*;q=0.1', 'json'],
  ['application/json', 'json'],
  ['APPLICATION/JSON', 'json'],
  ['application/json; charset=utf-8', 'json'],
  ['application/*', 'json'],
  ['text/html, application/json;q=0.9', 'json'],
  ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'json'],
  ['application/json, */*', 'json'],
  ['text/event-stream', 'stream'],
  ['text/*', 'stream'],
  ['text/event-stream, */*;q=0.1', 'stream'],
  ['application/json;q=0, */*;q=0.5, text/event-stream', 'stream'],
  ['application/json, text/event-stream', 'either'],
  ['text/event-stream,application/json', 'either'],
  ['application/*, text/*', 'either'],
  ['text/event-stream, */*', 'either'],
  ['application/json, text/event-stream;q=0.5', 'json'],
  ['application/json;q=0.5, text/event-stream;q = 0.9', 'stream'],
  ['application/json, text/event-stream;q=0', 'json'],
  ['application/json;q=broken', 'json'],
  ['application/json;q=0', undefined],
  ['application/json;q=0.000, */*;q=0', undefined],
  ['text/html', undefined],
  ['image/*', undefined],
];

test.each(cases)('a client that sends Accept %j gets %s', (accept, form) => {
  expect(answerFormOf(accept)).toBe(form);
});
