import type { ShardDatabase } from '../../indexes/shards/shards.ts';
import { grams } from '../pattern/grep-literals.ts';
import { similarity } from '../../kernel/edit-distance.ts';
import { compareTexts } from '../../kernel/text-order.ts';
import { identifierParts } from '../../text/terms.ts';

/** Grades of how well a name fits a query, best first. */
export const NAME_TIERS = ['exact', 'case', 'prefix', 'word', 'substring', 'fuzzy'] as const;
export type NameTier = (typeof NAME_TIERS)[number];

/** Names by id, with the index of the tier each one fits in. */
export type NameMatches = ReadonlyMap<number, number>;

const FUZZY = NAME_TIERS.indexOf('fuzzy');

/** Least likeness (1 minus the edits per letter of the longer name) of two names. */
const LIKENESS = 0.6;
/** Most names that are taken as alike. */
const FUZZY_LIMIT = 20;

interface NameRow {
  id: number;
  text: string;
}

/** `Class/method` into its qualifier and its name; `.`, `::` and `#` part them too. */
export function splitQuery(query: string): { qualifier: string; name: string } {
  const parts = query
    .trim()
    .replace(/\(\)$/, '')
    .split(/\/|\.|::|#/)
    .filter((part) => part !== '');
  return { qualifier: parts.slice(0, -1).join('/'), name: parts.at(-1) ?? '' };
}

/**
 * Gives what `find` finds for the names that fit the query. Names that are only alike are tried when the others give
 * nothing, so that a narrow path or kind still finds a misspelled name.
 */
export function matchNames<Found extends { length: number }>(
  db: ShardDatabase,
  query: string,
  find: (names: NameMatches) => Found,
): Found {
  if (query === '') return find(new Map());
  if (/[*?]/.test(query)) return find(namesLike(db, query));
  const matches = find(fittingNames(db, query));
  if (matches.length > 0) return matches;
  return find(new Map(similarNames(db, query, FUZZY_LIMIT).map(({ id }) => [id, FUZZY])));
}

/** The names that fit a query without `*` and `?`, but for those that are only alike. */
export function fittingNames(db: ShardDatabase, query: string): NameMatches {
  const names = new Map<number, number>();
  if (query === '') return names;
  for (const row of namesThatMayFit(db, query)) {
    // Most are found in more than one way, and to compare them is what costs.
    if (names.has(row.id)) continue;
    const tier = tierOf(row.text, query);
    if (tier !== undefined) names.set(row.id, NAME_TIERS.indexOf(tier));
  }
  return names;
}

/** The names most like this one, most alike first: what to offer when nothing was found. */
export function nearestNames(db: ShardDatabase, { name, limit }: { name: string; limit: number }): string[] {
  return similarNames(db, splitQuery(name).name, Math.min(limit, FUZZY_LIMIT)).map(({ text }) => text);
}

/** In which way a name fits a query, or nothing. Likeness is not looked at. */
function tierOf(name: string, query: string): NameTier | undefined {
  if (name === query) return 'exact';
  const [lowerName, lowerQuery] = [name.toLowerCase(), query.toLowerCase()];
  if (lowerName === lowerQuery) return 'case';
  if (lowerName.startsWith(lowerQuery)) return 'prefix';
  const nameParts = identifierParts(name);
  const initials = nameParts.map((part) => part.charAt(0)).join('');
  if (lowerQuery.length > 1 && initials.startsWith(lowerQuery)) return 'word';
  if (nameParts.join('').includes(lowerQuery) && startsAtPart(nameParts, lowerQuery)) return 'word';
  if (partsFollow(nameParts, identifierParts(query))) return 'word';
  return lowerName.includes(lowerQuery) ? 'substring' : undefined;
}

/** True when the query begins where a part of the name begins. */
function startsAtPart(nameParts: readonly string[], query: string): boolean {
  return nameParts.some((_, from) => nameParts.slice(from).join('').startsWith(query));
}

/** True when each part of the query begins a part of the name, in the same order, and there are two or more. */
function partsFollow(nameParts: readonly string[], queryParts: readonly string[]): boolean {
  let next = 0;
  for (const part of nameParts) if (part.startsWith(queryParts[next] ?? '\0')) next++;
  return queryParts.length > 1 && next === queryParts.length;
}

function namesThatMayFit(db: ShardDatabase, query: string): NameRow[] {
  const lower = query.toLowerCase();
  const byPrefix = db
    .prepare('select id, text from name where text >= ?1 collate nocase and text < ?2 collate nocase')
    .all(query, `${query}\uffff`) as unknown as NameRow[];
  const byInitials =
    lower.length < 2 || lower.length > 8
      ? []
      : (db
          .prepare('select id, text from name where initials >= ? and initials < ?')
          .all(lower, `${lower}\uffff`) as unknown as NameRow[]);
  return [...byPrefix, ...byInitials, ...namesHolding(db, query)];
}

/** Names that hold all trigrams of each part of the query. */
export function namesHolding(db: ShardDatabase, query: string): NameRow[] {
  const parts = identifierParts(query);
  const needed = parts.map(grams).filter((part) => part !== undefined);
  const match = needed.length > 0 ? needed.join(' AND ') : grams(query.toLowerCase());
  return match === undefined ? [] : namesMatching(db, match);
}

function namesMatching(db: ShardDatabase, match: string): NameRow[] {
  return db
    .prepare('select n.id, n.text from name_gram g join name n on n.id = g.rowid where name_gram match ?')
    .all(match) as unknown as NameRow[];
}

/** Names that a pattern with `*` and `?` describes, in any case. */
function namesLike(db: ShardDatabase, query: string): NameMatches {
  const pattern = query
    .replace(/[\\%_]/g, String.raw`\$&`)
    .replaceAll('*', '%')
    .replaceAll('?', '_');
  const names = new Map<number, number>();
  const rows = db.prepare(String.raw`select id from name where text like ? escape '\'`).iterate(pattern);
  for (const { id } of rows as Iterable<{ id: number }>) names.set(id, 0);
  return names;
}

/** Names that share a trigram and are few edits away, most alike first, then in the order of the alphabet. */
export function similarNames(db: ShardDatabase, query: string, most: number): NameRow[] {
  const lower = query.toLowerCase();
  const match = grams(lower)?.replaceAll(' AND ', ' OR ');
  if (match === undefined) return [];
  return namesMatching(db, match)
    .map((row) => ({ ...row, likeness: similarity(lower, row.text.toLowerCase(), LIKENESS) }))
    .filter(({ likeness }) => likeness >= LIKENESS)
    .toSorted((a, b) => b.likeness - a.likeness || compareTexts(a.text, b.text))
    .slice(0, most)
    .map(({ id, text }) => ({ id, text }));
}
