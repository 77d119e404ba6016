import type { Tenant } from '../../kernel/tenant.ts';
import { DAY_MS } from '../../kernel/time.ts';
import type { Signals } from '../context.ts';
import { withVectors } from '../signal-vectors.ts';
import type { EmergingSignals, VoicedSignal } from '../theme-tasks.ts';
import { ThemeTexts } from '../theme-texts.ts';
import { type DatedSignal, selectDated } from './store-dated.ts';

/** Signals of the period that are compared with each other: the newest. */
const MOST_RECENT = 1_000;
/** Signals before it that are compared with what emerges: the newest. */
const MOST_BEFORE = 10_000;
/** Share of signals whose vectors must be there to compare them by meaning. */
export const LEAST_ENCODED = 0.5;

interface EncodedSignal extends DatedSignal {
  vector: Int8Array | undefined;
}

/** Signals of a period and those before it. */
interface DatedSignals {
  since: Date;
  until: Date;
  recent: EncodedSignal[];
  before: EncodedSignal[];
  /** Those of both whose vectors are pending. */
  pending: DatedSignal[];
  /** True if they are compared by meaning too, those without a vector left out; otherwise all are by their words. */
  isByMeaning: boolean;
}

/**
 * Reads the signals of a period, and those before it.
 *
 * @param leastEncoded share of the signals of the period whose vectors must be there to compare them by meaning.
 */
export async function readDated(
  signals: Pick<Signals, 'db' | 'encoder'>,
  tenant: Tenant,
  { since, until, leastEncoded }: { since: Date; until: Date; leastEncoded: number },
): Promise<DatedSignals> {
  const { db, encoder } = signals;
  const newest = await selectDated(db, tenant, { since, until, limit: MOST_RECENT });
  const earlier = await selectDated(db, tenant, { until: since, limit: MOST_BEFORE });
  const recent = await withVectors(signals, tenant, newest);
  const before = await withVectors(signals, tenant, earlier);
  const unencoded = [...recent, ...before].filter(({ vector }) => vector === undefined);
  const isByMeaning =
    encoder !== undefined &&
    countEncoded(recent) >= leastEncoded * recent.length &&
    countEncoded(before) >= LEAST_ENCODED * before.length;
  return { since, until, recent, before, pending: encoder === undefined ? [] : unencoded, isByMeaning };
}

function countEncoded(signals: readonly EncodedSignal[]): number {
  return signals.filter(({ vector }) => vector !== undefined).length;
}

/**
 * Finds what emerged in a period against all that came before, by the dates of the signals. `use` gets it while the texts are
 * still there to be compared. Takes a process, some seconds for 10,000 signals.
 */
export async function findEmergence<Result>(
  { themeWatch: watch, encoder }: Pick<Signals, 'themeWatch' | 'encoder'>,
  { since, until, recent, before, isByMeaning }: DatedSignals,
  signal: AbortSignal,
  use: (emerging: EmergingSignals[], texts: ThemeTexts) => Promise<Result>,
): Promise<Result> {
  // A signal without its vector would look as if it were about something else: it is left out, or all go by their words.
  const comparable = (rows: EncodedSignal[]): EncodedSignal[] =>
    isByMeaning
      ? rows.filter(({ vector }) => vector !== undefined)
      : rows.map((row) => ({ ...row, vector: undefined }));
  const [own, compared] = [comparable(recent), comparable(before)];
  await using texts = new ThemeTexts({ signal, watch, encoder: isByMeaning ? encoder : undefined });
  const [oldest] = compared;
  // Without a time before nothing is newer than anything else.
  if (oldest === undefined || own.length === 0) return await use([], texts);
  await texts.add([...compared, ...own]);
  const share = (until.getTime() - since.getTime()) / Math.max(DAY_MS, since.getTime() - oldest.date.getTime());
  const emerging = await texts.emerge({ recent: own.map(voiceOf), before: compared.map(voiceOf), share });
  return await use(emerging, texts);
}

/** The voice of a signal: its customer, or one message. */
function voiceOf({ id, customer, duplicateOf }: DatedSignal): VoicedSignal {
  const copyOf = duplicateOf ?? id;
  return { id, voice: customer === '' ? copyOf : `customer ${customer}`, copyOf };
}
