import { useAction } from '../action.ts';
import { Button } from '../components/button.tsx';
import { tellProblem, useToast } from '../components/toast.tsx';
import { formatCount } from '../format.ts';
import type { SignalFilter } from '../knowledge/queries.ts';
import { useSession } from '../session.tsx';
import { readSignals, saveSignals } from './export-signals.ts';

/** Saves every signal that the filter of the page shows. */
export function ExportSignals({ filter }: { filter: SignalFilter }) {
  const { product } = useSession();
  const say = useToast();
  const save = useAction(async () => {
    const signals = await readSignals(product.id, filter);
    saveSignals(signals);
    say(`Exported ${formatCount(signals.length, 'signal')}`);
  }, tellProblem(say));
  return (
    <Button icon="download" disabled={save.busy} onClick={() => save.run()}>
      {save.busy ? 'Exporting…' : 'Export CSV'}
    </Button>
  );
}
