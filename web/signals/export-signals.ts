import { get } from '../api.ts';
import { type Column, csvOf, readAll, saveFile } from '../export-file.ts';
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
export async function readSignals(product: string, filter: SignalFilter): Promise<Signal[]> {
  const pages = await readAll((cursor) => get<SignalList>('signals', { ...filter, product, limit: PAGE, cursor }));
  return pages.flatMap(({ signals }) => signals);
}
