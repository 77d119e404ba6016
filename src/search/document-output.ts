import { z } from 'zod';

/** Fields that every answer of `document-search-tool` has. */
const Page = {
  op: z.string(),
  total: z.int(),
  shown: z.int(),
  next: z.string().optional(),
  notes: z.array(z.string()).optional(),
};

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
export const CountOutput = z.looseObject({
  ...Page,
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

const Sounding = z.object({ signals: z.int(), sample_ids: z.array(z.string()) });

export const ThemesOutput = z.looseObject({
  ...Page,
  action: z.literal('themes'),
  rows: z.array(
    z.object({
      theme: z.string(),
      labelled: z.boolean(),
      signals: z.int(),
      customers: z.int(),
      value: z.number().optional(),
      trend: z.looseObject({ direction: z.enum(['new', 'rising', 'falling', 'steady']) }),
      quote_id: z.string().optional(),
      sample_ids: z.array(z.string()),
      negative: Sounding,
      positive: Sounding,
      linked: z.array(z.string()),
    }),
  ),
});

export const NewOutput = z.looseObject({
  ...Page,
  action: z.literal('new'),
  rows: z.array(
    z.object({
      subject: z.string(),
      since: z.string(),
      signals: z.int(),
      customers: z.int(),
      before: z.int(),
      quote: z.string(),
      quote_id: z.string(),
      sample_ids: z.array(z.string()),
      theme: z.string().optional(),
    }),
  ),
  period: z.object({ since: z.string(), until: z.string() }),
  recent: z.int(),
  before: z.int(),
});

export const DocumentHitsOutput = z.looseObject({
  ...Page,
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
      snippet: z.string(),
      score: z.number(),
      stale: z.string().optional(),
    }),
  ),
  searched: z.object({ documents: z.int(), plans: z.int(), signals: z.int() }),
});

const GetOutput = z.looseObject({ ...Page, action: z.literal('get'), rows: z.array(z.looseObject({})) });

/** The JSON answers of `document-search-tool`. */
export const DocumentSearchOutput = z.discriminatedUnion('action', [
  DocumentHitsOutput,
  GetOutput,
  ThemesOutput,
  NewOutput,
  CountOutput,
]);
