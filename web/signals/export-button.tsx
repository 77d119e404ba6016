import { useAction, useChanges } from '../action.ts';
import { Button } from '../components/button.tsx';
import { formatCount } from '../format.ts';
import type { SignalFilter } from '../knowledge/queries.ts';
import { readSignals, saveSignals } from './export-signals.ts';

/** Saves every signal that the filter of the page shows. */
export function ExportSignals({ filter }: { filter: SignalFilter }) {
  const { product, say, tell } = useChanges();
  const save = useAction(async () => {
    const signals = await readSignals(product.id, filter);
    saveSignals(signals);
    say(`Exported ${formatCount(signals.length, 'signal')}`);
  }, tell);
  return (
    <Button icon="download" disabled={save.busy} onClick={() => save.run()}>
      {save.busy ? 'Exporting…' : 'Export CSV'}
    </Button>
  );
}
