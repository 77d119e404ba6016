import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type TestRepository, testRepository } from '../../src/testing/git.ts';
import { serverFile, startSvc, temporaryFolder } from './service-process.ts';

/** A repository with a FIFO where git keeps a file, or one that its settings lead to. */
function oddRepository(make: (repository: TestRepository, fifo: string) => void): string {
  const repository = testRepository([{ files: { 'a.ts': 'export const a = 1;\n' } }]);
  onTestFinished(() => repository.remove());
  const fifo = join(repository.path, 'fifo');
  execFileSync('mkfifo', [fifo]);
  make(repository, fifo);
  return repository.path;
}

function replaced(name: string): string {
  return oddRepository(({ path }) => {
    rmSync(join(path, name), { recursive: true, force: true });
    execFileSync('mkfifo', [join(path, name)]);
  });
}

test('repositories with a FIFO in them are refused, other calls go on, and the service ends when it is told to', async () => {
  const cwd = temporaryFolder();
  const dataDir = join(cwd, 'data');
  const service = await startSvc(['serve', '--data-dir', dataDir], { cwd });
  const authorization = `Bearer ${serverFile(dataDir).token}`;
  const ask = (path: string, body?: object): Promise<Response> =>
    fetch(`${service.url}${path}`, {
      headers: { authorization, 'content-type': 'application/json' },
      ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
    });
  const add = async (url: string): Promise<string> => {
    const answer = await ask('/v1/repositories', { url });
    return `${answer.status} ${await answer.text()}`;
  };
  const pointer = join(cwd, 'pointer');
  mkdirSync(pointer);
  writeFileSync(join(pointer, '.git'), `gitdir: ${replaced('.git/HEAD')}/.git\n`);
  const including = oddRepository(({ path }, fifo) =>
    appendFileSync(join(path, '.git/config'), `[include]\n\tpath = ${fifo}\n`),
  );
  const working = oddRepository(({ git }, fifo) => void git('config', 'core.worktree', fifo));

  // It hangs in a git of its own until that is killed, while all others are asked.
  const slow = add(including);
  const names = ['.git', '.git/HEAD', '.git/config', '.git/packed-refs', '.git/objects/info/alternates'];
  // More at once than the pool of the process has threads.
  const answers = await Promise.all([pointer, ...names.map(replaced)].map(add));
  const listed = await ask('/v1/repositories');
  const refused = await slow;
  for (const answer of answers) expect(answer).toMatch(/^400 .*is a FIFO, not a file/);
  expect(listed.status).toBe(200);
  expect(refused).toMatch(/^502 .*did not finish within 10 s/);
  expect((await ask('/healthz')).status).toBe(200);

  // Where the files are checked out does not matter: objects are read.
  expect(await add(working)).toMatch(/^201 /);
  const hanging = add(including).catch(() => 'cut');
  expect(await service.end('SIGTERM')).toBe(0);
  await hanging;
});
