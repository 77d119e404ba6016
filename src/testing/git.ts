import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { hostGit } from '../platform/git/git-host.ts';
import { runProgram } from './run-program.ts';

/** The moment of the first commit; each further one is an hour later, so that ids are the same in every run. */
const FIRST_COMMIT = Date.UTC(2026, 0, 1);
const HOUR_MS = 60 * 60_000;

/** Settings of repositories that are soon removed: no upkeep after each commit, which takes two processes, and no wait for the disk. */
const THROWN_AWAY = {
  GIT_CONFIG_COUNT: '2',
  GIT_CONFIG_KEY_0: 'maintenance.auto',
  GIT_CONFIG_VALUE_0: 'false',
  GIT_CONFIG_KEY_1: 'core.fsync',
  GIT_CONFIG_VALUE_1: 'none',
};

/** Changes of one commit of a test repository. A path with `undefined` is deleted. */
export interface TestCommit {
  files?: Record<string, string | Buffer | undefined>;
  /** `Add files` when absent. */
  message?: string;
  /** `First Author <first@example.org>` when absent. */
  author?: string;
  /** ISO 8601; an hour after the one before when absent. */
  date?: string;
}

/** A real git repository in a temporary folder. */
export interface TestRepository {
  path: string;
  /** Runs git there and gives its output, trimmed. */
  git: (...args: string[]) => string;
  /** Writes, stages everything and commits. Gives the commit's id. */
  commit: (change?: TestCommit) => string;
  remove: () => void;
}

/**
 * Makes a repository with branch `main`; with `commits`, these are in it. Remove it after the test. From then on git is
 * started by a small process, as the service has it.
 */
export function testRepository(commits: readonly TestCommit[] = []): TestRepository {
  hostGit();
  const path = testFolder();
  const git = (...args: string[]): string => testGit(path, args);
  initialise(path);
  let time = FIRST_COMMIT;
  const commit = ({
    files = {},
    message = 'Add files',
    author = 'First Author <first@example.org>',
    date = new Date(time).toISOString(),
  }: TestCommit = {}) => {
    for (const [name, content] of Object.entries(files)) put(join(path, name), content);
    time = Date.parse(date) + HOUR_MS;
    git('add', '--all');
    testGit(path, ['commit', '--quiet', '--allow-empty', `--author=${author}`, '-m', message], date);
    return headOf(path);
  };
  for (const change of commits) commit(change);
  return { path, git, commit, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/**
 * A bare clone of `source` that lacks every file's content, as `git clone --filter=blob:none` leaves it. Its origin is
 * gone, so whatever tries to fetch fails.
 */
export function partialClone(source: TestRepository): Omit<TestRepository, 'commit'> {
  source.git('config', 'uploadpack.allowFilter', 'true');
  const path = testFolder();
  const git = (...args: string[]): string => testGit(path, args);
  git('clone', '--quiet', '--bare', '--filter=blob:none', `file://${source.path}`, '.');
  git('remote', 'set-url', 'origin', 'file:///nowhere');
  return { path, git, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** Makes an empty repository with branch `main` as `git init` does: its files cost no process. */
function initialise(path: string): void {
  for (const folder of ['objects/info', 'objects/pack', 'refs/heads', 'refs/tags'])
    mkdirSync(join(path, '.git', folder), { recursive: true });
  const core = ['repositoryformatversion = 0', 'filemode = true', 'bare = false', 'logallrefupdates = true'];
  writeFileSync(join(path, '.git/config'), `${['[core]', ...core].join('\n\t')}\n`);
  writeFileSync(join(path, '.git/HEAD'), 'ref: refs/heads/main\n');
}

/** The commit that is checked out, on a branch or none; read from the files of git, which costs no process. */
function headOf(path: string): string {
  const head = readFileSync(join(path, '.git/HEAD'), 'utf8').trim();
  const [, branch] = /^ref: (.+)$/.exec(head) ?? [];
  return branch === undefined ? head : readFileSync(join(path, '.git', branch), 'utf8').trim();
}

/** An empty temporary folder, without symbolic links in its path. */
export function testFolder(): string {
  return realpathSync(mkdtempSync(join(tmpdir(), 'svc-test-')));
}

/** Runs git without any configuration of this machine, with `input` on its standard input. Gives the output, trimmed. */
export function testGit(
  folder: string,
  args: readonly string[],
  date: string = new Date(FIRST_COMMIT).toISOString(),
  input = '',
): string {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_'));
  const env = {
    ...Object.fromEntries(inherited),
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_AUTHOR_NAME: 'First Author',
    GIT_AUTHOR_EMAIL: 'first@example.org',
    GIT_COMMITTER_NAME: 'First Author',
    GIT_COMMITTER_EMAIL: 'first@example.org',
    GIT_AUTHOR_DATE: date,
    GIT_COMMITTER_DATE: date,
    GIT_ALLOW_PROTOCOL: 'file',
    ...THROWN_AWAY,
  };
  return runProgram({ command: 'git', args, cwd: folder, env, input }).trim();
}

function put(file: string, content: string | Buffer | undefined): void {
  if (content === undefined) return rmSync(file);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}
