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
  const { path, apply, tell } = useChanges();
  return useAction(({ themes, pinned }: PinChange) => {
    const changed = themes.filter(({ labelled }) => labelled !== pinned);
    const set = async (to: boolean): Promise<void> => {
      for (const { id } of changed) await send('PATCH', path(`themes/${encodeURIComponent(id)}`), { pinned: to });
    };
    const says = `${pinned ? 'Pinned' : 'Unpinned'} ${formatCount(changed.length, 'theme')}`;
    return apply(set(pinned), { to: 'signals', says, undo: () => set(!pinned) });
  }, tell);
}
