import { expect, test } from 'vitest';
import { weighTerms } from '../question/term-weights.ts';
import { parseQuestion } from '../question/question.ts';
import type { CodePlace } from './code.ts';
import { preferNamed } from './prefer.ts';

/** A hit of a search with a body of two lines. */
function hit(symbol: string, path: string, more: Partial<CodePlace> = {}): CodePlace {
  const body = 'function () {\n}';
  const about = { kind: 'function', signature: '', doc: '', body, isNamed: false };
  return { repo: 'shop', path, start: 1, end: 2, symbol, score: 0.8, ...about, ...more };
}

/** The names of hits in the order in which a question wants them; `rare` says how many of 1,000 places have a term. */
function order(question: string, hits: readonly CodePlace[], rare: Record<string, number> = {}): string[] {
  const asked = parseQuestion(question);
  return preferNamed(hits, { weights: weighTerms(asked.terms, 1000, rare), question: asked }).map(
    ({ symbol }) => symbol,
  );
}

test('a rare word in a name counts more than a common one, and a name may begin with it', () => {
  const parse = hit('_parse', 'src/tasks.py');
  const cron = hit('crontab', 'src/api.py', { score: 0.7 });

  expect(order('Where is a cron expression parsed?', [parse, cron], { pars: 90, cron: 2, express: 20 })).toEqual([
    'crontab',
    '_parse',
  ]);
});

test('what a place is called counts more than the file it stands in', () => {
  const near = hit('Precondition/Rank', 'src/precondition.go');
  const meant = hit('Executor/arePreconditionsMet', 'src/task.go');

  expect(order('Which function checks preconditions?', [near, meant])).toEqual([meant.symbol, near.symbol]);
});

test('who knows something is asked of the file that is called so', () => {
  const option = hit('WithWatch', 'src/executor.go');
  const watch = hit('Executor/start', 'src/watch.go');

  expect(order('Who knows the watch code best?', [option, watch])).toEqual([watch.symbol, option.symbol]);
  expect(order('How does the watch loop work?', [watch, option])).toEqual([option.symbol, watch.symbol]);
});

test('a name that ends with a word has it too', () => {
  const named = hit('enqueue', 'src/broker.ts', { score: 0.6 });

  expect(order('How are messages put into the queue?', [hit('push', 'src/list.ts'), named])[0]).toBe('enqueue');
});

test.each([
  ['gives a value', hit('getRetryLimit', 'src/config.ts')],
  ['is written as one that gives a value', hit('retryLimit', 'src/config.ts', { body: 'get retryLimit() {\n}' })],
  ['is a value', hit('retryLimit', 'src/config.ts', { kind: 'property' })],
  ['is an example', hit('retryLimit', 'examples/retry.ts')],
  ['is a test beside it', hit('tests/retryLimit', 'src/retry.rs')],
])('where something is done is not what %s, though its name says more', (_what, aside) => {
  const meant = hit('retryMail', 'src/send.ts', { score: 0.4 });

  expect(order('Where is the retry limit enforced?', [aside, meant])[0]).toBe('retryMail');
});

test('a class is asked for as a class', () => {
  const method = hit('Logger/profile', 'src/logger.js', { kind: 'method' });
  const type = hit('Profiler', 'src/logger.js', { kind: 'class' });

  expect(order('Which class profiles a call?', [method, type])).toEqual([type.symbol, method.symbol]);
});

test.each([
  ['what every type has', hit('Retry/__init__', 'src/retry.py')],
  ['a constructor of Java', hit('Retry/Retry', 'src/Retry.java')],
  ['a line that sets a value', hit('setRetry', 'src/config.ts')],
  ['a declaration', hit('retry', 'src/retry.ts', { body: 'retry(): void;' })],
  ['a test', hit('retry', 'src/send.test.ts')],
  ['an example', hit('retry', 'examples/retry.ts')],
  ['a section of a text', hit('Retry', 'docs/retry.md', { kind: 'heading' })],
])('%s stands behind what does it', (_what, aside) => {
  const meant = hit('retry', 'src/send.ts');

  expect(order('How does the retry work?', [aside, meant])).toEqual([meant.symbol, aside.symbol]);
});

test('an example stands first where one is asked for', () => {
  const example = hit('retryOnce', 'examples/once.ts');

  expect(order('Is there an example of a retry?', [example, hit('retry', 'src/send.ts', { score: 0.6 })])[0]).toBe(
    'retryOnce',
  );
});
