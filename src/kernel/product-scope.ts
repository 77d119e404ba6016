/** The tenant part of every query, and the product that it is about. Ids. */
export interface ProductScope {
  accountId: string;
  productId: string;
}
