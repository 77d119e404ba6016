import type { SignalJson } from '../signals/import/import.ts';
import type { Client } from './client.ts';

/** Signals of one request. */
const BATCH = 500;

interface SavedCounts {
  added: number;
  updated: number;
  unchanged: number;
  /** Rows that the service did not save, counted from 1, with the reason. */
  refused: { row: number; reason: string }[];
}

type SentCounts = Omit<SavedCounts, 'refused'> & Partial<Pick<SavedCounts, 'refused'>>;

/** Sends signals to the service in batches; what was sent before a failure stays. */
export async function saveSignals(client: Client, signals: readonly SignalJson[]): Promise<SavedCounts> {
  const saved: SavedCounts = { added: 0, updated: 0, unchanged: 0, refused: [] };
  for (let at = 0; at < signals.length; at += BATCH) {
    const batch = { signals: signals.slice(at, at + BATCH) };
    // A service of an earlier version refuses whole batches, and names no rows.
    const { added, updated, unchanged, refused = [] } = await client.send<SentCounts>('POST', '/v1/signals', batch);
    saved.added += added;
    saved.updated += updated;
    saved.unchanged += unchanged;
    saved.refused.push(...refused.map(({ row, reason }) => ({ row: at + row, reason })));
  }
  return saved;
}
