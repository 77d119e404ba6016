import { useState } from 'react';
import { useAction, useChanges } from '../action.ts';
import { Menu, MenuChoices, MenuItem, MenuSeparator } from '../components/menu.tsx';
import type { Signal } from '../knowledge/queries.ts';
import { useSignalChanges } from './change-signals.ts';
import { PlaceSignals } from './place-signals.tsx';
import { SignalButton } from './signal-button.tsx';
import { INTENTS } from './signal-facets.ts';

const INTENT_CHOICES = INTENTS.map((value) => ({ value, label: value }));

/** Actions on a signal. Open from the start, because it is loaded when somebody opens it. */
export function SignalMenu({ signal, onDeleted }: { signal: Signal; onDeleted: (() => void) | undefined }) {
  const [isPlacing, setPlacing] = useState(false);
  const { tell } = useChanges();
  const { change, remove } = useSignalChanges();
  const setIntent = useAction(
    (intent: Signal['intent']) => change([{ id: signal.id, intent }], `Set the intent “${intent}” of`),
    tell,
  );
  const removal = useAction(async () => {
    await remove([signal.id]);
    onDeleted?.();
  }, tell);
  return (
    <>
      <Menu trigger={<SignalButton signal={signal} />} isOpenAtFirst>
        <MenuItem icon="tag" onSelect={() => setPlacing(true)}>
          Pin to a theme…
        </MenuItem>
        <MenuChoices label="Intent" value={signal.intent} choices={INTENT_CHOICES} onChoose={setIntent.run} />
        <MenuSeparator />
        <MenuItem icon="trash" dangerous onSelect={() => removal.run()}>
          Delete
        </MenuItem>
      </Menu>
      {isPlacing && <PlaceSignals signals={[signal]} onClose={() => setPlacing(false)} />}
    </>
  );
}
