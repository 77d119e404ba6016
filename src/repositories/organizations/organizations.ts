import { basename, matchesGlob } from 'node:path';
import { type ProductRequest, recordAudit } from '../../accounts/accounts.ts';
import { ServiceError } from '../../kernel/errors.ts';
import { uuidv7 } from '../../kernel/ids.ts';
import type { Tenant } from '../../kernel/tenant.ts';
import type { Db } from '../../platform/db.ts';
import { expectedFailure } from '../../platform/failures.ts';
import type { GitCredential } from '../../platform/git/git-route.ts';
import type { NetPolicy } from '../../platform/net.ts';
import { openSealed } from '../../platform/sealed-column.ts';
import { sealSecret, type SecretKeys } from '../../platform/secrets.ts';
import type { Repositories } from '../context.ts';
import { addRepository } from '../repositories.ts';
import {
  checkOrganization,
  HOST_APIS,
  HOST_KINDS,
  type HostedRepository,
  type HostKind,
  listHosted,
} from './host-apis.ts';
import {
  deleteOrganization,
  finishReading,
  insertBrought,
  insertOrganization,
  ORGANIZATION_TOKENS,
  type OrganizationRow,
  selectBrought,
  selectDueOrganizations,
  selectOrganizations,
} from './store-organizations.ts';

export { ORGANIZATION_TOKENS } from './store-organizations.ts';

const HOUR_MS = 60 * 60_000;
const FIRST_RETRY_MS = 5 * 60_000;
const MOST_RETRY_MS = 24 * HOUR_MS;
const MOST_ORGANIZATIONS = 50;
const NAME = /^[\w-][\w.-]*(?:\/[\w-][\w.-]*)*$/;

/** Dependencies of the organizations of all products. */
export interface Organizations {
  repositories: Repositories;
  secretKeys: SecretKeys;
  net: NetPolicy;
  /** Puts an index run of a repository into the queue. */
  startIndexing: (tenant: Tenant, id: string) => Promise<void>;
}

/** Settings with which a person follows an organization. */
export interface NewOrganization {
  /** https://github.com/acme */
  address: string;
  /** Absent: by its host. */
  kind?: HostKind | undefined;
  token?: string | undefined;
  /** Patterns of names. */
  include?: readonly string[] | undefined;
  exclude?: readonly string[] | undefined;
  withArchived?: boolean | undefined;
  withForks?: boolean | undefined;
}

/**
 * Follows an organization, a group or a person of a code host, once its repositories could be listed. They are added soon, and
 * later those that are made there.
 *
 * @throws ServiceError `bad_argument` for an address that cannot be one, `conflict` when the host does not accept the token or shows
 * no such organization, or it is followed already; `upstream_failed`.
 */
export async function followOrganization(
  { repositories, secretKeys, net }: Organizations,
  tenant: ProductRequest,
  requested: NewOrganization,
): Promise<OrganizationRow> {
  const { db, now } = repositories;
  const { address, kind } = placeOf(requested);
  const { token, include = ['**'], exclude = [], withArchived = false, withForks = false } = requested;
  if ((await selectOrganizations(db, tenant)).length >= MOST_ORGANIZATIONS)
    throw new ServiceError(
      'conflict',
      `The product already follows ${MOST_ORGANIZATIONS} organizations, the most that it may.`,
      {
        fix: 'Stop following one first.',
      },
    );
  await checkOrganization({ kind, address, token, net });
  const at = now();
  const id = uuidv7(at);
  const { accountId, productId, actor } = tenant;
  const sealed = token === undefined ? null : sealSecret(secretKeys, token, ORGANIZATION_TOKENS.contextOf(id));
  const choice = { include: [...include], exclude: [...exclude], withArchived, withForks };
  const row = {
    accountId,
    productId,
    id,
    kind,
    address,
    token: sealed,
    ...choice,
    dueAt: at,
    createdAt: at,
    createdBy: actor,
  };
  await db.transaction().execute(async (tx) => {
    if (!(await insertOrganization(tx, row)))
      throw new ServiceError('conflict', `${address} is followed already.`, {
        fix: 'To change its token or its patterns, stop following it and follow it again: no repository is added twice.',
      });
    await recordAudit(tx, {
      accountId,
      actor,
      action: 'organization.follow',
      target: id,
      at,
      detail: { name: address },
    });
  });
  return { ...row, readAt: null, total: 0, added: 0, failures: 0, fault: '' };
}

/** Without their tokens in the clear, oldest first. */
export function listOrganizations({ repositories }: Organizations, tenant: Tenant): Promise<OrganizationRow[]> {
  return selectOrganizations(repositories.db, tenant);
}

/** Stops following an organization and forgets its token; its repositories stay. @throws ServiceError `unknown_id`. */
export async function unfollowOrganization(
  organizations: Organizations,
  tenant: ProductRequest,
  id: string,
): Promise<void> {
  const { address } = await findOrganization(organizations, tenant, id);
  const { db, now } = organizations.repositories;
  const { accountId, actor } = tenant;
  await db.transaction().execute(async (tx) => {
    if (!(await deleteOrganization(tx, tenant, id))) return;
    const entry = { accountId, actor, action: 'organization.unfollow', target: id, at: now() } as const;
    await recordAudit(tx, { ...entry, detail: { name: address } });
  });
}

/** Reads the list of an organization now. Returns it as it is afterwards. @throws ServiceError `unknown_id`. */
export async function readOrganizationNow(
  organizations: Organizations,
  tenant: Tenant,
  { id, signal }: { id: string; signal: AbortSignal },
): Promise<OrganizationRow> {
  await readOrganization(organizations, await findOrganization(organizations, tenant, id), signal);
  return findOrganization(organizations, tenant, id);
}

async function findOrganization(organizations: Organizations, tenant: Tenant, id: string): Promise<OrganizationRow> {
  const row = (await listOrganizations(organizations, tenant)).find((organization) => organization.id === id);
  if (row !== undefined) return row;
  throw new ServiceError('unknown_id', `The product follows no organization "${id.slice(0, 80)}".`, {
    fix: 'See the list of organizations.',
  });
}

/** True if an organization is due to be read. */
export async function hasDueOrganizations({ repositories: { db, now } }: Organizations): Promise<boolean> {
  return (await selectDueOrganizations(db, now())).length > 0;
}

/** Reads the organizations of all products whose time has come. */
export async function readDueOrganizations(organizations: Organizations, signal: AbortSignal): Promise<void> {
  const { db, now } = organizations.repositories;
  for (const row of await selectDueOrganizations(db, now())) {
    signal.throwIfAborted();
    await readOrganization(organizations, row, signal);
  }
}

/** Adds the repositories of an organization that it did not bring before. A failure is noted and tried again later. */
async function readOrganization(
  organizations: Organizations,
  row: OrganizationRow,
  signal: AbortSignal,
): Promise<void> {
  const { repositories, secretKeys, net } = organizations;
  const { db, now } = repositories;
  try {
    const hosted = await listHosted({ ...row, token: tokenOf(secretKeys, row), net });
    const brought = await selectBrought(db, row);
    for (const { url } of hosted.filter((one) => isSelected(row, one) && !brought.has(one.url))) {
      signal.throwIfAborted();
      await bring(organizations, row, url);
    }
    const dueAt = new Date(now().getTime() + HOUR_MS);
    await finishReading(db, row, { dueAt, readAt: now(), total: hosted.length, fault: '' });
  } catch (error) {
    const failure = signal.aborted ? undefined : expectedFailure(error);
    if (failure === undefined) throw error;
    const waitMs = Math.min(FIRST_RETRY_MS * 2 ** row.failures, MOST_RETRY_MS);
    await finishReading(db, row, { dueAt: new Date(now().getTime() + waitMs), fault: failure.message });
  }
}

/** Adds one repository. One that the product has already stays as it is; one with an address that is refused is tried again. */
async function bring({ repositories, startIndexing }: Organizations, row: OrganizationRow, url: string): Promise<void> {
  try {
    const { id } = await addRepository(repositories, row, { source: url, actor: 'system' });
    await startIndexing(row, id);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    if (error.code === 'bad_argument') return;
    if (error.code !== 'conflict') throw error;
  }
  await insertBrought(repositories.db, row, url);
}

function isSelected(row: OrganizationRow, { url, name, isArchived, isFork, isEmpty }: HostedRepository): boolean {
  // A host must not name another one, which would get the token.
  if (!url.toLowerCase().startsWith(`${row.address}/`.toLowerCase()) || isEmpty) return false;
  if ((isArchived && !row.withArchived) || (isFork && !row.withForks)) return false;
  // Of a subgroup the last part alone fits as well.
  const names = [name, basename(name)].map((one) => one.toLowerCase());
  const fits = (pattern: string): boolean => names.some((one) => matchesGlob(one, pattern.toLowerCase()));
  return row.include.some(fits) && !row.exclude.some(fits);
}

function tokenOf(secretKeys: SecretKeys, { id, token }: Pick<OrganizationRow, 'id' | 'token'>): string | undefined {
  return token === null ? undefined : openSealed(secretKeys, ORGANIZATION_TOKENS, { id, secret: token });
}

/** What git shows a host for a repository of an organization that is followed with a token; undefined for others. */
export async function credentialOf(
  { db, secretKeys }: { db: Db; secretKeys: SecretKeys },
  tenant: Tenant,
  url: string,
): Promise<GitCredential | undefined> {
  const followed = await selectOrganizations(db, tenant);
  const row = followed.find(
    ({ address, token }) => token !== null && url.toLowerCase().startsWith(`${address}/`.toLowerCase()),
  );
  const token = row && tokenOf(secretKeys, row);
  return row === undefined || token === undefined
    ? undefined
    : { address: `${row.address}/`, user: HOST_APIS[row.kind].user, password: token };
}

/** @throws ServiceError `bad_argument` for an address that is no organization of a known kind of host. */
function placeOf({ address: given, kind }: NewOrganization): { address: string; kind: HostKind } {
  const text = given.trim();
  const url = URL.parse(text.includes('://') ? text : `https://${text}`);
  const name = url?.pathname.replace(/^\/|\/$/g, '') ?? '';
  if (url === null || !/^https?:$/.test(url.protocol) || url.search !== '' || url.username !== '' || !NAME.test(name))
    throw new ServiceError('bad_argument', `"${text.slice(0, 200)}" is not an organization of a code host.`, {
      fix: 'Use its address: https://github.com/acme',
    });
  const hostKind = kind ?? HOST_KINDS.find((candidate) => HOST_APIS[candidate].host.test(url.hostname));
  if (hostKind === undefined)
    throw new ServiceError('bad_argument', `It is not known what kind of host ${url.hostname} is.`, {
      fix: `Say which: ${HOST_KINDS.join(', ')}.`,
    });
  if (hostKind !== 'gitlab' && name.includes('/'))
    throw new ServiceError('bad_argument', `"${name}" is not an organization of ${HOST_APIS[hostKind].name}.`, {
      fix: 'Use the address of the organization; a single repository is added by itself.',
    });
  return { address: `${url.origin}/${name}`, kind: hostKind };
}
