import type { IndexedRepository } from '../../indexes/indexes.ts';
import { ServiceError } from '../../kernel/errors.ts';
import { DAY_MS, durationMs, isoDate, dayOfSeconds } from '../../kernel/time.ts';
import { openObjects } from '../../platform/git/git-objects.ts';
import type { ResolvedCommit, HistoryRange } from '../queries/store-range.ts';
import type { ActionCall, RefLookup } from './action.ts';

/** Without a beginning, questions are about the twelve months before the end. */
const DEFAULT_DAYS = 365;
const DAY_SECONDS = DAY_MS / 1000;

interface ResolvedRange {
  range: HistoryRange;
  /** In words. */
  period: string;
  isDefault: boolean;
  /** True if it is exactly what the caller wrote. */
  isVerbatim: boolean;
}

/**
 * Reads `since` and `until`: a date, a span back from now such as `30d` or `last month`, or a ref (tag, branch, object id). Without a
 * beginning the range is the 12 months before its end; without an end it goes to the newest commit of the index.
 *
 * @throws ServiceError `bad_argument` for what is none of these, `unknown_id` for a ref that is not in the history.
 */
export async function resolveRange(call: ActionCall, repository: IndexedRepository): Promise<ResolvedRange> {
  const { since, until } = call.args;
  const end = await resolveEnd(call, repository, until);
  if (since === undefined || since.trim() === '') {
    const from = end.time - DEFAULT_DAYS * DAY_SECONDS;
    return {
      range: { ...end.range, since: from },
      period: `12 months to ${end.words}`,
      isDefault: true,
      isVerbatim: false,
    };
  }
  const moment = momentOf(since, call.now);
  if (moment !== undefined) {
    // A history that ended before says so: otherwise nothing tells why nothing is found.
    const isOver = until === undefined && moment > end.time;
    const words = isOver ? `today, but the newest commit is from ${end.words}` : end.words;
    const period = `${dayOfSeconds(moment)} to ${words}`;
    return { range: { ...end.range, since: moment }, period, isDefault: false, isVerbatim: !isOver };
  }
  const after = await startingPoints(call, repository, since);
  return { range: { ...end.range, after }, period: `${since}..${end.words}`, isDefault: false, isVerbatim: true };
}

/**
 * The repository with a history that has the end of the range: its own, or that of a ref which git knows and the indexed history
 * lacks, as a tag of a maintenance branch.
 *
 * @throws ServiceError `not_indexed` when reading that takes longer than a call may, and goes on.
 */
export async function withEndOfRange(call: ActionCall, repository: IndexedRepository): Promise<IndexedRepository> {
  const until = call.args.until?.trim() ?? '';
  const { historyAt } = repository;
  if (until === '' || historyAt === undefined || momentOf(until, call.now) !== undefined) return repository;
  const [indexedCommit] = await inHistory(call, repository, until);
  const sha = indexedCommit === undefined ? await refOfGit(call, repository, until) : undefined;
  return sha === undefined ? repository : await historyAt(sha, call);
}

async function resolveEnd(
  call: ActionCall,
  repository: IndexedRepository,
  until: string | undefined,
): Promise<{ range: HistoryRange; time: number; words: string }> {
  if (until === undefined || until.trim() === '') {
    const { newest } = await call.sources.ask(repository, ['historyEnd', {}]);
    return { range: {}, time: newest, words: dayOfSeconds(newest) };
  }
  const moment = momentOf(until, call.now);
  if (moment !== undefined) {
    // A day counts to its end.
    const last = /^\d{4}-\d{2}-\d{2}$/.test(until.trim()) ? moment + DAY_SECONDS - 1 : moment;
    return { range: { until: last }, time: last, words: dayOfSeconds(moment) };
  }
  const [commit] = await inHistory(call, repository, until);
  if (commit !== undefined) return { range: { at: commit.sha }, time: commit.time, words: until };
  const sha = await refOfGit(call, repository, until);
  throw notInHistory(repository, until, sha);
}

/** The commits that a ref outside of this history shares with it; the commit itself when it is inside. */
async function startingPoints(call: ActionCall, repository: IndexedRepository, ref: string): Promise<string[]> {
  const [commit] = await inHistory(call, repository, ref);
  if (commit !== undefined) return [commit.sha];
  const sha = await refOfGit(call, repository, ref);
  const gitDir = await repository.gitDir?.();
  if (sha === undefined || gitDir === undefined) throw notInHistory(repository, ref, sha);
  await using objects = await openObjects(gitDir);
  const output = await objects
    .run(['merge-base', '--all', sha, repository.provenance.commit], call.signal)
    .catch(() => Buffer.alloc(0));
  const bases = output.toString().split('\n').filter(Boolean);
  if (bases.length > 0) return bases;
  throw notInHistory(repository, ref, sha);
}

/**
 * The commit that a name means in the indexed history, if any.
 *
 * @throws ServiceError `bad_argument` when a shortened id means several.
 */
export async function inHistory(
  call: RefLookup,
  repository: IndexedRepository,
  name: string,
): Promise<[ResolvedCommit] | []> {
  const reference = name.trim().replace(/^c:/, '');
  const commit = repository.apartFrom ?? repository.provenance.commit;
  const commits = await call.sources.ask(repository, [
    'findCommits',
    { name: reference.replace(/^(?:HEAD|@)(?=$|[~^])/, commit) },
  ]);
  const [first, second] = commits;
  if (first === undefined) {
    const sha = await refOfGit(call, repository, reference);
    if (sha === undefined) return [];
    const [indexed] = await call.sources.ask(repository, ['findCommits', { name: sha }]);
    return indexed === undefined ? [] : [indexed];
  }
  if (second === undefined) return [first];
  const candidates = commits.map(({ sha }) => sha.slice(0, 12)).join(', ');
  throw new ServiceError('bad_argument', `"${name}" matches several commits: ${candidates}.`, {
    fix: 'Give more digits of the commit id.',
  });
}

/** Resolves a ref with git: a branch, a tag of another line of history. Undefined when git has none of this name. */
export async function refOfGit(
  call: RefLookup,
  repository: IndexedRepository,
  ref: string,
): Promise<string | undefined> {
  return repository.named?.(ref.trim(), call);
}

function notInHistory({ provenance }: IndexedRepository, ref: string, sha: string | undefined): ServiceError {
  const { repo, commit } = provenance;
  if (sha === undefined) {
    return new ServiceError('unknown_id', `${repo} has no commit, tag or branch "${ref}".`, {
      fix: 'Use a date (2026-01-31), a span (30d), a tag, a branch or a commit id.',
    });
  }
  return new ServiceError(
    'unknown_id',
    `"${ref}" is not part of the indexed history of ${repo} (${commit.slice(0, 7)}).`,
    {
      fix: `Use a ref that is part of it, or index this one: svc repo add <path-or-url> --ref ${ref}`,
    },
  );
}

/** Seconds since 1970; undefined for what is neither a date nor a span. */
function momentOf(text: string, now: Date): number | undefined {
  const span = durationMs(spanIn(text));
  if (span !== undefined) return Math.floor((now.getTime() - span) / 1000);
  const date = isoDate(text.trim());
  return date === undefined ? undefined : Math.floor(date.getTime() / 1000);
}

/** `2 weeks` of `last 2 weeks`, `1 week` of `last week` and `a week ago`; `3m` are months, as nobody asks a history for minutes. */
function spanIn(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/^yesterday$/, '1 day')
    .replace(/(?<=^(?:(?:in )?(?:the )?(?:last|past) )?\d+ ?)m$/, 'mo')
    .replace(/^(?:in )?(?:the )?(?:last|past) (?=\d)/, '')
    .replace(/^(?:(?:in )?(?:the )?(?:last|past)|an?|one) (?=[a-z])/, '1 ');
}
