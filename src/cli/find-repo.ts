import { ServiceError } from '../kernel/errors.ts';
import { locateRepository } from '../platform/git/git-refs.ts';
import { localEnvironment, LOOK_TIMEOUT_MS, runGit } from '../platform/git/git.ts';
import type { Client } from './client.ts';
import { listRepositories } from './repo.ts';
import { isSameSource } from './source.ts';

/**
 * The name of the repository in the service that a checkout is: the one of the same folder, of the same address as one of
 * its remotes, or the only one. Undefined where the service has none.
 *
 * @throws ServiceError `bad_argument` when it may be several.
 */
export async function repositoryOfCheckout(client: Client, root: string): Promise<string | undefined> {
  const known = await listRepositories(client);
  if (known.length === 0) return undefined;
  const sources = [root, ...(await remotesOf(root))];
  const found = known.find(({ url }) => sources.some((source) => isSameSource(url, source)));
  const [only] = known;
  if (found !== undefined) return found.name;
  if (known.length === 1) return only?.name;
  throw new ServiceError('bad_argument', `The service has ${known.length} repositories, none of which is ${root}.`, {
    fix: `Say which one it is with --repo: ${known.map(({ name }) => name).join(', ')}.`,
  });
}

async function remotesOf(root: string): Promise<string[]> {
  try {
    const { gitDir } = await locateRepository(root);
    const args = ['--git-dir', gitDir, 'config', '--get-regexp', String.raw`^remote\..*\.url$`];
    const text = (await runGit(args, { env: localEnvironment(), timeoutMs: LOOK_TIMEOUT_MS })).toString('utf8');
    return text.split('\n').flatMap((line) => /^\S+ (.+)$/.exec(line)?.[1] ?? []);
  } catch {
    // A folder without remotes is as good as one that cannot be read.
    return [];
  }
}
