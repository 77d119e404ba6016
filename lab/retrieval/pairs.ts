import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Extractors } from '../../src/languages/extract/extract.ts';
import { termsOf } from '../../src/text/terms.ts';
import { blankedFiles, type Documented, termsOfPath } from './documented.ts';

/** A description of a function, and the function, each as terms. */
export interface Pair {
  question: string[];
  text: string[];
  name: string[];
  /** The names around it, and its path. */
  place: string[];
}

const LONGEST_TEXT = 6_000;
const LEAST_TEXT_TERMS = 8;
const LEAST_QUESTION_TERMS = 3;
const MOST_WORDS = 60;

/** The pairs of a repository, in the order of its files. Those that were kept in `kept` are read from there. */
export async function pairsOf(
  { repository, commit }: { repository: string; commit: string },
  { mirror, cache }: { mirror: string; cache: string | undefined },
): Promise<Pair[]> {
  const folder = repository.replace('/', '+');
  const file = cache === undefined ? undefined : join(cache, `${folder}@${commit.slice(0, 12)}.json`);
  if (file !== undefined && existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as Pair[];
  const pairs: Pair[] = [];
  const sentences = new Set<string>();
  for await (const { documented } of blankedFiles(join(mirror, folder, 'repo'), commit, new Extractors()))
    for (const entry of documented) {
      const pair = pairOf(entry);
      const isTaught = pair.question.length >= LEAST_QUESTION_TERMS && pair.text.length >= LEAST_TEXT_TERMS;
      if (!isTaught || sentences.has(entry.sentences)) continue;
      sentences.add(entry.sentences);
      pairs.push(pair);
    }
  if (file !== undefined) writeFileSync(file, JSON.stringify(pairs));
  return pairs;
}

function pairOf({ sentences, text, name, owner, path }: Documented): Pair {
  return {
    question: termsOf(sentences.split(' ').slice(0, MOST_WORDS).join(' ')),
    text: termsOf(text.slice(0, LONGEST_TEXT)),
    name: termsOf(name),
    place: [...termsOf(owner), ...termsOfPath(path.split('/').slice(-2).join('/'))],
  };
}
