import { identifierParts } from '../../kernel/terms.ts';

/**
 * Quality of the match of a name with a query, best first: 0 the same, 1 but for case or what stands around it, 2 its beginning
 * or a word of it, 3 a part of it.
 */
export type MatchTier = 0 | 1 | 2 | 3;

/** Matches a name, a title or a path; undefined when it does not fit. Case and the separators of words do not count. */
export function matchName(name: string, query: string): MatchTier | undefined {
  if (name === query) return 0;
  const [own, asked] = [normalizeText(name), normalizeText(query)];
  if (asked === '') return undefined;
  if (own === asked) return 1;
  const words = identifierParts(name);
  const wanted = identifierParts(query);
  if (own.startsWith(asked) || containsRun(words, wanted)) return 2;
  return own.includes(asked) ? 3 : undefined;
}

/** Matches a path: as a whole, its last parts, its name without the ending, words of it. */
export function matchPath(path: string, query: string): MatchTier | undefined {
  const asked = query.replace(/^(?:\.?\/)+/, '').replace(/\/+$/, '');
  if (asked === '') return undefined;
  if (path === asked) return 0;
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (path.endsWith(`/${asked}`)) return 1;
  const stem = name.replace(/(?<=.)\.[^/]*$/, '');
  if (matchName(stem, asked) === 0 || matchName(stem, asked) === 1) return 1;
  if (containsRun(identifierParts(name), identifierParts(asked))) return 2;
  return path.toLowerCase().includes(asked.toLowerCase()) ? 3 : undefined;
}

function normalizeText(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '');
}

function containsRun(words: readonly string[], wanted: readonly string[]): boolean {
  if (wanted.length === 0) return false;
  return words.some((_, from) => wanted.every((word, at) => words[from + at] === word));
}
