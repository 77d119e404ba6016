import { folderOf } from '../kernel/paths.ts';
import { roundTo } from '../kernel/shown-values.ts';
import { z } from '@hono/zod-openapi';
import { Time } from '../platform/body-fields.ts';
import { bodyOfRow } from '../platform/row-body.ts';
import { ServiceError } from '../kernel/errors.ts';
import { findUnstorableText } from '../kernel/storable-text.ts';
import { TEXT_CHARACTERS } from './save-signals.ts';
import type { GivenSignal } from './save-signals.ts';
import type { ThemeDetail } from './describe-theme.ts';
import { LINK_KINDS, type LinkRow } from './links/store-links.ts';
import { PLACED_BY, type SignalRow } from './store.ts';
import { LABEL_CHARACTERS, type Theme } from './themes.ts';

const short = z.string().max(400);
export const INTENTS = ['bug', 'request', 'question', 'praise', 'churn', 'other'] as const;

export const NewSignalBody = z.object({
  text: z.string().trim().min(1).max(TEXT_CHARACTERS),
  external_id: short.optional().describe('Its id in the source: sending it again updates the signal'),
  source: short.optional().describe('For example "support" or "github:owner/name"'),
  customer: short.optional(),
  segment: short.optional(),
  value: z.number().optional().describe('What the customer is worth, in a unit of your choice'),
  rating: z.number().min(1).max(5).optional().describe('Stars, 1 to 5: they decide the polarity'),
  version: short.optional().describe('Of the product that it is about, for example "2.4.1"'),
  language: short.optional().describe('For example "de" or "pt-BR"'),
  date: z.iso
    .datetime({ offset: true })
    .or(z.iso.date())
    .refine(isStorable, 'The year is not one from 1 to 9999')
    .optional()
    .describe('Default: now'),
  tags: z.array(short).max(50).optional(),
  link: z.string().max(2_000).optional(),
});

/** Most signals of one request. */
const MOST_SIGNALS = 2_000;

/** A signal of a batch, or why it is none: one bad field refuses its own signal alone. */
type BatchEntry = { signal: z.output<typeof NewSignalBody> } | { reason: string };

const StorableSignal = NewSignalBody.superRefine((signal, context) => {
  const at = findUnstorableText(signal);
  if (at !== undefined)
    context.addIssue({ code: 'custom', path: [at], message: 'It contains U+0000 or a lone surrogate' });
});

const BatchSignal = StorableSignal.transform((signal): BatchEntry => ({ signal }))
  .catch(({ value }) => ({
    reason: (StorableSignal.safeParse(value).error?.issues ?? [])
      .map(({ path, message }) => (path.length === 0 ? message : `${path.join('.')}: ${message}`))
      .join('; '),
  }))
  .openapi({ type: 'object', description: 'A signal, with the same fields as one that is sent alone' });

export const SignalsBody = z.union([
  z.object({ signals: z.array(BatchSignal).min(1).max(MOST_SIGNALS) }),
  NewSignalBody,
]);

const Refused = z.object({ row: z.int().describe('Counted from 1'), reason: z.string() });

/**
 * The signals of a body, and the rows that are none.
 *
 * @throws ServiceError `bad_argument` when none can be saved.
 */
export function readBatch(sent: z.output<typeof SignalsBody>): {
  given: GivenSignal[];
  refused: z.output<typeof Refused>[];
} {
  if (!('signals' in sent)) return { given: [givenSignal(sent)], refused: [] };
  const given = sent.signals.flatMap((entry) => ('signal' in entry ? [givenSignal(entry.signal)] : []));
  const refused = sent.signals.flatMap((entry, at) =>
    'signal' in entry ? [] : [{ row: at + 1, reason: entry.reason }],
  );
  const [first] = refused;
  if (first === undefined || given.length > 0) return { given, refused };
  throw new ServiceError('bad_argument', `None of the signals can be saved. Row ${first.row}: ${first.reason}`, {
    fix: 'Send text, and dates such as 2026-03-01 or 2026-03-01T10:00:00Z.',
  });
}

export const SavedBody = z.object({
  ids: z.array(z.string()).describe('Of the saved ones, in the order of the request'),
  added: z.int(),
  updated: z.int().describe('Existing signals whose text changed'),
  unchanged: z.int().describe('Signals that were there as they are'),
  refused: z.array(Refused).describe('Rows of the request that are not saved, with the reason; all others are'),
});

export const SignalBody = z.object({
  id: z.string(),
  external_id: z.string(),
  source: z.string(),
  customer: z.string(),
  segment: z.string(),
  value: z.number().nullable(),
  date: z.string(),
  text: z.string(),
  tags: z.array(z.string()),
  link: z.string(),
  rating: z.number().nullable().describe('Stars, 1 to 5'),
  version: z.string().nullable(),
  language: z.string().nullable(),
  polarity: z
    .number()
    .nullable()
    .describe('-1 (complaint) to 1 (praise), by stars, else by what it means; null in doubt, or until it is encoded'),
  polarity_words: z.array(z.string()).describe('The stars that decided the polarity'),
  intent: z.enum(INTENTS),
  intent_by: z.enum(['words', 'person']).describe('words: declared by a label, or estimated from what it says'),
  duplicate_of: z.string().nullable().describe('The oldest near-duplicate'),
  theme: z.string().nullable(),
  placed_by: z.enum(PLACED_BY),
});

/** Fields of a signal that people change. */
export const ChangedBody = SignalBody.pick({ id: true, theme: true, placed_by: true, intent: true, intent_by: true });

export const SignalList = z.object({
  signals: z.array(SignalBody),
  total: z.int().describe('Matching the filters'),
  next: z.string().nullable(),
});

export const SignalCounts = z.object({
  signals: z.int(),
  customers: z.int(),
  folded: z.int().describe('Signals that nearly duplicate an older one'),
  sources: z.array(z.string()),
  segments: z.array(z.string()),
  newest: z.string().nullable(),
});

export const ThemeChangeBody = z.object({
  label: z
    .string()
    .meta({ minLength: 1, maxLength: LABEL_CHARACTERS })
    .optional()
    .describe('Its new name, which pins it too'),
  pinned: z.boolean().optional().describe('A pinned theme keeps its name, whatever signals come. Default: true'),
});

export const ThemeBody = z.object({
  id: z.string(),
  label: z.string(),
  labelled: z.boolean().describe('A person has named or pinned the theme'),
  place: z.string().nullable().describe('repository:folder of the first function that the theme is about'),
  links: z
    .array(
      z.object({
        kind: z.enum(LINK_KINDS),
        target: z.string().describe('A handle: sym:…, plan:…, dec:…, chg:…'),
        repository: z.string().describe('Of code; empty for the others'),
        title: z.string(),
        origin: z.enum(['stated', 'computed']).describe('By a person, or from the words of the signals'),
        score: z.number().describe('Share of the subject of the theme that the target has, 0 to 1; 1 where stated'),
        words: z.array(z.string()).describe('Words of the subject that the target has'),
      }),
    )
    .describe('What the theme is about and what answers it: functions, plans, decisions, changes of competitors'),
  signals: z.int(),
  loose: z.int().describe('Of these, signals that are near to the theme without being one of it'),
  customers: z.int().describe('Distinct customers'),
  value: z.number().nullable().describe('Total value of these customers; null when no signal states one'),
  parts: z
    .array(z.object({ label: z.string(), signals: z.int() }))
    .describe('The parts of what the signals say, largest first'),
  quote_id: z.string().nullable().describe('The most typical signal'),
  trend: z.object({
    last: z.int().describe('In the last seven days; a customer counts once a week'),
    fortnight: z.int().describe('In the last fourteen days'),
    usual: z.number().describe('Mean per week in the twelve weeks before'),
    chance: z.number().describe('Probability of this many or more in fourteen days if nothing has changed (Poisson)'),
    direction: z
      .enum(['new', 'rising', 'falling', 'steady', 'past'])
      .describe(
        'Other than steady only where chance does not explain it; new: hardly anybody spoke of it before; past: no signal of the product is of the last 14 days',
      ),
  }),
  newest: z.string(),
  sample_ids: z.array(z.string()),
});

export const ThemeDetailBody = ThemeBody.extend({
  weeks: z
    .array(
      z.object({
        week: z.string().describe('Its Monday, UTC'),
        signals: z.int(),
        customers: z.int().describe('Signals without a customer count as one each'),
        value: z.number().nullable().describe('What these customers are worth together'),
      }),
    )
    .describe('Of the period, oldest first; signals without a date of their own do not count'),
  period: z.object({
    since: Time,
    until: Time,
    now: z.int().describe('Customers in it; signals without a customer count as one each'),
    before: z.int().describe('The same in as long a time before it'),
  }),
  shares: z
    .array(
      z.object({
        by: z.enum(['segment', 'source', 'intent']),
        name: z.string(),
        signals: z.int(),
        customers: z.int(),
      }),
    )
    .describe('Largest first'),
  top_customers: z
    .array(
      z.object({
        customer: z.string(),
        segment: z.string(),
        value: z.number().nullable(),
        signals: z.int(),
        newest: Time,
      }),
    )
    .describe('The ten that are worth most'),
  quotes: z
    .array(SignalBody)
    .describe('The signal that speaks for the theme, then one each of the customers worth most'),
  merges: z
    .array(z.object({ id: z.string(), theme: z.string(), label: z.string(), signals: z.int(), merged_at: Time }))
    .describe('Themes that were merged into it, newest first; each merge can be undone'),
  bursts: z
    .array(z.object({ since: Time, until: Time, mentions: z.int(), expected: z.number() }))
    .describe('Two weeks each of the period in which chance does not explain how many spoke of it, newest first'),
  moves: z
    .array(
      z.object({
        from: z.string(),
        from_label: z.string(),
        into: z.string(),
        into_label: z.string(),
        signals: z.int(),
        reason: z
          .enum(['grouped', 'emerged'])
          .describe('grouped: all signals were grouped again; emerged: the signals are a subject that emerged'),
        moved_at: Time,
      }),
    )
    .describe('Signals that came from other themes or went there without a person, newest first'),
});

export function themeDetailBody(detail: ThemeDetail): z.output<typeof ThemeDetailBody> {
  const { theme, period, now, before, weeks, shares, customers, quotes, merges, bursts, moves } = detail;
  return {
    ...themeBody(theme),
    period: { since: period.since.toISOString(), until: period.until.toISOString(), now, before },
    weeks,
    shares,
    top_customers: customers.map((customer) => ({ ...customer, newest: customer.newest.toISOString() })),
    quotes: quotes.map(signalBody),
    merges: merges.map(({ id, themeId, label, signals, mergedAt }) => {
      return { id, theme: themeId, label, signals, merged_at: mergedAt.toISOString() };
    }),
    bursts: bursts.map(({ since, until, ...burst }) => {
      return { since: since.toISOString(), until: until.toISOString(), ...burst };
    }),
    moves: moves.map(({ fromId, fromLabel, intoId, intoLabel, signals, reason, movedAt }) => ({
      from: fromId,
      from_label: fromLabel,
      into: intoId,
      into_label: intoLabel,
      signals,
      reason,
      moved_at: movedAt.toISOString(),
    })),
  };
}

export function signalBody(row: SignalRow): z.output<typeof SignalBody> {
  return bodyOfRow(SignalBody, row, {
    id: `sig:${row.id}`,
    duplicate_of: row.duplicateOf === null ? null : `sig:${row.duplicateOf}`,
    theme: row.themeId,
  });
}

export function themeBody({ links, value, quoteId, newest, sampleIds, ...theme }: Theme): z.output<typeof ThemeBody> {
  const code = links.find(({ kind }) => kind === 'code');
  return {
    ...theme,
    place: code === undefined ? null : `${code.repository}:${folderOfLink(code)}`,
    links: links.map(({ kind, target, repository, title, origin, score, words }) => {
      return { kind, target, repository, title, origin, score: roundTo(2, score), words };
    }),
    value: value ?? null,
    quote_id: quoteId ?? null,
    newest: newest.toISOString(),
    sample_ids: sampleIds,
  };
}

/** `sym:Mailer/send@src/mail/send.ts` → src/mail. */
function folderOfLink({ target }: Pick<LinkRow, 'target'>): string {
  const path = target.slice(target.indexOf('@') + 1);
  return folderOf(path);
}

/** True if the database can store the moment: an offset may move a day of the first or last year out of its range. */
function isStorable(date: string): boolean {
  const year = new Date(date).getUTCFullYear();
  return year >= 1 && year <= 9_999;
}

export function givenSignal(body: z.output<typeof NewSignalBody>): GivenSignal {
  const { external_id: externalId, date, ...rest } = body;
  return { ...rest, externalId, date: date === undefined ? undefined : new Date(date) };
}
