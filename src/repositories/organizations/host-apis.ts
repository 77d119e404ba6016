import { z } from 'zod';
import { ServiceError } from '../../kernel/errors.ts';
import { parseJson } from '../../kernel/json.ts';
import { type NetPolicy, netRequest } from '../../platform/net.ts';

/** Code hosts with an interface that lists the repositories of an organization. */
export const HOST_KINDS = ['github', 'gitlab', 'gitea'] as const;
export type HostKind = (typeof HOST_KINDS)[number];

/** A repository as a host lists it. */
export interface HostedRepository {
  /** Where git fetches it. */
  url: string;
  /** The last part of its address, or the parts below the group. */
  name: string;
  isArchived: boolean;
  isFork: boolean;
  /** Nothing was pushed to it. */
  isEmpty: boolean;
}

/** Access to an organization of a host. */
interface OrganizationLine {
  kind: HostKind;
  /** Where people see it: https://github.com/acme. */
  address: string;
  token: string | undefined;
  net: NetPolicy;
}

interface HostApi {
  name: string;
  /** Public host, where there is one of that name. */
  host: RegExp;
  /** Address of the interface, of the origin of the host. */
  api: (origin: string) => string;
  /** Paths of the lists of an organization and, where there is none of that name, of a person. */
  lists: (name: string) => readonly string[];
  /** Name that goes with a token where git asks for a password. */
  user: string;
  headers: (token: string) => Record<string, string>;
  read: z.ZodType<Omit<HostedRepository, 'name'> & { fullName: string }>;
}

/** Repositories of a page, and pages that are read: a host that goes on without an end is left. */
const [PAGE, MOST_PAGES] = [100, 100];

const bearer = (token: string): Record<string, string> => ({ authorization: `Bearer ${token}` });

export const HOST_APIS: Readonly<Record<HostKind, HostApi>> = {
  github: {
    name: 'GitHub',
    host: /^github\.com$/,
    api: (origin) => (origin === 'https://github.com' ? 'https://api.github.com' : `${origin}/api/v3`),
    lists: (name) => [`/orgs/${name}/repos?type=all&sort=full_name`, `/users/${name}/repos?type=owner&sort=full_name`],
    user: 'x-access-token',
    headers: bearer,
    read: z
      .object({
        clone_url: z.string(),
        full_name: z.string(),
        archived: z.boolean(),
        fork: z.boolean(),
        size: z.number(),
      })
      .transform(({ clone_url: url, full_name: fullName, archived, fork, size }) => {
        return { url, fullName, isArchived: archived, isFork: fork, isEmpty: size === 0 };
      }),
  },
  gitlab: {
    name: 'GitLab',
    host: /^gitlab\.com$/,
    api: (origin) => `${origin}/api/v4`,
    lists: (name) => {
      const group = encodeURIComponent(name);
      return [`/groups/${group}/projects?include_subgroups=true&order_by=id`, `/users/${group}/projects?order_by=id`];
    },
    user: 'oauth2',
    headers: (token) => ({ 'private-token': token }),
    read: z
      .object({
        http_url_to_repo: z.string(),
        path_with_namespace: z.string(),
        archived: z.boolean().default(false),
        forked_from_project: z.unknown().optional(),
        empty_repo: z.boolean().default(false),
      })
      .transform(({ http_url_to_repo: url, path_with_namespace: fullName, archived, ...more }) => {
        const isFork = (more.forked_from_project ?? null) !== null;
        return { url, fullName, isArchived: archived, isFork, isEmpty: more.empty_repo };
      }),
  },
  gitea: {
    name: 'Gitea',
    host: /^(?:gitea\.com|codeberg\.org)$/,
    api: (origin) => `${origin}/api/v1`,
    lists: (name) => [`/orgs/${name}/repos?sort=id`, `/users/${name}/repos?sort=id`],
    user: 'oauth2',
    headers: (token) => ({ authorization: `token ${token}` }),
    read: z
      .object({
        clone_url: z.string(),
        full_name: z.string(),
        archived: z.boolean(),
        fork: z.boolean(),
        empty: z.boolean(),
      })
      .transform(({ clone_url: url, full_name: fullName, archived, fork, empty }) => {
        return { url, fullName, isArchived: archived, isFork: fork, isEmpty: empty };
      }),
  },
};

/** Path of an organization at its host: `acme`, or `group/subgroup`. */
function organizationName(address: string): string {
  return new URL(address).pathname.slice(1);
}

/** Asks a host whether it lists an organization. @throws ServiceError as `listHosted`. */
export async function checkOrganization(line: OrganizationLine): Promise<void> {
  await listFirst(line, 1);
}

/**
 * Reads the list of all repositories of an organization or a person.
 *
 * @throws ServiceError `conflict` when the host does not accept the token or shows no such organization, `rate_limited` when it
 * asks for later, `upstream_failed` for anything else that is no list.
 */
export function listHosted(line: OrganizationLine): Promise<HostedRepository[]> {
  return listFirst(line, MOST_PAGES);
}

async function listFirst(line: OrganizationLine, mostPages: number): Promise<HostedRepository[]> {
  const { kind, address } = line;
  const prefix = `${organizationName(address)}/`.toLowerCase();
  for (const path of HOST_APIS[kind].lists(organizationName(address))) {
    const read = await readPages(line, path, mostPages);
    if (read !== undefined)
      return read.map(({ fullName, url, ...state }) => {
        const name = fullName.toLowerCase().startsWith(prefix) ? fullName.slice(prefix.length) : fullName;
        return { ...state, name, url: url.replace(/\.git$/, '') };
      });
  }
  throw refusal(line, `shows no organization or person "${organizationName(address)}" with this token`);
}

/** Undefined where the host has nothing at this path. */
async function readPages(
  line: OrganizationLine,
  path: string,
  mostPages: number,
): Promise<z.output<HostApi['read']>[] | undefined> {
  const { read } = HOST_APIS[line.kind];
  const all: z.output<HostApi['read']>[] = [];
  for (let page = 1; page <= mostPages; page += 1) {
    const json = await ask(line, `${path}&per_page=${PAGE}&limit=${PAGE}&page=${page}`);
    if (json === undefined) return undefined;
    const listed = z.array(read).safeParse(json);
    if (!listed.success) throw unreadable(line);
    all.push(...listed.data);
    // Some hosts give fewer than were asked for.
    if (listed.data.length === 0) break;
  }
  return all;
}

/** Undefined for what is not there. */
async function ask(line: OrganizationLine, path: string): Promise<unknown> {
  const { kind, address, token, net } = line;
  const { api, headers, name } = HOST_APIS[kind];
  const {
    status,
    headers: answered,
    text,
  } = await netRequest(net, {
    method: 'GET',
    url: `${api(new URL(address).origin)}${path}`,
    headers: { accept: 'application/json', 'user-agent': 'svc' },
    ...(token !== undefined && { secretHeaders: headers(token) }),
  });
  if (status === 404) return undefined;
  if (status === 429 || (status === 403 && answered['x-ratelimit-remaining'] === '0'))
    throw new ServiceError('rate_limited', `${name} accepts no more requests for now.`, {
      fix: token === undefined ? 'It is tried again later; with a token it accepts more.' : 'It is tried again later.',
    });
  if (status === 401 || status === 403) throw refusal(line, 'does not accept the token');
  const json = status < 300 ? parseJson(text) : undefined;
  if (json === undefined) throw unreadable(line);
  return json;
}

function refusal({ kind }: OrganizationLine, what: string): ServiceError {
  return new ServiceError('conflict', `${HOST_APIS[kind].name} ${what}.`, {
    fix: 'Check the address and the token, and follow it again.',
  });
}

function unreadable({ kind, address }: OrganizationLine): ServiceError {
  const { host } = new URL(address);
  return new ServiceError('upstream_failed', `${host} did not answer like ${HOST_APIS[kind].name}.`, {
    fix: 'Check the address and the kind of host. It is tried again later.',
  });
}
