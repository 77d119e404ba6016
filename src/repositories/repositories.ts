import { rm } from 'node:fs/promises';
import { sep } from 'node:path';
import type { Tenant } from '../kernel/tenant.ts';
import { type Actor, displayName, findProduct, recordAudit } from '../accounts/accounts.ts';
import { describeIndex } from '../kernel/freshness.ts';
import { nearestNames } from '../kernel/edit-distance.ts';
import { ServiceError } from '../kernel/errors.ts';
import { isUuid, uuidv7 } from '../kernel/ids.ts';
import { decodeCursor, encodeCursor } from '../kernel/page.ts';
import { defaultBranch, locateRepository, originUrl, resolveTip } from '../platform/git/git-refs.ts';
import type { Db } from '../platform/db.ts';
import { type Repositories, repositoryFolder } from './context.ts';
import { commitsBehind, gapsOf, indexState } from './freshness.ts';
import { bestMatches } from './best-matches.ts';
import { RepositoryBody, type RepositoryList, type RestRepository } from './repository-bodies.ts';
import { bodyOfRow } from '../platform/row-body.ts';
import { fullNameOf, namesFrom, parseSource } from './source/source.ts';
import {
  deleteRepository,
  insertRepository,
  type NewRepository,
  releaseBlobs,
  type RepositoryFilter,
  type RepositoryRow,
  selectCandidates,
  selectRepositories,
  selectRepositoryPage,
  selectRepository,
  selectRival,
  selectUnfinished,
} from './store.ts';
import { selectPause } from './store-pause.ts';
import { selectScipHashes } from './store-scip.ts';

export { RepositoryBody } from './repository-bodies.ts';
export { openRepositories, type Repositories, repositoryFolder } from './context.ts';
export { checkedOut } from './checked-out.ts';
export { gapsOf, hastenOverdueFetch, indexState } from './freshness.ts';
export { type NamedCommit, namedCommit } from './named-commit.ts';
export type { LastRun } from './store.ts';
export { tipOf } from './tip.ts';

/** A repository of a product, with the snapshot that it serves now. */
export type Repository = RepositoryRow;

/** Most names that an error lists. */
const LISTED_NAMES = 5;
/** Most names that clients get when they connect. */
const INTRODUCED_NAMES = 20;
/** Most languages that it names of each. */
const NAMED_LANGUAGES = 2;

interface AddRequest {
  /** An absolute path, or an https, ssh, scp-like or (in local mode) file address. */
  source: string;
  /** Unique in the product. When absent the last part of the path or address, with the part before it where that is taken. */
  name?: string | undefined;
  /** A branch, tag or commit to stay on; HEAD when absent. */
  ref?: string | undefined;
  /** True if a caller waits for its first index. */
  isAwaited?: boolean | undefined;
  actor: Actor;
}

/**
 * Adds a repository, `pending`; the caller starts its index run. A local one is looked at at once, so that what is wrong
 * with it is said here; a remote one is reached by the run.
 *
 * @throws ServiceError `bad_argument` for a path, address, name or pin that cannot be used, `conflict` when the product
 * has it, or its name, already.
 */
export async function addRepository(context: Repositories, tenant: Tenant, request: AddRequest): Promise<Repository> {
  await context.requireRoom?.(tenant);
  const { names, ...description } = await describe(context, request);
  const at = context.now();
  const rows = names.map((name): NewRepository => ({ ...description, name, id: uuidv7(at), createdAt: at }));
  const added = await context.db.transaction().execute(async (tx) => {
    const row = await insertFirst(tx, tenant, rows);
    const { accountId } = tenant;
    const detail = { name: row.name, url: row.url, ref: row.ref };
    await recordAudit(tx, { accountId, actor: request.actor, action: 'repository.add', target: row.id, at, detail });
    return row;
  });
  await context.cache.refresh(tenant, [added.id]);
  return getRepository(context, tenant, added.id);
}

/** Inserts the first row whose name is free. Only another repository's name leads on to the next one. */
async function insertFirst(db: Db, tenant: Tenant, [row, ...others]: readonly NewRepository[]): Promise<NewRepository> {
  if (row === undefined) throw new Error('a repository has a name');
  if (await insertRepository(db, tenant, row)) return row;
  const rival = await selectRival(db, tenant, row);
  if (others.length === 0 || rival?.location === row.location) throw conflict(row, rival);
  return insertFirst(db, tenant, others);
}

/** All repositories of the product by name, at most 5,000. */
export async function listRepositories(context: Repositories, tenant: Tenant): Promise<Repository[]> {
  const rows = await selectRepositories(context.db, tenant);
  await context.cache.agreeWith(tenant, rows);
  return rows;
}

/**
 * Returns the repositories of a call: the one that a reference means, as `findRepository`, or all of the product by name. No
 * query while they are cached; for one that is missing or has no index yet the database is queried, as it may have changed this
 * moment.
 *
 * @throws ServiceError as `findRepository`.
 */
export async function repositoriesInScope(
  context: Repositories,
  tenant: Tenant,
  reference?: string,
): Promise<Repository[]> {
  const cached = await context.cache.of(tenant);
  if (cached.length > 0 && reference === undefined) return cached;
  const [match, other] = reference === undefined ? [] : bestMatches(cached, reference);
  if (match !== undefined && other === undefined && match.shardHash !== null) return [match];
  return reference === undefined
    ? listRepositories(context, tenant)
    : [await findRepository(context, tenant, reference)];
}

/** @throws ServiceError `unknown_repo` when the product has none with this id. */
export async function getRepository(context: Repositories, tenant: Tenant, id: string): Promise<Repository> {
  const row = isUuid(id) ? await selectRepository(context.db, tenant, id) : undefined;
  if (row !== undefined) {
    await context.cache.agreeWith(tenant, [row]);
    return row;
  }
  throw await unknownRepository(context, tenant, id);
}

/**
 * The repository that a caller means by an id, a name (in any case when only one fits) or `owner/name`.
 *
 * @throws ServiceError `unknown_repo`, naming what is nearest, also when it is another product's; `bad_argument` when
 * several fit.
 */
export async function findRepository(context: Repositories, tenant: Tenant, reference: string): Promise<Repository> {
  const matches = bestMatches(await selectCandidates(context.db, tenant, reference), reference);
  const [first, second] = matches;
  if (first === undefined) throw await unknownRepository(context, tenant, reference);
  if (second === undefined) return first;
  throw new ServiceError('bad_argument', `"${reference}" matches several repositories.`, {
    fix: `Use one of the names: ${matches
      .slice(0, LISTED_NAMES)
      .map((row) => row.name)
      .join(', ')}.`,
  });
}

/**
 * Removes a repository with its mirror, its facts and its index. A run that is under way can publish nothing any more;
 * what it still writes is swept later. Blobs go after the sweep's time of grace.
 *
 * @throws ServiceError `unknown_repo` when it is not there (any more).
 */
export async function removeRepository(
  context: Repositories,
  tenant: Tenant,
  { id, actor }: { id: string; actor: Actor },
): Promise<void> {
  const { accountId } = tenant;
  const { name, url } = await getRepository(context, tenant, id);
  const at = context.now();
  await context.db.transaction().execute(async (tx) => {
    const uploaded = await selectScipHashes(tx, { accountId, id });
    const hashes = await deleteRepository(tx, tenant, id);
    if (hashes === undefined) return;
    await releaseBlobs(tx, accountId, [...hashes, ...uploaded], at);
    await recordAudit(tx, { accountId, actor, action: 'repository.remove', target: id, at, detail: { name, url } });
  });
  context.cache.forget(tenant);
  await rm(repositoryFolder(context, id), { recursive: true, force: true });
}

/** Repositories of all accounts that wait for a run, or whose run was cut off. For the start of the service. */
export function unfinishedRepositories(context: Repositories): Promise<(Tenant & { id: string })[]> {
  return selectUnfinished(context.db);
}

/** A page of the repositories of the product as REST shows them, by name, and the number of all that match. */
export async function listRestRepositories(
  context: Repositories,
  tenant: Tenant,
  { query, status, limit, cursor }: RepositoryFilter & { limit: number; cursor?: string | undefined },
): Promise<Omit<RepositoryList, 'accepts_folders'>> {
  // Whatever is added meanwhile: a page may repeat a row or leave one out, and the next list has it.
  const binding = { arguments: [query, status], generation: tenant.productId };
  const offset = decodeCursor(binding, cursor);
  const { rows, total } = await selectRepositoryPage(context.db, tenant, { query, status, limit, offset });
  await context.cache.agreeWith(tenant, rows);
  const end = offset + rows.length;
  const product = await productName(context, tenant);
  const pause = await selectPause(context.db, tenant);
  return {
    repositories: await Promise.all(rows.map((row) => restOf(context, row, product))),
    total,
    paused_since: pause?.since.toISOString() ?? null,
    next: end < total ? encodeCursor(binding, end) : null,
  };
}

/** The repository as REST and the command-line tool show it, compared with what is there now. */
export async function toRestRepository(context: Repositories, repository: Repository): Promise<RestRepository> {
  return restOf(context, repository, await productName(context, repository));
}

async function productName({ db }: Repositories, { accountId, productId }: Tenant): Promise<string> {
  return (await findProduct(db, accountId, productId))?.name ?? productId;
}

async function restOf(context: Repositories, repository: Repository, product: string): Promise<RestRepository> {
  const [behind, index] = await Promise.all([commitsBehind(context, repository), indexState(context, repository)]);
  return bodyOfRow(RepositoryBody, repository, {
    product,
    fetch_result: fetchResult(repository),
    behind: behind ?? null,
    freshness: describeIndex(index),
    languages: largestFirst(repository.languages),
    ref: repository.ref === '' ? null : repository.ref,
    gaps: gapsOf(repository).map(({ text }) => text),
  });
}

function fetchResult({ fetchedAt, fetchMovedAt }: Repository): RestRepository['fetch_result'] {
  if (fetchedAt === null) return null;
  return fetchMovedAt !== null && fetchMovedAt >= fetchedAt ? 'new_commits' : 'no_change';
}

/** The database keeps no order of keys; people want the main language first. */
function largestFirst(shares: Record<string, number>): Record<string, number> {
  return Object.fromEntries(Object.entries(shares).toSorted(([, a], [, b]) => b - a));
}

/**
 * Builds the row of a new repository, with possible names, the best first: from the request and, if local, from the repository.
 */
async function describe(
  { policy }: Repositories,
  { source: text, name, ref, isAwaited = false }: AddRequest,
): Promise<Omit<NewRepository, 'id' | 'createdAt' | 'name'> & { names: readonly string[] }> {
  const source = parseSource(text, policy);
  const pin = ref === undefined || ref === '' ? undefined : ref;
  const given = name === undefined || name === '' ? undefined : [repositoryName(name)];
  if (source.kind === 'url') {
    const { url, location, fullName = null } = source;
    return {
      names: given ?? source.names,
      fullName,
      url,
      location,
      source: 'remote',
      ref: pin ?? '',
      defaultBranch: null,
      isAwaited,
    };
  }
  const { gitDir, root } = await locateRepository(source.path);
  await resolveTip(gitDir, root, pin);
  const [branch = null, origin = ''] = await Promise.all([defaultBranch(gitDir), originUrl(gitDir)]);
  return {
    names: given ?? namesFrom(root.replaceAll(sep, '/')),
    fullName: fullNameOf(origin) ?? null,
    url: root,
    location: root,
    source: 'local',
    ref: pin ?? '',
    defaultBranch: branch,
    isAwaited,
  };
}

function repositoryName(text: string): string {
  const name = displayName(text, 'repository');
  if (/^[\p{L}\p{N}._-]+(\/[\p{L}\p{N}._-]+)?$/u.test(name)) return name;
  throw new ServiceError('bad_argument', `"${name}" cannot be the name of a repository.`, {
    fix: 'Use letters, digits, ".", "_" and "-", with at most one "/" in the middle.',
  });
}

function conflict(requested: NewRepository, rival: Repository | undefined): ServiceError {
  const isSame = rival?.location === requested.location && rival.ref === requested.ref;
  const pin = requested.ref === '' ? '' : ` at ${requested.ref}`;
  return isSame
    ? new ServiceError('conflict', `${requested.url}${pin} already exists as "${rival.name}".`, {
        fix: `Use "${rival.name}", or index it again: svc repo index ${rival.name}.`,
      })
    : new ServiceError('conflict', `The name "${requested.name}" is taken by ${rival?.url ?? 'another repository'}.`, {
        fix: 'Choose another name, for example with --name.',
      });
}

/** A repository with the languages that are most of it: `shop (TypeScript, Go)`. */
function withLanguages(rows: readonly Pick<Repository, 'name' | 'languages'>[], name: string): string {
  const languages = rows.find((row) => row.name === name)?.languages ?? {};
  const largest = Object.keys(largestFirst(languages)).slice(0, NAMED_LANGUAGES);
  return largest.length === 0 ? name : `${name} (${largest.join(', ')})`;
}

/** The repositories of a product in a sentence: their names, each with its main languages; '' when there are none. */
export async function describeRepositories(context: Repositories, tenant: Tenant): Promise<string> {
  const rows = await context.cache.of(tenant);
  const shown = rows.slice(0, INTRODUCED_NAMES).map(({ name }) => withLanguages(rows, name));
  const more = rows.length > shown.length ? ` and ${rows.length - shown.length} more` : '';
  if (rows.length < 2) return shown.map((name) => `The repository is ${name}.`).join('');
  return `Its repositories, of which repo names one and "*" means all: ${shown.join(', ')}${more}.`;
}

async function unknownRepository(context: Repositories, tenant: Tenant, reference: string): Promise<ServiceError> {
  const all = await selectRepositories(context.db, tenant);
  const names = all.map((row) => row.name);
  const near = nearestNames(reference, names, LISTED_NAMES);
  const more = names.length - near.length;
  return new ServiceError('unknown_repo', `There is no repository "${reference.slice(0, 100)}" in this product.`, {
    fix:
      near.length === 0
        ? 'Add one: svc repo add <path-or-url>.'
        : `Use one of: ${near.map((name) => withLanguages(all, name)).join(', ')}${more > 0 ? ` (and ${more} more: svc repo list)` : ''}.`,
  });
}
