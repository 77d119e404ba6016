import { isTestPath } from '../../languages/languages.ts';
import { mentionsOf } from '../question/mentions.ts';
import { parseQuestion } from '../question/question.ts';
import { scopeWordsOf } from '../question/scope-words.ts';
import { type CodePlace, findNamed, searchCode } from './code.ts';
import { findImports, type ImportLine } from './imports.ts';
import { findMentioned } from './mentioned.ts';
import { FolderFinder } from './scope.ts';
import type { MapEntry } from './structure.ts';
import type { Tools } from './tools.ts';

/** What words of a question mean in the code. */
export interface PlainPart {
  /** As an answer names it. */
  name: string;
  /** As calls take it: a symbol's handle, a file, or a folder with a slash behind it; '' for a package of others. */
  handle: string;
  path: string;
  /** Where a package of others is imported. */
  imports: readonly ImportLine[];
  /** Whether it was found by likeness of words only. */
  isGuessed: boolean;
}

const LIBRARY = /\blib(?:rary)?\b/i;
const PROGRAM = /\b(?:command[- ]line|cli|binary|executable|program|tool)\b/i;
/** Examples and tools of the build are no program of the project. */
const ASIDE = /(?:^|\/)(?:examples?|samples?|demos?|scripts?|tools?|build|release|bench(?:es|marks?)?|docs?)\//i;
/** `The code that handles the …`: what is meant stands behind it. */
const THAT_DOES = /^(?:the |our )?(?:code|parts?|modules?|logic|files?) (?:that|which) \w+ (?:the |an? |all )?/i;
/** Letters that the name of a file and a word of a question have in common. */
const LEAST_COMMON = 4;
const HITS_LOOKED_AT = 10;

/** Whether a file builds or shows the program and is none of it. */
export function isBesideProgram(path: string): boolean {
  return ASIDE.test(path);
}

/** Finds what words mean: a symbol, a folder or package, the library or the program, a package of others, a file of their name. 1 to 12 calls. */
export async function findPlainPart(
  tools: Tools,
  phrase: string,
  { repo, rows }: { repo: string; rows: readonly MapEntry[] },
): Promise<PlainPart | undefined> {
  const symbol = await findSymbol(tools, phrase);
  if (symbol !== undefined) return partOf(symbol, false);
  const words = wordsOf(phrase.replace(THAT_DOES, ''));
  const folder = await new FolderFinder(tools, repo, rows).find(words, []);
  if (folder !== undefined && folder !== '.') return folderPart(folder);
  const entry = LIBRARY.test(phrase) ? libraryOf(rows) : PROGRAM.test(phrase) ? programOf(rows, repo) : undefined;
  if (entry !== undefined) return entry;
  const foreign = await findForeign(tools, words);
  return foreign ?? findByFile(tools, phrase, words);
}

async function findSymbol(tools: Tools, phrase: string): Promise<CodePlace | undefined> {
  for (const name of parseQuestion(phrase).names) {
    const [place] = await findNamed(tools, name);
    if (place !== undefined) return place;
  }
  for (const mention of mentionsOf(`of ${phrase}`)) {
    const found = await findMentioned(tools, mention);
    if (found !== undefined) return found.place;
  }
  return undefined;
}

/** The words that say what is meant, the likeliest first: what stands before `of`, from its end. */
function wordsOf(phrase: string): string[] {
  const parts = phrase.split(/\s+of\s+/i);
  return parts.flatMap((part) => scopeWordsOf(`in ${part}`).flatMap(({ words }) => [...words]));
}

function partOf({ symbol, path }: CodePlace, isGuessed: boolean): PlainPart {
  const handle = symbol === '' ? path : `sym:${symbol}@${path}`;
  return { name: symbol === '' ? path : symbol.replaceAll('/', '.'), handle, path, imports: [], isGuessed };
}

function folderPart(path: string): PlainPart {
  return { name: path, handle: `${path}/`, path, imports: [], isGuessed: false };
}

function libraryOf(rows: readonly MapEntry[]): PlainPart | undefined {
  const [entry, ...others] = rows.filter(
    ({ part, reason, path }) => part === 'entries' && reason === 'package' && !isBesideProgram(path),
  );
  if (entry === undefined || others.length > 0) return undefined;
  return { name: entry.path, handle: entry.path, path: entry.path, imports: [], isGuessed: false };
}

/** The only program, or the one that is called like the repository. */
function programOf(rows: readonly MapEntry[], repo: string): PlainPart | undefined {
  const programs = rows.filter(
    ({ part, reason, path }) => part === 'entries' && /^(?:main|script)\b/.test(reason) && !isBesideProgram(path),
  );
  const own = programs.filter(({ reason }) => reason.toLowerCase() === `script ${repo.toLowerCase()}`);
  const mains = own.length > 0 ? own : programs;
  const folders = [...new Set(mains.map(({ path }) => path.slice(0, Math.max(path.lastIndexOf('/'), 0))))];
  const [folder] = folders;
  return folders.length === 1 && folder !== undefined && folder !== '' ? folderPart(folder) : undefined;
}

/** A package that is none of this repository, by the lines that import it. */
async function findForeign(tools: Tools, words: readonly string[]): Promise<PlainPart | undefined> {
  for (const word of words) {
    const imports = await findImports(tools, word);
    if (imports.length > 0) return { name: word, handle: '', path: '', imports, isGuessed: false };
  }
  return undefined;
}

/** The file that is called like one of the words, of those that the search finds for all of them. */
async function findByFile(tools: Tools, phrase: string, words: readonly string[]): Promise<PlainPart | undefined> {
  const hits = await searchCode(tools, parseQuestion(phrase));
  const files = hits.slice(0, HITS_LOOKED_AT).filter(({ path }) => !isTestPath(path));
  for (const word of words) {
    const hit = files.find(({ path }) => isAlike(path, word));
    if (hit !== undefined) return partOf({ ...hit, symbol: '' }, true);
  }
  return undefined;
}

/** What the search finds first for a description: a type, or a function that belongs to none. One call. */
export async function findDescribed(tools: Tools, phrase: string): Promise<PlainPart | undefined> {
  const hits = await searchCode(tools, parseQuestion(phrase));
  const hit = hits.find(({ path, symbol }) => symbol !== '' && !isTestPath(path));
  if (hit === undefined) return undefined;
  const type = hit.kind === 'method' ? hit.symbol.slice(0, Math.max(hit.symbol.lastIndexOf('/'), 0)) : hit.symbol;
  return partOf({ ...hit, symbol: type }, true);
}

function isAlike(path: string, word: string): boolean {
  const name = path
    .slice(path.lastIndexOf('/') + 1)
    .replace(/\..*$/, '')
    .toLowerCase();
  const lower = word.toLowerCase();
  let common = 0;
  while (common < name.length && name[common] === lower[common]) common += 1;
  return common >= LEAST_COMMON;
}
