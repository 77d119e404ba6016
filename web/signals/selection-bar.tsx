import { useState } from 'react';
import { useAction, useChanges } from '../action.ts';
import { Button } from '../components/button.tsx';
import { Menu, MenuItem } from '../components/menu.tsx';
import { formatCount } from '../format.ts';
import type { Signal } from '../knowledge/queries.ts';
import { useSession } from '../session.tsx';
import { useSignalChanges } from './change-signals.ts';
import { saveSignals } from './export-signals.tsx';
import { PlaceSignals } from './place-signals.tsx';
import type { Selection } from './selection.ts';
import { INTENTS } from './signal-facets.ts';

/** Actions on the selected rows; stays in sight while the list scrolls. */
export function SelectionBar({ selection, loaded }: { selection: Selection<Signal>; loaded: number }) {
  const { atLeast } = useSession();
  const { rows, chooseAll, clear } = selection;
  return (
    <div
      role="group"
      aria-label="Selected signals"
      className="sticky top-2 z-20 mb-2 flex flex-wrap items-center gap-2 rounded-lg border border-line bg-raised px-3 py-2 shadow-lg max-md:top-16"
    >
      <span className="mr-auto font-medium" role="status">
        {formatCount(rows.length, 'signal')} selected
      </span>
      {rows.length < loaded && (
        <Button look="ghost" onClick={chooseAll}>
          Select all {loaded} loaded
        </Button>
      )}
      {atLeast('member') && <Changes rows={rows} onDone={clear} />}
      <Button icon="download" onClick={() => saveSignals(rows)}>
        Export
      </Button>
      <Button look="ghost" onClick={clear}>
        Clear
      </Button>
    </div>
  );
}

function Changes({ rows, onDone }: { rows: readonly Signal[]; onDone: () => void }) {
  const [isPlacing, setPlacing] = useState(false);
  const { tell } = useChanges();
  const { change, remove } = useSignalChanges();
  const setIntent = useAction(async (intent: Signal['intent']) => {
    await change(
      rows.map(({ id }) => ({ id, intent })),
      `Set the intent “${intent}” of`,
    );
    onDone();
  }, tell);
  const removal = useAction(async () => {
    await remove(rows.map(({ id }) => id));
    onDone();
  }, tell);
  return (
    <>
      <Button icon="tag" onClick={() => setPlacing(true)}>
        Pin to a theme…
      </Button>
      <Menu trigger={<Button disabled={setIntent.busy}>Set intent</Button>}>
        {INTENTS.map((intent) => (
          <MenuItem key={intent} onSelect={() => setIntent.run(intent)}>
            {intent}
          </MenuItem>
        ))}
      </Menu>
      <Button icon="trash" className="text-bad" disabled={removal.busy} onClick={() => removal.run()}>
        Delete
      </Button>
      {isPlacing && <PlaceSignals signals={rows} onClose={() => setPlacing(false)} onDone={onDone} />}
    </>
  );
}
