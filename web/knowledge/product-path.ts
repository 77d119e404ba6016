import { useSession } from '../session.tsx';

/** Makes addresses of the API that are about the chosen product. */
export function useProductPath(): (path: string, query?: Record<string, string>) => string {
  const { product } = useSession();
  return (path, query = {}) => `${path}?${new URLSearchParams({ ...query, product: product.id })}`;
}
