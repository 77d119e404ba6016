import { useMatch, useRouter } from '@tanstack/react-router';
import { useCallback } from 'react';

/**
 * Tells whether the browser is still to show this page: no more once somebody has followed a link, though the page stays until
 * the next one is loaded. What changes the address of a page asks first, else it takes them back.
 */
export function useIsStaying(): () => boolean {
  const router = useRouter();
  // The location of the router is the next one already; what matched it says which page this is.
  const page = useMatch({ strict: false, select: ({ id }) => id });
  return useCallback(() => router.matchRoutes(router.latestLocation).some(({ id }) => id === page), [router, page]);
}
