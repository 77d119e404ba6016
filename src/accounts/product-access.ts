import { ServiceError } from '../kernel/errors.ts';
import { isUuid, uuidv7 } from '../kernel/ids.ts';
import type { Db } from '../platform/db.ts';
import { displayName, type KeyCheck, lockAccount } from './accounts.ts';
import { type AuditedChange, recordAudit } from './audit.ts';
import type { SignedIn } from './sessions.ts';
import {
  deleteGroupPerson,
  deleteGroupRow,
  deleteProductRole,
  type GroupRow,
  type Holder,
  insertGroup,
  insertGroupPerson,
  insertProductRole,
  type ProductRole,
  type ProductRoleRow,
  selectGroups,
  selectProductRoles,
  selectVisibleProducts,
  updateProduct,
  type VisibleProduct,
} from './store-access.ts';
import { findPerson } from './store-people.ts';

/** Who makes a change, and where. */
interface AccessParts {
  db: Db;
  who: SignedIn;
  keys: KeyCheck;
  now: Date;
}

/** A change as the audit log records it. */
interface AuditedEntry {
  action: AuditedChange;
  target: string;
  detail: Record<string, unknown>;
}

/**
 * Renames a product, or restricts it to those who have a role in it.
 *
 * @throws ServiceError `not_found`, `bad_argument` for a name that cannot be used, `conflict` for one that another product has.
 */
export async function changeProduct(
  parts: AccessParts,
  id: string,
  change: { name?: string | undefined; isRestricted?: boolean | undefined },
): Promise<VisibleProduct> {
  return recordChange(parts, async (tx) => {
    const before = await findVisible(tx, parts.who, id);
    const name = change.name === undefined ? before.name : displayName(change.name, 'product');
    const isRestricted = change.isRestricted ?? before.isRestricted;
    if (!(await updateProduct(tx, { accountId: parts.who.accountId, id }, { name, isRestricted })))
      throw new ServiceError('conflict', `The account already has a product named "${name}".`, {
        fix: 'Choose another name.',
      });
    const detail = { name, former_name: before.name, is_restricted: isRestricted };
    return [
      { ...before, name, isRestricted },
      { action: 'product.update', target: id, detail },
    ];
  });
}

/** People and groups that were given a role in a product. @throws ServiceError `not_found`. */
export async function listProductRoles(db: Db, who: SignedIn, id: string): Promise<ProductRoleRow[]> {
  await findVisible(db, who, id);
  return selectProductRoles(db, { accountId: who.accountId, id });
}

/** Gives a person or a group a role in a product, instead of the one they had. @throws ServiceError `not_found`. */
export async function giveProductRole(
  parts: AccessParts,
  id: string,
  holder: Holder & { role: ProductRole },
): Promise<void> {
  const { accountId } = parts.who;
  await recordChange(parts, async (tx) => {
    const product = await findVisible(tx, parts.who, id);
    const name = await holderName(tx, accountId, holder);
    await insertProductRole(tx, { accountId, id }, holder);
    const detail = { name: product.name, kind: holder.kind, holder: name, holder_id: holder.id, role: holder.role };
    return [undefined, { action: 'product.give_role', target: id, detail }];
  });
}

/** @throws ServiceError `not_found`, also where they have no role of their own. */
export async function removeProductRole(parts: AccessParts, id: string, holder: Holder): Promise<void> {
  const { accountId } = parts.who;
  await recordChange(parts, async (tx) => {
    const product = await findVisible(tx, parts.who, id);
    const name = await holderName(tx, accountId, holder);
    if (!(await deleteProductRole(tx, { accountId, id }, holder)))
      throw new ServiceError('not_found', `${name} has no role of their own in ${product.name}.`, {
        fix: 'Reload the page.',
      });
    const detail = { name: product.name, kind: holder.kind, holder: name, holder_id: holder.id };
    return [undefined, { action: 'product.remove_role', target: id, detail }];
  });
}

/** Groups of the account with their people, by name. */
export function listGroups(db: Db, accountId: string): Promise<GroupRow[]> {
  return selectGroups(db, accountId);
}

/** @throws ServiceError `bad_argument` for a name that cannot be used, `conflict` for one that another group has. */
export async function createGroup(parts: AccessParts, requestedName: string): Promise<GroupRow> {
  const name = displayName(requestedName, 'group');
  const id = uuidv7(parts.now);
  return recordChange(parts, async (tx) => {
    if (!(await insertGroup(tx, { accountId: parts.who.accountId, id }, name, parts.now)))
      throw new ServiceError('conflict', `The account already has a group named "${name}".`, {
        fix: 'Choose another name.',
      });
    return [
      { id, name, people: [] },
      { action: 'group.create', target: id, detail: { name } },
    ];
  });
}

/** Deletes a group with the roles that it gave. @throws ServiceError `not_found`. */
export async function deleteGroup(parts: AccessParts, id: string): Promise<void> {
  await recordChange(parts, async (tx) => {
    const name = isUuid(id) ? await deleteGroupRow(tx, { accountId: parts.who.accountId, id }) : undefined;
    if (name === undefined) throw unknownHolder('group');
    return [undefined, { action: 'group.delete', target: id, detail: { name } }];
  });
}

/** Puts a person into a group, or takes them out of it. @throws ServiceError `not_found`. */
export async function changeGroup(
  parts: AccessParts,
  id: string,
  { personId, isMember }: { personId: string; isMember: boolean },
): Promise<void> {
  const { accountId } = parts.who;
  await recordChange(parts, async (tx) => {
    const name = await holderName(tx, accountId, { kind: 'group', id });
    const person = await holderName(tx, accountId, { kind: 'person', id: personId });
    await (isMember ? insertGroupPerson : deleteGroupPerson)(tx, { accountId, id }, personId);
    const action = isMember ? 'group.add_person' : 'group.remove_person';
    return [undefined, { action, target: id, detail: { name, person, person_id: personId } }];
  });
}

/** Puts a person into the groups with these names and takes them out of all others, in the transaction of the caller. */
export async function followGroups(
  tx: Db,
  given: { accountId: string; personId: string; names: readonly string[]; keys: KeyCheck },
  now: Date,
): Promise<void> {
  const { accountId, personId, names, keys } = given;
  await lockAccount(tx, accountId);
  const changed = (await selectGroups(tx, accountId)).filter(
    ({ name, people }) => names.includes(name) !== people.some(({ id }) => id === personId),
  );
  for (const { id, name } of changed) {
    const isMember = names.includes(name);
    await (isMember ? insertGroupPerson : deleteGroupPerson)(tx, { accountId, id }, personId);
    const action = isMember ? 'group.add_person' : 'group.remove_person';
    await recordAudit(tx, {
      accountId,
      actor: 'system',
      action,
      target: id,
      at: now,
      detail: { name, person_id: personId },
    });
  }
  if (changed.length > 0) await keys.settle(tx, accountId);
}

/** Makes a change while nobody else changes members or roles, records it, and lets keys be checked again. */
async function recordChange<Result>(
  { db, who, keys, now }: AccessParts,
  change: (tx: Db) => Promise<[Result, AuditedEntry]>,
): Promise<Result> {
  const { accountId, personId } = who;
  const result = await db.transaction().execute(async (tx) => {
    await lockAccount(tx, accountId);
    const [value, entry] = await change(tx);
    await keys.settle(tx, accountId);
    await recordAudit(tx, { accountId, actor: `person:${personId}`, at: now, ...entry });
    return value;
  });
  await keys.apply();
  return result;
}

async function findVisible(db: Db, { accountId, personId }: SignedIn, id: string): Promise<VisibleProduct> {
  const product = (await selectVisibleProducts(db, accountId, personId)).find((candidate) => candidate.id === id);
  if (product !== undefined) return product;
  throw new ServiceError('not_found', 'There is no such product.', { fix: 'Reload the list of products.' });
}

async function holderName(db: Db, accountId: string, { kind, id }: Holder): Promise<string> {
  const holder = !isUuid(id)
    ? undefined
    : kind === 'person'
      ? await findPerson(db, accountId, id)
      : (await selectGroups(db, accountId)).find((group) => group.id === id);
  if (holder === undefined) throw unknownHolder(kind);
  return holder.name;
}

function unknownHolder(kind: Holder['kind']): ServiceError {
  const what = kind === 'person' ? 'member' : 'group';
  return new ServiceError('not_found', `There is no such ${what}.`, { fix: 'Reload the page.' });
}
