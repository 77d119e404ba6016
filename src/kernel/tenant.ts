/** Whose rows a query may read and write: an account and one of its products. Ids. */
export interface Tenant {
  accountId: string;
  productId: string;
}
