import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { testRepository } from './testing/git.ts';

const SCRIPT = join(import.meta.dirname, '../scripts/release.ts');
/** Who commits, where the machine has nobody. */
const IDENTITY = {
  GIT_AUTHOR_NAME: 'Ann',
  GIT_AUTHOR_EMAIL: 'ann@example.org',
  GIT_COMMITTER_NAME: 'Ann',
  GIT_COMMITTER_EMAIL: 'ann@example.org',
};
const CHANGELOG = '# Changelog\n\n## Unreleased\n\n- New: a ferry.\n\n## 1.0.0 - 2026-01-01\n\n- A bridge.\n';

test('a release moves the unreleased changes under its version, sets that of the package and is tagged, once', () => {
  const versions = `{"name":"svc","version":"1.0.0"}`;
  const files = { 'CHANGELOG.md': CHANGELOG, 'package.json': versions, 'package-lock.json': versions };
  const repository = testRepository([{ files }]);
  onTestFinished(() => repository.remove());
  const release = (version: string) => {
    const { status, stderr } = spawnSync(process.execPath, [SCRIPT, version], {
      cwd: repository.path,
      encoding: 'utf8',
      env: { ...process.env, ...IDENTITY },
    });
    return [status, stderr.trim()];
  };
  const read = (name: string): string => readFileSync(join(repository.path, name), 'utf8');

  expect(release('next')).toEqual([1, 'release: name a version, such as 1.2.0.']);
  expect(release('1.1.0')).toEqual([0, '']);
  const day = new Date().toISOString().slice(0, 10);
  expect(read('CHANGELOG.md')).toBe(CHANGELOG.replace('## Unreleased\n', `## Unreleased\n\n## 1.1.0 - ${day}\n`));
  expect(JSON.parse(read('package.json'))).toMatchObject({ version: '1.1.0' });
  expect(execFileSync('git', ['describe'], { cwd: repository.path, encoding: 'utf8' })).toBe('v1.1.0\n');
  expect(release('1.1.0')).toEqual([1, 'release: there is a tag v1.1.0 already.']);
  expect(release('1.2.0')).toEqual([1, 'release: CHANGELOG.md has no unreleased changes.']);
  writeFileSync(join(repository.path, 'new'), '');
  expect(release('1.2.0')).toEqual([1, 'release: commit or remove what is changed first.']);
});
