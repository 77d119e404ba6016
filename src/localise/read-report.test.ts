import { expect, test } from 'vitest';
import { readReport } from './read-report.ts';

const REPORT = `<!-- Thanks for reporting -->
# Mails go out twice when \`Mailer.retryAfter\` is 0

I set \`RETRY_LIMIT\` and call \`send\` from src/shop.ts:

\`\`\`
mailer.flushQueue(order)
numpy              1.15.0
attrs==19.3.0
-------- captured log --------
TypeError: Expected 3 addresses in "order", but found 5 in the whole queue
    at Mailer.flushQueue (/app/src/mail.ts:12:3)
\`\`\`

FAILED tests/test_mail.py::TestMail::test_twice
`;

test('a report is taken apart into title, error, trace, names, quoted texts, paths and tests', () => {
  const report = readReport(REPORT);

  expect(report.title).toBe('Mails go out twice when `Mailer.retryAfter` is 0');
  expect(report.error).toEqual({
    type: 'TypeError',
    message: 'Expected 3 addresses in "order", but found 5 in the whole queue',
  });
  expect(report.frames).toEqual([{ path: '/app/src/mail.ts', line: 12, symbol: 'Mailer.flushQueue' }]);
  expect(report.names).toEqual(expect.arrayContaining(['Mailer.retryAfter', 'RETRY_LIMIT', 'mailer.flushQueue']));
  expect(report.quotes).toEqual(expect.arrayContaining(['addresses in', 'in the whole queue']));
  expect(report.paths).toEqual(['src/shop.ts', 'tests/test_mail.py']);
  expect(report.tests).toEqual(['tests/test_mail.py::TestMail::test_twice']);
});

test('a short piece of a longer text is none that stands in the code, a short whole text is', () => {
  expect(readReport('`required=Field1 a Field2` and "in vain" do nothing').quotes).toEqual(['required', 'in vain']);
});

test('what people say is kept apart from code, and neither holds traces, rules or lists of versions', () => {
  const { prose, code } = readReport(REPORT);

  expect(prose).toContain('I set `RETRY_LIMIT`');
  expect(prose).not.toContain('Thanks for reporting');
  expect(code).toContain('mailer.flushQueue(order)');
  expect(`${prose}${code}`).not.toMatch(/numpy|attrs|captured log|mail\.ts:12/);
});

test('a path of the trace is no other path that the report names', () => {
  const trace = 'TypeError: no mail in src/b.ts\n    at send (/app/src/a.ts:3:1)';

  expect(readReport(`See src/a.ts.\n${trace}`).paths).toEqual(['src/b.ts']);
  expect(readReport(`See src/a.ts.\n${trace}\n    at post (/app/src/c.ts:1:1)`).paths).toEqual(['src/b.ts']);
});

test('an error without a type is read where no other is, and a heading is none', () => {
  expect(readReport('Error: Could not find any order\nmore').error).toEqual({
    type: 'Error',
    message: 'Could not find any order',
  });
  expect(readReport('Error: it failed\nTypeError: no address').error?.type).toBe('TypeError');
  expect(readReport('Error:\nsomething is odd').error).toBeUndefined();
});

test('an error is read amid a sentence, in back quotes, and alone on its line', () => {
  expect(readReport('It stops with `ValueError: too many labels` since Monday.').error).toEqual({
    type: 'ValueError',
    message: 'too many labels',
  });
  expect(readReport('Sending fails: sqlite3.OperationalError: no such table: mails').error).toEqual({
    type: 'sqlite3.OperationalError',
    message: 'no such table: mails',
  });
  expect(readReport('It stops with `ValueError: too many labels` since Monday.').quotes).toContain('too many labels');
  expect(readReport('Then this is shown:\njava.lang.NullPointerException').error).toEqual({
    type: 'java.lang.NullPointerException',
    message: '',
  });
  expect(readReport('A TypeError is thrown').error).toBeUndefined();
});

test('a report of code alone is read as words', () => {
  expect(readReport('```\nmailer.flushQueue(order)\n```')).toMatchObject({
    prose: 'mailer.flushQueue(order)',
    code: '',
    title: 'mailer.flushQueue(order)',
  });
});

test('of a report of megabytes the beginning and the end are read, 30,000 characters of each', () => {
  const [begin, end] = [`begin ${'x y '.repeat(7_498)}z`, `z ${'x y '.repeat(7_499)}end`];
  const { text } = readReport(`${begin}${'left out '.repeat(300_000)}${end}`);

  expect(text.length).toBe(60_001);
  expect([text.startsWith('begin'), text.endsWith('end')]).toEqual([true, true]);
  expect(readReport(`${begin}${end}`.slice(0, 59_000)).text).not.toContain('\n');
});

test('names in back quotes weigh twice, and eighty names are kept', () => {
  expect(readReport('sendMail, sendMail, sendMail; dropMail, dropMail: `queue`').names).toEqual([
    'sendMail',
    'queue',
    'dropMail',
  ]);
  expect(readReport(Array.from({ length: 99 }, (_, at) => `name_${at}`).join(' ')).names).toHaveLength(80);
  expect(readReport('`true`, `x to` and `self.mail`').names).toEqual(['self.mail', 'to']);
});

const quotes = (...texts: string[]): string[] => readReport(texts.map((text) => `"${text}"`).join('\n')).quotes;

test('quoted texts are kept from six characters on to 160, two dozen of them', () => {
  expect(quotes('abcde', 'abcdef')).toEqual(['abcdef']);
  expect(quotes('word '.repeat(32).trim(), `${'word '.repeat(32)}xx`)).toEqual(['word '.repeat(32).trim()]);
  expect(
    quotes(...Array.from({ length: 30 }, (_, at) => `text ${'abcdefghijklmnopqrstuvwxyzabcd'.slice(0, at + 3)}`)),
  ).toHaveLength(24);
  // Of a longer text a piece of several words needs eight letters.
  expect(quotes('to a bcd = no mail a')).toEqual([]);
  expect(quotes('to a bcd = no mail at')).toEqual(['no mail at']);
});

test('with fewer than four words of people the code is read as words too', () => {
  const code = '```\nmailer.flushQueue(order)\n```';

  expect(readReport(`It fails always\n${code}`)).toMatchObject({ code: '' });
  expect(readReport(`It fails always here\n${code}`)).toMatchObject({ code: 'mailer.flushQueue(order)' });
});

test('of a long log 2,000 different words are read', () => {
  const words = Array.from({ length: 2_400 }, (_, at) => `word${at}`).join(' ');

  expect(readReport(words).identifiers).toHaveLength(2_000);
  expect(readReport('one four one seven_8 four').identifiers).toEqual(['four', 'seven_8']);
});
