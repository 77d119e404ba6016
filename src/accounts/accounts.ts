import { ServiceError } from '../kernel/errors.ts';
import { uuidv7 } from '../kernel/ids.ts';
import type { Tenant } from '../kernel/tenant.ts';
import type { Db } from '../platform/db.ts';
import type { Role } from '../platform/rights.ts';
import { LONGEST_NAME } from './account-bodies.ts';
import { type Actor, recordAudit } from './audit.ts';
import { selectVisibleProducts, type VisibleProduct } from './store-access.ts';
import {
  selectProductKeys,
  findInstallation,
  insertAccount,
  insertInstallation,
  insertOwner,
  insertProduct,
  type InstallationRow,
  lockAccountRow,
  type ProductRow,
  selectProduct,
  selectProducts,
} from './store.ts';

export { AuditEntry } from './account-bodies.ts';
export type { Actor, AuditedChange } from './audit.ts';
export { listAudit, recordAudit } from './audit.ts';
export { auditEntries } from './audit-entries.ts';
export type { SignedIn } from './sessions.ts';
export { productRole } from './store-access.ts';
export { clearTotpWithoutKey, findMember, selectNames, TOTP_SECRETS } from './store-people.ts';

/** Names of the first account, its product and its owner until somebody changes them. */
const FIRST_ACCOUNT_NAME = 'default';
const FIRST_PRODUCT_NAME = 'default';
const FIRST_OWNER_NAME = 'owner';

/** Limits of a name that `displayName` checks, as the schema of a body states them. */
export const NAME_LIMITS = { minLength: 1, maxLength: LONGEST_NAME };

/** Control characters, line breaks, halves of characters, and marks that turn the reading direction of what follows. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]/u;

/** An account with its first product and its owner. */
export type FirstAccount = InstallationRow;

/** The product that a change concerns, and the actor that it is recorded for. */
export interface ProductRequest extends Tenant {
  actor: Actor;
}

/** A change of a person's rights in an account, in the transaction that makes it. */
export interface RightsChange {
  accountId: string;
  personId: string;
  from: Role;
  /** Undefined when they leave the account. */
  to: Role | undefined;
  actor: Actor;
  at: Date;
}

/**
 * Changes the API keys of a person whose rights change, decided and done in the same transaction. Returns what the audit log
 * records of it.
 */
export type SettleKeys = (tx: Db, change: RightsChange) => Promise<Record<string, unknown>>;

/** A check of all keys of an account that act for people: `settle` in the transaction that changes rights, `apply` after it. */
export interface KeyCheck {
  settle: (tx: Db, accountId: string) => Promise<void>;
  apply: () => Promise<void>;
}

/** Owner of repositories, keys and knowledge. Its name is unique in the account. */
type Product = ProductRow;

/**
 * The account of this installation, made with a product "default" and an owner when there is none. Safe to call at every
 * start and by several processes at once: all get the same account.
 */
export async function ensureFirstAccount(db: Db, now: Date): Promise<FirstAccount> {
  const installation = await findInstallation(db);
  if (installation !== undefined) return installation;
  const first: FirstAccount = { accountId: uuidv7(now), productId: uuidv7(now), ownerId: uuidv7(now) };
  const isMine = await db.transaction().execute(async (tx) => {
    if (!(await insertInstallation(tx, first))) return false;
    await writeAccount(tx, first, now);
    return true;
  });
  if (isMine) return first;
  const other = await findInstallation(db);
  if (other === undefined) throw new Error('The installation row is taken and cannot be read.');
  return other;
}

async function writeAccount(tx: Db, { accountId, productId, ownerId }: FirstAccount, now: Date): Promise<void> {
  await insertAccount(tx, { id: accountId, name: FIRST_ACCOUNT_NAME }, now);
  await insertProduct(tx, accountId, { id: productId, name: FIRST_PRODUCT_NAME, createdAt: now });
  await insertOwner(tx, accountId, { id: ownerId, name: FIRST_OWNER_NAME }, now);
  const change = { accountId, actor: 'system', action: 'account.create', target: accountId, at: now } as const;
  await recordAudit(tx, { ...change, detail: { product_id: productId, owner_id: ownerId } });
}

/**
 * Makes other callers of this function wait until the transaction ends: what is counted under it cannot change meanwhile.
 *
 * @throws ServiceError `not_found` when there is no such account.
 */
export async function lockAccount(tx: Db, accountId: string): Promise<void> {
  if (await lockAccountRow(tx, accountId)) return;
  throw new ServiceError('not_found', `There is no account ${accountId}.`, {
    fix: 'Sign in to an account that exists.',
  });
}

/** Products of an account, by name. */
export function listProducts(db: Db, accountId: string): Promise<Product[]> {
  return selectProducts(db, accountId);
}

/** The products of all accounts, as `<account>/<product>`. For maintenance of files, which are no account's alone. */
export function listProductKeys(db: Db): Promise<Set<string>> {
  return selectProductKeys(db);
}

/** The product of the account with this id or name; undefined when there is none, also when it is another account's. */
export function findProduct(db: Db, accountId: string, idOrName: string): Promise<Product | undefined> {
  return selectProduct(db, accountId, idOrName);
}

/** The products that a person sees, by name, with the role in each. */
export function listVisibleProducts(db: Db, accountId: string, personId: string): Promise<VisibleProduct[]> {
  return selectVisibleProducts(db, accountId, personId);
}

/**
 * The product that is named by id or name among those that the person sees, or the oldest of them.
 *
 * @throws ServiceError `not_found` for every other, whether the account has it or not.
 */
export async function resolveProduct(
  db: Db,
  { accountId, personId }: { accountId: string; personId: string },
  idOrName: string | undefined,
): Promise<VisibleProduct> {
  const products = await selectVisibleProducts(db, accountId, personId);
  const product =
    idOrName === undefined || idOrName === ''
      ? products.toSorted((a, b) => a.createdAt.getTime() - b.createdAt.getTime())[0]
      : (products.find(({ id }) => id === idOrName) ?? products.find(({ name }) => name === idOrName));
  if (product !== undefined) return product;
  if (products.length === 0)
    throw new ServiceError('not_found', 'There is no product that you may see.', {
      fix: 'Ask an owner or admin of the account for a role in one.',
    });
  throw new ServiceError('not_found', `There is no product "${(idOrName ?? '').slice(0, 80)}".`, {
    fix: 'Choose another product.',
  });
}

/** Returns the requester in the product of this id or name, if one is given. @throws ServiceError `not_found`. */
export async function inProduct<Requester extends Tenant & { personId: string }>(
  db: Db,
  requester: Requester,
  idOrName: string | undefined,
): Promise<Requester> {
  if (idOrName === undefined) return requester;
  return { ...requester, productId: (await resolveProduct(db, requester, idOrName)).id };
}

/** @throws ServiceError `bad_argument` for a name that cannot be used, `conflict` when the account has one of that name. */
export async function createProduct(
  db: Db,
  request: { accountId: string; name: string; isRestricted?: boolean | undefined; actor: Actor },
  now: Date,
): Promise<Product> {
  const { accountId, actor, isRestricted = false } = request;
  const product = { id: uuidv7(now), name: displayName(request.name, 'product'), createdAt: now };
  await db.transaction().execute(async (tx) => {
    if (!(await insertProduct(tx, accountId, { ...product, isRestricted }))) {
      throw new ServiceError('conflict', `The account already has a product named "${product.name}".`, {
        fix: 'Choose another name.',
      });
    }
    const change = { accountId, actor, action: 'product.create', target: product.id, at: now } as const;
    await recordAudit(tx, { ...change, detail: { name: product.name, ...(isRestricted && { is_restricted: true }) } });
  });
  return product;
}

/**
 * A name that people chose, without white space around it: 1 to 80 characters on one line.
 *
 * @throws ServiceError `bad_argument`, naming what is named.
 */
export function displayName(text: string, named: string): string {
  const name = text.trim().normalize('NFC');
  const length = Array.from(name).length;
  if (length >= 1 && length <= LONGEST_NAME && !UNPRINTABLE.test(name)) return name;
  const fault =
    length === 0 ? 'is empty' : length > LONGEST_NAME ? `has ${length} characters` : 'contains control characters';
  throw new ServiceError('bad_argument', `The name of the ${named} ${fault}.`, {
    fix: `Use a name of 1 to ${LONGEST_NAME} printable characters.`,
  });
}
