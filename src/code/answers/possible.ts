import type { IndexedRepository } from '../../indexes/indexes.ts';
import type { Root } from '../dependencies/store-dependencies-nodes.ts';
import type { ActionCall } from './code-tool-input.ts';

/** Says how many uses only the name of a symbol suggests: they are not followed, and may still be real. */
export async function possibleNotes(call: ActionCall, roots: ReadonlyMap<IndexedRepository, Root>): Promise<string[]> {
  const counts = await Promise.all(
    [...roots].map(async ([repository, root]) => {
      if (!('symbols' in root)) return 0;
      const search = { symbols: root.symbols, limit: 0, offset: 0 };
      return (await call.sources.ask(repository, ['usages', search])).named.total;
    }),
  );
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return [];
  return [`${total} possible uses by name alone (?) were not followed; code-tool usages lists them`];
}
