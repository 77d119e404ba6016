import { type Action, useAction } from '../action.ts';
import { send } from '../api.ts';
import { tellProblem, useToast } from '../components/toast.tsx';
import { formatCount } from '../format.ts';
import type { Theme } from '../knowledge/bodies.ts';
import { useProductPath } from '../knowledge/product-path.ts';
import { useForgetSignals } from './forget-signals.ts';

interface PinChange {
  themes: readonly Theme[];
  pinned: boolean;
}

/** Pins themes with the names that they have, or unpins them; the message that tells of it takes it back. */
export function usePinThemes(): Action<PinChange> {
  const path = useProductPath();
  const forget = useForgetSignals();
  const say = useToast();
  return useAction(async ({ themes, pinned }: PinChange) => {
    const changed = themes.filter(({ labelled }) => labelled !== pinned);
    const set = async (to: boolean): Promise<void> => {
      for (const { id } of changed) await send('PATCH', path(`themes/${encodeURIComponent(id)}`), { pinned: to });
    };
    await set(pinned);
    say(`${pinned ? 'Pinned' : 'Unpinned'} ${formatCount(changed.length, 'theme')}`, 'good', () => {
      void set(!pinned).then(forget, tellProblem(say));
    });
    await forget();
  }, tellProblem(say));
}
