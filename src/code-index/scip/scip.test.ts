import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type TestRepository, testFolder, testRepository } from '../../testing/git.ts';
import { scipIndex, type ScipSketch } from '../../testing/scip.ts';
import { checkScip, type ScipSummary } from './scip.ts';

let repository: TestRepository;
beforeEach(() => {
  repository = testRepository([{ files: { 'app/a.py': 'def run():\n    return 1\n' } }]);
});
afterEach(() => repository.remove());

function check(documents: readonly ScipSketch[], root = ''): Promise<ScipSummary> {
  const file = join(testFolder(), 'index.scip');
  writeFileSync(file, scipIndex(documents));
  const task = { gitDir: join(repository.path, '.git'), commit: repository.git('rev-parse', 'HEAD'), file, root };
  return checkScip(task, new AbortController().signal);
}

const run = (path: string, end = 7): ScipSketch => ({
  path,
  names: [{ symbol: 'x run().', at: [0, 4, end], roles: 1 }],
});

test('an index that fits the commit is described in figures, also one of a folder', async () => {
  expect(await check([run('app/a.py')])).toEqual({ tool: 'scip-test 1.0.0', documents: 1, occurrences: 1 });
  expect(await check([run('a.py')], 'app')).toMatchObject({ documents: 1 });
});

test('documents that are not files of the commit are named, with what to do', async () => {
  await expect(check([run('app/a.py'), run('../../etc/passwd')])).rejects.toMatchObject({
    code: 'bad_argument',
    message: expect.stringMatching(/^1 of 2 documents .* are not files of [0-9a-f]{7}: \.\.\/\.\.\/etc\/passwd\.$/),
    fix: expect.stringContaining('root'),
  });
});

test('a place that the text does not have shows that the index is of another commit', async () => {
  await expect(check([run('app/a.py', 90)])).rejects.toThrow(
    /refers to a position that app\/a.py does not have at .*: 1:4 to 1:90/,
  );
});

test('an index without documents is refused', async () => {
  await expect(check([])).rejects.toMatchObject({ code: 'bad_argument', message: 'The index has no documents.' });
});
