import { type Action, useAction, useChanges } from '../action.ts';
import { send } from '../api.ts';
import { formatCount } from '../format.ts';
import type { Theme } from '../knowledge/queries.ts';

interface PinChange {
  themes: readonly Theme[];
  pinned: boolean;
}

/** Pins themes with the names that they have, or unpins them; the message that tells of it takes it back. */
export function usePinThemes(): Action<PinChange> {
  const { path, sayUndoable, tell, refreshSignals } = useChanges();
  return useAction(async ({ themes, pinned }: PinChange) => {
    const changed = themes.filter(({ labelled }) => labelled !== pinned);
    const set = async (to: boolean): Promise<void> => {
      for (const { id } of changed) await send('PATCH', path(`themes/${encodeURIComponent(id)}`), { pinned: to });
    };
    await set(pinned);
    const done = pinned ? 'Pinned' : 'Unpinned';
    sayUndoable(`${done} ${formatCount(changed.length, 'theme')}`, () => set(!pinned));
    await refreshSignals();
  }, tell);
}
