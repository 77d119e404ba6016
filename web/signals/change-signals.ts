import { useChanges } from '../action.ts';
import { post, send } from '../api.ts';
import { formatCount } from '../format.ts';
import type { SignalChange } from '../knowledge/queries.ts';

/** Most signals in one request. */
const BATCH = 1_000;

/** Changes of many signals, each with a message that takes it back. */
export function useSignalChanges() {
  const { path, apply } = useChanges();

  async function patch(changes: readonly SignalChange[]): Promise<SignalChange[]> {
    const before: SignalChange[] = [];
    for (const batch of batchesOf(changes)) {
      const answer = await send<{ before: SignalChange[] }>('PATCH', path('signals'), { changes: batch });
      before.push(...answer.before);
    }
    return before;
  }

  async function removeAll(ids: readonly string[]): Promise<{ deletions: string[]; deleted: number }> {
    const deletions: string[] = [];
    let deleted = 0;
    for (const batch of batchesOf(ids)) {
      const body = { ids: batch };
      const answer = await post<{ deletion: string | null; deleted: number }>(path('signal-deletions'), body);
      deleted += answer.deleted;
      if (answer.deletion !== null) deletions.push(answer.deletion);
    }
    return { deletions, deleted };
  }

  return {
    /** `done` is what the message says was done to them, such as `Pinned`. */
    change: (changes: readonly SignalChange[], done: string): Promise<void> =>
      apply(patch(changes), {
        to: 'signals',
        says: (before) => `${done} ${formatCount(before.length, 'signal')}`,
        undo: patch,
      }),
    remove: (ids: readonly string[]): Promise<void> =>
      apply(removeAll(ids), {
        to: 'signals',
        says: ({ deleted }) => `Deleted ${formatCount(deleted, 'signal')}`,
        undo: ({ deletions }) => Promise.all(deletions.map((id) => send('DELETE', path(`signal-deletions/${id}`)))),
      }),
  };
}

function batchesOf<Item>(items: readonly Item[]): Item[][] {
  return Array.from({ length: Math.ceil(items.length / BATCH) }, (_, at) => items.slice(at * BATCH, (at + 1) * BATCH));
}
