import { onTestFinished } from 'vitest';
import { testKnowledge } from './knowledge.ts';
import { ShardReaders } from '../indexes/shards/shards.ts';
import { gatherThemes, type GivenSignal, listThemes, saveSignals, type Signals } from '../signals/signals.ts';
import { type TestAccount, testAccount } from './account.ts';
import { TEST_SECRET_KEYS } from './secrets.ts';

export const SIGNALS_NOW = new Date('2026-03-01T00:00:00Z');
const running = new AbortController().signal;

export interface SignalBench extends TestAccount {
  signals: Signals;
  save: (...given: (string | GivenSignal)[]) => Promise<{ ids: string[]; added: number; updated: number }>;
  gather: () => Promise<void>;
  search: (query: string) => Promise<string[]>;
  /** Label, signals and customers of each theme. */
  themes: () => Promise<[string, number, number][]>;
}

/** Signals of a product without an index: words alone place them. */
export async function signalBench(): Promise<SignalBench> {
  const account = await testAccount();
  const blobs = { put: () => Promise.reject(new Error('Nothing is stored here.')), path: (hash: string) => hash };
  const readers = new ShardReaders({ blobs, threads: 1, cacheBytes: 1 });
  const index = testKnowledge(account.db);
  onTestFinished(() => index.close());
  const signals: Signals = {
    db: account.db,
    indexes: { readers, rebuild: async () => {} },
    knowledge: index,
    indexed: async () => [],
    secretKeys: TEST_SECRET_KEYS,
    now: () => SIGNALS_NOW,
  };
  let minutes = 0;
  return {
    ...account,
    signals,
    save: (...given) =>
      saveSignals(
        signals,
        account,
        given.map((signal) => {
          // Each is a minute later than the one before: which is the oldest decides where others go.
          const date = new Date(SIGNALS_NOW.getTime() - 86_400_000 + ++minutes * 60_000);
          return { date, ...(typeof signal === 'string' ? { text: signal } : signal) };
        }),
      ),
    gather: () => gatherThemes(signals, account, running),
    search: async (query) => (await index.search(account, { query, limit: 20 })).hits.map((hit) => hit.id),
    themes: async () =>
      (await listThemes(signals, account)).map(({ label, signals: count, customers }) => [label, count, customers]),
  };
}
