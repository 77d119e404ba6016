/** Account and product whose rows a query may read and write. Ids. */
export interface Tenant {
  accountId: string;
  productId: string;
}
