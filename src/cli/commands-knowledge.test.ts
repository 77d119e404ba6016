import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { expect, onTestFinished, test } from 'vitest';
import type { Client } from './client.ts';
import { addDocumentCommands, addSignalCommands } from './commands-knowledge.ts';

/** The commands in a folder of their own, with what they sent and showed. The service takes whatever it is sent. */
function bench(files: Record<string, string>, answer: { refused?: { row: number; reason: string }[] } = {}) {
  const cwd = mkdtempSync(join(tmpdir(), 'svc-cli-'));
  onTestFinished(() => rmSync(cwd, { recursive: true }));
  for (const [name, content] of Object.entries(files)) writeFileSync(join(cwd, name), content);
  const sent: { path: string; body: unknown }[] = [];
  const shown: { document: unknown; prose: string }[] = [];
  const client: Client = {
    where: 'a test',
    isLogin: false,
    send: async <Body>(_: string, path: string, body?: unknown) => {
      sent.push({ path, body });
      return {
        documents: [{ name: 'a', outcome: 'added', id: 'doc:1', error: null }],
        added: 1,
        updated: 2,
        unchanged: 3,
        ...answer,
      } as Body;
    },
    text: () => Promise.reject(new Error('Nothing is read.')),
    get: () => Promise.reject(new Error('Nothing is read.')),
    download: () => Promise.reject(new Error('Nothing is read.')),
    request: () => Promise.reject(new Error('Nothing is read.')),
    close: async () => {},
  };
  const program = new Command('svc').exitOverride();
  const tools = {
    cwd,
    common: (command: Command) => command.exitOverride(),
    withClient: async (_: object, act: (given: Client) => Promise<void>) => act(client),
    withClientToAdd: async (_: object, act: (given: Client) => Promise<void>) => act(client),
    repositoryHere: async () => undefined,
    show: (_: object, document: unknown, prose: () => string) => void shown.push({ document, prose: prose() }),
  };
  addDocumentCommands(program.command('doc'), tools);
  addSignalCommands(program.command('signal'), tools);
  return { sent, shown, run: (...args: string[]) => program.parseAsync(args, { from: 'user' }) };
}

test('doc add sends each file as it is, by its name', async () => {
  const { sent, shown, run } = bench({ 'a b.md': '# A' });

  await run('doc', 'add', 'a b.md', '--tags', 'x');

  expect(sent).toEqual([{ path: '/v1/documents?name=a+b.md&tags=x', body: new Uint8Array(Buffer.from('# A')) }]);
  expect(shown[0]?.prose).toBe('added a');
  await expect(run('doc', 'add', 'missing.md')).rejects.toMatchObject({ code: 'bad_argument' });
});

test('signal import sends batches of what it read, and names the file as the source', async () => {
  const { sent, shown, run } = bench({ 'feedback.csv': 'what,who\nslow,one\n,two\n' });

  await run('signal', 'import', 'feedback.csv', '--map', 'text=what', 'customer=who');

  const signals = [{ source: 'feedback', text: 'slow', customer: 'one' }];
  expect(sent).toEqual([{ path: '/v1/signals', body: { signals } }]);
  expect(shown[0]?.document).toEqual({
    format: 'CSV',
    encoding: 'UTF-8',
    encoding_guessed: false,
    mapping: { text: 'what', customer: 'who' },
    read: 1,
    skipped: [{ line: 2, reason: 'It has no text.' }],
    notes: [],
    added: 1,
    updated: 2,
    unchanged: 3,
    refused: [],
  });
  expect(shown[0]?.prose).toContain('1 added, 2 updated, 3 already existed.');
});

test('a signal that is not saved is named by its line in the file', async () => {
  const refused = [{ row: 2, reason: 'It has a character that is none.' }];
  const { shown, run } = bench({ 'feedback.csv': 'text\nslow\n""\nodd\n' }, { refused });

  await run('signal', 'import', 'feedback.csv');

  expect(shown[0]?.document).toMatchObject({ refused: [{ ...refused[0], line: 3 }] });
  expect(shown[0]?.prose).toContain('line 3 is not saved: It has a character that is none.');
});

test('a dry run shows what would be imported and sends nothing', async () => {
  const { sent, shown, run } = bench({ 'a.jsonl': '{"text":"slow export","date":"2026-01-02"}\n' });

  await run('signal', 'import', 'a.jsonl', '--dry-run');

  expect(sent).toEqual([]);
  expect(shown[0]?.prose).toContain('2026-01-02');
  expect(shown[0]?.prose).toContain('slow export');
  expect(shown[0]?.prose).toContain('Read as: JSON, UTF-8; dates with the year first.');
});

test('a dry run says how dates are read, and which lines lose something', async () => {
  const rows = ['Datum;Nachricht;Bewertung', '03.04.2026;langsam;2', 'gestern;gut;5'];
  const { shown, run } = bench({ 'a.csv': rows.join('\r\n') });

  await run('signal', 'import', 'a.csv', '--dry-run');

  expect(shown[0]?.prose).toContain('Read as: CSV, UTF-8; dates with the day first; ratings out of 5.');
  expect(shown[0]?.prose).toContain('2 signals read, 0 lines skipped, 1 line saved in part.');
  expect(shown[0]?.prose).toContain('  line 2: "gestern" is not a date: saved without one.');
});

test.each([
  ['a.json', '{"text": 1', 'neither a JSON list'],
  ['a.jsonl', '1\n2\n', 'neither a JSON list'],
  ['a.csv', 'x\ny\n', 'No column looks like the text'],
])('%s that cannot be read says why', async (name, content, message) => {
  const { run } = bench({ [name]: content });

  await expect(run('signal', 'import', name)).rejects.toThrow(message);
});

test('signal github reads a repository page by page and sends what are issues', async () => {
  const issue = { number: 7, html_url: 'https://github.com/acme/shop/issues/7', title: 'Slow', user: { login: 'one' } };
  const server = createServer((_, response) => response.end(JSON.stringify([issue, { ...issue, pull_request: {} }])));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => void server.close());
  const { sent, shown, run } = bench({});

  await run('signal', 'github', 'acme/shop', '--api', `http://127.0.0.1:${(server.address() as AddressInfo).port}`);

  expect(sent).toEqual([
    {
      path: '/v1/signals',
      body: { signals: [expect.objectContaining({ external_id: '7', source: 'github:acme/shop' })] },
    },
  ]);
  expect(shown[0]?.document).toEqual({ read: 2, pull_requests: 1, added: 1, updated: 2, unchanged: 3 });
  await expect(run('signal', 'github', 'acme/shop', '--since', 'soon')).rejects.toMatchObject({ code: 'bad_argument' });
});
