import { mentionsOf } from '../question/mentions.ts';
import { describedBy, type Phrase, phrasesOf } from '../question/phrases.ts';
import { parseQuestion } from '../question/question.ts';
import { type CodePlace, findNamed } from './code.ts';
import { findImports, type ImportLine } from './imports.ts';
import { findMentioned } from './mentioned.ts';
import { type Part, PartFinder } from './part-finder.ts';
import { isGuess, readingOf } from './scope.ts';
import type { MapEntry } from './structure.ts';
import type { Tools } from './tools.ts';

/** What words of a question mean in the code. */
export interface PlainPart {
  /** As an answer names it. */
  name: string;
  /** As calls take it: a symbol's handle, a file, or a folder with a slash behind it; '' for a package of others. */
  handle: string;
  path: string;
  /** The name by which other packages import it; '' when it is none. */
  packageName: string;
  /** Where a package of others is imported. */
  imports: readonly ImportLine[];
  /** What an answer says of words that are not its very name. */
  readings: readonly string[];
  /** Whether it is hardly more than a guess. */
  isGuessed: boolean;
}

const LIBRARY = /\blib(?:rary)?\b/i;
const PROGRAM = /\b(?:command[- ]line|cli|binary|executable|program|tool)\b/i;
/** Examples and tools of the build are no program of the project. */
const ASIDE = /(?:^|\/)(?:examples?|samples?|demos?|scripts?|tools?|build|release|bench(?:es|marks?)?|docs?)\//i;

/** Whether a file builds or shows the program and is none of it. */
export function isBesideProgram(path: string): boolean {
  return ASIDE.test(path);
}

/** Finds what words mean: a symbol, a folder, package or file, the library or the program, a package of others. 1 to 12 calls. */
export async function findPlainPart(
  tools: Tools,
  text: string,
  { repo, rows }: { repo: string; rows: readonly MapEntry[] },
  outside?: string,
): Promise<PlainPart | undefined> {
  const symbol = await findSymbol(tools, text);
  if (symbol !== undefined) return symbolPart(symbol);
  const finder = new PartFinder(tools, { repo, rows });
  const phrases = phrasesOf(`the ${text}`);
  const [phrase = describedBy(text) ?? literal(text)] = phrases;
  if (phrase === undefined) return undefined;
  const part = await finder.find(phrase, [], outside);
  if (part?.how === 'named') return partOf(part, rows, phrase.text);
  const entry = LIBRARY.test(text) ? libraryOf(rows) : PROGRAM.test(text) ? programOf(rows, repo) : undefined;
  const foreign = entry ?? (phrase.words.length === 1 ? await findForeign(tools, phrase.words) : undefined);
  if (foreign !== undefined && part?.how !== 'alike') return foreign;
  return part === undefined ? undefined : partOf(part, rows, phrase.text);
}

/** Words that any part may have, where there are no others: `the library` may be a folder of this name. */
function literal(text: string): Phrase | undefined {
  const words = (text.toLowerCase().match(/[\w-]{3,}/g) ?? []).filter(
    (word) => !/^(?:the|our|its|your|own)$/.test(word),
  );
  return words.length === 1 ? { text: words.join(' '), words, by: '', kind: '' } : undefined;
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

const CERTAIN = { packageName: '', imports: [], readings: [], isGuessed: false };

function symbolPart({ symbol, path }: CodePlace): PlainPart {
  const handle = symbol === '' ? path : `sym:${symbol}@${path}`;
  return { ...CERTAIN, name: symbol === '' ? path : symbol.replaceAll('/', '.'), handle, path };
}

function partOf(part: Part, rows: readonly MapEntry[], text: string): PlainPart | undefined {
  const { path, kind } = part;
  if (path === '.') return undefined;
  const own = rows.find((row) => row.part === 'packages' && row.path === path);
  return {
    name: path,
    handle: kind === 'file' ? path : `${path}/`,
    path,
    packageName: own?.package ?? '',
    imports: [],
    readings: readingOf(text, part),
    isGuessed: isGuess(part),
  };
}

function libraryOf(rows: readonly MapEntry[]): PlainPart | undefined {
  const [entry, ...others] = rows.filter(
    ({ part, reason, path }) => part === 'entries' && reason === 'package' && !isBesideProgram(path),
  );
  if (entry === undefined || others.length > 0) return undefined;
  return { ...CERTAIN, name: entry.path, handle: entry.path, path: entry.path };
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
  if (folders.length !== 1 || folder === undefined || folder === '') return undefined;
  return { ...CERTAIN, name: folder, handle: `${folder}/`, path: folder };
}

/** A package that is none of this repository, by the lines that import it. */
async function findForeign(tools: Tools, words: readonly string[]): Promise<PlainPart | undefined> {
  for (const word of words) {
    const imports = await findImports(tools, word);
    if (imports.length > 0) return { ...CERTAIN, name: word, handle: '', path: '', imports };
  }
  return undefined;
}
