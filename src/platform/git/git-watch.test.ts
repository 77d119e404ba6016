import { expect, onTestFinished, test } from 'vitest';
import { type TestRepository, testRepository } from '../../testing/git.ts';
import { refsSignature } from './git-refs.ts';
import { refChanges } from './git-watch.ts';

function watchRepository(): { repository: TestRepository; gitDir: string; stop: AbortController } {
  const repository = testRepository([{ files: { 'a.ts': 'export const a = 1;\n' } }]);
  const stop = new AbortController();
  onTestFinished(() => {
    stop.abort();
    repository.remove();
  });
  return { repository, gitDir: `${repository.path}/.git`, stop };
}

test('each commit is told, also one from before the first look; what is no commit is not', async () => {
  const { repository, gitDir, stop } = watchRepository();
  const since = refsSignature(gitDir);
  repository.commit({ message: 'One' });
  const changes = refChanges(gitDir, { since, signal: stop.signal });

  expect(await changes.next()).toEqual({ done: false, value: refsSignature(gitDir) });

  const next = changes.next();
  repository.git('tag', 'v1');
  repository.git('branch', 'other');
  repository.commit({ message: 'Two' });
  expect(await next).toEqual({ done: false, value: refsSignature(gitDir) });

  const end = changes.next();
  stop.abort();
  expect(await end).toEqual({ done: true, value: undefined });
});

test('commits that follow each other at once, and those made meanwhile, are one change', async () => {
  const { repository, gitDir, stop } = watchRepository();
  const changes = refChanges(gitDir, { since: refsSignature(gitDir), signal: stop.signal });

  const first = changes.next();
  repository.commit({ message: 'One' });
  repository.commit({ message: 'Two' });
  expect((await first).value).toBe(refsSignature(gitDir));

  repository.git('checkout', '--quiet', '-b', 'other');
  repository.commit({ message: 'Three' });
  expect((await changes.next()).value).toBe(refsSignature(gitDir));
});
