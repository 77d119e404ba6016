import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { testFolder } from '../../testing/git.ts';

test('a process is cut off with its gits while a thread and a git of it wait for what never comes', async () => {
  const folder = testFolder();
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const fifo = join(folder, 'fifo');
  execFileSync('mkfifo', [fifo]);
  const script = `
    import { readFile } from 'node:fs/promises';
    import { cutOff } from '${import.meta.dirname}/cut-off.ts';
    import { localEnvironment, spawnGit } from '${import.meta.dirname}/git.ts';
    void readFile(process.argv[1]);
    const git = spawnGit(['-c', 'alias.wait=!echo $$; exec cat "$0"', 'wait', process.argv[1]], { env: localEnvironment() });
    git.stdout.once('data', (pid) => process.stdout.write(pid, cutOff));
  `;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script, fifo], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let pid = '';
  child.stdout.on('data', (text: Buffer) => (pid += text.toString()));

  expect(await once(child, 'close')).toEqual([null, 'SIGKILL']);
  expect(Number(pid)).toBeGreaterThan(0);
  while (existsSync(`/proc/${pid.trim()}/cwd`)) await nextTurn();
});
