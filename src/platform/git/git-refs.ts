import { constants, statSync } from 'node:fs';
import { access, realpath, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { ServiceError } from '../../kernel/errors.ts';
import { isForeignFile, readForeignFile } from '../foreign-file.ts';
import { explainGit } from './git-failure.ts';
import { GitFailure, type GitOptions, localEnvironment, LOOK_TIMEOUT_MS, runGit } from './git.ts';

/** Files of a git directory that git opens by their name: one that is a FIFO would hold it until it is killed. */
const OPENED_BY_GIT = ['config', 'config.worktree', 'packed-refs', 'shallow', 'objects/info/alternates', 'info/grafts'];

/** Most branch names that an error lists. */
const LISTED_BRANCHES = 8;

/** Location of a repository on this machine. */
export interface GitLocation {
  /** The folder with HEAD: `.git`, a bare repository, or a worktree's own folder below `.git/worktrees`. */
  gitDir: string;
  /** The checkout's top folder; of a bare repository the repository itself. */
  root: string;
}

/** Commit and branch that a repository points at now. */
export interface GitTip {
  commit: string;
  /** Absent when HEAD is detached, or the pin is a tag or a commit. */
  branch?: string;
}

export interface GitTag {
  name: string;
  /** The tagged commit, or what else was tagged. */
  target: string;
  /** Seconds since 1970: when the tag was made, or for a light tag its commit; 0 for other objects. */
  time: number;
}

/**
 * Finds the repository that a folder belongs to: the folder itself, one above it, or a bare repository. A `.git` file
 * (worktree, submodule) is followed. Reads nothing but names and `.git` files, so it does not matter who owns them, and
 * opens nothing that is no file, so it never waits.
 *
 * @throws ServiceError `bad_argument` when there is no such folder, no permission, no repository, or a FIFO or device
 * stands where git keeps a file.
 */
export async function locateRepository(path: string): Promise<GitLocation> {
  const start = await readableFolder(path);
  for (let folder = start; ; folder = dirname(folder)) {
    const inside = await gitDirOf(join(folder, '.git'), path);
    if (inside !== undefined) return { gitDir: inside, root: folder };
    if (await isGitDir(folder, path))
      return { gitDir: folder, root: basename(folder) === '.git' ? dirname(folder) : folder };
    if (folder === dirname(folder)) break;
  }
  throw new ServiceError('bad_argument', `${path} is not in a git repository.`, {
    fix: 'Use a folder inside a git checkout, a bare repository, or an https or ssh address.',
  });
}

/**
 * The commit that a repository is at: HEAD, or what `pin` names (a branch, tag or commit; a tag wins over a branch of the
 * same name, as in git). `subject` names the repository in errors.
 *
 * @throws ServiceError `bad_argument` when the pin names no commit, the repository has no commits, or HEAD names a
 * branch that does not exist.
 */
export async function resolveTip(gitDir: string, subject: string, pin?: string): Promise<GitTip> {
  if (pin !== undefined) return resolvePin(gitDir, subject, pin);
  const [commit, branch] = await Promise.all([findCommit(gitDir, subject, 'HEAD'), headBranch(gitDir)]);
  if (commit === undefined) throw await noTip(gitDir, subject, branch);
  return { commit, ...(branch !== undefined && { branch }) };
}

/**
 * The branch that the repository takes as its main one: what `origin` calls its HEAD, otherwise HEAD's own. Absent when
 * HEAD is detached and there is no `origin`.
 */
export async function defaultBranch(gitDir: string): Promise<string | undefined> {
  const origin = await symbolicRef(gitDir, 'refs/remotes/origin/HEAD');
  return origin?.replace(/^refs\/remotes\/origin\//, '') ?? headBranch(gitDir);
}

/** The address that `origin` is fetched from, if there is one. It may hold credentials. */
export async function originUrl(gitDir: string): Promise<string | undefined> {
  return (await runOptional(gitDir, ['config', '--get', 'remote.origin.url'])) || undefined;
}

/** All tags by name. */
export async function listTags(gitDir: string, signal?: AbortSignal): Promise<GitTag[]> {
  const fields = '%(refname:strip=2)%00%(objectname)%00%(*objectname)%00%(creatordate:unix)';
  const args = [`--git-dir=${gitDir}`, 'for-each-ref', '--sort=refname', `--format=${fields}`, 'refs/tags'];
  const output = await runGit(args, { env: localEnvironment(), signal });
  return output
    .toString()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [name = '', object = '', peeled = '', time = ''] = line.split('\0');
      return { name, target: peeled === '' ? object : peeled, time: Number(time) };
    });
}

/** Most refs that `listRefs` gives. */
const MOST_REFS = 20_000;

/** Names of branches and tags as a person writes them (`main`, `origin/next`, `v1.0.0`), the newest first. */
export async function listRefs(gitDir: string): Promise<string[]> {
  const kinds = ['refs/heads', 'refs/tags', 'refs/remotes'];
  const args = [
    'for-each-ref',
    '--sort=-creatordate',
    `--count=${MOST_REFS}`,
    '--format=%(refname:lstrip=2)',
    ...kinds,
  ];
  return ((await runOptional(gitDir, args)) ?? '').split('\n').filter((name) => name !== '');
}

/**
 * A text that changes whenever HEAD or the pinned ref may have moved: what HEAD says, and identity, size and time of the
 * files that git keeps these refs in. Ask `resolveTip` again only when it differs; take it before `resolveTip`, so that a
 * change in between is seen the next time.
 *
 * Asked for each call of a client, so it does not go through the thread pool: 30 microseconds instead of a millisecond.
 */
export function refsSignature(gitDir: string, pin?: string): string {
  const common = commonDir(gitDir);
  const head = readForeignFile(join(gitDir, 'HEAD')) ?? '-';
  const branch = /^ref: (\S+)/.exec(head)?.[1];
  const kinds = ['', 'refs/', 'refs/tags/', 'refs/heads/', 'refs/remotes/'];
  const refs = pin === undefined ? [branch ?? ''] : kinds.map((kind) => kind + pin);
  const names = ['packed-refs', 'reftable/tables.list', ...refs.filter((ref) => ref !== '')];
  const marks = names.map((name) => {
    const state = statSync(join(common, name), { bigint: true, throwIfNoEntry: false });
    return state === undefined ? '-' : `${state.ino}.${state.size}.${state.mtimeNs}`;
  });
  return [head.trim(), ...marks].join(' ');
}

async function resolvePin(gitDir: string, subject: string, pin: string): Promise<GitTip> {
  checkRefName(pin);
  const commit = await findCommit(gitDir, subject, pin);
  if (commit === undefined) throw await noPin(gitDir, subject, pin);
  const [tag, branch] = await Promise.all(
    ['tags', 'heads'].map((kind) => runOptional(gitDir, ['rev-parse', '--verify', '--quiet', `refs/${kind}/${pin}`])),
  );
  return { commit, ...(!tag && branch && { branch: pin }) };
}

/**
 * Lets through names that git allows for refs (git-check-ref-format) and commit ids; no ranges, no paths, no options.
 *
 * @throws ServiceError `bad_argument` for others.
 */
export function checkRefName(pin: string): void {
  if (pin.length <= 250 && !/^-|\.\.|@\{|[\s~^:?*[\\\p{Cc}]/u.test(pin) && pin !== '') return;
  throw new ServiceError('bad_argument', `"${pin.slice(0, 250)}" cannot be the name of a branch, tag or commit.`, {
    fix: 'Use a branch, a tag or a commit id, for example --ref main.',
  });
}

/**
 * The commit that git takes a name for; undefined when that is none. The name was checked (`checkRefName`) but for steps such
 * as `~2` behind it.
 *
 * @throws ServiceError `bad_argument` for the beginning of several commit ids, or as `explainGit`.
 */
export async function findCommit(gitDir: string, subject: string, name: string): Promise<string | undefined> {
  try {
    // `name` was checked, or is ours; git before 2.30 prints --end-of-options instead of obeying it.
    const args = [`--git-dir=${gitDir}`, 'rev-parse', '--verify', '--quiet', `${name}^{commit}`];
    return (await runGit(args, lookupOptions())).toString().trim();
  } catch (error) {
    if (!(error instanceof GitFailure) || error.exitCode !== 1) throw explainGit(error, subject);
    await refuseAmbiguous(gitDir, subject, name);
    return undefined;
  }
}

/** Refuses an ambiguous id. With `--quiet` git does not say why it finds no commit of a shortened id. */
async function refuseAmbiguous(gitDir: string, subject: string, name: string): Promise<void> {
  const id = /^[0-9a-f]{4,63}(?=$|[~^])/.exec(name)?.[0];
  if (id === undefined) return;
  const lookup = runGit([`--git-dir=${gitDir}`, 'rev-parse', '--verify', `${id}^{commit}`], lookupOptions());
  const stderr = await lookup.then(
    () => '',
    (error: unknown) => (error instanceof GitFailure ? error.stderr : ''),
  );
  if (!stderr.includes('is ambiguous')) return;
  throw new ServiceError('bad_argument', `"${id}" is the beginning of several commit ids of ${subject}.`, {
    fix: 'Give more digits of the commit id.',
  });
}

/** Options of git for looking a name up: that takes milliseconds, so a timeout soon shows a repository that never answers. */
function lookupOptions(): GitOptions {
  return { env: localEnvironment(), timeoutMs: LOOK_TIMEOUT_MS };
}

function headBranch(gitDir: string): Promise<string | undefined> {
  return symbolicRef(gitDir, 'HEAD').then((ref) => ref?.replace(/^refs\/heads\//, ''));
}

/** The ref that a symbolic one names. It is read as git writes it: a process takes a hundred times as long. */
async function symbolicRef(gitDir: string, name: string): Promise<string | undefined> {
  const common = commonDir(gitDir);
  if (statSync(join(common, 'reftable'), { throwIfNoEntry: false }) === undefined)
    return /^ref: (\S+)\s*$/.exec(readForeignFile(join(name === 'HEAD' ? gitDir : common, name)) ?? '')?.[1];
  return (await runOptional(gitDir, ['symbolic-ref', '--quiet', name])) || undefined;
}

/** Output of a command whose failure means that there is none. */
async function runOptional(gitDir: string, args: readonly string[]): Promise<string | undefined> {
  try {
    return (await runGit([`--git-dir=${gitDir}`, ...args], lookupOptions())).toString().trim();
  } catch (error) {
    if (error instanceof GitFailure) return undefined;
    throw error;
  }
}

async function branchNames(gitDir: string): Promise<string[]> {
  const output = await runOptional(gitDir, ['for-each-ref', '--format=%(refname:strip=2)', 'refs/heads']);
  return (output ?? '').split('\n').filter((name) => name !== '');
}

async function noTip(gitDir: string, subject: string, branch: string | undefined): Promise<ServiceError> {
  const branches = await branchNames(gitDir);
  if (branches.length === 0)
    return new ServiceError('bad_argument', `${subject} has no commits yet.`, {
      fix: 'Make a first commit, then index the repository again.',
    });
  return new ServiceError('bad_argument', `HEAD of ${subject} points to "${branch ?? ''}", which has no commits.`, {
    fix: `Check out a branch that has commits, or pin one with --ref: ${listNames(branches)}.`,
  });
}

async function noPin(gitDir: string, subject: string, pin: string): Promise<ServiceError> {
  const branches = await branchNames(gitDir);
  return new ServiceError('bad_argument', `${subject} has no branch, tag or commit "${pin}".`, {
    fix: branches.length === 0 ? 'Push or commit it first.' : `Pin one that exists: ${listNames(branches)}.`,
  });
}

function listNames(names: readonly string[]): string {
  const more = names.length - LISTED_BRANCHES;
  return names.slice(0, LISTED_BRANCHES).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

async function readableFolder(path: string): Promise<string> {
  try {
    const real = await realpath(path);
    if ((await stat(real)).isDirectory()) return real;
  } catch (error) {
    throw isDenied(error) ? deniedFolder(path) : missingFolder(path);
  }
  throw new ServiceError('bad_argument', `${path} is a file, not a folder.`, {
    fix: 'Use the folder of a repository.',
  });
}

/** The git directory of a `.git`: itself, or the target of the file. */
async function gitDirOf(dotGit: string, requestedPath: string): Promise<string | undefined> {
  const state = await stat(dotGit).catch((error: unknown) => {
    if (isDenied(error)) throw deniedFolder(requestedPath);
    return undefined;
  });
  if (state === undefined) return undefined;
  if (state.isDirectory()) return (await isGitDir(dotGit, requestedPath)) ? dotGit : undefined;
  const pointer = /^gitdir: (.+?)\r?\n?$/.exec(readOr(dotGit, requestedPath))?.[1];
  if (pointer === undefined) return undefined;
  const target = isAbsolute(pointer) ? pointer : resolve(dirname(dotGit), pointer);
  return (await isGitDir(target, requestedPath)) ? target : undefined;
}

async function isGitDir(folder: string, requestedPath: string): Promise<boolean> {
  const head = readOr(join(folder, 'HEAD'), requestedPath);
  if (!/^(ref: |[0-9a-f]{40})/.test(head)) return false;
  const common = commonDir(folder);
  const branch = /^ref: (\S+)/.exec(head)?.[1] ?? 'HEAD';
  for (const name of [...OPENED_BY_GIT, branch]) isForeignFile(join(common, name));
  for (const name of ['objects', 'refs']) {
    try {
      await access(join(common, name), constants.R_OK | constants.X_OK);
    } catch (error) {
      if (isDenied(error)) throw deniedFolder(requestedPath);
      return false;
    }
  }
  return true;
}

/** Returns the directory in which a worktree shares refs and objects; otherwise the git directory itself. */
function commonDir(gitDir: string): string {
  const pointer = readForeignFile(join(gitDir, 'commondir'));
  return pointer === undefined ? gitDir : resolve(gitDir, pointer.trim());
}

/** The file's text, or '' when there is none. */
function readOr(file: string, requestedPath: string): string {
  try {
    return readForeignFile(file) ?? '';
  } catch (error) {
    if (isDenied(error)) throw deniedFolder(requestedPath);
    if (error instanceof ServiceError) throw error;
    return '';
  }
}

function isDenied(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'EACCES' || error.code === 'EPERM');
}

function deniedFolder(path: string): ServiceError {
  return new ServiceError('bad_argument', `The service may not read ${path}.`, {
    fix: 'Give the user that runs the service access to the folder, or run the service as its owner.',
  });
}

function missingFolder(path: string): ServiceError {
  return new ServiceError('bad_argument', `There is no folder ${path}.`, {
    fix: 'Check the path; a relative one is taken from where the command was typed.',
  });
}
