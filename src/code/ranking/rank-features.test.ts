import { expect, test } from 'vitest';
import { type FileSketch, shardInput, withShard } from '../../testing/code-shard.ts';
import { FEATURES, featuresOf } from './rank-features.ts';
import { candidatesOf } from './store-rank.ts';

const FILES: readonly FileSketch[] = [
  {
    path: 'src/mail.ts',
    text: [
      '// mail to customers',
      'export const LIMIT = 3; // mail',
      'export class MailQueue {',
      '  isSent(mail: Mail): boolean {',
      '    return check(mail);',
      '  }',
      '}',
      'export function sendMail(mail: Mail): void {',
      '  queue.isSent(mail);',
      '}',
      'function check(mail: Mail): bool {}',
    ].join('\n'),
    symbols: [
      { qualified: 'LIMIT', kind: 'constant', line: 2 },
      { qualified: 'MailQueue', kind: 'class', line: 3, end: 7 },
      { qualified: 'MailQueue/isSent', kind: 'method', line: 4, end: 6 },
      { qualified: 'sendMail', kind: 'function', line: 8, end: 10, doc: 'Sends a mail to a customer.' },
      { qualified: 'check', kind: 'function', line: 11 },
    ],
    uses: [
      { line: 5, name: 'check', use: 'call', target: 'check@src/mail.ts', enclosing: 'MailQueue/isSent' },
      { line: 9, name: 'isSent', use: 'call', target: 'MailQueue/isSent@src/mail.ts', enclosing: 'sendMail' },
    ],
  },
  {
    path: 'test/mail.test.ts',
    test: true,
    text: 'function sendsMail() { check(mail); }\n',
    symbols: [{ qualified: 'sendsMail', kind: 'function', line: 1 }],
    uses: [{ line: 1, name: 'check', use: 'call', target: 'check@src/mail.ts', enclosing: 'sendsMail' }],
  },
  { path: 'README.md', language: 'Markdown', text: 'Mail is sent to customers.\n' },
];

/** Each document, whether it is named (`*`), and what is not zero of it. */
function describeFeatures(query: string): Promise<string[]> {
  return withShard(shardInput(FILES), (db) => {
    const { candidates, question } = candidatesOf(db, { query, limit: 20, offset: 0 });
    return featuresOf(db, candidates, question)
      .toSorted((a, b) => a.document - b.document)
      .map(({ document, isNamed, features }) =>
        [
          `${document}${isNamed ? '*' : ''}`,
          ...FEATURES.filter((feature) => features[feature] !== 0).map(
            (feature) => `${feature} ${Number(features[feature].toFixed(2))}`,
          ),
        ].join(' '),
      );
  });
}

test('a sentence asks for what does something, by words and their nearness', async () => {
  expect(await describeFeatures('checks whether a mail is sent to the customer')).toMatchInlineSnapshot(`
    [
      "0 terms 0.04 coverage 0.02 signature 0.02 path 0.02 file_text 0.45 length 0.23 lines 0.14 exported 1 words 0.25 data 1 vector 0.36 verb_vector 0.02 signature_vector 0.48 holder_vector 0.62",
      "1 terms 0.37 coverage 0.34 path 0.02 file_text 0.45 length 0.35 lines 0.36 exported 1 words 0.5 holder 1 vector 0.45 precision 0.5 verb_vector 0.05 signature_vector -0.05 holder_vector 0.62",
      "2 terms 1 coverage 0.58 signature 0.03 path 0.02 graph 0.72 file_text 0.45 length 0.37 lines 0.28 words 0.25 vector 0.66 precision 1 predicate 1 verb_vector -0.02 signature_vector 0.66 holder_vector 0.45",
      "3 terms 0.72 coverage 0.76 signature 0.02 path 0.02 graph 1 file_text 0.45 length 0.43 lines 0.28 exported 1 words 0.5 vector 0.59 precision 0.5 verb_vector -0.03 signature_vector 0.46 holder_vector 0.62",
      "4 terms 0.59 coverage 0.26 signature 0.02 path 0.02 verb 1 graph 1 file_text 0.45 length 0.3 lines 0.14 words 0.25 vector 0.69 precision 1 predicate 1 verb_vector 0.94 signature_vector 0.68 holder_vector 0.62",
      "5 terms 0.49 coverage 0.26 signature 0.24 path 0.02 graph 0.59 file_text 0.3 length 0.32 lines 0.14 words 0.5 test 1 vector 0.61 precision 0.5 verb_vector -0.03 signature_vector 0.6 holder_vector 0.59",
      "6 terms 0.91 coverage 0.76 file_text 0.91 length 0.23 lines 0.14 words 0.25 file 1 vector 0.48 verb_vector -0.05 holder_vector 0.48",
      "7 terms 0.45 coverage 0.68 file_text 0.45 length 0.37 lines 0.5 words 0.25 file 1 vector 0.62 precision 1 verb_vector 0.05 holder_vector 0.62",
      "8 terms 0.3 coverage 0.26 file_text 0.3 length 0.32 lines 0.14 words 0.5 file 1 test 1 vector 0.59 precision 0.5 verb_vector 0.05 holder_vector 0.59",
    ]
  `);
});

test('a name asks for itself: neither kinds nor nearness count', async () => {
  expect(await describeFeatures('is sendMail true')).toMatchInlineSnapshot(`
    [
      "0 terms 0.02 coverage 0.02 signature 0.02 path 0.02 file_text 0.02 length 0.23 lines 0.14 exported 1 words 0.25",
      "1 terms 0.02 coverage 0.02 path 0.02 file_text 0.02 length 0.35 lines 0.36 exported 1 words 0.5 precision 0.5",
      "2 terms 0.02 coverage 0.02 signature 0.02 path 0.02 graph 1 file_text 0.02 length 0.37 lines 0.28 words 0.25",
      "3* terms 1 coverage 1 signature 0.02 path 0.02 verb 1 phrase 1 graph 0.02 file_text 0.02 length 0.43 lines 0.28 exported 1 words 0.5 precision 1",
      "4 terms 0.02 coverage 0.02 signature 0.02 path 0.02 graph 0.02 file_text 0.02 length 0.3 lines 0.14 words 0.25",
      "5 terms 0.37 coverage 0.37 signature 0.02 path 0.02 verb 1 phrase 1 graph 0.02 file_text 0.18 length 0.32 lines 0.14 words 0.5 test 1 precision 1",
      "6 terms 0.01 coverage 0.02 file_text 0.01 length 0.23 lines 0.14 words 0.25",
      "7 terms 0.02 coverage 0.02 file_text 0.02 length 0.37 lines 0.5 words 0.25 precision 1",
      "8 terms 0.18 coverage 0.37 file_text 0.18 length 0.32 lines 0.14 words 0.5 test 1 precision 0.5",
    ]
  `);
});
