import type { KnowledgeHit } from '../../knowledge/knowledge.ts';
import type { LinkRow } from './store-links.ts';
import type { SubjectTerm } from './theme-subject.ts';

/** A function that a theme may be about, as the search for the location of a report ranks it. */
export interface LinkCandidate {
  repositoryId: string;
  repository: string;
  path: string;
  symbol: string;
  /** Share of the subject that the function has, 0 to 1. */
  share: number;
  /** Likelihood of its file beside that of the likeliest file of the repository, which has 1. */
  fileScore: number;
  words: string[];
}

/**
 * Thresholds at which 9 of 10 links are right, on the reports of nine public repositories; each of them keeps wrong ones out
 * (docs/decisions/0050-themes-lead-to-code.md).
 */
const LEAST_SHARE = 0.4;
const LEAST_FILE_SCORE = 0.5;
/** A theme of fewer texts has no subject that could be told from their other words. */
export const LEAST_TEXTS = 3;
/** Terms of a subject that a plan, decision or change has at least. */
const LEAST_SHARED = 2;
/** Links of a theme: the first functions of the ranking, as far as they are sure. */
export const MOST_LINKS = 3;
/** Share of the subject that a second repository knows, beside the share of the first. */
const NEAR_BEST = 0.75;
/** Share of the themes with links, below which the messages have little to do with the code, and links are chance. */
const LEAST_LINKED = 0.25;

/** Selects the functions that a theme is about, of the ranking of one repository; none where it is not sure. */
export function gradeCandidates(ranked: readonly LinkCandidate[]): LinkCandidate[] {
  return ranked
    .slice(0, MOST_LINKS)
    .filter(({ share, fileScore }) => share >= LEAST_SHARE && fileScore >= LEAST_FILE_SCORE);
}

/** The surest of the links of one theme, of several repositories those that know about as much of its subject as the best. */
export function surestLinks(links: readonly LinkCandidate[]): LinkCandidate[] {
  const best = Map.groupBy(links, ({ repositoryId }) => repositoryId);
  const shares = new Map(Array.from(best, ([id, own]) => [id, Math.max(...own.map(({ share }) => share))]));
  const most = Math.max(...shares.values());
  return links
    .filter(({ repositoryId }) => (shares.get(repositoryId) ?? 0) >= NEAR_BEST * most)
    .toSorted((a, b) => b.share - a.share || b.fileScore - a.fileScore)
    .slice(0, MOST_LINKS);
}

/**
 * Selects the plans, decisions or changes about the subject of a theme: those that have enough of it in the title or heading,
 * which say what they are about, and at least two of its terms. What has neither is compared as a whole.
 */
export function gradeWritten(
  hits: readonly Pick<KnowledgeHit, 'id' | 'title' | 'section' | 'terms' | 'headTerms'>[],
  subject: readonly SubjectTerm[],
): Omit<LinkRow, 'themeId' | 'kind'>[] {
  const all = subject.reduce((sum, { weight }) => sum + weight, 0);
  const links = hits.map(({ id, title, section, terms, headTerms }) => {
    const shared = new Set(title === '' && section === '' ? terms : headTerms);
    const own = subject.filter(({ term }) => shared.has(term));
    const score = own.reduce((sum, { weight }) => sum + weight, 0) / all;
    const words = [...new Set(own.map(({ word }) => word))];
    return {
      target: id,
      repositoryId: null,
      repository: '',
      title: title || section,
      origin: 'computed' as const,
      score,
      words,
    };
  });
  const graded = links
    // Pages of competitors are no news.
    .filter(
      ({ target, score, words }) => !target.startsWith('page:') && score >= LEAST_SHARE && words.length >= LEAST_SHARED,
    )
    .toSorted((a, b) => b.score - a.score);
  // Of a plan with several sections the best one.
  const best = graded.filter(({ target }, at) => graded.findIndex((link) => link.target === target) === at);
  return best.slice(0, MOST_LINKS);
}

/** True if so many themes have links to code that they are no accident. */
export function isAboutCode({ linked, themes }: { linked: number; themes: number }): boolean {
  return linked >= LEAST_LINKED * themes;
}
