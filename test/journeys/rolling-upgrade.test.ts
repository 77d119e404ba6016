import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { servedRepository, sharedSettings } from './installations.ts';
import {
  type CommandOptions,
  eventually,
  serverFile,
  startSvc,
  svc,
  svcJson,
  temporaryFolder,
} from './service-process.ts';

const ROOT = dirname(dirname(import.meta.dirname));

function git(args: readonly string[]): string {
  return execFileSync('git', ['-C', ROOT, ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
}

/** The commit before the newest migration was added; undefined in a copy without history. */
function commitBefore(): string | undefined {
  try {
    const added = git(['log', '-1', '--diff-filter=A', '--format=%H', '--', 'migrations/*.sql']);
    return git(['rev-parse', '--verify', `${added}^`]);
  } catch {
    return undefined;
  }
}

const BEFORE = commitBefore();

/** The program of that commit, with the packages of this one. Returns its launcher. */
function unpackProgram(commit: string): string {
  const folder = join(temporaryFolder(), 'program');
  mkdirSync(folder);
  const paths = ['bin', 'src', 'migrations', 'grammars', 'package.json'];
  const archive = execFileSync('git', ['-C', ROOT, 'archive', commit, ...paths], { maxBuffer: 1e9 });
  execFileSync('tar', ['-x', '-C', folder], { input: archive });
  for (const name of ['node_modules', 'models', 'web']) symlinkSync(join(ROOT, name), join(folder, name));
  return join(folder, 'bin/svc.mjs');
}

function replica(env: Record<string, string>, launcher?: string): CommandOptions & { dataDir: string } {
  const cwd = temporaryFolder();
  return { cwd, env, dataDir: join(cwd, '.svc-data'), ...(launcher !== undefined && { launcher }) };
}

/** Adds a document with this word, and waits until a search of each replica finds it. */
async function write(word: string, by: CommandOptions, readers: readonly CommandOptions[]): Promise<void> {
  writeFileSync(join(by.cwd, `${word}.md`), `# About ${word}\n\nEvery ${word} is counted once.\n`);
  await svcJson(['doc', 'add', `${word}.md`], by);
  for (const reader of readers)
    await eventually(async () => (await svc(['texts', word, '--json'], reader)).out.includes(`Every ${word}`));
}

test.skipIf(BEFORE === undefined)('the version before and this one serve one database during a migration', async () => {
  const env = { ...(await sharedSettings()), SVC_RATE_LIMIT_PER_MINUTE: '100000' };
  const before = replica(env, unpackProgram(BEFORE ?? ''));
  const after = replica(env);
  await startSvc(['serve', '--data-dir', before.dataDir], before);
  await svcJson(['repo', 'add', await servedRepository(), '--wait'], before);
  const { key } = await svcJson<{ key: string }>(['key', 'create', '--name', 'one'], before);

  // A client that never stops asking the version before.
  const statuses: number[] = [];
  const done = new AbortController();
  const asking = (async () => {
    const { url } = serverFile(before.dataDir);
    const headers = { 'x-api-key': key, 'content-type': 'application/json' };
    const body = JSON.stringify({ action: 'usages', query: 'sendMail' });
    while (!done.signal.aborted)
      statuses.push((await fetch(`${url}/v1/tools/code-tool`, { method: 'POST', headers, body })).status);
  })();
  const { err } = await startSvc(['serve', '--data-dir', after.dataDir], after);
  await write('walrus', before, [before, after]);
  await write('ostrich', after, [before, after]);
  done.abort();
  await asking;

  expect(new Set(statuses)).toEqual(new Set([200]));
  expect(statuses.length).toBeGreaterThan(10);
  for (const options of [before, after])
    // Where their indexes differ, each makes its own again.
    await eventually(async () => (await svc(['usages', 'sendMail'], options)).out.includes('src/order.ts'));
  expect(err()).not.toMatch(/"level":50|ERROR/);
});
