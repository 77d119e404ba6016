import { fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { testRepository } from '../../testing/git.ts';
import { delegateGit, GitFailure, localEnvironment, runGit } from './git.ts';
import { GitHost } from './git-host.ts';

/** A host of this test alone, whose commands are told. */
function testHost(): GitHost {
  const host = new GitHost();
  delegateGit((args, options) => host.run(args, options));
  onTestFinished(() => {
    delegateGit(undefined);
    host.stop();
  });
  return host;
}

const env = localEnvironment();

test('a command is started by the host, and its output, input and failure come back as from here', async () => {
  const host = testHost();
  const { path, remove } = testRepository([{ files: { 'a.txt': 'a' } }]);
  onTestFinished(remove);
  const here = (await runGit(['version'], { env })).toString();

  expect(here).toMatch(/^git version/);
  const hashed = await runGit(['hash-object', '--stdin'], { env, input: 'x'.repeat(200_000) });
  expect(hashed.toString()).toMatch(/^[0-9a-f]{40}\n$/);
  const large = 'line\n'.repeat(100_000);
  const same = await runGit(['stripspace'], { env, input: large });
  expect(same.toString()).toBe(large);
  const refused = runGit([`--git-dir=${join(path, '.git')}`, 'rev-parse', '--verify', 'nothing'], { env });
  await expect(refused).rejects.toThrow(GitFailure);
  await expect(refused).rejects.toMatchObject({ exitCode: 128, stderr: expect.stringContaining('fatal') as string });
  await expect(runGit(['stripspace'], { env, input: large, maxBytes: 1_000 })).rejects.toThrow('more than 1000 bytes');
  expect(host.started).toBe(5);
});

test('a command ends with its signal and by its limit', async () => {
  testHost();
  const stop = new AbortController();
  const waits = runGit(['-c', 'alias.wait=!sleep 60', 'wait'], { env, signal: stop.signal });
  stop.abort(new Error('enough'));
  await expect(waits).rejects.toThrow('enough');
  await expect(runGit(['-c', 'alias.wait=!sleep 60', 'wait'], { env, timeoutMs: 50 })).rejects.toMatchObject({
    code: 'upstream_failed',
  });
});

test('what a host had begun when it was killed is done here, and the next command has a new one', async () => {
  const host = testHost();
  const events: string[] = [];
  host.watch = {
    ended: (error) => events.push((error as Error).message),
    ready: () => events.push('ready'),
  };
  await runGit(['version'], { env });
  const lost = host.pid;
  const slow = runGit(['-c', 'alias.soon=!sleep 0.2; echo done', 'soon'], { env });
  process.kill(lost, 'SIGKILL');

  expect((await slow).toString()).toBe('done\n');
  expect((await runGit(['version'], { env })).toString()).toMatch(/^git version/);
  expect(host.pid).not.toBe(lost);
  await expect.poll(() => events.at(-1)).toBe('ready');
  expect(events).toContain('The process that runs git ended by SIGKILL.');
});

test.runIf(process.platform === 'linux')(
  'a host ends with the process it serves, and with it what it runs',
  async () => {
    const script = join(import.meta.dirname, '../../testing/git-host-user.ts');
    const child = fork(script, { execArgv: ['--disable-warning=ExperimentalWarning'] });
    const host = await new Promise<number>((resolve) => child.once('message', (pid) => resolve(Number(pid))));
    const children = (): string => readFileSync(`/proc/${host}/task/${host}/children`, 'utf8').trim();
    await expect.poll(children).not.toBe('');
    const git = Number(children());
    child.kill('SIGKILL');

    // What nobody collects stays as a zombie.
    await expect.poll(() => [host, git].map((pid) => stateOf(pid))).not.toContain('alive');
  },
);

function stateOf(pid: number): 'alive' | 'over' {
  try {
    return /^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8')) ? 'over' : 'alive';
  } catch {
    return 'over';
  }
}
