import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { yieldProcessor } from './background.ts';
import { localEnvironment, spawnGit } from './git/git.ts';

beforeEach(() => void vi.stubEnv('SVC_BACKGROUND_PRIORITY', '5'));
afterEach(() => void vi.unstubAllEnvs());

/** The priority of a thread: the 19th field, counted after the name, which may hold blanks. */
function niceOf(path: string): number {
  return Number(
    readFileSync(path, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')[16],
  );
}

test('a process that yields, the threads it has already and what it starts step back', async () => {
  // Its threads run before it is asked to yield: on a busy machine they always may.
  const script = `
    const { spawnSync } = require('node:child_process');
    const os = require('node:os');
    process.on('message', () => {
      const inner = spawnSync('nice').stdout.toString();
      process.send({ own: os.getPriority(), inner: Number(inner) });
    });
    process.send('ready');`;
  const child = fork('-e', [script], {
    execArgv: ['-e', script],
    detached: true,
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  try {
    await once(child, 'message');
    yieldProcessor(child);
    child.send('look');
    const [niceness] = (await once(child, 'message')) as [unknown];

    expect(niceness).toEqual({ own: 5, inner: 5 });
    const tasks = `/proc/${child.pid}/task`;
    expect(new Set(readdirSync(tasks).map((id) => niceOf(`${tasks}/${id}/stat`)))).toEqual(new Set([5]));
  } finally {
    child.kill('SIGKILL');
  }
});

// Without groups in this kernel there is nothing to lower.
test.runIf(existsSync('/proc/self/autogroup'))(
  'a process that yields in a session of its own yields as a group',
  async () => {
    const child = spawn('sleep', ['60'], { detached: true, stdio: 'ignore' });
    try {
      yieldProcessor(child);

      await expect.poll(() => readFileSync(`/proc/${child.pid}/autogroup`, 'utf8')).toMatch(/nice 5$/m);
    } finally {
      child.kill('SIGKILL');
    }
  },
);

test('git of a background process yields, git of a question does not', async () => {
  const nices = [true, false].map((background) => {
    // It waits for its input.
    const git = spawnGit(['hash-object', '--stdin'], { env: localEnvironment(), background });
    return { git, nice: git.pid === undefined ? undefined : niceOf(`/proc/${git.pid}/stat`) };
  });
  for (const { git } of nices) git.stdin.end();
  await Promise.all(nices.map(({ git }) => git.ended));

  expect(nices.map(({ nice }) => nice)).toEqual([5, getPriority()]);
});

test('0 leaves a process as it is', async () => {
  vi.stubEnv('SVC_BACKGROUND_PRIORITY', '0');
  const child = spawn('sleep', ['60'], { stdio: 'ignore' });
  yieldProcessor(child);
  const { pid } = child;
  try {
    expect(getPriority(pid)).toBe(getPriority());
  } finally {
    child.kill('SIGKILL');
  }
});
