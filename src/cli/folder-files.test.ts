import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import type { Client } from './client.ts';
import { addSignalCommands } from './commands-knowledge.ts';
import { addDecisionCommands } from './commands-plan.ts';

const RECORD = '# 1. Use Postgres\n\n## Status\n\nAccepted\n';

/** A clone, with a folder of the user beside it. */
let [clone, victim] = ['', ''];
beforeEach(() => {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'svc-links-')));
  onTestFinished(() => rmSync(home, { recursive: true }));
  [clone, victim] = [join(home, 'clone'), join(home, 'victim')];
  for (const folder of [victim, join(clone, 'docs/adr/old')]) mkdirSync(folder, { recursive: true });
  writeFileSync(join(victim, 'secret.md'), 'secret');
  writeFileSync(join(victim, '0001-postgres.md'), 'mine');
  writeFileSync(join(clone, 'docs/adr/old/0001-postgres.md'), RECORD);
});

const none = (): Promise<never> => Promise.reject(new Error('Nothing else is read.'));

/** Runs a command in the clone; the service answers what it is given. */
async function run(args: string[], answer: unknown = {}): Promise<{ sent: unknown[]; shown: string }> {
  const sent: unknown[] = [];
  let shown = '';
  const client: Client = {
    where: 'a test',
    isLogin: false,
    send: async <Body>(_: string, __: string, body?: unknown) => {
      sent.push(body);
      return answer as Body;
    },
    text: none,
    get: none,
    download: none,
    request: none,
    close: async () => {},
  };
  const program = new Command('svc').exitOverride();
  const act = async (_: object, call: (given: Client) => Promise<void>): Promise<void> => call(client);
  const tools = {
    cwd: clone,
    common: (command: Command) => command.exitOverride(),
    withClient: act,
    withClientToAdd: act,
    repositoryHere: async () => undefined,
    show: (_: object, __: unknown, prose: () => string) => void (shown = prose()),
  };
  addDecisionCommands(program.command('decision'), tools);
  addSignalCommands(program.command('signal'), tools);
  await program.parseAsync(args, { from: 'user' });
  return { sent, shown };
}

const taken = () => ({ created: [], updated: [], unchanged: 1, removed: [], failed: [], unclear: [] });

test('decision import sends no file to which a link of the folder leads, names it, and removes nothing for it', async () => {
  symlinkSync('../../../victim/secret.md', join(clone, 'docs/adr/0002-link.md'));
  symlinkSync('../../../victim', join(clone, 'docs/adr/more'));

  const { sent, shown } = await run(['decision', 'import', 'docs/adr'], taken());

  const files = [{ path: 'old/0001-postgres.md', text: RECORD }];
  expect(sent).toEqual([expect.objectContaining({ files, is_whole: false })]);
  expect(shown).toContain('left out: 0002-link.md: it is a symbolic link');
});

test('decision import takes a folder without links as the whole of it, also where the user names a link to it', async () => {
  symlinkSync('docs/adr', join(clone, 'adr'));

  const { sent } = await run(['decision', 'import', 'adr'], taken());

  expect(sent).toEqual([
    expect.objectContaining({ files: [{ path: 'old/0001-postgres.md', text: RECORD }], is_whole: true }),
  ]);
});

test('decision import says why a folder of links holds nothing to read, and that a missing folder is none', async () => {
  mkdirSync(join(clone, 'links'));
  symlinkSync('../../victim/secret.md', join(clone, 'links/a.md'));

  await expect(run(['decision', 'import', 'links'])).rejects.toThrow(/no Markdown files, except links.*: a\.md\./);
  await expect(run(['decision', 'import', 'none'])).rejects.toThrow('is not a folder');
});

test.each([
  ['docs/out/0001-postgres.md', '../../../victim/0001-postgres.md'],
  ['docs/out', '../../victim'],
])('decision export does not write through %s -> %s', async (path, target) => {
  mkdirSync(join(clone, path, '..'), { recursive: true });
  symlinkSync(target, join(clone, path));
  const files = [{ path: 'docs/adr/0001-postgres.md', content: RECORD }];

  await expect(run(['decision', 'export', 'docs/out'], { files })).rejects.toThrow('is a symbolic link');

  expect(readFileSync(join(victim, '0001-postgres.md'), 'utf8')).toBe('mine');
});

test('decision export makes a folder in the checkout, and one elsewhere by the path of the user', async () => {
  const files = [{ path: 'docs/adr/0001-postgres.md', content: RECORD }];

  await run(['decision', 'export', 'docs/new/adr'], { files });
  await run(['decision', 'export', '../out'], { files });
  await run(['decision', 'export', '.'], { files });

  for (const folder of ['docs/new/adr', '../out', '.']) {
    expect(readFileSync(join(clone, folder, '0001-postgres.md'), 'utf8')).toBe(RECORD);
  }
  expect(readdirSync(victim)).toEqual(['0001-postgres.md', 'secret.md']);
});

test('signal import reads a folder without the files to which its links lead, and names the links', async () => {
  mkdirSync(join(clone, 'export'));
  writeFileSync(join(clone, 'export/a.jsonl'), '{"text":"slow export"}\n');
  symlinkSync('../../victim/secret.md', join(clone, 'export/b.jsonl'));

  const { shown } = await run(['signal', 'import', 'export', '--dry-run']);

  expect(shown).toContain('Not followed, a symbolic link: b.jsonl');
  expect(shown).toContain('slow export');
  expect(shown).not.toContain('secret');
});
