import { expect, test } from 'vitest';
import { type AuthorSpelling, groupSpellings, spellingKey } from './people.ts';

/** Spellings from `Name <address> commits first-last`; the span is one commit after the other when it is left out. */
function spellings(lines: readonly string[], bots: readonly string[] = []): AuthorSpelling[] {
  let next = 1;
  return lines.map((line, at) => {
    const [, name = '', email = '', count = '1', from, to] =
      /^(.*?) ?<(.*)>(?: (\d+))?(?: (\d+)-(\d+))?$/.exec(line) ?? [];
    const commits = Number(count);
    const first = from === undefined ? next : Number(from);
    const last = to === undefined ? first + commits - 1 : Number(to);
    next = last + 1;
    return { id: at + 1, name, email, bot: bots.includes(name), commits, first, last };
  });
}

/** People as their names with the positions of their spellings. */
function people(lines: readonly string[], bots?: readonly string[]): string[] {
  const { of, people: groups } = groupSpellings(spellings(lines, bots));
  return groups.map(({ name }, person) => {
    const own = lines.flatMap((_, at) => (of[at + 1] === person ? [at] : []));
    return `${name}: ${own.join(' ')}`;
  });
}

test.each<[string, string[], string[]]>([
  ['an address', ['Ada Example <ada@acme.example> 3', 'adae <ADA@acme.example>'], ['Ada Example: 0 1']],
  ['a full name', ['Ada Example <ada@acme.example> 3', 'ada example <a@home.example>'], ['Ada Example: 0 1']],
  ['accents', ['Ádá Example <ada@acme.example> 3', 'Ada Example <a@home.example>'], ['Ádá Example: 0 1']],
  ['initials', ['Ada Example <ada@acme.example> 3', 'A. Example <ada@acme.example> 1 2-2'], ['Ada Example: 0 1']],
  ['a longer name', ['A. Example <ada@acme.example> 3', 'Ada Example <ada@acme.example> 1 2-2'], ['A. Example: 0 1']],
  [
    'the only full name of an address',
    ['adae <a@x.example> 5', 'Ada Example <a@x.example>', 'Ada Example <ada@acme.example> 9'],
    ['Ada Example: 0 1 2'],
  ],
  ['a name run together', ['Ada Example <a@x.example> 3 1-9', 'AdaExample <a@x.example> 1 4-4'], ['Ada Example: 0 1']],
  ['another script', ['Li Ming <li@acme.example> 3 1-9', '李明 <li@acme.example> 2 3-5'], ['Li Ming: 0 1']],
  ['a changed name', ['Ada Old <ada@acme.example> 5 1-5', 'Ada New <ada@acme.example> 9 6-14'], ['Ada New: 0 1']],
  [
    'the private address of a host',
    ['ada <12+ada@users.noreply.example>', 'Ada Example <ada@users.noreply.example> 2'],
    ['Ada Example: 0 1'],
  ],
  ['a tagged address', ['Ada Example <ada@acme.example> 2', 'ae <ada+git@acme.example>'], ['Ada Example: 0 1']],
  [
    'an account name that is a mailbox',
    ['adae <adae@acme.example> 2', 'adae <a@home.example> 2', 'Ada Example <a@home.example>'],
    ['adae: 0 1 2'],
  ],
  [
    'a tool in brackets',
    ['Ada Example <a@x.example> 9 1-9', 'Ada Example (tool) <ada@y.example> 3 2-8'],
    ['Ada Example: 0 1'],
  ],
])('%s makes one person', (_, lines, expected) => {
  expect(people(lines)).toEqual(expected);
});

test.each<[string, string[], string[]]>([
  [
    'two full names alternate under one address',
    ['Ada Example <team@acme.example> 9 1-20', 'Bob Sample <team@acme.example> 9 2-19'],
    ['Ada Example: 0', 'Bob Sample: 1'],
  ],
  [
    'one commits on the machine of the other',
    [
      'Ada Example <ada@acme.example> 9',
      'Bob Sample <bob@acme.example> 9',
      'Bob Sample <ada@acme.example>',
      'Ada Example <bob@acme.example>',
    ],
    ['Ada Example: 0 3', 'Bob Sample: 1 2'],
  ],
  [
    'one began on the machine of the other',
    ['Ada Example <ada@acme.example> 9', 'Bob Sample <ada@acme.example> 2', 'Bob Sample <bob@acme.example> 3'],
    ['Ada Example: 0', 'Bob Sample: 1 2'],
  ],
  ['they share a given name', ['Max <max@a.example> 3', 'Max <max@b.example> 2'], ['Max: 0', 'Max: 1']],
  ['they share the account of machines', ['root <root@localhost>', 'root <root@web.internal>'], ['root: 0', 'root: 1']],
  [
    'they share an account name that is no mailbox',
    ['drone <a@x.example>', 'drone <b@y.example>'],
    ['drone: 0', 'drone: 1'],
  ],
  [
    'a tool commits under the addresses of both',
    [
      'Ada Example <ada@acme.example> 9',
      'deploy <ada@acme.example>',
      'Bob Sample <bob@acme.example> 9',
      'deploy <bob@acme.example>',
      'deploy <deploy@acme.example>',
    ],
    ['Ada Example: 0 1', 'Bob Sample: 2 3', 'deploy: 4'],
  ],
])('two people stay two where %s', (_, lines, expected) => {
  expect(people(lines)).toEqual(expected);
});

test('a program is nobody, whatever address it commits with', () => {
  const lines = ['Ada Example <ada@acme.example> 9', 'Release Bot <ada@acme.example> 30', 'ada <ada@acme.example>'];

  expect(people(lines, ['Release Bot'])).toEqual(['Ada Example: 0 2', 'Release Bot: 1']);
});

test('a person is called by the name and the address of most commits, of equals by the newer', () => {
  const { people: groups } = groupSpellings(
    spellings(['Ada Example <old@acme.example> 40', 'drone <new@acme.example> 5', 'Ada Example <new@acme.example> 35']),
  );

  expect(groups).toMatchObject([{ name: 'Ada Example', email: 'new@acme.example', bot: false }]);
  expect(groups[0]?.spellings).toContain(spellingKey('Drone', 'new@acme.example'));
});

test.each([
  [9, 1],
  [8, 2],
])('two names that overlap from commit %i on are %i people: a fifth of the shorter span may', (from, count) => {
  const lines = ['Ada First <a@x.example> 9 1-10', `Ada Second <a@x.example> 10 ${from}-${from + 9}`];

  expect(people(lines)).toHaveLength(count);
});
