import type { z } from '@hono/zod-openapi';
import type * as anchors from '../../src/anchors/anchor-bodies.ts';
import type * as decisions from '../../src/decisions/routes.ts';
import type * as documents from '../../src/documents/document-bodies.ts';
import type * as planExport from '../../src/plans/export-routes.ts';
import type * as plans from '../../src/plans/keep/plan-bodies.ts';
import type { GivenChange } from '../../src/signals/change-signals.ts';
import type * as customers from '../../src/signals/customer-routes.ts';
import type * as signalFile from '../../src/signals/import/file-routes.ts';
import type * as signals from '../../src/signals/signal-bodies.ts';
import { readQuery, readPages } from '../queries.ts';
import type { signalFilter } from './filters.ts';

export type DocumentEntry = z.output<typeof documents.DocumentBody>;
export type DocumentDetail = z.output<typeof documents.DocumentDetail>;
export type DocumentList = z.output<typeof documents.DocumentList>;
export type DocumentText = z.output<typeof documents.DocumentTextBody>;
type DocumentVersion = z.output<typeof documents.VersionTextBody>;
export type Uploaded = z.output<typeof documents.UploadBody>;

export type Plan = z.output<typeof plans.PlanBody>;
export type PlanDetail = z.output<typeof plans.PlanDetail>;
export type SavedPlan = z.output<typeof plans.SavedPlanBody>;
export type PlanText = z.input<typeof plans.PlanTextBody>;
export type Staleness = z.output<typeof anchors.StalenessBody>;
export type Anchor = z.output<typeof anchors.AnchorBody>;
export type WorkItem = z.output<typeof plans.ItemBody>;
export type ListedWorkItem = z.output<typeof plans.ListedItemBody>;
type WorkItemList = z.output<typeof plans.ItemListBody>;
export type WorkItemChange = z.input<typeof plans.ItemChangeBody>;

export type Decision = z.output<typeof decisions.DecisionBody>;
export type DecisionDetail = z.output<typeof decisions.DecisionDetail>;
export type NewDecision = z.input<typeof decisions.NewDecisionBody>;
export type DecisionChange = z.input<typeof decisions.ChangeBody>;
export type RecordedDecision = z.output<typeof decisions.RecordedBody>;

export type Customer = z.output<typeof customers.CustomerBody>;
type CustomerList = z.output<typeof customers.CustomerList>;
export type Signal = z.output<typeof signals.SignalBody>;
export type SignalChange = GivenChange;
export type SignalCounts = z.output<typeof signals.SignalCounts>;
export type SignalList = z.output<typeof signals.SignalList>;
export type NewSignal = z.input<typeof signals.NewSignalBody>;
export type SavedSignals = z.output<typeof signals.SavedBody>;
export type Theme = z.output<typeof signals.ThemeBody>;
export type ThemeDetail = z.output<typeof signals.ThemeDetailBody>;

type PlanExport = z.output<typeof planExport.PlanExport>;
export type SignalFile = z.input<typeof signalFile.SignalFile>;
export type ReadSignals = z.output<typeof signalFile.ReadSignals>;

const PAGE = 50;
/** Some four screens: a filter is answered in less time than more rows take. */
const SIGNALS_PAGE = 60;

export interface DocumentFilter {
  query?: string;
  status?: string;
  kind?: string;
}

/** Looks again while documents wait to be read. */
export function documentsQuery(product: string, filter: DocumentFilter) {
  const watch = ({ counts }: DocumentList): boolean => counts.waiting > 0;
  return readPages<DocumentList>('documents', 'documents', { ...filter, product, limit: PAGE }, { watch });
}

export function documentQuery(product: string, id: string) {
  const path = `documents/${encodeURIComponent(id)}`;
  return readQuery<DocumentDetail>('document', path, { product }, { watch: ({ status }) => status === 'waiting' });
}

interface Versioned {
  version: number;
}

/** The text of one upload of a document, which never changes. */
export function documentVersionQuery(product: string, { id, version }: Versioned & { id: string }) {
  const path = `documents/${encodeURIComponent(id)}/versions/${version}/text`;
  return readQuery<DocumentVersion>('document', path, { product }, { staleTime: Infinity });
}

/** `version` is what is shown, so that a new one is read again. */
export function documentTextQuery(product: string, { id, version }: Versioned & { id: string }) {
  const path = `documents/${encodeURIComponent(id)}/text`;
  return readPages<DocumentText>('document', path, { product }, { cursor: 'section', of: version, keeps: false });
}

export function plansQuery(product: string) {
  return readQuery<{ plans: Plan[] }>('plans', 'plans', { product });
}

export function planQuery(product: string, slug: string) {
  return readQuery<PlanDetail>('plan', `plans/${encodeURIComponent(slug)}`, { product });
}

/** `asked`: filters, as the service takes them. */
export function workItemsQuery(product: string, filter: Record<string, string>) {
  return readPages<WorkItemList>('work-items', 'work-items', { ...filter, product, limit: 1_000 });
}

export function planVersionQuery(product: string, { slug, version }: Versioned & { slug: string }) {
  const path = `plans/${encodeURIComponent(slug)}/versions/${version}`;
  return readQuery<{ text: string }>('plan', path, { product }, { staleTime: Infinity });
}

/** `version` is that of the plan, so that a new one is exported again; `task` the key of the one work item, or empty for all. */
export function planExportQuery(
  product: string,
  { slug, version, ...choice }: Versioned & { slug: string; target: string; task: string },
) {
  const path = `plans/${encodeURIComponent(slug)}/export`;
  return readPages<PlanExport>('plan', path, { product, ...choice }, { of: version, keeps: false });
}

export function decisionsQuery(product: string) {
  return readQuery<{ decisions: Decision[] }>('decisions', 'decisions', { product });
}

export function decisionQuery(product: string, id: string) {
  return readQuery<DecisionDetail>('decision', `decisions/${encodeURIComponent(id)}`, { product });
}

export type SignalFilter = ReturnType<typeof signalFilter>;

export function signalsQuery(product: string, filter: SignalFilter) {
  return readPages<SignalList>('signals', 'signals', { ...filter, product, limit: SIGNALS_PAGE });
}

/** Reads the counts over all signals, without the filters of a list, so that no filter counts them again. */
export function signalCountsQuery(product: string) {
  return readQuery<SignalCounts>('signals', 'signals/counts', { product });
}

export function signalQuery(product: string, id: string) {
  return readQuery<Signal>('signals', `signals/${encodeURIComponent(id)}`, { product });
}

/** Customers of one page. */
export const CUSTOMERS_SHOWN = 500;

export function customersQuery(product: string, query: string) {
  return readQuery<CustomerList>('customers', 'customers', { product, query, limit: CUSTOMERS_SHOWN }, { keeps: true });
}

export function themesQuery(product: string, filter: { query?: string; least: number }) {
  const parameters = { ...filter, product, limit: 200 };
  return readQuery<{ themes: Theme[]; total: number }>('themes', 'themes', parameters, { keeps: true });
}

/** The theme of the period before stays until that of another is there. */
export function themeQuery(product: string, id: string, period: { since?: string; until?: string } = {}) {
  const path = `themes/${encodeURIComponent(id)}`;
  return readQuery<ThemeDetail>('themes', path, { product, ...period }, { keeps: true });
}
