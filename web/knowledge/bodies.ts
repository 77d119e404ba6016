import type { z } from '@hono/zod-openapi';
import type * as anchors from '../../src/anchors/anchor-bodies.ts';
import type * as decisions from '../../src/decisions/routes.ts';
import type * as documents from '../../src/documents/document-bodies.ts';
import type * as planExport from '../../src/plans/export-routes.ts';
import type * as customers from '../../src/signals/customer-routes.ts';
import type * as signalFile from '../../src/signals/import/file-routes.ts';
import type * as plans from '../../src/plans/keep/plan-bodies.ts';
import type { GivenChange } from '../../src/signals/change-signals.ts';
import type * as signals from '../../src/signals/signal-bodies.ts';

export type DocumentEntry = z.output<typeof documents.DocumentBody>;
export type DocumentDetail = z.output<typeof documents.DocumentDetail>;
export type DocumentList = z.output<typeof documents.DocumentList>;
export type DocumentText = z.output<typeof documents.DocumentTextBody>;
export type DocumentVersion = z.output<typeof documents.VersionTextBody>;
export type Uploaded = z.output<typeof documents.UploadBody>;

export type Plan = z.output<typeof plans.PlanBody>;
export type PlanDetail = z.output<typeof plans.PlanDetail>;
export type SavedPlan = z.output<typeof plans.SavedPlanBody>;
export type Staleness = z.output<typeof anchors.StalenessBody>;
export type Anchor = z.output<typeof anchors.AnchorBody>;
export type WorkItem = z.output<typeof plans.ItemBody>;
export type ListedWorkItem = z.output<typeof plans.ListedItemBody>;
export type WorkItemList = z.output<typeof plans.ItemListBody>;
export type WorkItemChange = z.input<typeof plans.ItemChangeBody>;

export type Decision = z.output<typeof decisions.DecisionBody>;
export type DecisionDetail = z.output<typeof decisions.DecisionDetail>;
export type NewDecision = z.input<typeof decisions.NewDecisionBody>;
export type RecordedDecision = z.output<typeof decisions.RecordedBody>;

export type Customer = z.output<typeof customers.CustomerBody>;
export type CustomerList = z.output<typeof customers.CustomerList>;
export type Signal = z.output<typeof signals.SignalBody>;
export type SignalChange = GivenChange;
export type SignalCounts = z.output<typeof signals.SignalCounts>;
export type SignalList = z.output<typeof signals.SignalList>;
export type NewSignal = z.input<typeof signals.NewSignalBody>;
export type SavedSignals = z.output<typeof signals.SavedBody>;
export type Theme = z.output<typeof signals.ThemeBody>;
export type ThemeDetail = z.output<typeof signals.ThemeDetailBody>;

export type PlanExport = z.output<typeof planExport.PlanExport>;
export type SignalFile = z.input<typeof signalFile.SignalFile>;
export type ReadSignals = z.output<typeof signalFile.ReadSignals>;
