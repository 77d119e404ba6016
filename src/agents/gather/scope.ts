import { type Phrase, phrasesOf } from '../question/phrases.ts';
import { type Part, PartFinder } from './part-finder.ts';
import { readMap } from './structure.ts';
import type { Tools } from './tools.ts';

/** The part of a repository that a question is narrowed to. */
export interface Scope {
  /** Folders and files from the root, each once; '' never. */
  folders: readonly string[];
  /** The same as other calls take it: a folder, or a glob of several. */
  path: string;
  /** As an answer tells it. */
  name: string;
}

/** What a question narrows itself to. */
export interface ReadScope {
  /** Undefined when it is about all of the repository. */
  scope: Scope | undefined;
  /** Words that name a part that there is none of. */
  unknown: readonly string[];
  /** How words were read that are no name. */
  readings: readonly string[];
  /** Whether a part was taken only because a search leads there, or where others fit as well. */
  isGuessed: boolean;
  /** Whether each part bears the very name that the question has. */
  isNamed: boolean;
}

/** Words that lead to a part of the repository; behind others stands what is asked of it. */
const PLACING: ReadonlySet<string> = new Set(
  'in inside within into of about with for on from under across throughout along alongside between and or the a an our your its each every change changes changing touch touches edit own owns maintain maintains called named know knows'.split(
    ' ',
  ),
);

/** A question about all of the repository. */
export const WHOLE: ReadScope = { scope: undefined, unknown: [], readings: [], isGuessed: false, isNamed: true };

/** Finds the folders, packages and files that a question names in its words. A call for the map, and two to six for each of them. */
export async function readScope(tools: Tools, question: string): Promise<ReadScope> {
  const phrases = phrasesOf(question).filter(
    ({ by, words }) => PLACING.has(by) || words.some((word) => word.includes('/')),
  );
  if (phrases.length === 0) return WHOLE;
  const map = await readMap(tools);
  const finder = new PartFinder(tools, map);
  const found: { phrase: Phrase; part: Part }[] = [];
  const missing: Phrase[] = [];
  for (const phrase of phrases) {
    const part = await finder.find(phrase);
    if (part === undefined) missing.push(phrase);
    else found.push({ phrase, part });
  }
  // What is no code has no name in the map: it may lie in a part that was found.
  const parents = found.map(({ part }) => part.path);
  const unknown: string[] = [];
  for (const phrase of missing) {
    const part = parents.length === 0 ? undefined : await finder.find(phrase, parents);
    if (part === undefined) unknown.push(phrase.text);
    else found.push({ phrase, part });
  }
  return {
    scope: scopeOf(found.map(({ part }) => part.path).filter((path) => path !== '.')),
    unknown,
    readings: found.flatMap(({ phrase, part }) => readingOf(phrase.text, part)),
    isNamed: found.every(({ part }) => part.how === 'named' || part.path === '.'),
    isGuessed: found.some(({ part }) => isGuess(part)),
  };
}

/** The same where only what bears its very name narrows it, and words for nothing are about something else: what parts there are. */
export async function readNamedScope(tools: Tools, question: string): Promise<ReadScope> {
  const { scope, readings, isNamed } = await readScope(tools, question);
  return isNamed ? { ...WHOLE, scope, readings, isNamed } : WHOLE;
}

/** Whether a part is hardly more than a guess. */
export function isGuess({ how, others, path }: Part): boolean {
  return how === 'searched' || (others.length > 0 && path !== '.');
}

/** What an answer says of words that are not the very name of a part. */
export function readingOf(text: string, { path, kind, how, others }: Part): string[] {
  if (how === 'named') return [];
  const also = others.length === 0 ? '' : `; it may also be ${others.map((other) => `\`${other}\``).join(' or ')}`;
  const why = how === 'searched' ? ', to which a search for these words leads' : '';
  return [`“${text}” is read as ${path === '.' ? 'the repository' : `the ${kind} \`${path}\``}${why}${also}.`];
}

/** The narrowest of the folders: `themes` of `assets` and not all of that. */
function scopeOf(found: readonly string[]): Scope | undefined {
  const distinct = [...new Set(found)];
  const folders = distinct.filter((path) => !distinct.some((other) => other.startsWith(`${path}/`)));
  const [first] = folders;
  if (first === undefined) return undefined;
  return {
    folders,
    path: folders.length === 1 ? first : `{${folders.join(',')}}`,
    name: folders.join(' and '),
  };
}

/** Whether a file lies in what a question is narrowed to; every one does where it is not narrowed. */
export function isInScope(scope: Scope | undefined, path: string): boolean {
  return scope === undefined || scope.folders.some((folder) => path === folder || path.startsWith(`${folder}/`));
}
