import { findProduct, listProducts, type Product } from '../accounts/accounts.ts';
import { ServiceError } from '../kernel/errors.ts';
import type { Db } from '../platform/db.ts';
import type { Product as ProductBody } from './app-api.ts';

/**
 * The product that a page is about: the one that is named, or the oldest of the account, which every account has.
 *
 * @throws ServiceError `not_found` for a product that the account does not have.
 */
export async function pageProduct(db: Db, accountId: string, idOrName: string | undefined): Promise<Product> {
  const product =
    idOrName === undefined || idOrName === ''
      ? (await listProducts(db, accountId)).toSorted((a, b) => a.createdAt.getTime() - b.createdAt.getTime())[0]
      : await findProduct(db, accountId, idOrName);
  if (product !== undefined) return product;
  throw new ServiceError('not_found', `There is no product "${(idOrName ?? '').slice(0, 80)}".`, {
    fix: 'Choose another product.',
  });
}

export function productBody({ id, name, createdAt }: Product): ProductBody {
  return { id, name, created_at: createdAt.toISOString() };
}
