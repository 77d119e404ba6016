import { dayOfSeconds } from '../../kernel/time.ts';
import { roundTo } from '../../kernel/shown-values.ts';
import type { ReportHistory } from '../../commits/commits.ts';
import type { SimilarFix } from './analysis.ts';

/** Fixes that are shown, and how similar one must be beside the best. */
const MOST_FIXES = 5;
const LEAST_LIKENESS = 0.35;

/** A fix with a message similar to a report; `time` is in seconds. */
type Fix = Pick<ReportHistory['commits'][number], 'sha' | 'subject' | 'time' | 'author' | 'score' | 'paths'>;

/** The fixes of the past that are most similar to a report, of some that are given best first. */
export function similarFixes(commits: readonly Fix[]): SimilarFix[] {
  const best = commits[0]?.score ?? 1;
  return commits
    .map(({ sha, subject, time, author, score, paths }) => ({
      id: `c:${sha.slice(0, 7)}`,
      subject,
      date: dayOfSeconds(time),
      author,
      likeness: roundTo(2, score / best),
      paths,
    }))
    .filter(({ likeness }) => likeness >= LEAST_LIKENESS)
    .slice(0, MOST_FIXES);
}
