import { useQueryClient } from '@tanstack/react-query';

/** Reads signals and themes again. */
export function useForgetSignals(): () => Promise<void> {
  const queries = useQueryClient();
  return () =>
    queries.invalidateQueries({ predicate: ({ queryKey: [kind] }) => kind === 'signals' || kind === 'themes' });
}
