import { expect, test } from 'vitest';
import { codeTermsOf } from './near-words.ts';

test.each([
  ['What happens to a task that hangs?', ['timeout', 'deadlock']],
  ['Where are messages delivered?', ['send', 'dispatch']],
  ['What if a request is tried again?', ['retri', 'backoff']],
  ['How does it figure out the language?', ['detect', 'infer']],
  ['When does it give up on a job?', ['abort', 'exhaust']],
])('%s is also looked for by what code is called', (question, terms) => {
  expect(codeTermsOf(question)).toEqual(expect.arrayContaining(terms));
});

test('a word has its own terms whatever its form, each once and none that the question has', () => {
  expect(codeTermsOf('waits')).toEqual(codeTermsOf('waiting'));
  expect(codeTermsOf('wait and waiting')).toEqual(codeTermsOf('wait'));
  expect(codeTermsOf('wait')).toContain('delai');
  expect(codeTermsOf('wait with a delay')).not.toContain('delai');
});

test('words that are no plain words for code have none', () => {
  expect(codeTermsOf('Where is the invoice?')).toEqual(codeTermsOf('where'));
  expect(codeTermsOf('KafkaConsumer')).toEqual([]);
});

test('a phrase counts only as a whole', () => {
  expect(codeTermsOf('shut down')).toContain('shutdown');
  expect(codeTermsOf('shut the door')).not.toContain('shutdown');
});
