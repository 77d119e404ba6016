import { excerpt } from './kernel/shown-values.ts';
import { setTimeout } from 'node:timers/promises';
import type { PlacedReason, ReasonSource } from './commits/commits.ts';
import { type Decisions, dateOfDecision, decisionsAbout, decisionsAt } from './decisions/decisions.ts';
import type { KnowledgeIndex } from './knowledge/knowledge.ts';
import type { Config } from './platform/config.ts';
import type { Supervisor } from './platform/supervision.ts';
import type { Db } from './platform/db.ts';
import type { SecretKeys } from './platform/secrets.ts';
import { type Plans, plansAt, PlanTexts } from './plans/plans.ts';
import type { AnchorRow } from './anchors/store/store.ts';
import { anchorsAt } from './anchors/anchors.ts';
import type { ExportSources } from './plans/export/gather.ts';
import type { ServiceIndexes } from './service-indexes.ts';
import type { Trackers } from './trackers/trackers.ts';
import { runIndexProcess } from './worker/index-process.ts';

/** Longest wait for an answer of an issue tracker. */
const TRACKER_TIMEOUT_MS = 10_000;
/** Decisions whose meaning is compared with a new one. */
const MOST_DECISIONS = 50;
/** Feedback that an export of a plan shows. */
const MOST_SIGNALS = 5;
/** Confidence that a text explains a line, when it names a symbol, or only its file. */
const SYMBOL_CONFIDENCE = 0.9;
const FILE_CONFIDENCE = 0.5;
/** Longest statement of a decision in an export, in characters. */
const LONGEST_STATEMENT = 300;

/** Dependencies of plans and decisions. */
export function productPlans(
  {
    textHeapBytes,
    supervisor,
    knowledge,
    ...parts
  }: { db: Db; now: () => Date; textHeapBytes: number; supervisor: Supervisor; knowledge: KnowledgeIndex },
  indexes: ServiceIndexes,
): Plans & Pick<Decisions, 'compareDecisions'> {
  const run = { signal: new AbortController().signal, supervisor, onProgress: () => undefined };
  return {
    ...parts,
    readers: indexes.readers,
    texts: new PlanTexts({ heapBytes: textHeapBytes, watch: supervisor.watch('plan_texts') }),
    indexed: indexes.ofProduct,
    compareDecisions: async (tenant, query) => {
      const search = { query, corpora: ['decisions'] as const, byMeaning: true, limit: MOST_DECISIONS };
      const { hits } = await knowledge.rank(tenant, search);
      return new Map(hits.map(({ id, meaning }) => [Number(id.replace('dec:', '')), meaning]));
    },
    indexPast: async (task) => {
      await runIndexProcess({ kind: 'code', ...task, processes: 1 }, run);
    },
  };
}

/** Dependencies of the issue trackers of all products. */
export function productTrackers(plans: Plans, keys: SecretKeys, config: Pick<Config, 'privateHosts'>): Trackers {
  return {
    plans,
    keys,
    net: { privateHosts: new Set(config.privateHosts), timeoutMs: TRACKER_TIMEOUT_MS },
    wait: (ms) => setTimeout(ms),
    now: plans.now,
  };
}

/** Decisions and feedback that the export of a plan includes. */
export function exportSources(plans: Plans, knowledge: Pick<KnowledgeIndex, 'search'>): ExportSources {
  return {
    decisions: async (tenant, about) =>
      (await decisionsAbout(plans, tenant, about)).map(({ row, staleness }) => ({
        handle: `dec:${row.number}`,
        title: row.title,
        status: row.status,
        decision: shortenText(row.decision),
        stale: staleness?.label,
      })),
    signals: async (tenant, words) => {
      const { hits } = await knowledge.search(tenant, { query: words, corpora: ['signals'], limit: MOST_SIGNALS });
      return hits.map(({ id, snippet, customer, date }) => ({
        handle: id,
        text: snippet,
        customer,
        date: date?.toISOString().slice(0, 10) ?? '',
      }));
    },
  };
}

/** Finds reasons for a file in the plans and decisions that name it or its symbols. */
export function writtenReasons(plans: Plans): ReasonSource {
  return async ({ caller, repositoryId, path }) => {
    const [naming = []] = await plansAt(plans, caller, [{ path }]);
    const decided = await decisionsAt(plans, caller, [{ path }]);
    const anchors = decided.length === 0 ? [] : await anchorsAt(plans, caller, path);
    const locateReason = (
      own: readonly AnchorRow[],
      reason: Omit<PlacedReason, 'line' | 'confidence'>,
    ): PlacedReason[] =>
      [...linesNamed(own, repositoryId, path)].map((line) =>
        line === undefined
          ? { ...reason, confidence: FILE_CONFIDENCE }
          : { ...reason, line, confidence: SYMBOL_CONFIDENCE },
      );
    return [
      ...naming.flatMap(({ handle, title, updatedAt, anchors: own }) =>
        locateReason(own, { kind: 'plan', id: handle, text: title, time: Math.floor(updatedAt.getTime() / 1_000) }),
      ),
      ...decided.flatMap(({ row }) =>
        locateReason(
          anchors.filter(({ holder, id }) => holder === 'decision' && id === row.id),
          {
            kind: 'decision',
            id: `dec:${row.number}`,
            text: `${row.title}: ${shortenText(row.decision)}`,
            time: Math.floor(dateOfDecision(row).getTime() / 1_000),
          },
        ),
      ),
    ];
  };
}

/** Lines of a file at which the symbols that are named begin; undefined for the whole file. */
function linesNamed(anchors: readonly AnchorRow[], repositoryId: string, path: string): Set<number | undefined> {
  const own = anchors.filter(({ target }) => target?.repositoryId === repositoryId);
  const places = own.flatMap(({ target, state }) => [state, target].find((located) => located?.path === path) ?? []);
  return new Set(places.map(({ symbol, line }) => (symbol === null ? undefined : (line ?? undefined))));
}

function shortenText(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ');
  return excerpt(line, LONGEST_STATEMENT);
}
