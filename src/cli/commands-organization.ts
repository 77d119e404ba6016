import { type Command, Option } from 'commander';
import { ServiceError } from '../kernel/errors.ts';
import { describeAge } from '../kernel/freshness.ts';
import { visible } from '../kernel/visible.ts';
import type { Client } from './client.ts';
import type { PlanCommandTools } from './commands-plan.ts';
import { asTyped, ownCommand } from './own-command.ts';
import { table } from './table.ts';

/** Fields that the commands read of `/v1/organizations`. */
interface OrganizationJson {
  id: string;
  address: string;
  include: string[];
  exclude: string[];
  total: number;
  added: number;
  read_at: string | null;
  fault: string;
}

interface FollowFlags {
  kind?: string;
  token?: string;
  include?: string[];
  exclude?: string[];
  archived?: boolean;
  forks?: boolean;
}

/** `svc repo follow|followed|unfollow`. */
export function addOrganizationCommands<Flags>(
  repo: Command,
  { common, withClient, withClientToAdd, show }: PlanCommandTools<Flags>,
): void {
  common(repo.command('follow'))
    .argument('<address>', 'of an organization, group or person: https://github.com/acme')
    .description('Add all repositories of an organization, also those that are made later')
    .option('--kind <kind>', 'of a host of your own: github, gitlab or gitea')
    .addOption(new Option('--token <token>', 'for private repositories').env('SVC_GIT_TOKEN'))
    .option('--include <patterns...>', 'names to add, as patterns: "api-*"; default: all')
    .option('--exclude <patterns...>', 'names not to add')
    .option('--archived', 'archived ones too')
    .option('--forks', 'forks too')
    .action((address: string, { kind, token, include, exclude, archived, forks, ...flags }: Flags & FollowFlags) =>
      withClientToAdd(flags as Flags, async (client) => {
        const chosen = { kind, token, include, exclude, archived, forks };
        const { id } = await client.send<OrganizationJson>('POST', '/v1/organizations', { address, ...chosen });
        const read = await client.send<OrganizationJson>('POST', `/v1/organizations/${id}/reads`);
        show(flags as Flags, read, () => describeFollowed(read));
      }),
    );
  common(repo.command('followed'))
    .description('List the organizations whose repositories are added')
    .action((flags: Flags) =>
      withClient(flags, async (client) => {
        const organizations = await listFollowed(client);
        show(flags, { organizations }, () => followedTable(organizations, Date.now()));
      }),
    );
  common(repo.command('unfollow'))
    .argument('<address>', 'as the list has it')
    .description('Add no more repositories of an organization, and forget its token; its repositories stay')
    .action((address: string, flags: Flags) =>
      withClient(flags, async (client) => {
        const { id } = await findFollowed(client, address);
        await client.send('DELETE', `/v1/organizations/${id}`);
        show(flags, { id, removed: true }, () => `${visible(address)} is no longer followed.`);
      }),
    );
}

async function listFollowed(client: Client): Promise<OrganizationJson[]> {
  return (await client.send<{ organizations: OrganizationJson[] }>('GET', '/v1/organizations')).organizations;
}

/** @throws ServiceError `unknown_id`. */
async function findFollowed(client: Client, address: string): Promise<OrganizationJson> {
  const given = address.replace(/^https?:\/\//, '').replace(/\/+$/, '');
  const all = await listFollowed(client);
  const match = all.find((one) => one.id === address || one.address.replace(/^https?:\/\//, '') === given);
  if (match !== undefined) return match;
  throw new ServiceError('unknown_id', `The product does not follow "${address}".`, {
    fix: `See the list: ${ownCommand('repo followed')}`,
  });
}

function describeFollowed({ address, total, added, fault }: OrganizationJson): string {
  if (fault !== '') return asTyped(`${address} is followed, but could not be read: ${fault}`);
  return visible(`${address} is followed: ${added} of ${total} repositories are added, and new ones within an hour.`);
}

function followedTable(organizations: readonly OrganizationJson[], now: number): string {
  if (organizations.length === 0)
    return asTyped(`No organization is followed. Follow one: ${ownCommand('repo follow')}`);
  return table(
    ['organization', 'added', 'of', 'read', ''],
    organizations.map(({ address, added, total, read_at: readAt, fault }) => [
      visible(address),
      String(added),
      String(total),
      readAt === null ? 'not yet' : describeAge(now - Date.parse(readAt)),
      visible(fault),
    ]),
  );
}
