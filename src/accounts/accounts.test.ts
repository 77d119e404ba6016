import { expect, test } from 'vitest';
import { testAccount } from '../testing/account.ts';
import { emptyDatabase } from '../testing/database.ts';
import {
  createProduct,
  displayName,
  ensureFirstAccount,
  findProduct,
  listAudit,
  listProducts,
  recordAudit,
} from './accounts.ts';
import type { Actor, AuditedChange } from './audit.ts';

const now = new Date('2026-11-21T10:00:00Z');

test('the first account is made once, however many processes start at once', async () => {
  const database = await emptyDatabase();

  const accounts = await Promise.all([1, 2, 3].map(() => ensureFirstAccount(database.db, now)));
  const later = await ensureFirstAccount(database.db, new Date('2027-01-01T00:00:00Z'));

  const [first] = accounts;
  if (first === undefined) throw new Error('There is no first account.');
  expect([...accounts, later]).toEqual([first, first, first, first]);
  expect(await listProducts(database.db, first.accountId)).toEqual([
    { id: first.productId, name: 'default', createdAt: now },
  ]);
  const audit = await listAudit(database.db, first.accountId, { limit: 10 });
  expect(audit).toMatchObject([{ action: 'account.create', actor: 'system', target: first.accountId, at: now }]);
  await database.close();
});

test('a product is found by its id and by its name, in its own account only', async () => {
  const { db, accountId, actor } = await testAccount();
  const stranger = await testAccount();

  const shop = await createProduct(db, { accountId, name: ' Shop ', actor }, now);

  expect(shop.name).toBe('Shop');
  expect(await findProduct(db, accountId, shop.id)).toEqual(shop);
  expect(await findProduct(db, accountId, 'Shop')).toEqual(shop);
  expect(await findProduct(db, accountId, 'shop')).toBeUndefined();
  expect(await findProduct(db, stranger.accountId, shop.id)).toBeUndefined();
  expect(await findProduct(db, stranger.accountId, 'Shop')).toBeUndefined();
  expect((await listProducts(db, accountId)).map((product) => product.name).toSorted()).toEqual(['Shop', 'default']);
});

test('a product with the id of another as its name does not hide it', async () => {
  const { db, accountId, productId, actor } = await testAccount();

  await createProduct(db, { accountId, name: productId, actor }, now);

  expect(await findProduct(db, accountId, productId)).toMatchObject({ id: productId, name: 'default' });
});

test('a name is given to one product of an account, and a refused product leaves no trace', async () => {
  const { db, accountId, actor } = await testAccount();

  await expect(createProduct(db, { accountId, name: 'default', actor }, now)).rejects.toMatchObject({
    code: 'conflict',
    message: 'The account already has a product named "default".',
  });

  expect(await listProducts(db, accountId)).toHaveLength(1);
  expect((await listAudit(db, accountId, { limit: 10 })).map((entry) => entry.action)).toEqual([]);
});

test('the audit log is read newest first, page by page, by its own account', async () => {
  const { db, accountId, actor } = await testAccount();
  for (const day of [22, 23, 24]) {
    await createProduct(db, { accountId, name: `p${day}`, actor }, new Date(Date.UTC(2099, 10, day)));
  }

  const [newest, second] = await listAudit(db, accountId, { limit: 2 });
  const older = await listAudit(db, accountId, { limit: 9, ...(second && { before: second.id }) });

  expect([newest, second].map((entry) => entry?.detail)).toEqual([{ name: 'p24' }, { name: 'p23' }]);
  expect(newest).toMatchObject({ actor, action: 'product.create', at: new Date(Date.UTC(2099, 10, 24)) });
  expect(older.map((entry) => entry.action)).toEqual(['product.create']);
});

test('the audit log is searched by who, what, when and words, each narrowing the others', async () => {
  const { db, accountId, actor } = await testAccount();
  const record = (by: Actor, action: AuditedChange, day: number, name: string) =>
    recordAudit(db, {
      accountId,
      actor: by,
      action,
      target: `t-${name}`,
      at: new Date(Date.UTC(2099, 10, day)),
      detail: { name },
    });
  await record(actor, 'api_key.create', 22, 'Build 100%');
  await record('system', 'api_key.delete', 23, 'Build 100%');
  await record(actor, 'plan.save', 24, 'Queue');
  const names = async (filter: Parameters<typeof listAudit>[2]) =>
    (await listAudit(db, accountId, filter)).map(({ action }) => action);

  expect(await names({ limit: 9, actors: [actor] })).toEqual(['plan.save', 'api_key.create']);
  expect(await names({ limit: 9, actors: [actor, 'system'], query: 'bUILD 100%' })).toEqual([
    'api_key.delete',
    'api_key.create',
  ]);
  expect(await names({ limit: 9, query: 'T-queue' })).toEqual(['plan.save']);
  expect(await names({ limit: 9, action: 'api_key.delete', actors: [actor] })).toEqual([]);
  const [from, to] = [new Date(Date.UTC(2099, 10, 23)), new Date(Date.UTC(2099, 10, 24))];
  expect(await names({ limit: 9, since: from, until: to })).toEqual(['api_key.delete']);
  expect(await names({ limit: 1, actors: [actor], until: to })).toEqual(['api_key.create']);
});

test.each([
  ['', 'is empty'],
  [' \t', 'is empty'],
  ['x'.repeat(81), 'has 81 characters'],
  ['two\nlines', 'contains control characters'],
  ['\u202Eevil', 'contains control characters'],
])('%j is no name', (text, fault) => {
  expect(() => displayName(text, 'product')).toThrow(`The name of the product ${fault}.`);
});

test('a name counts characters as people see them, not code units', () => {
  expect(displayName('🔑'.repeat(80), 'key')).toHaveLength(160);
});
