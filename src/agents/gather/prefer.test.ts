import { expect, test } from 'vitest';
import { weighTerms } from '../question/term-weights.ts';
import { parseQuestion } from '../question/question.ts';
import type { CodePlace } from './code.ts';
import { preferNamed, shareInName } from './prefer.ts';

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
  ['is called as a test', hit('test_retry_limit', 'src/retry.rs')],
  ['is an example of Go', hit('retryLimit', '_examples/retry/main.go')],
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

const LONG = bodyOf(20);
const HOW = 'How does the retry work?';

function bodyOf(lines: number): string {
  return ['function () {', ...Array.from({ length: lines - 2 }, () => '  work();'), '}'].join('\n');
}

/** Whether a hit of score 1 comes first beside one that is called as a question asks, does the work and has another score. */
function isBefore(question: string, other: CodePlace, { score, kind }: { score: number; kind: string }): boolean {
  const plain = hit('retry', 'src/plain.ts', { score, kind, body: LONG });
  return order(question, [plain, { ...other, score: 1 }])[0] === other.symbol;
}

/** What is asked, a hit, and between which scores of another one it gives way to that. */
type GivingWay = [what: string, question: string, hit: CodePlace, between: [number, number]];

test.each<GivingWay>([
  ['another name', HOW, hit('send', 'src/a.ts', { body: LONG }), [0.2, 0.5]],
  ['a name in the file', HOW, hit('send', 'src/retry.ts', { body: LONG }), [0.7, 0.99]],
  ['a name in the folder', HOW, hit('send', 'src/retry/a.ts', { body: LONG }), [0.55, 0.85]],
  ['a name in the type', HOW, hit('Retry/send', 'src/a.ts', { body: LONG }), [0.55, 0.85]],
  ['a word among others in the name', HOW, hit('retryMail', 'src/a.ts', { body: LONG }), [0.9, 1.1]],
  ['a beginning of one', HOW, hit('retryableMail', 'src/a.ts', { body: LONG }), [0.9, 1.1]],
  ['a file of another name', 'Who knows the retry code?', hit('send', 'src/a.ts', { body: LONG }), [0.1, 0.3]],
  ['a declaration', 'Which function has a retry?', hit('Mail/retry', 'src/a.ts', { body: 'retry();' }), [0.3, 0.7]],
  ['what makes an object', HOW, hit('Retry/__init__', 'src/retry.py', { body: LONG }), [0.2, 0.5]],
  ['what every type has', HOW, hit('Mail/equals', 'src/a.ts', { body: LONG }), [0.02, 0.1]],
  ['three lines', HOW, hit('Mail/retry', 'src/a.ts', { body: bodyOf(3) }), [0.3, 0.8]],
  ['four lines', HOW, hit('Mail/retry', 'src/a.ts', { body: bodyOf(4) }), [0.9, 1.1]],
  ['a few lines, asked where', 'Where is the retry?', hit('Mail/retry', 'src/a.ts'), [0.9, 1.1]],
  ['a long value', HOW, hit('Mail/retry', 'src/a.ts', { kind: 'property', body: LONG }), [0.3, 0.8]],
  ['eleven lines of an accessor', HOW, hit('Mail/getRetry', 'src/a.ts', { body: bodyOf(11) }), [0.1, 0.3]],
  ['twelve lines of one', HOW, hit('Mail/getRetry', 'src/a.ts', { body: bodyOf(12) }), [0.9, 1.1]],
  ['an example', HOW, hit('Mail/retry', 'examples/a.ts', { body: LONG }), [0.02, 0.1]],
  ['a text', HOW, hit('Retry', 'docs/a.md', { kind: 'heading', body: LONG }), [0.1, 0.3]],
])('%s gives way to a better place, and not to any', (_what, question, other, [least, most]) => {
  expect(isBefore(question, other, { score: least, kind: 'function' })).toBe(true);
  expect(isBefore(question, other, { score: most, kind: 'function' })).toBe(false);
});

test('what is of another kind than asked for gives way to a better place of that kind', () => {
  const method = hit('Mail/retry', 'src/a.ts', { kind: 'method', body: LONG });

  expect(isBefore('Which class has the retry?', method, { score: 0.1, kind: 'class' })).toBe(true);
  expect(isBefore('Which class has the retry?', method, { score: 0.5, kind: 'class' })).toBe(false);
});

test('what every type has is not set back where it is asked for by its name', () => {
  const asked = hit('Mail/equals', 'src/a.ts', { body: LONG });

  expect(order('How does equals work?', [hit('send', 'src/b.ts', { body: LONG }), asked])[0]).toBe(asked.symbol);
});

test('a word of three letters is no beginning of another one', () => {
  const begins = hit('addressOf', 'src/a.ts', { score: 0.7 });

  expect(order('Where does it add?', [hit('send', 'src/b.ts'), begins])[0]).toBe('send');
});

test('a word that most places have, asked for alone, counts as a rare one does', () => {
  const common = { retri: 900 };
  const other = hit('send', 'src/a.ts', { score: 1, body: LONG });

  expect(order(HOW, [other, hit('retry', 'src/b.ts', { score: 0.45, body: LONG })], common)[0]).toBe('retry');
  expect(order(HOW, [other, hit('retry', 'src/b.ts', { score: 0.3, body: LONG })], common)[0]).toBe('send');
});

test.each([
  ['log', 'logMail'],
  ['cron', 'crontabEntry'],
])('the word %s is found among the parts of %s', (word, symbol) => {
  const named = hit(symbol, 'src/a.ts', { score: 0.7, body: LONG });

  expect(order(`How does the ${word} work?`, [hit('send', 'src/b.ts', { body: LONG }), named])[0]).toBe(symbol);
});

test('a name has nothing of a question without any word to look for', () => {
  expect(shareInName(hit('send', 'src/a.ts'), { weights: new Map(), shares: { own: 1, file: 1 } })).toBe(0);
});

test('the twelfth hit may come first, the thirteenth may not', () => {
  const others = Array.from({ length: 12 }, (_, at) => hit(`send${at}`, 'src/a.ts'));
  const meant = hit('retry', 'src/b.ts');

  expect(order(HOW, [...others.slice(1), meant])[0]).toBe('retry');
  expect(order(HOW, [...others, meant])[12]).toBe('retry');
});
