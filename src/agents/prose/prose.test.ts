import { expect, test } from 'vitest';
import { termsOf } from '../../kernel/terms.ts';
import { citerOf } from '../../testing/prose.ts';
import type { CodePlace } from '../gather/code.ts';
import { Ledger } from '../ledger/ledger.ts';
import type { Verdict } from '../ledger/verify.ts';
import { Citer } from './cite.ts';
import { alsoInvolved, introduce } from './code.ts';
import { listComments, quoteComments } from './comments.ts';
import { bestSentence, bestWindow, sentencesOf } from './excerpt.ts';
import { coverage, weighTerms } from '../question/term-weights.ts';
import { type Paragraph, quote } from './prose.ts';
import { nameRepositories, settle } from './settle.ts';
import { firstSentence, saysOf, shortSignature } from './symbols.ts';

test.each([
  ['Return the open session.', 'returns the open session'],
  ['Returns True if it is fresh. More text.', 'returns True if it is fresh'],
  ['Pays the money back', 'pays the money back'],
  ['Book a transfer', 'books a transfer'],
  ['For the next release', undefined],
  ['Try the next provider', 'tries the next provider'],
  ['A signed cookie that holds the cart.', 'is a signed cookie that holds the cart'],
  ['This is called at the start of each request.', 'is called at the start of each request'],
  ['Called before the first request', 'is called before the first request'],
  ['The app object implements a server', undefined],
  ['Mailer settings', undefined],
  ['Whether the mail was sent', undefined],
  ['Middleware that retries a mail', undefined],
  ['Given a mail, return its key', undefined],
  ['Will this mail be sent?', undefined],
  ['{@inheritDoc}', undefined],
  ['@param to the mail address', undefined],
  ['TODO: add description', undefined],
  ['', undefined],
])('documentation "%s" says of its symbol: %s', (doc, said) => {
  expect(saysOf(doc)).toBe(said);
});

test('documentation that begins with the name of its symbol goes on behind it', () => {
  expect(saysOf('Send sends the mail. It may fail.', 'Send')).toBe('sends the mail');
  expect(saysOf('Execute uses the arguments', 'Execute')).toBe('uses the arguments');
  expect(saysOf('Mail for the next release', 'Mail')).toBeUndefined();
  // What begins like a command may be a sentence about a thing.
  expect(saysOf('Request line exceeds the limit')).toBeUndefined();
  expect(saysOf('Request a line')).toBe('requests a line');
  expect(saysOf('Filter mails by date')).toBe('filters mails by date');
});

test('references in documentation are read as code', () => {
  expect(firstSentence('@param to the mail address')).toBe('');
  expect(firstSentence('\\\n  Sends a mail.')).toBe('Sends a mail');
  expect(firstSentence('Reads numbers etc. from a file. Never fails.')).toBe('Reads numbers etc. from a file');
  expect(firstSentence('Wraps :class:`~shop.Cart` and\n``post``. Not thread-safe.')).toBe(
    'Wraps `shop.Cart` and `post`',
  );
});

test('a signature is shown on one short line, without what opens the body', () => {
  expect(shortSignature('export function send(\n  to: string,\n): void {')).toBe(
    'export function send( to: string, ): void',
  );
  expect(shortSignature('def send(to):')).toBe('def send(to)');
  expect(shortSignature(`f(${'a'.repeat(200)})`)).toHaveLength(91);
});

const [retry = '', mail = ''] = termsOf('retry mail');
const weights = weighTerms([retry, mail], 100, { [retry]: 1, [mail]: 50 });

test('a window shows the lines that say most, and rare words say more than common ones', () => {
  const body = ['function send() {', '  mail();', '  mail();', '  wait();', '  wait();', '  retry();', '', '}'].join(
    '\n',
  );

  expect(bestWindow(body, weights, 2)).toEqual({ from: 4, to: 5, text: '  wait();\n  retry();' });
  expect(bestWindow(body, weighTerms(['absent'], 100, {}), 2)).toMatchObject({ from: 0, to: 1 });
});

test('the sentence that says most is taken, and none when none says anything', () => {
  const text = 'Mails are sent at night. A failed mail has its retry after an hour. Nothing else happens then.';

  expect(bestSentence(text, weights)).toBe('A failed mail has its retry after an hour.');
  expect(bestSentence('- Mails are sent\n- A mail has its retry after an hour\n- Nothing else', weights)).toBe(
    'A mail has its retry after an hour',
  );
  expect(bestSentence('Nothing to see in this sentence.', weights)).toBeUndefined();
});

test.each([
  ['a block of code', '```sh\nsend --retry every mail of mine\n\nsend another mail of mine\n```'],
  ['a block that is cut off', 'Read on.\n\n~~~\nthe mail has its retry then\n'],
  ['a table', '| Option of mail | Meaning of retry |\n| --- | --- |'],
  ['a parameter', ':param int retry: of the mail that is sent'],
  ['a directive', '.. py:method:: retry(mail, at, every, other)'],
  ['links', '[retry]: #retry [mail]: docs/mail.md#mail [post]: docs/post.md'],
  ['two imports', 'import retry import mail'],
  ['an import', 'from mail import retry, send, post, again and others'],
  ['a link', '[Retry each mail again and again](#retry)'],
  ['code in one line', 'mail.send({ to: "a@b.c", retry: () => { again(mail) } });'],
])('%s is no sentence', (_what, text) => {
  expect(bestSentence(text, weights)).toBeUndefined();
});

test('a sentence says more than one that leads elsewhere, in any form of its verb', () => {
  const pointers = 'A mail with its retry looks like this:\n\nSee the retry of a mail.\n\n';

  expect(bestSentence(`${pointers}Each retry waits for an hour.`, weights)).toBe('Each retry waits for an hour.');
  const property = '``retry``<br/> This property says when a mail is sent again.';
  expect(bestSentence(property, weights)).toBe('This property says when a mail is sent again.');
  const lost = weighTerms(termsOf('lost'), 1, {});
  expect(bestSentence('Nothing happens to it. We are losing all of them.', lost)).toBe('We are losing all of them.');
});

test('coverage is the share of the weight of a question, not of its words', () => {
  expect(coverage(weights, ['send the mail'])).toBeLessThan(0.3);
  expect(coverage(weights, ['retries'])).toBeGreaterThan(0.7);
  expect(coverage(weights, ['retry', 'mail'])).toBe(1);
});

test('sources are numbered as they are cited, and what stood on missing ones alone is left out', () => {
  const ledger = new Ledger();
  const [a, b, c] = ['a', 'b', 'c'].map((id) => ledger.add({ id, kind: 'document', repo: '', text: id }));
  if (a === undefined || b === undefined || c === undefined) throw new Error('three were added');
  const paragraphs: Paragraph[] = [
    {
      sentences: [
        { text: 'It waits.', sources: [c] },
        { text: 'It retries.', sources: [b] },
        { text: 'Both.', sources: [a, c] },
      ],
    },
    {
      sentences: [
        { text: 'Also:', sources: [] },
        { text: 'Forged.', sources: [b] },
      ],
      isList: true,
    },
    { sentences: [{ text: 'A guess.', sources: [] }] },
  ];
  const verdicts = new Map<number, Verdict>([
    [a.number, { state: 'verified' }],
    [b.number, { state: 'missing', why: 'b is not there' }],
    [c.number, { state: 'moved', lines: { start: 4, end: 5 } }],
  ]);

  const settled = settle(paragraphs, verdicts);

  expect(settled.paragraphs.map(({ text }) => text)).toEqual(['It waits [1]. Both [2][1].', 'unverified: A guess.']);
  expect(settled.sources.map(({ cited, number }) => [cited, number])).toEqual([
    [1, 3],
    [2, 1],
  ]);
  expect(settled.sources[0]?.lines).toEqual({ start: 4, end: 5 });
  expect(settled.dropped).toEqual(['b is not there']);
});

function fileAt(path: string): CodePlace {
  return { ...placeAt(path, '', 'x'), kind: 'file' };
}

function placeAt(path: string, symbol: string, body: string): CodePlace {
  const lines = { start: 1, end: body.split('\n').length };
  return {
    repo: 'shop',
    path,
    ...lines,
    symbol,
    kind: 'method',
    signature: '',
    doc: '',
    body,
    score: 1,
    isNamed: false,
  };
}

test('where several repositories were read a sentence names that of each path', () => {
  const cite = new Citer(new Ledger(), weights, () => undefined);
  const of = (repo: string, path: string) => cite.place({ ...fileAt(path), repo });
  const sources = [of('shop', 'src/mail.ts'), of('bank', 'lib/src/mail.ts')];
  const text = '`send` (src/mail.ts:3) calls `lib/src/mail.ts` and src/mail.tsx: “See src/mail.ts.”';

  const [paragraph] = nameRepositories([{ sentences: [{ text, sources }], isList: true }]);

  expect(paragraph).toEqual({
    sentences: [
      {
        text: '`send` (shop: src/mail.ts:3) calls bank: `lib/src/mail.ts` and src/mail.tsx: “See src/mail.ts.”',
        sources,
      },
    ],
    isList: true,
  });
});

test('what was said is not said again, though two parts of a text say it', () => {
  const ledger = new Ledger();
  const cite = new Citer(ledger, weights, () => 'abc');
  const source = cite.place(fileAt('src/a.ts'));
  const sentence = { text: 'The plan says: “Yes.”', sources: [source] };
  const verdicts = new Map<number, Verdict>([[source.number, { state: 'verified' }]]);

  const { paragraphs } = settle([{ sentences: [sentence, sentence] }, { sentences: [sentence] }], verdicts);

  expect(paragraphs.map(({ text }) => text)).toEqual(['The plan says: “Yes.” [1]']);
});

/** A function that is too long to be shown in full. */
const LONG = ['send(to) {', '  post(to);', ...Array.from({ length: 23 }, () => '  rest();'), '}'].join('\n');

test('a short function without documentation is shown in full, of others one of the first two', () => {
  const cite = citerOf({ mail: 1 });
  const short = placeAt('src/mail.ts', 'send', 'send(to) {\n  post(`${to}`);\n}');
  const ten = LONG.split('\n').toSpliced(5, 2).join('\n');
  const others = (places: CodePlace[]): (string | undefined)[] =>
    alsoInvolved(cite, places).flatMap(({ sentences }) => sentences.slice(1).map(({ text }) => text));

  const [told] = introduce(cite, short);
  expect(told?.text).toBe('`send` (method, src/mail.ts:1), in full: ``send(to) { post(`${to}`); }``.');
  expect(told?.sources.map(({ lines }) => lines)).toEqual([{ start: 1, end: 3 }]);
  expect(introduce(cite, { ...short, doc: 'Sends a mail.' })[0]?.text).toContain('sends a mail');
  expect(introduce(cite, { ...short, body: ten })[0]?.text).toContain('in full');
  expect(introduce(cite, { ...short, body: LONG })[0]?.text).toContain('The place to look is');
  expect(introduce(cite, { ...short, body: `a\n${'b'.repeat(600)}\nc` })[0]?.text).toContain('The place to look is');

  const long = { ...short, body: LONG, signature: 'send(to)' };
  expect(others([long, short, short])[1]).toContain('in full');
  expect(others([long, long, { ...short, signature: 'send(to)' }])[2]).not.toContain('in full');
});

test('comments name the steps of a function when there are three of them side by side', () => {
  const cite = new Citer(new Ledger(), weights, () => undefined);
  const steps = ['// Open it.', 'open();', '// Send it.', 'send();', 'rest();', '// Close it.', 'close();'];
  const tell = (lines: readonly string[]): string | undefined =>
    listComments(cite, placeAt('src/a.ts', 'f', ['f() {', ...lines.map((line) => `  ${line}`), '}'].join('\n')))[0]
      ?.sentences[0]?.text;

  expect(tell(steps)).toBe('Comments in `f`, in their order: “Open it.”, “Send it.”, “Close it.”.');
  const deeper = [...steps.slice(0, 3), 'if (now) {', '  // Not yet.', '}', ...steps.slice(5)];
  expect(tell(deeper)).toBe('Comments in `f`, in their order: “Open it.”, “Send it.”, “Close it.”.');
  expect(tell(steps.slice(0, 3))).toBeUndefined();
  expect(tell([...steps.slice(0, 3), `// ${'Long. '.repeat(30)}`])).toBeUndefined();
});

test('a sentence says which place it introduces, and whether it only names it', () => {
  const cite = citerOf({ mail: 1 });
  const place = placeAt('src/mail.ts', 'Mailer/send', LONG);
  const [opening] = introduce(cite, { ...place, doc: 'Sends a mail.' });
  const [, named, told, file] = alsoInvolved(cite, [
    { ...place, signature: 'send(to)' },
    { ...place, doc: 'Sends a mail.' },
    { ...place, symbol: '', kind: 'file' },
  ]).flatMap(({ sentences }) => sentences);

  const at = { path: 'src/mail.ts', line: 1, symbol: 'Mailer/send' };
  expect([opening, named, told, file].map((sentence) => sentence?.introduces)).toEqual([
    { ...at, isNameOnly: false },
    { ...at, isNameOnly: true },
    { ...at, isNameOnly: false },
    { ...at, symbol: '', isNameOnly: true },
  ]);
});

test.each([
  ['Use ``post`` and :meth:`~Mailer.send`, not |Queue|.', '“Use `post` and `Mailer.send`, not Queue.”'],
  ['**pool:** wait ([839e286](https://example.com/839e286))', '“pool: wait”'],
  ['Write ``a `b` c`` and ``d``', '“Write ``a `b` c`` and `d`”'],
  ['See [the docs](https://example.com/a).', '“See the docs.”'],
  ['a || b and x*y', '“a || b and x*y”'],
])('"%s" is quoted as %s', (text, quoted) => {
  expect(quote(text)).toBe(quoted);
});

test('a function without documentation is told by what its lines call, else by its signature', () => {
  const cite = new Citer(new Ledger(), weights, () => undefined);
  const place = { ...placeAt('src/mail.ts', 'Mailer/send', LONG), signature: 'send(to)' };
  const tell = (symbol: string): string | undefined =>
    alsoInvolved(cite, [place], { calls: new Map([[place, [{ symbol, path: 'src/post.ts', line: 1 }]]]) })[0]
      ?.sentences[1]?.text;

  expect(tell('Office/post')).toBe('`Mailer.send` (src/mail.ts:1) calls `post`.');
  // What the lines do not show is not told of them.
  expect(tell('Office/wait')).toBe('`Mailer.send` (src/mail.ts:1): `send(to)`.');
});

test('of comments beside several places one that gives a reason comes first', () => {
  const cite = new Citer(new Ledger(), weights, () => undefined);
  const plain = placeAt('src/a.ts', 'a', 'a() {\n  // Here the retry of a mail is counted.\n}');
  const reason = placeAt('src/b.ts', 'b', 'b() {\n  // A mail has one retry because servers block others.\n}');
  const other = placeAt('src/c.ts', 'c', 'c() {\n  // Nothing is said of the question in this one.\n}');

  expect(quoteComments(cite, [plain, other, reason]).map(({ text }) => text)).toEqual([
    'A comment in `b` says: “A mail has one retry because servers block others.”.',
    'A comment in `a` says: “Here the retry of a mail is counted.”.',
  ]);
});

test.each([
  ['# A mail has one retry because servers block others.'],
  ['/// A mail has one retry because servers block others.'],
  ['/*\n * A mail has one retry because servers block others.\n */'],
])('the comment "%s" is quoted without its mark', (line) => {
  const cite = new Citer(new Ledger(), weights, () => undefined);
  expect(quoteComments(cite, [placeAt('src/a.ts', 'a', `a() {\n  ${line}\n}`)])).toMatchObject([
    { text: 'A comment in `a` says: “A mail has one retry because servers block others.”.' },
  ]);
});

test.each([
  ['#retryMail(mail: Mail, times: number): void {'],
  ['#[retry(mail = "once", because = "servers block")]'],
  ['#include "mail/retry/of/every/server.h"'],
  ['*mailRetry = countRetriesOfMail(mail, server);'],
])('the code "%s" is no comment', (line) => {
  const cite = new Citer(new Ledger(), weights, () => undefined);
  expect(quoteComments(cite, [placeAt('src/a.ts', 'a', `a() {\n  ${line}\n}`)])).toEqual([]);
});

test.each([
  [
    'what a form tells who fills it in',
    '<!-- A retry of a mail is told here. -->\nThe retry is late today.',
    'The retry is late today.',
  ],
  ['a form that is cut off', 'The retry is late today.\n\n<!-- A retry of a mail', 'The retry is late today.'],
  [
    'words of an address',
    'See https://a.example/retry-of-a-mail or ask us.\n\nThe retry is late today.',
    'The retry is late today.',
  ],
  [
    'a field of a form',
    'Retry of a mail (by hand, or by the queue): by hand it is done\n\nThe retry is late today.',
    'The retry is late today.',
  ],
  ['a line about the document', 'Status: the retry of a mail\n\nThe retry is late today.', 'The retry is late today.'],
])('a sentence is not %s', (_what, text, expected) => {
  expect(bestSentence(text, weights)).toBe(expected);
});

test('a sentence does not end after an abbreviation', () => {
  expect(sentencesOf('Mails of shops (e.g. `Northwind`) are sent again.')).toEqual([
    'Mails of shops (e.g. `Northwind`) are sent again.',
  ]);
});

test('the box of a task is no part of its sentence', () => {
  expect(sentencesOf('- [x] Retry mails that fail\n- [ ] Send mails in batches')).toEqual([
    'Retry mails that fail',
    'Send mails in batches',
  ]);
});
