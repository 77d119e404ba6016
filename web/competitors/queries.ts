import type { z } from '@hono/zod-openapi';
import type * as bodies from '../../src/competitors/competitor-bodies.ts';
import { readQuery } from '../queries.ts';

export type Competitor = z.output<typeof bodies.CompetitorBody>;
export type WatchedPage = z.output<typeof bodies.PageBody>;
export type Change = z.output<typeof bodies.ChangeBody>;
export type Proposal = z.output<typeof bodies.ProposalBody>;
export type PriceSeries = z.output<typeof bodies.PriceSeriesBody>;
export type Feature = z.output<typeof bodies.FeatureBody>;
export type Capture = z.output<typeof bodies.CaptureBody>;
export type Digest = z.output<typeof bodies.DigestBody>;
export type NewCompetitor = z.input<typeof bodies.NewCompetitorBody>;
export type PageChange = z.input<typeof bodies.PageChangeBody>;
export type DigestSettings = z.input<typeof bodies.NewDigestBody>;
type ChangeLink = z.output<typeof bodies.LinkBody>;
export type Check = z.output<typeof bodies.CheckBody>;

interface ChangeFilter {
  competitor?: string;
  min_severity?: string;
  kind?: string;
  dismissed?: 'all';
}

const MOST_CHANGES = 200;

export function competitorsQuery(product: string) {
  return readQuery<{ competitors: Competitor[]; browser: boolean }>('competitors', 'competitors', { product });
}

export function competitorQuery(product: string, id: string) {
  return readQuery<Competitor>('competitors', `competitors/${encodeURIComponent(id)}`, { product });
}

export function changesQuery(product: string, filter: ChangeFilter) {
  const parameters = { ...filter, product, limit: MOST_CHANGES };
  return readQuery<{ changes: Change[]; total: number }>('competitors', 'competitor-changes', parameters, {
    keeps: true,
  });
}

/** Plans, decisions, signals and features that a change is about. */
export function changeLinksQuery(product: string, change: string) {
  const path = `competitor-changes/${encodeURIComponent(change)}/links`;
  return readQuery<{ links: ChangeLink[] }>('competitors', path, { product });
}

export function pricesQuery(product: string, id: string) {
  return readQuery<{ series: PriceSeries[] }>('competitors', `competitors/${encodeURIComponent(id)}/prices`, {
    product,
  });
}

export function featuresQuery(product: string, id: string) {
  const path = `competitors/${encodeURIComponent(id)}/features`;
  return readQuery<{ features: Feature[] }>('competitors', path, { product });
}

export function capturesQuery(product: string, page: string) {
  const path = `competitor-pages/${encodeURIComponent(page)}/captures`;
  return readQuery<{ captures: Capture[] }>('competitors', path, { product });
}

/** Differences between two captures; those of the two before stay until they are there. */
export function comparisonQuery(product: string, before: string, after: string) {
  const parameters = { product, before, after };
  return readQuery<{ added: string[]; removed: string[] }>('competitors', 'competitor-comparisons', parameters, {
    keeps: true,
  });
}

export function digestsQuery(product: string) {
  return readQuery<{ digests: Digest[]; email: boolean }>('competitors', 'competitor-digests', { product });
}
