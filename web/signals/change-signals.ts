import { useChanges } from '../action.ts';
import { post, send } from '../api.ts';
import { formatCount } from '../format.ts';
import type { SignalChange } from '../knowledge/queries.ts';

/** Most signals in one request. */
const BATCH = 1_000;

/** Changes of many signals, each with a message that takes it back. */
export function useSignalChanges() {
  const { path, sayUndoable, refreshSignals } = useChanges();

  async function patch(changes: readonly SignalChange[]): Promise<SignalChange[]> {
    const before: SignalChange[] = [];
    for (const batch of batchesOf(changes)) {
      const answer = await send<{ before: SignalChange[] }>('PATCH', path('signals'), { changes: batch });
      before.push(...answer.before);
    }
    return before;
  }

  return {
    /** `done` is what the message says was done to them, such as `Pinned`. */
    change: async (changes: readonly SignalChange[], done: string): Promise<void> => {
      const before = await patch(changes);
      sayUndoable(`${done} ${formatCount(before.length, 'signal')}`, () => patch(before));
      await refreshSignals();
    },
    remove: async (ids: readonly string[]): Promise<void> => {
      const deletions: string[] = [];
      let deleted = 0;
      for (const batch of batchesOf(ids)) {
        const answer = await post<{ deletion: string | null; deleted: number }>(path('signal-deletions'), {
          ids: batch,
        });
        deleted += answer.deleted;
        if (answer.deletion !== null) deletions.push(answer.deletion);
      }
      sayUndoable(`Deleted ${formatCount(deleted, 'signal')}`, () =>
        Promise.all(deletions.map((id) => send('DELETE', path(`signal-deletions/${id}`)))),
      );
      await refreshSignals();
    },
  };
}

function batchesOf<Item>(items: readonly Item[]): Item[][] {
  return Array.from({ length: Math.ceil(items.length / BATCH) }, (_, at) => items.slice(at * BATCH, (at + 1) * BATCH));
}
