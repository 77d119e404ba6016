import { counted } from './counted.ts';
import { ServiceError } from './errors.ts';
import { describeGaps, type Gap } from './gap.ts';
import { visible } from './visible.ts';

/** The state of an index in one word, the most serious one where several hold. */
export const FRESHNESS_STATES = [
  'indexing',
  'unknown',
  'behind',
  'fetched',
  'partial',
  'exact_pending',
  'fresh',
] as const;

export const EXACT_PASSES = ['pending', 'done', 'failed'] as const;

/** State of resolving the names of an index by compilers. Absent where no compiler will be run. */
type ExactPass = (typeof EXACT_PASSES)[number];

/** Facts about an index; its state follows from them. */
export interface IndexFacts {
  /** Progress of a running index, 0..100. */
  percent?: number;
  /** Commits the index lacks; absent when that cannot be determined. */
  behind?: number;
  indexedAt?: Date;
  /** The last successful fetch of a repository by address. */
  fetchedAt?: Date;
  /** The age of that fetch, where it is longer than the fetch interval or a later fetch failed. */
  fetchAgeMs?: number;
  exact?: ExactPass;
  /** Files that could not be read whole, those with syntax errors among them. */
  unparsed?: number;
  /** Other parts of its commit that the index lacks. */
  gaps?: readonly Gap[];
  /** All that is missing in words, where an index comes from the JSON of another answer. */
  lacks?: readonly string[];
  /** Files of the checkout that are not as the commit has them. */
  uncommitted?: number;
  /** Set if the index holds them as they are in the checkout. */
  hasUncommitted?: true;
}

/** Distance of the index of a repository from what its repository holds now. */
export interface IndexState extends IndexFacts {
  state: (typeof FRESHNESS_STATES)[number];
}

/** The facts with the state that follows from them: `fresh` only when nothing is missing. */
export function assessIndex(facts: IndexFacts): IndexState {
  return { state: stateOf(facts), ...facts };
}

function stateOf(facts: IndexFacts): IndexState['state'] {
  if (facts.percent !== undefined) return 'indexing';
  if (facts.behind === undefined) return 'unknown';
  if (facts.behind > 0) return 'behind';
  if (facts.fetchAgeMs !== undefined) return 'fetched';
  if (missingParts(facts).length > 0) return 'partial';
  return facts.exact === 'pending' ? 'exact_pending' : 'fresh';
}

/**
 * The freshness as every answer shows it: `fresh`, `behind 3`, `indexing 42%`, `unknown`, `fetched 3 h ago`, `partial (12 files
 * unparsed)`, `exact pending`; several may be joined. `+3 uncommitted` follows where the index holds what is not committed.
 */
export function describeIndex(index: IndexState): string {
  const words = [...comparisonWords(index), ...incompleteWords(index)];
  const { uncommitted = 0, hasUncommitted } = index;
  return [
    ...(words.length === 0 ? ['fresh'] : words),
    ...(hasUncommitted === true && uncommitted > 0 ? [`+${uncommitted} uncommitted`] : []),
  ].join(', ');
}

/** The index of a repository, as an answer was read from it. */
interface NamedIndex {
  repo: string;
  index: IndexState;
}

/**
 * Returns what an answer without results may have missed, a sentence for each repository with what to do. Nothing for an index
 * that holds everything that its repository does: a pending compiler pass takes no results away.
 */
export function unindexedNotes(sources: readonly NamedIndex[]): string[] {
  return unindexedOf(sources).map(({ missing, remedy }) => `${missing}: ${remedy}`);
}

/** The error for a name or path that is in no index, with what is not indexed yet: it may be there. */
export function explainUnknown(error: ServiceError, sources: readonly NamedIndex[]): ServiceError {
  const unindexed = unindexedOf(sources);
  if (unindexed.length === 0 || (error.code !== 'unknown_symbol' && error.code !== 'unknown_id')) return error;
  const remedies = [...new Set(unindexed.map(({ remedy }) => remedy))].join(', or ');
  const message = `${error.message.replace(/\.$/, '')}; ${unindexed.map(({ missing }) => missing).join('; ')}.`;
  return new ServiceError(error.code, message, { fix: `${remedies}. Otherwise: ${error.fix}`, cause: error });
}

/** The index as answers about the history have it, where the checkout does not matter. */
export function withoutCheckout({ uncommitted: _, hasUncommitted: __, state: ___, ...facts }: IndexState): IndexState {
  return assessIndex(facts);
}

interface Unindexed {
  missing: string;
  remedy: string;
}

function unindexedOf(sources: readonly NamedIndex[]): Unindexed[] {
  return sources.flatMap(({ repo, index }) => {
    const unindexed = unindexedIn(index);
    if (unindexed === undefined) return [];
    return [sources.length === 1 ? unindexed : { ...unindexed, missing: `${visible(repo)}: ${unindexed.missing}` }];
  });
}

function unindexedIn(index: IndexState): Unindexed | undefined {
  const { uncommitted = 0, hasUncommitted, behind = 0, percent } = index;
  const files = hasUncommitted === true ? 0 : uncommitted;
  const missing = [
    ...(files === 0 ? [] : [counted(files, 'uncommitted file')]),
    ...(behind === 0 ? [] : [counted(behind, 'commit')]),
  ];
  if (missing.length > 0) {
    const verb = files + behind === 1 ? 'is' : 'are';
    const commit = files === 1 ? 'commit it' : 'commit them';
    const remedy = `repeat the call in a few seconds, or ${behind === 0 ? commit : 'index the repository again'}`;
    return { missing: `${missing.join(' and ')} ${verb} not indexed yet`, remedy };
  }
  if (percent !== undefined)
    return { missing: `the index run is at ${percent}%`, remedy: 'repeat the call when it is done' };
  if (index.fetchAgeMs === undefined) return undefined;
  return {
    missing: `the repository was last fetched ${describeAge(index.fetchAgeMs)} ago`,
    remedy: 'repeat the call after the next fetch',
  };
}

/** Returns the number of commits in the history of a shallow clone; undefined for a complete history. */
export function cutHistory({ gaps = [] }: Pick<IndexFacts, 'gaps'>): number | undefined {
  return gaps.find(({ kind }) => kind === 'shallow')?.count;
}

/** The freshness as the JSON form of answers has it. */
export function indexJson(index: IndexState): Record<string, unknown> {
  const missing = missingParts(index);
  return {
    state: index.state,
    ...(index.behind === undefined ? {} : { behind: index.behind }),
    ...(index.percent === undefined ? {} : { percent: index.percent }),
    ...(index.indexedAt === undefined ? {} : { indexed_at: index.indexedAt.toISOString() }),
    ...(index.fetchedAt === undefined ? {} : { fetched_at: index.fetchedAt.toISOString() }),
    ...(index.fetchAgeMs === undefined ? {} : { fetch_age_s: Math.floor(index.fetchAgeMs / 1000) }),
    ...(index.exact === undefined ? {} : { exact: index.exact }),
    ...(index.unparsed === undefined ? {} : { unparsed: index.unparsed }),
    ...(index.gaps === undefined ? {} : { gaps: index.gaps.map(({ text }) => text) }),
    ...(missing.length > 0 && { lacks: missing }),
    ...(index.uncommitted === undefined ? {} : { uncommitted: index.uncommitted }),
    ...(index.hasUncommitted === true && { has_uncommitted: true }),
  };
}

/** The fields of `indexJson` from which the words can be made again. */
export interface IndexJson {
  state: IndexState['state'];
  behind?: number | undefined;
  percent?: number | undefined;
  fetch_age_s?: number | undefined;
  exact?: ExactPass | undefined;
  unparsed?: number | undefined;
  lacks?: readonly string[] | undefined;
  uncommitted?: number | undefined;
  has_uncommitted?: boolean | undefined;
}

/** The index that the JSON form of an answer describes: `describeIndex` gives the same words for it. */
export function indexOfJson(json: IndexJson): IndexState {
  const { state, behind, percent, fetch_age_s: fetchAge, exact, unparsed, lacks, uncommitted } = json;
  return {
    state,
    ...(behind !== undefined && { behind }),
    ...(percent !== undefined && { percent }),
    ...(fetchAge !== undefined && { fetchAgeMs: fetchAge * 1000 }),
    ...(exact !== undefined && { exact }),
    ...(unparsed !== undefined && { unparsed }),
    ...(lacks !== undefined && { lacks }),
    ...(uncommitted !== undefined && { uncommitted }),
    ...(json.has_uncommitted === true && { hasUncommitted: true }),
  };
}

/** Position of the index relative to the repository, in words. */
function comparisonWords({ state, percent = 0, behind }: IndexState): string[] {
  if (state === 'indexing') return [`indexing ${percent}%`];
  if (state === 'unknown') return ['unknown'];
  return state === 'behind' ? [`behind ${behind ?? '?'}`] : [];
}

/** Parts that the index does not cover, whatever the comparison says, in words. */
function incompleteWords(index: IndexState): string[] {
  const missing = missingParts(index);
  return [
    ...(index.fetchAgeMs === undefined ? [] : [`fetched ${describeAge(index.fetchAgeMs)} ago`]),
    ...(missing.length === 0 ? [] : [`partial (${missing.join(', ')})`]),
    ...(index.exact === 'pending' ? ['exact pending'] : []),
  ];
}

/** The parts of the commit and the checkout that are not in the index, in words. */
function missingParts(index: IndexFacts): readonly string[] {
  const { unparsed = 0, gaps = [], lacks, uncommitted = 0, hasUncommitted } = index;
  if (lacks !== undefined) return lacks;
  return [
    ...describeGaps(gaps, unparsed),
    ...(hasUncommitted === true || uncommitted === 0
      ? []
      : [`${counted(uncommitted, 'uncommitted file')} not indexed`]),
  ];
}

const AGE_UNITS = [
  [24 * 60 * 60, 'd'],
  [60 * 60, 'h'],
  [60, 'min'],
] as const;

/** A span in its largest whole unit: `40 s`, `12 min`, `3 h`, `5 d`. */
export function describeAge(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const unit = AGE_UNITS.find(([size]) => seconds >= size);
  return unit === undefined ? `${seconds} s` : `${Math.floor(seconds / unit[0])} ${unit[1]}`;
}
