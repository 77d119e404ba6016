import { recentOf, useRemember } from '../recent.ts';
import { searchParameters, type SearchParameters } from '../search-parameters.ts';
import { useSession } from '../session.tsx';

/** Reads the recent searches of a product in this browser, newest first. */
export function recentSearches(product: string): SearchParameters[] {
  return recentOf(keyOf(product), searchParameters);
}

/** Remembers the words and the mode of a search once it has been answered. */
export function useRecent({ q, mode }: SearchParameters, isAnswered: boolean): void {
  const { product } = useSession();
  useRemember(keyOf(product.id), { entry: searchParameters({ q, mode }), isAnswered }, searchParameters);
}

function keyOf(product: string): string {
  return `searches ${product}`;
}
