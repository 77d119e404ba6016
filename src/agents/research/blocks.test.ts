import { expect, test } from 'vitest';
import { blocksOf } from './blocks.ts';

const DESK = ['The desk sends mails.', 'It opens at nine.'].join('\n');

/** What the blocks of a text are, with their terms, and how many parts they have. */
function read(...blocks: string[]): string[] {
  return blocksOf(blocks.join('\n\n')).map(
    ({ kind, term, parts }) => `${kind}${term === '' ? '' : ` ${term}`}${parts.length > 1 ? ` ${parts.length}` : ''}`,
  );
}

test('a text consists of paragraphs, lists, tables and code, each where it stands', () => {
  const list = '- by hand,\n  slowly\n- by night\n\n  and by day';
  const table = '| mail | sent |\n|------|------|\n| red | yes |';
  const text = [DESK, `Mails are sent so:\n${list}`, table, '```\nsend()\n\nwait()\n```', 'Nothing else.'].join('\n\n');

  const blocks = blocksOf(text);

  expect(blocks.map(({ kind, from, to }) => [kind, text.slice(from, to)])).toEqual([
    ['prose', DESK],
    ['prose', 'Mails are sent so:'],
    ['list', list],
    ['table', table],
    ['code', '```\nsend()\n\nwait()\n```'],
    ['prose', 'Nothing else.'],
  ]);
  // The rule of a table is no row.
  expect(blocks.map(({ parts }) => parts.map(({ from, to }) => text.slice(from, to)))[3]).toEqual([
    '| mail | sent |',
    '| red | yes |',
  ]);
});

test.each([
  ['a name above what is said of it', '``wait``\n\n  How long the desk waits.\n\n  *Default*: 1', ['definition wait']],
  ['an option above it', '--wait=<seconds>\n\n  How long.', ['definition --wait=<seconds>']],
  ['a line right above it', 'wait\n  How long the desk waits.', ['definition wait']],
  ['a colon before it', 'wait\n: How long the desk waits.', ['definition wait']],
  ['a directive with a name', '.. option:: --wait\n\n   How long.', ['definition --wait']],
  ['no name', 'The desk waits\n\n  For how long is not known.', ['prose', 'prose']],
  ['what only leads to it', 'The desk says::\n\n  wait\n\n  go', ['prose', 'code']],
  ['the letter of a question', 'Q\n  How long does it wait?', ['prose']],
])('a definition is a term and what is deeper below: %s', (_, text, kinds) => {
  expect(read(text)).toEqual(kinds);
});

test.each([
  ['.. note::\n\n   It waits.', ['aside']],
  ['.. versionadded:: 1.2', ['aside']],
  ['!!! note\n    It waits.', ['aside']],
  [':::tip\nIt waits.\n:::', ['aside']],
  [':::note[New in 8]\n:::\n\nIt waits.', ['aside', 'prose']],
  ['.. code-block:: sh\n\n   wait', ['code']],
  ['.. _waiting:\n\nIt waits.', ['prose']],
  ['<!-- wait\n\nmore -->\n\nIt waits.', ['prose']],
  ['It waits.\n\n    wait()\n\n    go()\n\nIt goes.', ['prose', 'code', 'prose']],
])('notes, code and what nobody sees are told apart in %j', (text, kinds) => {
  expect(read(text)).toEqual(kinds);
});

test('items go on behind empty lines as long as they are deeper, and rows of a drawn table to the next empty line', () => {
  expect(read('1. one\n\n   more\n\n2. two', 'Behind it.')).toEqual(['list 2', 'prose']);
  expect(read('===== =====\nmail  sent\n===== =====\nred   yes\n===== =====', 'Behind it.')).toEqual([
    'table 2',
    'prose',
  ]);
});
