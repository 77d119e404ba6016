import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Command } from 'commander';
import { expect, onTestFinished, test } from 'vitest';
import { testRepository } from '../testing/git.ts';
import type { Client } from './client.ts';
import { addOperationCommands } from './operation-commands.ts';
import { operationCommands, withCommands } from './published-operations.ts';

const unused = () => Promise.reject(new Error('Nothing is read.'));

/** A checkout, and a service that records what it is asked. */
function bench() {
  const repository = testRepository([{ files: { 'src/mail.ts': 'export const send = 1;\n' } }]);
  onTestFinished(() => repository.remove());
  const sent: { path: string; body: unknown }[] = [];
  const shown: string[] = [];
  const record = async (_: string, path: string, body?: unknown): Promise<string> => {
    sent.push({ path, body });
    return 'an answer\u001B[2J';
  };
  const client: Client = {
    where: 'a test',
    isLogin: false,
    // The commands print what they get.
    send: record as Client['send'],
    text: record,
    get: unused,
    download: unused,
    request: unused,
    close: async () => {},
  };
  const run = async (folder: string, ...args: string[]): Promise<unknown> => {
    const program = new Command('svc').exitOverride().configureOutput({ writeErr: () => {} });
    addOperationCommands(program, {
      cwd: resolve(repository.path, folder),
      common: (command: Command) => command.exitOverride().option('--json'),
      withClient: async (_, act) => act(client),
      withClientToAdd: async (_, act) => act(client),
      repositoryHere: async (_, { repo = 'shop' }) => repo,
      show: (flags: { json?: boolean }, document, prose) =>
        void shown.push(flags.json === true ? JSON.stringify(document) : prose()),
    });
    await program.parseAsync(args, { from: 'user' });
    return sent.at(-1)?.body;
  };
  mkdirSync(join(repository.path, 'src', 'empty'));
  return { run, sent, shown };
}

test('a command sends its words and options as the arguments of its action, about the repository of the checkout', async () => {
  const { run, sent, shown } = bench();

  expect(await run('.', 'usages', 'sendMail', '--kind', 'call', '--kind', 'write', '--max-tokens', '900')).toEqual({
    action: 'usages',
    query: 'sendMail',
    kind: ['call', 'write'],
    max_tokens: 900,
    repo: 'shop',
  });
  expect(sent[0]?.path).toBe('/v1/tools/code-tool');
  expect(shown).toEqual([String.raw`an answer\u001b[2J`]);
  expect(await run('.', 'search', 'refund twice', '--corpora', 'signals')).toEqual({
    query: 'refund twice',
    corpora: ['signals'],
  });
  expect(await run('.', 'themes', '--new', '--json')).toEqual({ action: 'new' });
  expect(await run('.', 'changelog', 'v1..v2', '--repo', 'web')).toMatchObject({ query: 'v1..v2', repo: 'web' });
});

test.each([
  [['definition', 'mail.ts:1:14'], { query: 'src/mail.ts:1:13' }],
  [['usages', '../src/mail.ts:1'], { query: 'src/mail.ts:1' }],
  [['definition', 'mail.ts:1-1'], { query: 'src/mail.ts:1-1' }],
  [['usages', 'mail.ts'], { query: 'src/mail.ts' }],
  [['usages', 'empty'], { query: 'empty' }],
  [['impact', '..'], { query: '..' }],
  [['impact', '--diff', 'HEAD'], { query: '..' }],
  [['impact', '--diff', 'v1'], { query: 'v1..' }],
  [['outline', 'mail.ts'], { path: 'src/mail.ts' }],
  [['smells', 'empty'], { path: 'src/empty' }],
  [['smells', 'lib'], { path: 'lib' }],
  [['hotspots', '..'], { path: undefined }],
  [['grep', 'mail.ts'], { query: 'mail.ts' }],
])(
  'files are meant from the folder in which a command is typed, and named from the root: %j',
  async (args, expected) => {
    expect(await bench().run('src', ...args)).toEqual({ action: args[0], repo: 'shop', ...expected });
  },
);

test('outside of a checkout paths are those of the repository that is named', async () => {
  const { run } = bench();

  expect(await run(tmpdir(), 'outline', '.', '--repo', 'web')).toMatchObject({ path: '.', repo: 'web' });
});

test('what a command is about comes first, whatever the argument is called', async () => {
  const { run } = bench();

  expect(await run('.', 'competitor-text', 'acme')).toEqual({ action: 'snapshot', competitor: 'acme' });
  expect(await run('.', 'neighbors', 'feature:checkout')).toEqual({ action: 'neighbors', entity: 'feature:checkout' });
  expect(await run('.', 'spec', 'refunds', '--target', 'issue')).toEqual({ plan: 'refunds', target: 'issue' });
});

test('what is no choice or no number is refused before anything is sent', async () => {
  const { run, sent } = bench();

  await expect(run('.', 'usages', 'x', '--limit', 'many')).rejects.toMatchObject({ code: 'bad_argument' });
  await expect(run('.', 'usages', 'x', '--detail', 'all')).rejects.toMatchObject({ code: 'commander.invalidArgument' });
  expect(sent).toEqual([]);
});

test('every action of the operations that answer in rows has a command with a description of its own', () => {
  const commands = operationCommands();

  expect(new Set(commands.map(({ name }) => name)).size).toBe(commands.length);
  expect(new Set(commands.map(({ description }) => description)).size).toBe(commands.length);
  expect(commands.filter(({ action, operation, description }) => description === `${operation} ${action}`)).toEqual([]);
});

test.each([
  [
    'Ask code-tool semantic_search query="a \\"b\\"" repo="shop".',
    'Ask svc semantic-search "a \\"b\\"" --repo "shop".',
  ],
  [
    'code-tool usages query="send" kind=["call","write"] limit=5 | more',
    'svc usages "send" --kind "call" --kind "write" --limit 5 | more',
  ],
  ['next: search-tool query="refunds"', 'next: svc search "refunds"'],
  [
    'entity-analysis-tool find entity="send"; ask_codeIntelligenceAgent message="x"',
    'svc entities "send"; ask_codeIntelligenceAgent message="x"',
  ],
  ['another-tool usages query="x"', 'another-tool usages query="x"'],
  ['Add repo="shop" or repo="*"; max_tokens=9000', 'Add --repo "shop" or --repo "*"; --max-tokens 9000'],
])('a call that an error proposes is the command that makes it: %s', (text, expected) => {
  expect(withCommands(text)).toBe(expected);
});
