import type { ReadWords } from '../code/units/units.ts';
import { isQuestionWord } from '../text/function-words.ts';
import { partsOf } from '../text/terms.ts';
import type { CodeSources, NamedThing, NamedPlace, Question } from './model/question.ts';
import { wordsOf } from '../text/words.ts';

/** Quoted code, and words that are spelled as only code is: `camelCase`, `snake_case`, `call()`, `a.b`, `A::b`. */
const CODE =
  /`([^`\n]{1,200})`|(?<![\w/.@-])((?:[A-Za-z_$][\w$]*(?:\.|::|#|\/))+[A-Za-z_$][\w$]*|[A-Za-z_$][\w$]*(?:_\w+|[a-z\d][A-Z]\w*)\w*|[A-Za-z_$]\w+(?=\(\)))/g;
const PATH = /(?:[\w@.-]+\/)+[\w@.-]*|(?<![\w/])[\w-]+(?:\.[\w-]+)*\.[A-Za-z]\w{0,5}\b/g;
/** A capital within a sentence: a type, or a proper name. */
const CAPITAL = /(?<=[\p{L}\p{N},;:'")] )[A-Z][A-Za-z0-9_]+/gu;
const MOST_NAMES = 12;
const MOST_PLACES = 20;

/** Returns the words of a question that may be the name of something, as they are spelled. */
function possibleNames(text: string): string[] {
  const quoted = Array.from(text.matchAll(CODE), ([, inTicks, spelled = '']) => inTicks ?? spelled);
  const names = [...quoted, ...(text.match(PATH) ?? []), ...(text.match(CAPITAL) ?? [])];
  return [...new Set(names.map((name) => name.trim().replace(/\(\)$|[.,:;?!]+$/g, '')))]
    .filter((name) => name.length > 1)
    .slice(0, MOST_NAMES);
}

/** The words of a question that say something, in their order, each once. */
function contentWords(text: string): string[] {
  return [...new Set(wordsOf(text, 'askedName'))].filter((word) => !isQuestionWord(word));
}

/** Terms of the words of a text that say something. */
export function contentTerms(text: string): string[] {
  return wordsOf(text, 'name')
    .filter((word) => !isQuestionWord(word))
    .flatMap((word) => partsOf(word));
}

/**
 * Reads a question against the code of all repositories of a call: names that exist, and words that occur in none of them.
 * One query a repository.
 */
export async function readQuestion(sources: CodeSources, text: string): Promise<Question> {
  const [names, words] = [possibleNames(text), contentWords(text)];
  const answers = await sources.askAll(['readQuestion', { names, words }]);
  const read = answers.map(({ repository, result }) => ({ repo: repository.provenance.repo, ...result }));
  return {
    text,
    words,
    names: names.flatMap((name) => mergeName(name, read)),
    absent: mergeAbsent(read),
  };
}

function mergeName(name: string, read: readonly (ReadWords & { repo: string })[]): NamedThing[] {
  const meanings = read.flatMap(({ repo, names }) =>
    names.filter((candidate) => candidate.name === name).map(({ kind, places }) => ({ repo, kind, places })),
  );
  const [first] = meanings;
  if (first === undefined) return [];
  const places = meanings
    .filter(({ kind }) => kind === first.kind)
    .flatMap(({ repo, places: all }) =>
      all.map(({ path, start, end, symbol }): NamedPlace => ({
        repo,
        path,
        ...(start !== undefined && end !== undefined && { lines: { start, end } }),
        ...(symbol !== undefined && { symbol }),
      })),
    );
  return [{ name, kind: first.kind, places: places.slice(0, MOST_PLACES) }];
}

/** Words that no repository has. */
function mergeAbsent(read: readonly ReadWords[]): Question['absent'] {
  const [first, ...others] = read;
  if (first === undefined) return [];
  return first.absent
    .filter(({ word }) => others.every(({ absent }) => absent.some((other) => other.word === word)))
    .map(({ word, nearest }) => {
      const more = others.flatMap(({ absent }) => absent.find((other) => other.word === word)?.nearest ?? []);
      return { word, nearest: [...new Set([...nearest, ...more])].slice(0, 3) };
    });
}
