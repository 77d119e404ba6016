import { existsSync, statSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { dirname, relative, resolve, sep } from 'node:path';
import { ServiceError } from '../kernel/errors.ts';
import { locateRepository } from '../platform/git/git-refs.ts';
import { localEnvironment, LOOK_TIMEOUT_MS, runGit } from '../platform/git/git.ts';
import { ownCommand } from './own-command.ts';
import { fullNameOf } from '../repositories/source/source.ts';
import { ArtifactFolder, checkoutOf } from './artifact-folder.ts';
import type { Client } from './client.ts';
import { listRepositories, type RepositoryJson } from './repo.ts';
import { isSameRepository, withoutCredentials } from './source.ts';

/** Folder in which a command was typed, and its flags. */
export interface Standpoint {
  /** A folder, in a checkout or not. */
  folder: string;
  /** Folder of this user's settings of svc. */
  configDir: string;
  /** Value of `--repo`. */
  repo: string | undefined;
  /** Without the repository of the checkout the command cannot go on. */
  isNeeded?: boolean;
}

/**
 * The repository that a command is about, the one function for all commands: the one of `--repo`, the one that the last
 * sync of the checkout remembers, the one of the same folder or of the address of a remote. Undefined outside of a checkout,
 * and where the service has none and none is needed: then the service decides.
 *
 * @throws ServiceError `unknown_repo` when one is needed and the service has others only.
 */
export async function repositoryHere(
  client: Client,
  { folder, configDir, repo, isNeeded }: Standpoint,
): Promise<string | undefined> {
  if (repo !== undefined) return repo;
  const root = checkoutAround(folder);
  if (root === undefined) return undefined;
  return rememberedBy(root, configDir) ?? (await repositoryOfCheckout(client, root, isNeeded === true));
}

/**
 * The path of a file or folder of a checkout from its root, '' for the root. What is in no checkout, or not there, is a path from
 * the root already.
 */
export async function pathFromRoot(cwd: string, path: string): Promise<string> {
  const absolute = resolve(cwd, path);
  if (!existsSync(absolute)) return path;
  const real = await realpath(absolute);
  const root = checkoutAround(statSync(real).isDirectory() ? real : dirname(real));
  return root === undefined
    ? path
    : relative(await realpath(root), real)
        .split(sep)
        .join('/');
}

/** The repository of the last sync, if this user made it. */
function rememberedBy(root: string, configDir: string): string | undefined {
  using folder = ArtifactFolder.open(root);
  return folder?.readOwnIndex(configDir)?.repo ?? undefined;
}

function checkoutAround(folder: string): string | undefined {
  try {
    return checkoutOf(folder);
  } catch {
    return undefined;
  }
}

async function repositoryOfCheckout(client: Client, root: string, isNeeded: boolean): Promise<string | undefined> {
  const all = await listRepositories(client);
  if (all.length === 0) return undefined;
  const remotes = await remotesOf(root);
  const sources = [root, ...remotes];
  const matches = all.filter(({ url }) => sources.some((source) => isSameRepository(url, source)));
  const match = matches.find(({ ref }) => ref === null) ?? matches[0] ?? (await findByOrigin(client, remotes));
  if (match !== undefined || !isNeeded) return match?.name;
  throw new ServiceError('unknown_repo', `The service has no repository with the folder or a remote of ${root}.`, {
    fix: `Add it with: ${ownCommand(`repo add ${withoutCredentials(remotes[0] ?? root)}`)}, or say which one it is with --repo: ${namesOf(all)}.`,
  });
}

/** One that the service reads from a folder of its own machine, by the `owner/name` of its origin. */
async function findByOrigin(client: Client, remotes: readonly string[]): Promise<{ name: string } | undefined> {
  for (const name of new Set(remotes.map(fullNameOf))) {
    if (name === undefined) continue;
    try {
      return await client.send<RepositoryJson>('GET', `/v1/repositories/${encodeURIComponent(name)}`);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
    }
  }
  return undefined;
}

/** Number of names that fit a line. */
const MOST_NAMES = 8;

function namesOf(all: readonly RepositoryJson[]): string {
  const names = all.slice(0, MOST_NAMES).map(({ name }) => name);
  return [...names, ...(all.length > MOST_NAMES ? [`and ${all.length - MOST_NAMES} more`] : [])].join(', ');
}

/** Addresses of the remotes, `origin` first. */
async function remotesOf(root: string): Promise<string[]> {
  try {
    const { gitDir } = await locateRepository(root);
    const args = ['--git-dir', gitDir, 'config', '--get-regexp', String.raw`^remote\..*\.url$`];
    const text = (await runGit(args, { env: localEnvironment(), timeoutMs: LOOK_TIMEOUT_MS })).toString('utf8');
    const remotes = text.split('\n').flatMap((line) => {
      const [, name = '', url] = /^remote\.(.*)\.url (.+)$/.exec(line) ?? [];
      return url === undefined ? [] : [{ name, url }];
    });
    return remotes.toSorted((a, b) => Number(b.name === 'origin') - Number(a.name === 'origin')).map(({ url }) => url);
  } catch {
    // A folder without remotes is as good as one that cannot be read.
    return [];
  }
}
