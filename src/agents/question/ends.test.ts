import { expect, test } from 'vitest';
import { endsOf } from './ends.ts';

test.each([
  ['How is a refund paid, from cancelOrder to the bank?', 'cancelOrder', 'the bank'],
  ['How does a refund get into the queue?', 'a refund', 'the queue'],
  ['How does a request reach the handler of its route?', 'a request', 'the handler of its route'],
  ['How are mails routed to their mailbox?', 'mails', 'their mailbox'],
])('"%s" asks for the way from "%s" to "%s"', (words, from, to) => {
  expect(endsOf(words)).toEqual({ from, to });
});

test.each([
  'How does the queue work?',
  'Where are mails sent from?',
  'How does a thread get a connection from the pool?',
])('"%s" asks for no way', (words) => {
  expect(endsOf(words)).toBeUndefined();
});
