import { ServiceError } from '../kernel/errors.ts';

/** What a `query` that names code can mean. Lines are 1-based. */
export type SymbolQuery =
  /** `sendMail`, `Mailer/send`, `Mailer.send`, `sym:Mailer/send@src/mail.ts`. `path` is '' unless the query had one. */
  | { form: 'name'; qualified: string; path: string }
  /** `src/mail.ts:41`: the symbol there. */
  | { form: 'position'; path: string; line: number; column?: number }
  /** `src/mail.ts:10-60`: those lines. */
  | { form: 'range'; path: string; from: number; to: number };

const MOST_LINES = 2_000;

/**
 * Reads a `query` argument that names code. Dots and `::` between names mean the same as `/`; a trailing `()` is dropped.
 *
 * @throws ServiceError `bad_argument` for an empty query or a range that runs backwards or is longer than 2,000 lines.
 */
export function parseSymbolQuery(query: string): SymbolQuery {
  const text = query.trim();
  const handle = /^sym:(.+?)@(.+)$/.exec(text);
  if (handle?.[1] !== undefined && handle[2] !== undefined)
    return { form: 'name', qualified: qualify(handle[1]), path: handle[2] };
  const place = /^(.+?):(\d{1,9})(?:(-|:)(\d{1,9}))?$/.exec(text);
  if (place?.[1] !== undefined && !place[1].endsWith(':')) return placeOf(place[1], place);
  const qualified = qualify(text.replace(/^sym:/, ''));
  if (qualified === '') {
    throw new ServiceError('bad_argument', 'The query is empty.', {
      fix: 'Send query="name", query="Class/method", query="path:line" or query="path:from-to".',
    });
  }
  return { form: 'name', qualified, path: '' };
}

function placeOf(path: string, [, , first, separator, second]: readonly (string | undefined)[]): SymbolQuery {
  const [from, to] = [Number(first), Number(second)];
  if (separator !== '-') {
    return { form: 'position', path, line: from, ...(separator === ':' ? { column: to } : {}) };
  }
  if (from < 1 || to < from || to - from >= MOST_LINES) {
    throw new ServiceError('bad_argument', `The lines ${from}-${to} cannot be read.`, {
      fix: `Ask for lines that run forward, at most ${MOST_LINES} at once: query="${path}:1-200".`,
    });
  }
  return { form: 'range', path, from, to };
}

function qualify(name: string): string {
  return name
    .trim()
    .replace(/\(\)$/, '')
    .replaceAll(/::|[.#]/g, '/')
    .replaceAll(/\/+/g, '/')
    .replace(/^\/|\/$/g, '');
}
