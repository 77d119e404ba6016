import { expect, test } from 'vitest';
import { shardInput } from '../../testing/code-shard.ts';
import { cutUnits } from './cut-units.ts';
import { lineStarts } from './line-starts.ts';
import type { FileInput } from './shard-input.ts';
import { packUnits, unpackUnits } from './unit-codec.ts';

type Spec = Parameters<typeof shardInput>[0][number];

/** The units of one file as `start-end symbol @signature`. */
function unitsOf(spec: Spec, more: Partial<FileInput> = {}): string[] {
  const [file] = shardInput([spec]).files as FileInput[];
  if (file === undefined) throw new Error('no file');
  const units = cutUnits({ ...file, ...more }, lineStarts(file.text));
  expect(unpackUnits(packUnits(units))).toEqual(units);
  const covered = units.flatMap(({ start, end }) => Array.from({ length: end - start + 1 }, (_, at) => start + at));
  expect(new Set(covered).size).toBe(covered.length);
  return units.map(({ start, end, symbol, signature }) => {
    return `${start}-${end} ${file.symbols[symbol]?.qualified ?? ''} @${signature}`;
  });
}

const body = (lines: number): string => Array.from({ length: lines }, (_, at) => `  step${at}();\n`).join('');

test('a symbol is a unit with the comment and the decorators above it, and so are the lines between symbols', () => {
  const text = `import a from 'a';

const LIMIT = 3;

// Sends
// a mail.
@retry
export function send() {
  a(LIMIT);
}
export const one = 1;
`;

  expect(unitsOf({ path: 'a.ts', text, symbols: [{ qualified: 'send', kind: 'function', line: 8, end: 10 }] })).toEqual(
    ['1-3  @1', '5-10 send @8', '11-11  @11'],
  );
});

test('a comment behind code is about that code, not about what follows', () => {
  const text = 'const a = 1; // one\nfunction b() {\n  a;\n}\n';
  const comment = Int32Array.of(text.indexOf('//'), text.indexOf('\n'));

  const units = unitsOf(
    { path: 'a.ts', text, symbols: [{ qualified: 'b', kind: 'function', line: 2, end: 4 }] },
    { comments: comment },
  );

  expect(units).toEqual(['1-1  @1', '2-4 b @2']);
});

test('a long class is its header with fields, and its members', () => {
  const text = `/** Mails. */\nclass Mailer {\n  retries = 3;\n\n  send() {\n${body(60)}  }\n\n  close() {\n${body(60)}  }\n}\n`;

  const units = unitsOf({
    path: 'a.ts',
    text,
    symbols: [
      { qualified: 'Mailer', kind: 'class', line: 2, end: 130 },
      { qualified: 'Mailer/send', kind: 'method', line: 5, end: 66 },
      { qualified: 'Mailer/close', kind: 'method', line: 68, end: 129 },
    ],
  });

  expect(units).toEqual(['1-3 Mailer @1', '5-66 Mailer/send @5', '68-129 Mailer/close @68', '130-130 Mailer @130']);
});

test('a document is cut at its headings, configuration at empty lines after fifteen', () => {
  const text = '# Mail\n\nHow it is sent.\n\n## Retry\n\nThree times.\n';
  const symbols: Spec['symbols'] = [
    { qualified: 'Mail', kind: 'heading', line: 1, end: 7 },
    { qualified: 'Mail/Retry', kind: 'heading', line: 5, end: 7 },
  ];
  const settings = `${'a: 1\n'.repeat(5)}\n${'b: 1\n'.repeat(14)}\n${'c: 1\n'.repeat(70)}`;

  expect(unitsOf({ path: 'README.md', text, symbols })).toEqual(['1-3 Mail @1', '5-7 Mail/Retry @5']);
  expect(
    unitsOf(
      { path: 'a.rst', text: 'Mail\n====\n\nText.\n\nRetry\n-----\n\nMore.\n' },
      { language: 'reStructuredText' },
    ),
  ).toEqual(['1-4  @1', '6-9  @6']);
  expect(unitsOf({ path: 'a.yml', text: settings })).toEqual(['1-20  @1', '22-67  @22', '68-91  @68']);
});

test.each([
  ['what a tool wrote', 'a.ts', { generated: true }],
  ['what is only searched as text', 'a.ts', { isTextOnly: true as const }],
  ['a change log', 'docs/CHANGELOG.md', {}],
  ['a table of values', 'prices.csv', {}],
])('%s has no units', (_, path, more) => {
  expect(unitsOf({ path, text: 'a\n\nb\n' }, more)).toEqual([]);
});
