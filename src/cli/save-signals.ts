import type { SignalJson } from '../signals/import-file.ts';
import type { Client } from './client.ts';

/** Signals of one request. */
const BATCH = 500;

/** Sends signals to the service in batches; what was sent before a failure stays. */
export async function saveSignals(
  client: Client,
  signals: readonly SignalJson[],
): Promise<{ added: number; updated: number }> {
  const saved = { added: 0, updated: 0 };
  for (let at = 0; at < signals.length; at += BATCH) {
    const batch = { signals: signals.slice(at, at + BATCH) };
    const { added, updated } = await client.send<{ added: number; updated: number }>('POST', '/v1/signals', batch);
    saved.added += added;
    saved.updated += updated;
  }
  return saved;
}
