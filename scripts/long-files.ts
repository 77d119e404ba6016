/** Names the files that the last commit and what is not committed change, and that come near the length at which the check fails. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
const WARNED_LINES = 320;
const MOST_LINES = 400;
const CODE = /^(?:src|web|lab|test|scripts)\/.+\.tsx?$/;

/** Paths that a git command prints; none where there is no repository, or not so many commits. */
function pathsOf(...words: string[]): string[] {
  return spawnSync('git', words, { cwd: ROOT, encoding: 'utf8' }).stdout.split('\n').filter(Boolean);
}

const changed = new Set([
  ...pathsOf('diff', '--name-only', '--diff-filter=d', 'HEAD'),
  ...pathsOf('diff', '--name-only', '--diff-filter=d', 'HEAD~1', 'HEAD'),
  ...pathsOf('ls-files', '--others', '--exclude-standard'),
]);
for (const path of changed) {
  if (!CODE.test(path)) continue;
  const lines = readFileSync(join(ROOT, path), 'utf8').split('\n').length - 1;
  if (lines > WARNED_LINES)
    console.log(`${path} has ${lines} lines of ${MOST_LINES}: split it by concern before it is full.`);
}
