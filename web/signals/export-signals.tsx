import { useAction, useChanges } from '../action.ts';
import { get } from '../api.ts';
import { Button } from '../components/button.tsx';
import { type Column, csvOf, readAll, saveFile } from '../export-file.ts';
import { formatCount } from '../format.ts';
import type { Signal, SignalFilter, SignalList } from '../knowledge/queries.ts';

const PAGE = 200;

/** Under the names that an import knows, so that a file can be changed and read again. */
const COLUMNS: readonly Column<Signal>[] = [
  ['external_id', (signal) => signal.external_id],
  ['date', (signal) => signal.date],
  ['customer', (signal) => signal.customer],
  ['segment', (signal) => signal.segment],
  ['value', (signal) => signal.value],
  ['source', (signal) => signal.source],
  ['text', (signal) => signal.text],
  ['tags', (signal) => signal.tags.join(', ')],
  ['link', (signal) => signal.link],
  ['intent', (signal) => signal.intent],
  ['polarity', (signal) => signal.polarity],
  ['theme', (signal) => signal.theme],
  ['id', (signal) => signal.id],
];

export function saveSignals(signals: readonly Signal[]): void {
  saveFile('signals.csv', 'text/csv', csvOf(COLUMNS, signals));
}

/** Every signal that matches, in the order of the filter. */
async function readSignals(product: string, filter: SignalFilter): Promise<Signal[]> {
  const pages = await readAll((cursor) => get<SignalList>('signals', { ...filter, product, limit: PAGE, cursor }));
  return pages.flatMap(({ signals }) => signals);
}

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
