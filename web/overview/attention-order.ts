import type { Role } from '../../src/accounts/account-bodies.ts';
import type { Overview } from '../../src/overview/overview-bodies.ts';
import type { Change, Competitor, WatchedPage } from '../competitors/queries.ts';
import type { Decision, Plan, Theme } from '../knowledge/queries.ts';
import type { Source } from '../signals/source-queries.ts';

const MOST_OF_A_KIND = 3;
const CHANGES_MS = 30 * 86_400_000;

/** Lists that were read; one that the person may not see is empty. */
export interface AttentionSources {
  repositories: Overview['repositories'];
  /** Expiring or expired, most urgent first. */
  keys: Overview['keys']['expiring'];
  sources: readonly Source[];
  competitors: readonly Competitor[];
  plans: readonly Plan[];
  decisions: readonly Decision[];
  themes: readonly Theme[];
  changes: readonly Change[];
}

type Repository = AttentionSources['repositories'][number];
type Key = AttentionSources['keys'][number];

/** One thing to look at. */
export type AttentionItem =
  | { kind: 'failed run'; repository: Repository }
  | { kind: 'failing source'; source: Source }
  | { kind: 'failing page'; page: WatchedPage; competitor: Competitor }
  | { kind: 'ending key'; apiKey: Key }
  | { kind: 'stale plan'; plan: Plan }
  | { kind: 'due decision'; decision: Decision }
  | { kind: 'new subject'; theme: Theme }
  | { kind: 'rising theme'; theme: Theme }
  | { kind: 'competitor change'; change: Change };

type Kind = AttentionItem['kind'];

const CODE_AND_DECISIONS = ['stale plan', 'due decision'] as const;
const OUTSIDE = ['new subject', 'rising theme', 'competitor change'] as const;
/** Kinds that only owners and admins can mend. */
const BROKEN = ['failed run', 'failing source', 'failing page'] as const;

/** Kinds that a role can do something about, most urgent first; viewers have no keys. */
const SHOWN: Readonly<Record<Role, readonly Kind[]>> = {
  viewer: [...OUTSIDE, ...CODE_AND_DECISIONS],
  member: ['ending key', ...CODE_AND_DECISIONS, ...OUTSIDE],
  admin: [...BROKEN, 'ending key', ...CODE_AND_DECISIONS, ...OUTSIDE],
  owner: [...BROKEN, 'ending key', ...CODE_AND_DECISIONS, ...OUTSIDE],
};

/** Lists what a person of this role should look at, at most three of a kind. */
export function orderAttention(role: Role, sources: AttentionSources, nowMs: number): AttentionItem[] {
  const collectors: { [Name in Kind]: () => AttentionItem[] } = {
    'failed run': () =>
      sources.repositories
        .filter(({ status }) => status === 'failed')
        .map((repository) => ({ kind: 'failed run', repository })),
    'failing source': () =>
      sources.sources.filter(({ fault }) => fault !== '').map((source) => ({ kind: 'failing source', source })),
    'failing page': () =>
      sources.competitors.flatMap((competitor) =>
        competitor.pages
          .filter(({ failures }) => failures > 0)
          .map((page) => ({ kind: 'failing page', page, competitor })),
      ),
    'ending key': () => sources.keys.map((apiKey) => ({ kind: 'ending key', apiKey })),
    'stale plan': () =>
      sources.plans
        .filter(isStalePlan)
        .toSorted((a, b) => share(b) - share(a))
        .map((plan) => ({ kind: 'stale plan', plan })),
    'due decision': () =>
      sources.decisions
        .filter((decision) => isDue(decision, nowMs))
        .map((decision) => ({ kind: 'due decision', decision })),
    'new subject': () => themesThatAre('new', sources.themes).map((theme) => ({ kind: 'new subject', theme })),
    'rising theme': () => themesThatAre('rising', sources.themes).map((theme) => ({ kind: 'rising theme', theme })),
    'competitor change': () =>
      sources.changes
        .filter(({ when }) => nowMs - Date.parse(when) < CHANGES_MS)
        .map((change) => ({ kind: 'competitor change', change })),
  };
  return SHOWN[role].flatMap((kind) => collectors[kind]().slice(0, MOST_OF_A_KIND));
}

/** The surest first. */
function themesThatAre(direction: Theme['trend']['direction'], themes: readonly Theme[]): Theme[] {
  return themes
    .filter(({ trend }) => trend.direction === direction)
    .toSorted((a, b) => a.trend.chance - b.trend.chance);
}

/** Code that an open plan names was changed since. Plans that are over may say what they like. */
export function isStalePlan({ status, stale }: Plan): boolean {
  const isOpen = status !== 'done' && status !== 'dropped';
  return isOpen && stale !== null && (stale.state === 'stale' || stale.state === 'broken' || stale.state === 'aging');
}

function share({ stale }: Plan): number {
  return stale === null || stale.total === 0 ? 0 : (stale.changed + stale.gone) / stale.total;
}

/** Its day of review has come, and it still holds or waits to be taken. */
function isDue({ status, review_on: reviewOn }: Decision, nowMs: number): boolean {
  return (status === 'proposed' || status === 'accepted') && reviewOn !== null && Date.parse(reviewOn) <= nowMs;
}
