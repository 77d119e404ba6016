import { z } from 'zod';
import type { Tools } from './tools.ts';

const Signal = z.looseObject({
  id: z.string(),
  type: z.string(),
  date: z.string().catch(''),
  customer: z.string().catch(''),
  segment: z.string().catch(''),
  snippet: z.string().catch(''),
  score: z.number(),
});
const Theme = z.looseObject({
  theme: z.string(),
  signals: z.number(),
  customers: z.number(),
  trend: z.looseObject({ direction: z.string(), last: z.number(), usual: z.number() }),
  sample_ids: z.array(z.string()).default([]),
});

type SignalRow = z.output<typeof Signal>;
type ThemeRow = z.output<typeof Theme>;

/** Most signals that are counted; beyond it the answer says at least. */
const MOST_SIGNALS = 50;
/** A signal that fits this much less than the best one is about something else. */
const LEAST_SHARE = 0.5;

/** What customers say about a question, and how many of them. */
export interface Voices {
  /** Those that have the words of the question close together; when there are none, those that are near to it in meaning. The best first. */
  signals: SignalRow[];
  /** Whether they have the words. */
  isNamed: boolean;
  customers: string[];
  /** Whether there may be more. */
  isCut: boolean;
  /** ISO dates of the oldest and the newest. */
  since: string;
  latest: string;
  themes: ThemeRow[];
}

/** Signals and themes that fit a question; `isAbout` says whether a stretch of text has its words. Two calls at once. */
export async function hearSignals(tools: Tools, query: string, isAbout: (text: string) => boolean): Promise<Voices> {
  const [found, themes] = await Promise.all([
    tools.ask('document-search-tool', { action: 'search', query, types: ['signal'], limit: MOST_SIGNALS }, Signal),
    tools.ask('document-search-tool', { action: 'themes', query, limit: 3 }, Theme),
  ]);
  const rows = found?.rows ?? [];
  const best = rows[0]?.score ?? 0;
  const named = rows.filter(({ snippet }) => isAbout(snippet));
  const isNamed = named.length > 0;
  const signals = isNamed ? named : rows.filter(({ score }) => score >= best * LEAST_SHARE);
  const dates = signals
    .map(({ date }) => date)
    .filter((date) => date !== '')
    .toSorted();
  return {
    signals,
    isNamed,
    customers: [...new Set(signals.map(({ customer }) => customer).filter((name) => name !== ''))],
    isCut: rows.length === MOST_SIGNALS && signals.at(-1) === rows.at(-1),
    since: dates[0] ?? '',
    latest: dates.at(-1) ?? '',
    themes: themes?.rows ?? [],
  };
}
