import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { openObjects } from '../src/platform/git/git-objects.ts';

/** A repository to measure, at the commit that `HEAD` names. */
export interface Source {
  name: string;
  gitDir: string;
  commit: string;
  /** First parent; undefined for a first commit. */
  parent: string | undefined;
}

/**
 * The repository at a path: a checkout or a bare one. Nothing is written there.
 *
 * @throws Error when there is none, or it has no commit.
 */
export function sourceAt(path: string): Source {
  const git = (...args: string[]): string => execFileSync('git', ['-C', path, ...args], { encoding: 'utf8' }).trim();
  const gitDir = resolve(path, git('rev-parse', '--git-common-dir'));
  const [commit = '', parent] = git('rev-list', '--first-parent', '--max-count=2', 'HEAD').split('\n');
  const folder = /^(\.git|repo)$/.test(basename(gitDir)) ? dirname(gitDir) : gitDir;
  return { name: basename(folder), gitDir, commit, parent };
}

/** True if a repository has a commit. */
export function hasCommit(gitDir: string, commit: string): boolean {
  try {
    execFileSync('git', ['--git-dir', gitDir, 'cat-file', '-e', `${commit}^{commit}`], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Writes the files of the commit to a folder, those whose content is there. Gives their bytes. */
export async function checkOut({ gitDir, commit }: Source, folder: string): Promise<number> {
  await using objects = await openObjects(gitDir);
  const { files } = await objects.listTree(commit);
  const present = files.filter(({ sizeBytes, path }) => sizeBytes >= 0 && !path.split('/').includes('..'));
  const contents = objects.readBlobs(present.map(({ blob }) => blob));
  let written = 0;
  for (const { path } of present) {
    const next = await contents.next();
    if (next.done === true || next.value.bytes === undefined) continue;
    const target = join(folder, path);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, next.value.bytes);
    written += next.value.bytes.length;
  }
  return written;
}
