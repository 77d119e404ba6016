import { createHash } from 'node:crypto';
import { ServiceError } from './errors.ts';

/** Start of a page: `position` rows were given before it. */
interface PageBinding {
  /** Everything that decides which rows there are and in which order. */
  arguments: unknown;
  /** Changes whenever the index behind the answer changes. */
  generation: string;
}

/**
 * The opaque `next` value that continues at `position`. Bound to the arguments and the index generation. 13 characters or a few more:
 * a model reads it and writes it again.
 */
export function encodeCursor(binding: PageBinding, position: number): string {
  return `${fingerprint(binding.arguments)}${fingerprint(binding.generation)}${position}`;
}

/**
 * The position a cursor stands for; 0 without one.
 *
 * @throws ServiceError `stale_cursor` when the index was rebuilt since, `bad_argument` when the cursor was made for other
 * arguments or was not made here.
 */
export function decodeCursor(binding: PageBinding, cursor: string | undefined): number {
  if (cursor === undefined || cursor === '') return 0;
  const parts = /^([\w-]{6})([\w-]{6})(\d{1,9})$/.exec(cursor);
  if (parts === null) {
    throw new ServiceError('bad_argument', `The cursor "${cursor.slice(0, 40)}" was not issued by this service.`, {
      fix: 'Repeat the call without cursor.',
    });
  }
  const [, made, generation, position] = parts;
  if (made !== fingerprint(binding.arguments)) {
    throw new ServiceError('bad_argument', 'The cursor belongs to a call with different arguments.', {
      fix: 'Send the arguments of the first page with it, or leave cursor out.',
    });
  }
  if (generation !== fingerprint(binding.generation)) {
    throw new ServiceError('stale_cursor', 'The repository has been indexed again since this cursor was issued.', {
      fix: 'Repeat the call without cursor.',
    });
  }
  return Number(position);
}

/** Fingerprint of 36 bits: enough to detect a mistake. */
function fingerprint(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, 6);
}

/** A call for one page of rows that come from one or several repositories. */
export interface PagedCall {
  args: { limit: number };
  offset: number;
  sources: { repositories: readonly unknown[] };
}

/** Returns the page to read from each repository: the page itself from a single one, otherwise all rows up to its end. */
export function pageOf({ args: { limit }, offset, sources }: PagedCall): { limit: number; offset: number } {
  return sources.repositories.length === 1 ? { limit, offset } : { limit: offset + limit, offset: 0 };
}

/**
 * Merges several lists into one order: again and again the better of their first rows. Each list keeps its own order, so that
 * the beginning stays the same however far the lists are read. Ends after `most` rows.
 */
export function mergeLists<Row>(
  given: readonly (readonly Row[])[],
  compare: (a: Row, b: Row) => number,
  most = Infinity,
): Row[] {
  const lists = given.filter((list) => list.length > 0);
  const next = lists.map(() => 0);
  const merged: Row[] = [];
  while (merged.length < most) {
    let best: { row: Row; list: number } | undefined;
    for (const [list, rows] of lists.entries()) {
      const at = next[list] ?? 0;
      if (at >= rows.length) continue;
      const row = rows[at] as Row;
      if (best === undefined || compare(row, best.row) < 0) best = { row, list };
    }
    if (best === undefined) break;
    next[best.list] = (next[best.list] ?? 0) + 1;
    merged.push(best.row);
  }
  return merged;
}

/** Cuts the rows that `pageOf` gathered from several repositories, in their order, to the page. */
export function cutPage<Row>({ args: { limit }, offset, sources }: PagedCall, rows: readonly Row[]): readonly Row[] {
  return sources.repositories.length === 1 ? rows : rows.slice(offset, offset + limit);
}
