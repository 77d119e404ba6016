import { isTestPath } from '../../languages/languages.ts';
import { likenessOf, type PartWord, partWordsOf } from '../question/part-words.ts';
import type { Phrase } from '../question/phrases.ts';
import { isAside } from './prefer.ts';

/** A folder, a file or a package that words of a question may mean. */
export interface Candidate {
  path: string;
  kind: 'folder' | 'file' | 'package';
  /** Of a package: its name, and what its manifest says that it is for. */
  name: string;
  says: string;
  /** Share of what a search for the words finds that lies in it, 0..1. */
  found: number;
}

/** A candidate with how well the words fit, and whether its name has all of them and nothing else. */
export interface Ranked extends Candidate {
  score: number;
  isNamed: boolean;
}

/** A word in the name of a folder around it, or in what a manifest says, tells less than one in its own name. */
const AROUND = 0.6;
const SAID = 0.5;
/** A word that no name has tells nothing apart, and yet it may have been what was meant. */
const UNUSED = 0.5;
/** What other words of the name, what is found by a search, and what is beside the program change. */
const OTHER_WORDS = 0.25;
const FOUND = 0.3;
const ASIDE = 0.6;
/** What lies deeper is less likely meant. */
const DEEPER = 0.02;
/** A folder is rather meant than a file of the same name. */
const OF_KIND = 0.04;
const KINDS = { file: 0, folder: 1, package: 1.5 } as const;
/** What is no file. */
const WIDE = /^(?:package|folder|directory|crate|workspace|layer|library|subsystem|slice|subpackage|subfolder)$/;
const NO_FILE = 0.3;
const JOINED = 0.9;
/** Names that say what a folder has around it or in it, and nothing of its own. */
const PLAIN = /^(?:src|lib|libs|packages|internal|pkg|index|main|mod|core|init|v\d+)$/;

/** The candidates that words may mean, the likeliest first; those that share no word with them are left out. */
export function rankParts(phrase: Phrase, candidates: readonly Candidate[], repo = ''): Ranked[] {
  const words = partWordsOf(phrase.text, phrase.words);
  const fits = candidates.map((candidate) => fitsOf(words, candidate, repo.toLowerCase()));
  const weights = words.map((_, at) => (fits.some((fit) => (fit.words[at] ?? 0) > 0) ? 1 : UNUSED));
  const sum = weights.reduce((all, weight) => all + weight, 0);
  const ranked = candidates.flatMap((candidate, at): Ranked[] => {
    const fit = fits[at];
    if (fit === undefined || !fit.words.some((share) => share > 0)) return [];
    const covered = fit.words.reduce((all, share, word) => all + share * (weights[word] ?? 0), 0) / sum;
    const isOfKind = phrase.kind === candidate.kind || (phrase.kind === 'library' && candidate.kind === 'package');
    const score =
      covered * (1 - OTHER_WORDS * (1 - fit.share)) +
      FOUND * candidate.found +
      (isOfKind ? 2 : KINDS[candidate.kind]) * OF_KIND -
      (candidate.kind === 'file' && WIDE.test(phrase.kind) ? NO_FILE : 0) -
      DEEPER * candidate.path.split('/').length -
      (isAsideOf(candidate.path, phrase) ? ASIDE : 0);
    return [{ ...candidate, score, isNamed: fit.isNamed && (candidate.kind !== 'file' || isOfKind) }];
  });
  return ranked.toSorted((a, b) => b.score - a.score || a.path.length - b.path.length);
}

/** Projects to begin with, and what documents the program. */
const STARTERS = /^(?:templates|starters|docs?)\//;

function isAsideOf(path: string, { text }: Phrase): boolean {
  const isAskedFor = /\b(?:tests?|examples?|docs?|documentation|scripts?|templates?)\b/i.test(text);
  return !isAskedFor && (isAside(`${path}/`) || isTestPath(path) || STARTERS.test(path));
}

/** How well each word fits a candidate, and what share of its own name the words are. */
function fitsOf(
  words: readonly PartWord[],
  { path, name, says }: Candidate,
  repo: string,
): { words: number[]; share: number; isNamed: boolean } {
  const parts = path.replace(/\.\w+$/, '').split('/');
  const own = tokensOf(
    name === '' ? (parts.at(-1) ?? '') : `${parts.at(-1) ?? ''} ${name.slice(name.lastIndexOf('/') + 1)}`,
  );
  const around = tokensOf(parts.slice(0, -1).join(' '));
  const said = tokensOf(says);
  const likeness = (word: PartWord, token: string): number =>
    Math.max(likenessOf(word, token), joinedIn(word, words, token));
  const best = (word: PartWord, tokens: readonly string[]): number =>
    Math.max(0, ...tokens.map((token) => likeness(word, token)));
  const fits = words.map((word) =>
    Math.max(best(word, own), AROUND * best(word, around), says === '' ? 0 : SAID * (best(word, said) === 1 ? 1 : 0)),
  );
  const isUsed = (token: string): boolean => words.some((word) => likeness(word, token) > 0);
  const telling = own.filter((token) => (!PLAIN.test(token) && token !== repo) || isUsed(token));
  const used = telling.filter(isUsed);
  const share = telling.length === 0 ? 0 : used.length / telling.length;
  const isNamed = share === 1 && words.every(({ word }) => tokensOf(word).every((token) => own.includes(token)));
  return { words: fits, share, isNamed };
}

/** A name of two words written as one, the first of them cut short: `autotag` for automatic tagging. */
function joinedIn(word: PartWord, words: readonly PartWord[], token: string): number {
  const isJoin = (first: PartWord, last: PartWord): boolean =>
    last.stems.some((stem) => {
      const start = token.slice(0, -stem.length);
      return stem.length > 2 && start.length > 2 && token.endsWith(stem) && first.word.startsWith(start);
    });
  return words.some((other) => other !== word && (isJoin(word, other) || isJoin(other, word))) ? JOINED : 0;
}

/** The words of a name, in lower case: `wsServer.v2` → ws, server, v2. */
function tokensOf(text: string): string[] {
  const words = text
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u);
  return [...new Set(words.filter((word) => word !== ''))];
}
