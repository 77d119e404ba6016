import { ServiceError } from '../kernel/errors.ts';
import { durationMs, isoDate } from '../kernel/time.ts';
import { checkQuery } from '../platform/operation/paged-tool.ts';
import { termsOf } from '../text/terms.ts';

/** Terms of a question that hits are compared by. */
const MOST_TERMS = 31;

/** Words that make a sentence a question; they say nothing about what is asked unless they are all there is. */
const QUESTION_WORDS = /\b(?:where|how|what|why|which|when|does|find|show)\b/gi;

/** The question, as all engines take it. */
export interface Question {
  words: string;
  /** The words without those that only make them a question. */
  searchWords: string;
  /** Distinct, at most 31. */
  terms: readonly string[];
  since: Date | undefined;
}

/** @throws ServiceError `bad_argument` for a question without words, a long one, or a `since` that is neither date nor span. */
export function questionOf(query: string, since: string | undefined, now: Date): Question {
  const words = query.trim();
  checkQuery(words, 'Send only the words that matter.');
  const content = words.replace(QUESTION_WORDS, ' ');
  const searchWords = termsOf(content).length > 0 ? content : words;
  const terms = [...new Set(termsOf(searchWords))].slice(0, MOST_TERMS);
  if (terms.length === 0) {
    throw new ServiceError('bad_argument', `The query ${JSON.stringify(words)} has no word that can be searched for.`, {
      fix: 'Say what you are looking for: search-tool query="rate limit of keys"',
    });
  }
  return { words, searchWords, terms, since: momentOf(since, now) };
}

/** The moment that `2026-05-01` or `30d` means; undefined when nothing is given. @throws ServiceError `bad_argument`. */
export function momentOf(text: string | undefined, now: Date, argument: 'since' | 'until' = 'since'): Date | undefined {
  const given = text?.trim() ?? '';
  if (given === '') return undefined;
  const span = durationMs(given);
  const moment = span === undefined ? isoDate(given) : new Date(now.getTime() - span);
  if (moment !== undefined) return moment;
  throw new ServiceError('bad_argument', `${argument}="${given.slice(0, 40)}" is neither a date nor a span.`, {
    fix: `Write ${argument}="2026-05-01", or ${argument}="30d" for the day thirty days ago.`,
  });
}
