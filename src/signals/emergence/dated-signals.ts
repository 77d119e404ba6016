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
/** Share of the signals before the period whose vectors must be there. */
const LEAST_ENCODED = 0.5;

/** What emerged in a period, with what it was looked for in. */
export interface Emergence {
  emerging: EmergingSignals[];
  recent: DatedSignal[];
  before: DatedSignal[];
  /** Of the signals of the period, those whose vectors are pending. */
  pending: number;
}

/**
 * What emerged in a period against all that came before, by the dates of the signals. `use` gets it while the texts are still there to
 * be compared. Takes a process, some seconds for 10,000 signals.
 */
export async function findEmergence<Result>(
  signals: Pick<Signals, 'db' | 'themeWatch' | 'encoder'>,
  tenant: Tenant,
  { since, until, signal }: { since: Date; until: Date; signal: AbortSignal },
  use: (found: Emergence, texts: ThemeTexts) => Promise<Result>,
): Promise<Result> {
  const { db, themeWatch: watch, encoder } = signals;
  const recent = await withVectors(
    signals,
    tenant,
    await selectDated(db, tenant, { since, until, limit: MOST_RECENT }),
  );
  const before = await withVectors(
    signals,
    tenant,
    await selectDated(db, tenant, { until: since, limit: MOST_BEFORE }),
  );
  const pending = encoder === undefined ? 0 : recent.filter(({ vector }) => vector === undefined).length;
  const encoded = before.filter(({ vector }) => vector !== undefined);
  const isMeant = recent.every(({ vector }) => vector !== undefined) && encoded.length >= LEAST_ENCODED * before.length;
  // A signal without its vector would look as if it were about something else: it is left out, or all go by their words.
  const compared = isMeant ? encoded : before.map((row) => ({ ...row, vector: undefined }));
  const own = isMeant ? recent : recent.map((row) => ({ ...row, vector: undefined }));
  await using texts = new ThemeTexts({ signal, watch, encoder: isMeant ? encoder : undefined });
  const [oldest] = compared;
  // Without a time before nothing is newer than anything else.
  if (oldest === undefined || own.length === 0) return await use({ emerging: [], recent, before, pending }, texts);
  await texts.add([...compared, ...own]);
  const share = (until.getTime() - since.getTime()) / Math.max(DAY_MS, since.getTime() - oldest.date.getTime());
  const emerging = await texts.emerge({ recent: own.map(voiceOf), before: compared.map(voiceOf), share });
  return await use({ emerging, recent, before, pending }, texts);
}

/** Who says it: the customer, or one message. */
function voiceOf({ id, customer, duplicateOf }: DatedSignal): VoicedSignal {
  const copyOf = duplicateOf ?? id;
  return { id, voice: customer === '' ? copyOf : `customer ${customer}`, copyOf };
}
