import { useEffect } from 'react';
import { searchParameters, type SearchParameters } from '../search-parameters.ts';
import { useSession } from '../session.tsx';

const MOST = 6;

/** Newest first; a search that goes on where the last one was typed takes its place. */
export function withRecent(known: readonly SearchParameters[], search: SearchParameters): SearchParameters[] {
  const { q = '' } = search;
  const others = known.filter((parameters) => parameters.q !== q && !q.startsWith(parameters.q ?? ''));
  return [search, ...others].slice(0, MOST);
}

/** What was searched for in a product with this browser, newest first. */
export function recentSearches(product: string): SearchParameters[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keyOf(product)) ?? '[]');
    if (!Array.isArray(kept)) return [];
    return kept
      .map((entry) => searchParameters(Object(entry) as Record<string, unknown>))
      .filter(({ q }) => q !== undefined);
  } catch {
    return [];
  }
}

/** Remembers a search once it has been answered. */
export function useRecent(search: SearchParameters, isAnswered: boolean): void {
  const { product } = useSession();
  useEffect(() => {
    if (!isAnswered) return;
    const { q, mode } = search;
    const kept = withRecent(recentSearches(product.id), searchParameters({ q, mode }));
    try {
      localStorage.setItem(keyOf(product.id), JSON.stringify(kept));
    } catch {
      // Without storage nothing is remembered.
    }
  }, [search, isAnswered, product.id]);
}

function keyOf(product: string): string {
  return `searches ${product}`;
}
