import type { Tenant } from '../../kernel/tenant.ts';
import type { Signals } from '../context.ts';
import type { EmergingSignals } from '../theme-tasks.ts';
import { findEmergence, readDated } from './dated-signals.ts';
import type { DatedSignal } from './store-dated.ts';

export { findDueProducts, noticeSubjects } from './notice-subjects.ts';

const SAMPLES = 3;

/** A subject that appeared lately. */
export interface NewSubject {
  /** In the words of its signals. */
  subject: string;
  /** Date of its first signal in the period. */
  since: Date;
  signals: number;
  customers: number;
  /** Customers, and signals without one, that spoke of it in all the time before that was compared. */
  before: number;
  /** The most typical of its signals. */
  quote: { id: string; text: string };
  /** Handles of the newest signals. */
  sampleIds: string[];
  /** The label of the theme that most of its signals have. */
  theme: string | undefined;
}

/** New subjects with what they were looked for in. */
interface NewSubjects {
  subjects: NewSubject[];
  recent: number;
  before: number;
  /** Of the recent signals, those whose vectors are pending: words alone were compared. */
  pending: number;
}

/** Subjects of a period that hardly anybody had before it, most signals first, however much the product holds. */
export async function findNewSubjects(
  signals: Pick<Signals, 'db' | 'themeWatch' | 'encoder'>,
  tenant: Tenant,
  { since, until, signal }: { since: Date; until: Date; signal: AbortSignal },
): Promise<NewSubjects> {
  // No signal of the period is left out of an answer.
  const dated = await readDated(signals, tenant, { since, until, leastEncoded: 1 });
  const { recent, before } = dated;
  const pending = new Set(dated.pending);
  return findEmergence(signals, dated, signal, async (emerging, texts) => {
    const fresh = emerging.filter(({ kind }) => kind === 'new');
    // Who asks does not wait for the encoder, which may be busy with an import.
    const labels = await texts.label([new Map(fresh.map(({ medoid, members }) => [medoid, members]))], {
      byMeaning: false,
    });
    const rows = new Map(recent.map((row) => [row.id, row]));
    const subjects = fresh.flatMap((one) => subjectOf(one, labels.get(one.medoid) ?? '', rows));
    return {
      subjects: subjects.toSorted((a, b) => b.signals - a.signals || (a.subject < b.subject ? -1 : 1)),
      recent: recent.length,
      before: before.length,
      pending: recent.filter((row) => pending.has(row)).length,
    };
  });
}

function subjectOf(
  { members, medoid, before }: EmergingSignals,
  subject: string,
  rows: ReadonlyMap<string, DatedSignal>,
): NewSubject[] {
  const own = members.flatMap((id) => rows.get(id) ?? []).toSorted((a, b) => a.date.getTime() - b.date.getTime());
  const typical = rows.get(medoid);
  const [first] = own;
  if (typical === undefined || first === undefined) return [];
  return [
    {
      subject,
      since: first.date,
      signals: own.length,
      customers: new Set(own.flatMap(({ customer }) => (customer === '' ? [] : [customer]))).size,
      before,
      quote: { id: `sig:${typical.id}`, text: typical.text },
      sampleIds: own
        .slice(-SAMPLES)
        .toReversed()
        .map(({ id }) => `sig:${id}`),
      theme: mostOf(own),
    },
  ];
}

/** The label that more than half of the signals have. */
function mostOf(signals: readonly DatedSignal[]): string | undefined {
  const groups = [...Map.groupBy(signals, ({ theme }) => theme)];
  const [most] = groups.toSorted(([, a], [, b]) => b.length - a.length);
  const [label, members = []] = most ?? [];
  return label !== undefined && label !== '' && 2 * members.length > signals.length ? label : undefined;
}
