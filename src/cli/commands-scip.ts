import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { ServiceError } from '../kernel/errors.ts';
import type { Client } from './client.ts';
import type { PlanCommandTools } from './commands-plan.ts';
import { findRepository, listRepositories } from './repo.ts';
import { ownCommand } from './own-command.ts';

/** Flags of `svc scip upload`. */
interface ScipFlags {
  repo?: string;
  commit?: string;
  root?: string;
}

/** Answer of the service to an upload. */
interface ScipReceiptJson {
  repository: string;
  commit: string;
  tool: string;
  documents: number;
  occurrences: number;
  applies: boolean;
}

/** `svc scip upload`. */
export function addScipCommands<Flags>(scip: Command, tools: PlanCommandTools<Flags>): void {
  tools
    .common(scip.command('upload'))
    .argument('<file>', 'what the indexer wrote, usually index.scip')
    .description('Upload a SCIP index, which makes references of its commit exact')
    .option('--repo <name>', 'name or id; default: the one of the checkout, or the only one')
    .option('--commit <ref>', 'commit that it was made from; default: the indexed commit')
    .option('--root <folder>', 'folder of the repository that its paths start from')
    .action((file: string, flags: Flags & ScipFlags) =>
      tools.withClient(flags, async (client) => {
        const repo = await tools.repositoryHere(client, { repo: flags.repo, isNeeded: true });
        const receipt = await uploadScipFile(client, resolve(tools.cwd, file), {
          ...flags,
          ...(repo !== undefined && { repo }),
        });
        tools.show(flags, receipt, () => describeScip(receipt));
      }),
    );
}

/**
 * Sends a SCIP index to the service.
 *
 * @throws ServiceError `bad_argument` when there is no such file, or several repositories to choose from.
 */
export async function uploadScipFile(
  client: Client,
  path: string,
  { repo, commit, root }: ScipFlags,
): Promise<ScipReceiptJson> {
  const content = await readFile(path).catch((cause: unknown) => {
    throw new ServiceError('bad_argument', `The file ${path} cannot be read.`, {
      fix: 'Name the file that the indexer wrote, usually index.scip.',
      cause,
    });
  });
  const { id } = await (repo === undefined ? onlyRepository(client) : findRepository(client, repo));
  const query = new URLSearchParams({ ...(commit && { commit }), ...(root && { root }) }).toString();
  return client.send('POST', `/v1/repositories/${id}/scip${query === '' ? '' : `?${query}`}`, new Uint8Array(content));
}

/** Describes a receipt for people: `scip-python 0.6.6: 27 documents with 10,479 names, at f61172b of shop; it is applied now.` */
export function describeScip({ repository, commit, tool, documents, occurrences, applies }: ScipReceiptJson): string {
  const when = applies ? 'it is being applied now' : 'it will be applied when that commit is indexed';
  const counts = `${documents.toLocaleString('en-US')} documents with ${occurrences.toLocaleString('en-US')} names`;
  return `${tool}: ${counts}, at ${commit.slice(0, 7)} of ${repository}; ${when}.`;
}

async function onlyRepository(client: Client): Promise<{ id: string }> {
  const [first, second] = await listRepositories(client);
  if (first !== undefined && second === undefined) return first;
  throw new ServiceError(
    'bad_argument',
    first === undefined ? 'There are no repositories.' : 'There are several repositories.',
    {
      fix:
        first === undefined
          ? `Add one with: ${ownCommand('repo add <path-or-url>')}`
          : 'Choose one with --repo <name>.',
    },
  );
}
