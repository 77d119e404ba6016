/**
 * Makes a release of what is committed: gives the unreleased changes of the changelog a version and a day, sets the version of the
 * package, commits both and tags them. Nothing is pushed.
 *
 *     node scripts/release.ts 1.2.0
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

const UNRELEASED = '## Unreleased';

function git(...args: string[]): string {
  return execFileSync('git', args, { encoding: 'utf8' }).trim();
}

function stop(reason: string): never {
  console.error(`release: ${reason}`);
  process.exit(1);
}

const [version = ''] = process.argv.slice(2);
if (!/^\d+\.\d+\.\d+(?:-[0-9a-z.]+)?$/.test(version)) stop('name a version, such as 1.2.0.');
if (git('status', '--porcelain') !== '') stop('commit or remove what is changed first.');
if (git('tag', '--list', `v${version}`) !== '') stop(`there is a tag v${version} already.`);

const changelog = readFileSync('CHANGELOG.md', 'utf8');
const [before, changes] = changelog.split(`${UNRELEASED}\n`);
const isEmpty = changes === undefined || changes.split(/^## /m)[0]?.trim() === '';
if (isEmpty) stop('CHANGELOG.md has no unreleased changes.');
const day = new Date().toISOString().slice(0, 10);
writeFileSync('CHANGELOG.md', `${before}${UNRELEASED}\n\n## ${version} - ${day}\n${changes}`);
execFileSync('npm', ['version', version, '--no-git-tag-version', '--allow-same-version'], { stdio: 'ignore' });
git('add', 'CHANGELOG.md', 'package.json', 'package-lock.json');
git('commit', '--quiet', '--message', `chore: release ${version}`);
git('tag', '--annotate', `v${version}`, '--message', `Release ${version}`);
console.log(`Tagged v${version}. Then: git push --follow-tags, npm pack.`);
