import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { servedRepository, sharedSettings } from './installations.ts';
import { type CommandOptions, eventually, serverFile, startSvc, temporaryFolder } from './service-process.ts';
import { addRepository, asOwner } from './standing-state.ts';

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

interface Replica extends CommandOptions {
  dataDir: string;
}

function replica(env: Record<string, string>, launcher?: string): Replica {
  const cwd = temporaryFolder();
  return { cwd, env, dataDir: join(cwd, '.svc-data'), ...(launcher !== undefined && { launcher }) };
}

/** The answer of a tool, or why there is none yet. */
async function call({ dataDir }: Replica, tool: string, input: object): Promise<string> {
  const { url, token } = serverFile(dataDir);
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const body = JSON.stringify(input);
  return (await fetch(`${url}/v1/tools/${tool}`, { method: 'POST', headers, body })).text();
}

/** Records a decision with this word, and waits until a search of each replica finds it. */
async function write(word: string, by: Replica, readers: readonly Replica[]): Promise<void> {
  await asOwner(by.dataDir, 'POST /decisions', { title: `About ${word}`, decision: `Every ${word} is counted once.` });
  for (const reader of readers)
    await eventually(async () => (await call(reader, 'search-tool', { query: word })).includes(`Every ${word}`));
}

test.skipIf(BEFORE === undefined)('the version before and this one serve one database during a migration', async () => {
  const env = { ...(await sharedSettings()), SVC_RATE_LIMIT_PER_MINUTE: '100000' };
  const before = replica(env, unpackProgram(BEFORE ?? ''));
  const after = replica(env);
  await startSvc(['serve', '--data-dir', before.dataDir], before);
  await addRepository(before.dataDir, { url: await servedRepository() });
  const { key } = await asOwner<{ key: string }>(before.dataDir, 'POST /api-keys', { name: 'one' });

  // A client that never stops asking the version before.
  const answers: { status: number; failure: string }[] = [];
  const done = new AbortController();
  const { url } = serverFile(before.dataDir);
  const headers = { 'x-api-key': key, 'content-type': 'application/json' };
  const body = JSON.stringify({ action: 'usages', query: 'sendMail' });
  const asking = eventually(async () => {
    const response = await fetch(`${url}/v1/tools/code-tool`, { method: 'POST', headers, body });
    const text = await response.text();
    answers.push({ status: response.status, failure: response.ok ? '' : text });
    return done.signal.aborted;
  });
  const { err } = await startSvc(['serve', '--data-dir', after.dataDir], after);
  await write('walrus', before, [before, after]);
  await write('ostrich', after, [before, after]);
  done.abort();
  await asking;

  expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
  expect(answers.length).toBeGreaterThan(10);
  for (const options of [before, after])
    // Where their indexes differ, each makes its own again.
    await eventually(async () =>
      (await call(options, 'code-tool', { action: 'usages', query: 'sendMail' })).includes('src/order.ts'),
    );
  expect(err()).not.toMatch(/"level":50|ERROR/);
});
