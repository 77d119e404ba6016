import type { AnchorRow } from './store/store.ts';

/** A plan in which more than this share of the anchors changed is stale; up to it, it is aging. */
const AGING_SHARE = 0.25;
/** A plan of which this share is gone cannot be followed any more. */
const BROKEN_SHARE = 0.5;

/** The share of the things that a plan names that are unchanged. */
export interface Staleness {
  /**
   * `fresh`: all was found, and nothing moved, changed or is gone. `unresolved`: the same of what was found, but some was
   * never found. `aging`: things moved, or at most a quarter changed, and nothing is gone. `broken`: at least half is
   * gone. Otherwise `stale`.
   */
  state: 'fresh' | 'unresolved' | 'aging' | 'stale' | 'broken';
  /** As answers show it: the state, with numbers where some is not so: `stale 3/7 since a1b2c3d`, `unresolved 1/3`. */
  label: string;
  fresh: number;
  moved: number;
  changed: number;
  gone: number;
  /** Anchors that were compared. */
  total: number;
  /** Things that the plan names and no index has. */
  unresolved: number;
  /** The baseline: the commit that most anchors were written at. */
  since: string | undefined;
  /** Time of the newest commit that changed what it names, ISO 8601; undefined where there is none. */
  changedAt: string | undefined;
}

/** The staleness of a plan by its anchors; undefined when it names nothing, or nothing was compared yet. */
export function stalenessOf(anchors: readonly AnchorRow[]): Staleness | undefined {
  const compared = anchors.filter(({ target, state }) => target !== undefined && state !== undefined);
  const unresolved = anchors.filter(({ target }) => target === undefined).length;
  if (compared.length + unresolved === 0) return undefined;
  const count = (status: string): number => compared.filter(({ state }) => state?.status === status).length;
  const [fresh, moved, changed, gone] = [count('fresh'), count('moved'), count('changed'), count('gone')];
  const total = compared.length;
  const since = mostFrequent(compared.flatMap(({ target }) => (target === undefined ? [] : [target.baselineCommit])));
  const state = stateOf({ moved, changed, gone, total, unresolved });
  const label = labelOf(state, { total, fresh, unresolved, since });
  const dates = compared.flatMap((anchor) => anchor.state?.commits.map(({ date }) => date) ?? []);
  const changedAt = dates.toSorted((a, b) => Date.parse(b) - Date.parse(a))[0];
  return { state, label, fresh, moved, changed, gone, total, unresolved, since, changedAt };
}

function labelOf(
  state: Staleness['state'],
  { total, fresh, unresolved, since }: Pick<Staleness, 'total' | 'fresh' | 'unresolved' | 'since'>,
): string {
  if (state === 'unresolved') return `unresolved ${unresolved}/${unresolved + total}`;
  if (state !== 'stale') return state;
  return `stale ${total - fresh}/${total}${since === undefined ? '' : ` since ${since.slice(0, 7)}`}`;
}

function stateOf(counts: Pick<Staleness, 'moved' | 'changed' | 'gone' | 'total' | 'unresolved'>): Staleness['state'] {
  const { moved, changed, gone, total, unresolved } = counts;
  if (moved + changed + gone === 0) return unresolved === 0 ? 'fresh' : 'unresolved';
  if (gone / total >= BROKEN_SHARE) return 'broken';
  return gone === 0 && changed / total <= AGING_SHARE ? 'aging' : 'stale';
}

function mostFrequent(values: readonly string[]): string | undefined {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].toSorted((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))[0]?.[0];
}
