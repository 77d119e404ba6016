import { ServiceError } from '../../kernel/errors.ts';

/** Lines of a file, 1-based, both ends included. */
export interface LineRange {
  path: string;
  from: number;
  to: number;
}

/** Lines that one call reads at most. */
export const MOST_LINES = 2_000;

/**
 * Reads `path:10-60` or `path#L10-L60`; undefined when the text has another form.
 *
 * @throws ServiceError `bad_argument` for lines that run backwards or are more than 2,000.
 */
export function parseLineRange(text: string): LineRange | undefined {
  const [, path, first, last] = /^(.+?)(?::|#)L?(\d{1,9})-L?(\d{1,9})$/.exec(text.trim()) ?? [];
  if (path === undefined) return undefined;
  const [from, to] = [Number(first), Number(last)];
  if (from >= 1 && to >= from && to - from < MOST_LINES) return { path, from, to };
  throw new ServiceError('bad_argument', `The lines ${from}-${to} cannot be read.`, {
    fix: `Ask for an ascending range of at most ${MOST_LINES} lines: code-tool definition query="${path}:1-200"`,
  });
}
