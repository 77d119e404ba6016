import { dayOfSeconds } from '../../kernel/time.ts';
import { roundTo } from '../../kernel/shown-values.ts';
import { counted } from '../../kernel/counted.ts';
import type { NamedPlace, NamingWork } from '../../code/naming/naming.ts';
import type { IndexedRepository } from '../../indexes/indexes.ts';
import type { Row } from '../../kernel/answer.ts';
import { ServiceError } from '../../kernel/errors.ts';
import { type RemovedExport, removedNames } from '../classify/breaking.ts';
import type { CommitClass } from '../classify/classify.ts';
import type { CommitToolArguments } from './commit-tool-input.ts';
import { STORED_TYPES } from '../mine/history-schema.ts';
import type { HistorySources } from '../queries/history-queries.ts';
import type { CallContext } from '../../platform/operation/operation.ts';
import type { Comparisons } from './comparisons.ts';
import type { RemovedExportsFinder } from './removed-exports.ts';
import type { CommitRow, OmittedCommits } from '../queries/store-commits.ts';
import type { CommitFilter } from '../queries/store-filter.ts';
import { withEndOfRange, resolveRange } from './range.ts';

/** One call of an action: its arguments, where the page starts, the histories. */
export interface ActionCall {
  args: CommitToolArguments;
  offset: number;
  sources: HistorySources;
  removedExports: RemovedExportsFinder;
  comparisons: Comparisons;
  /** Plans and decisions that name one of the places. */
  naming: (places: readonly NamedPlace[]) => Promise<NamingWork[]>;
  now: Date;
  signal: AbortSignal;
  progress: CallContext['progress'];
  /** Longest time that contents are searched; 20 s when absent. */
  contentLimitMs: number | undefined;
}

/** The parts of a call that looking up names of commits needs. */
export type RefLookup = Pick<ActionCall, 'sources' | 'signal' | 'progress'>;

/** A repository of the call with the commits that the call is about. */
export interface AnswerScope {
  repository: IndexedRepository;
  filter: CommitFilter;
  /** The range in words: `12 months to 2026-05-01`. */
  period: string;
  /** True if the caller did not name the beginning of the range. */
  isDefaultRange: boolean;
  /** True if the range is exactly what the caller wrote. */
  isVerbatim: boolean;
}

/** Scopes of a call, and the repositories that it cannot be about, in sentences. */
interface ResolvedScopes {
  scopes: AnswerScope[];
  missing: string[];
}

/**
 * The commits that a call is about, in each of its repositories. Of several those are left out, and told, that have no such
 * ref. `beginning` gives the ref at which the range begins in a repository where the caller names none.
 *
 * @throws ServiceError `bad_argument` for a type or a date that is none, `unknown_id` for a ref that is nowhere.
 */
export async function resolveScopes(
  call: ActionCall,
  beginning: (repository: IndexedRepository) => Promise<string | undefined> = async () => undefined,
): Promise<ResolvedScopes> {
  const { path, author, types } = call.args;
  const typeFilter = commitTypes(types);
  const { repositories } = call.sources;
  const results = await Promise.all(
    repositories.map(async (given): Promise<AnswerScope | ServiceError> => {
      try {
        const repository = await withEndOfRange(call, given);
        const since = call.args.since ?? (await beginning(repository));
        const { range, isDefault, ...description } = await resolveRange(
          { ...call, args: { ...call.args, since } },
          repository,
        );
        return {
          repository,
          filter: { range, path, author, ...typeFilter },
          isDefaultRange: isDefault,
          ...description,
        };
      } catch (error) {
        if (error instanceof ServiceError && error.code === 'unknown_id') return error;
        throw error;
      }
    }),
  );
  const failures = results.filter((result): result is ServiceError => result instanceof ServiceError);
  const [first] = failures;
  if (first !== undefined && failures.length === repositories.length) throw first;
  return {
    scopes: results.filter((result): result is AnswerScope => !(result instanceof ServiceError)),
    missing: failures.map(({ message }) => `left out: ${message}`),
  };
}

/** @throws ServiceError `bad_argument` for a word that is no type. */
function commitTypes(words: readonly string[] | undefined): Pick<CommitFilter, 'types' | 'breaking'> {
  const requestedWords = (words ?? []).map((word) => word.trim().toLowerCase());
  const types = requestedWords
    .filter((word) => word !== 'breaking')
    .map((word): CommitClass['type'] => {
      const storedType = STORED_TYPES.find((type) => type === word);
      if (storedType !== undefined) return storedType;
      throw new ServiceError('bad_argument', `"${word}" is not a commit type.`, {
        fix: `commit-tool with types from: ${STORED_TYPES.join(', ')}, breaking`,
      });
    });
  return { types, breaking: requestedWords.includes('breaking') };
}

/** Fields of a row, with the repository where the call is about several. */
export function rowJson(
  call: ActionCall,
  { provenance }: IndexedRepository,
  fields: Record<string, unknown>,
): Record<string, unknown> {
  return call.sources.repositories.length === 1 ? fields : { repo: provenance.repo, ...fields };
}

/** The name of a group, with the repository where the call is about several. */
export function groupName(call: ActionCall, { provenance }: IndexedRepository, name: string): string {
  if (call.sources.repositories.length === 1) return name;
  return name === '' ? provenance.repo : `${provenance.repo}: ${name}`;
}

/** The fields of a commit that all actions show. */
export function commitJson(row: ShownCommit): Record<string, unknown> {
  const { sha, time, author, email, type, breaking, breakingBy, scope, confidence, labelSource, best, subject } = row;
  return {
    sha,
    date: new Date(time * 1000).toISOString(),
    author,
    email,
    type,
    breaking,
    ...(breakingBy.length === 0 ? {} : { breaking_by: breakingBy }),
    ...(row.removed === undefined ? {} : { removed_exports: row.removed }),
    ...(scope === null ? {} : { scope }),
    confidence: roundTo(2, confidence),
    label_source: labelSource,
    ...(best === null ? {} : { best: best.split(' ') }),
    subject,
    id: `c:${sha.slice(0, 7)}`,
  };
}

/** A commit that an action shows. */
export interface ShownCommit extends CommitRow {
  /** Exported names that it took away, where that was looked for and there are some. */
  removed?: readonly RemovedExport[];
}

/** A commit that also breaks what it took away. */
export function withRemoved<Commit extends CommitRow>(
  commit: Commit,
  removed: readonly RemovedExport[] | undefined,
): Commit & ShownCommit {
  if (removed === undefined) return commit;
  return { ...commit, removed, breaking: true, breakingBy: [...commit.breakingBy, 'removed_export'] };
}

/**
 * `4efd227 2026-11-21 fix Wrong totals  (First Author, model 0.72)`: the type where the subject does not say it itself. A search is
 * not about who says it, or which other type it may be.
 */
export function commitRow(
  call: ActionCall,
  { repository, group }: { repository: IndexedRepository; group: string },
  row: ShownCommit,
): Row {
  const { sha, time, author, type, breaking, confidence, labelSource, best, subject, removed } = row;
  const short = sha.slice(0, 7);
  const isSearch = call.args.action === 'search';
  const guess = isSearch ? best?.split(' ')[0] : best?.replace(' ', '|');
  const kind = `${guess === undefined ? type : `${guess}?`}${breaking ? '!' : ''}`;
  const saysItself = labelSource === 'author' && (!breaking || /^[^:]*!:/.test(subject));
  const sure = labelSource === 'author' || isSearch ? '' : `, ${labelSource} ${confidence.toFixed(2)}`;
  const lost = removed === undefined ? '' : `; removes exported ${removedNames(removed)}`;
  return {
    group: groupName(call, repository, group),
    id: `${short} ${kind}`,
    line: `${short} ${dayOfSeconds(time)} ${saysItself ? '' : `${kind} `}${subject}  (${author}${sure}${lost})`,
    json: rowJson(call, repository, commitJson(row)),
  };
}

/** A count of omitted things: the name of one of them, and of several where that has more than an `s`. */
type OmittedCount = readonly [count: number, singular: string, many?: string];

/** Returns what was omitted as a sentence; nothing when everything counts. */
export function omissionNotes(all: readonly OmittedCommits[], further: readonly OmittedCount[] = []): string[] {
  const sum = (count: (part: OmittedCommits) => number): number => all.reduce((total, part) => total + count(part), 0);
  const parts: readonly OmittedCount[] = [
    [sum(({ bots }) => bots), 'commit by bots', 'commits by bots'],
    [sum(({ merges }) => merges), 'merge'],
    ...further,
  ];
  const phrases = parts.filter(([count]) => count > 0).map((part) => counted(...part));
  return phrases.length === 0 ? [] : [`left out: ${phrases.join(', ')}`];
}

/** Returns the scope of an answer as fields of its JSON form: its period in words, and how many commits were omitted. */
export function scopeJson(scopes: readonly AnswerScope[], all: readonly OmittedCommits[]): Record<string, unknown> {
  const sum = (count: (part: OmittedCommits) => number): number => all.reduce((total, part) => total + count(part), 0);
  return {
    period: [...new Set(scopes.map(({ period }) => period))].join('; '),
    left_out: { bots: sum(({ bots }) => bots), merges: sum(({ merges }) => merges) },
  };
}

/** The period of the answer, as a sentence. */
export function periodNotes(scopes: readonly AnswerScope[]): string[] {
  return [...new Set(scopes.map(({ period }) => `period: ${period}`))].slice(0, 3);
}

/** The same where it is not just what the call says. */
export function chosenPeriodNotes(scopes: readonly AnswerScope[]): string[] {
  return periodNotes(scopes.filter(({ isVerbatim }) => !isVerbatim));
}
