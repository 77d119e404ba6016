import { AskersBody } from '../signals/links/links.ts';
import { z } from 'zod';
import { PAGE_OUTPUT } from '../platform/operation/page-output.ts';
import { SimilarText } from './similar-texts.ts';

const CountRow = z.object({
  /** Absent in the row of totals. */
  value: z.string().optional(),
  signals: z.int(),
  customers: z.int(),
  share: z.number(),
  mean_rating: z.number().optional(),
  newest: z.string().optional(),
});

export type CountRow = z.output<typeof CountRow>;

/** `count`: of how many signals, and how many lack the field. */
export const CountOutput = z.object({
  ...PAGE_OUTPUT,
  action: z.literal('count'),
  rows: z.array(CountRow),
  group_by: z.string().optional(),
  counted: z.int(),
  of: z.int(),
  lacking: z.int(),
  /** Changes that the count does not reflect yet. */
  pending: z.int(),
  unknown_words: z.array(z.string()),
  period: z.object({ since: z.string().optional(), until: z.string().optional() }).optional(),
});

export const Sounding = z.object({ signals: z.int(), sample_ids: z.array(z.string()) });

/** A theme; of its trend the mentions in 7 and in 14 days, the usual ones a week, and how likely so many are by chance. */
export const ThemeRow = z.object({
  theme: z.string(),
  labelled: z.boolean(),
  signals: z.int(),
  customers: z.int(),
  value: z.number().optional(),
  trend: z.object({
    last: z.number(),
    fortnight: z.number(),
    usual: z.number(),
    chance: z.number(),
    direction: z.enum(['new', 'rising', 'falling', 'steady', 'past']),
  }),
  sample_ids: z.array(z.string()),
  negative: Sounding,
  positive: Sounding,
  linked: z.array(z.string()),
});

export const ThemesOutput = z.object({ ...PAGE_OUTPUT, action: z.literal('themes'), rows: z.array(ThemeRow) });

export const SubjectRow = z.object({
  subject: z.string(),
  since: z.string(),
  signals: z.int(),
  customers: z.int(),
  before: z.int(),
  quote: z.string(),
  quote_id: z.string(),
  sample_ids: z.array(z.string()),
  theme: z.string().optional(),
});

export const NewOutput = z.object({
  ...PAGE_OUTPUT,
  action: z.literal('new'),
  rows: z.array(SubjectRow),
  period: z.object({ since: z.string(), until: z.string() }),
  recent: z.int(),
  before: z.int(),
});

export const DocumentHitsOutput = z.object({
  ...PAGE_OUTPUT,
  action: z.literal('search'),
  rows: z.array(
    z.object({
      id: z.string(),
      type: z.enum(['upload', 'plan', 'signal', 'product_doc']),
      title: z.string(),
      section: z.string(),
      heading: z.string(),
      date: z.string().optional(),
      customer: z.string().optional(),
      segment: z.string().optional(),
      source: z.string().optional(),
      intent: z.string().optional(),
      polarity: z.number().nullable().optional(),
      value: z.number().optional(),
      rating: z.number().optional(),
      version: z.string().optional(),
      language: z.string().optional(),
      /** Id of the theme of a signal, as `filter` takes it. */
      theme: z.string().optional(),
      snippet: z.string(),
      score: z.number(),
      stale: z.string().optional(),
    }),
  ),
  searched: z.object({ documents: z.int(), plans: z.int(), signals: z.int() }),
});

/** A document, plan, decision or signal: of a long one a part, with `next` for the one behind it. */
export const TextOutput = z.object({
  ...PAGE_OUTPUT,
  action: z.literal('get'),
  rows: z.array(z.object({ section: z.string(), heading: z.string(), text: z.string() })),
  id: z.string(),
  type: z.string(),
  title: z.string(),
  status: z.string().optional(),
  date: z.string().optional(),
  stale: z.string().optional(),
  /** Of a plan. */
  asked_by: AskersBody.optional(),
  sections: z.array(z.object({ id: z.string(), heading: z.string().optional(), characters: z.int().optional() })),
  /** Of a signal. */
  customer: z.string().optional(),
  segment: z.string().optional(),
  source: z.string().optional(),
  tags: z.array(z.string()).optional(),
  link: z.string().optional(),
  intent: z.string().optional(),
  polarity: z.number().nullable().optional(),
  value: z.number().nullable().optional(),
  /** What says the same as a signal, a decision, or the first section that is shown of a document, nearest first. */
  similar: z.array(SimilarText).optional(),
});

/** The JSON answers of each action of `document-search-tool`. */
export const DOCUMENT_OUTPUTS = {
  search: DocumentHitsOutput,
  get: TextOutput,
  themes: ThemesOutput,
  new: NewOutput,
  count: CountOutput,
} as const;
