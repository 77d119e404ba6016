import { useQueryClient } from '@tanstack/react-query';

const KINDS: readonly unknown[] = ['signals', 'themes', 'customers'];

/** Reads signals, themes and customers again. */
export function useForgetSignals(): () => Promise<void> {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ predicate: ({ queryKey: [kind] }) => KINDS.includes(kind) });
}
