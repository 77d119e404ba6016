import { baseName } from '../../kernel/paths.ts';
import { identifierParts } from '../../text/terms.ts';

/**
 * Quality of the match of a name with a query, best first: 0 the same, 1 but for case or what stands around it, 2 its beginning
 * or a word of it, 3 a part of it.
 */
export type MatchTier = 0 | 1 | 2 | 3;

/** Matches a name, a title or a path; undefined when it does not fit. Case and the separators of words do not count. */
export function matchName(name: string, query: string): MatchTier | undefined {
  if (name === query) return 0;
  const [own, normalizedQuery] = [normalizeText(name), normalizeText(query)];
  if (normalizedQuery === '') return undefined;
  if (own === normalizedQuery) return 1;
  const words = identifierParts(name);
  const queryParts = identifierParts(query);
  if (own.startsWith(normalizedQuery) || containsRun(words, queryParts)) return 2;
  return own.includes(normalizedQuery) ? 3 : undefined;
}

/** Matches a path: as a whole, its last parts, its name without the ending, words of it. */
export function matchPath(path: string, query: string): MatchTier | undefined {
  const queryPath = query.replace(/^(?:\.?\/)+/, '').replace(/\/+$/, '');
  if (queryPath === '') return undefined;
  if (path === queryPath) return 0;
  const name = baseName(path);
  if (path.endsWith(`/${queryPath}`)) return 1;
  const stem = name.replace(/(?<=.)\.[^/]*$/, '');
  if (matchName(stem, queryPath) === 0 || matchName(stem, queryPath) === 1) return 1;
  if (containsRun(identifierParts(name), identifierParts(queryPath))) return 2;
  return path.toLowerCase().includes(queryPath.toLowerCase()) ? 3 : undefined;
}

function normalizeText(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '');
}

function containsRun(words: readonly string[], run: readonly string[]): boolean {
  if (run.length === 0) return false;
  return words.some((_, from) => run.every((word, at) => words[from + at] === word));
}
