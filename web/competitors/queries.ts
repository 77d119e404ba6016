import type { z } from '@hono/zod-openapi';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type * as bodies from '../../src/competitors/competitor-bodies.ts';
import { get } from '../api.ts';
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
  return readQuery<{ competitors: Competitor[]; browser: boolean }>(['competitors', product], 'competitors', {
    product,
  });
}

export function competitorQuery(product: string, id: string) {
  return readQuery<Competitor>(['competitors', product, id], `competitors/${encodeURIComponent(id)}`, { product });
}

export function changesQuery(product: string, filter: ChangeFilter) {
  return queryOptions({
    queryKey: ['competitors', product, 'changes', filter],
    queryFn: () =>
      get<{ changes: Change[]; total: number }>('competitor-changes', { ...filter, product, limit: MOST_CHANGES }),
    placeholderData: keepPreviousData,
  });
}

/** Plans, decisions, signals and features that a change is about. */
export function changeLinksQuery(product: string, change: string) {
  return readQuery<{ links: ChangeLink[] }>(
    ['competitors', product, 'changes', change, 'links'],
    `competitor-changes/${encodeURIComponent(change)}/links`,
    { product },
  );
}

export function pricesQuery(product: string, id: string) {
  return readQuery<{ series: PriceSeries[] }>(
    ['competitors', product, id, 'prices'],
    `competitors/${encodeURIComponent(id)}/prices`,
    { product },
  );
}

export function featuresQuery(product: string, id: string) {
  return readQuery<{ features: Feature[] }>(
    ['competitors', product, id, 'features'],
    `competitors/${encodeURIComponent(id)}/features`,
    { product },
  );
}

export function capturesQuery(product: string, page: string) {
  return readQuery<{ captures: Capture[] }>(
    ['competitors', product, 'captures', page],
    `competitor-pages/${encodeURIComponent(page)}/captures`,
    { product },
  );
}

/** Differences between two captures. */
export function comparisonQuery(product: string, before: string, after: string) {
  return readQuery<{ added: string[]; removed: string[] }>(
    ['competitors', product, 'comparison', before, after],
    'competitor-comparisons',
    { product, before, after },
  );
}

export function digestsQuery(product: string) {
  return readQuery<{ digests: Digest[]; email: boolean }>(['competitors', product, 'digests'], 'competitor-digests', {
    product,
  });
}
