import { encodeSentence } from '../code/code.ts';
import type { QuestionVectors } from '../text/encoder/question-vectors.ts';
import type { RankedUnit } from '../code/units/units.ts';
import { type SearchHit, SearchOutput } from '../search/search.ts';
import type { IndexedRepository } from '../indexes/indexes.ts';
import type { Operations } from './model/operations.ts';
import type { CodeSources } from './model/question.ts';
import { wordsOf } from '../text/words.ts';

/** Units whose lines compete, by how far a question is looked for. */
const MOST_UNITS = { quick: 15, standard: 30, deep: 60 } as const;
export type Effort = keyof typeof MOST_UNITS;
/** Hits of the search over everything; `search-tool` gives no more at once. */
const MOST_HITS = 50;

/** Factor for the units of a repository that the question names, where it goes to several. */
const NAMED_REPOSITORY = 2;

/** A unit of one of the repositories. */
export interface Candidate extends RankedUnit {
  repo: string;
}

/** Units and texts that may hold the answer to a question. */
export interface Candidates {
  units: readonly Candidate[];
  /** Units of all repositories, and how many have each term of the question. */
  total: number;
  terms: readonly { term: string; units: number }[];
  /** Score of the best hit by meaning, 0..1. */
  similarity: number;
  hits: readonly SearchHit[];
}

/** Collects candidates of all corpora: one search over everything, then one query a repository that adds its ranks up. */
export async function collectCandidates(
  operations: Operations,
  sources: CodeSources,
  { text, vectors, effort }: { text: string; vectors: QuestionVectors | undefined; effort: Effort },
): Promise<Candidates> {
  const [answer, embedded] = await Promise.all([
    operations.read('search-tool', { query: text, limit: MOST_HITS }, SearchOutput),
    encodeSentence(vectors, text),
  ]);
  const hits = answer?.rows ?? [];
  const answers = await sources.fromEach(sources.repositories, async (repository) => {
    const search = {
      query: text,
      limit: MOST_UNITS[effort],
      embedding: embedded?.embedding,
      others: locationsIn(hits, repository),
    };
    return { repo: repository.provenance.repo, ranked: await sources.ask(repository, ['rankUnits', search]) };
  });
  const units = answers
    .flatMap(({ repo, ranked }) => {
      const weight = isNamed(repo, text) ? NAMED_REPOSITORY : 1;
      return ranked.rows.map((row) => ({ ...row, repo, score: row.score * weight }));
    })
    .toSorted((a, b) => b.score - a.score);
  const counts = new Map<string, number>();
  for (const { ranked } of answers)
    for (const { term, units: count } of ranked.terms) counts.set(term, (counts.get(term) ?? 0) + count);
  return {
    units: units.slice(0, MOST_UNITS[effort]),
    total: answers.reduce((sum, { ranked }) => sum + ranked.total, 0),
    terms: Array.from(counts, ([term, count]) => ({ term, units: count })),
    similarity: Math.max(0, ...answers.map(({ ranked }) => ranked.similarity)),
    hits,
  };
}

/** Returns the locations of the hits in the code of a repository, best first. */
function locationsIn(hits: readonly SearchHit[], { provenance: { repo } }: IndexedRepository) {
  return hits
    .filter((hit) => hit.corpus === 'code' && (hit.repo ?? repo) === repo && hit.path !== undefined)
    .map(({ path = '', where }) => {
      const [, start = '1', end = start] = /:(\d+)(?:-(\d+))?$/.exec(where) ?? [];
      return { path, start: Number(start), end: Number(end) };
    });
}

/** True if a text has the name of a repository as a word. */
function isNamed(repo: string, text: string): boolean {
  const name = repo.toLowerCase();
  return wordsOf(text.toLowerCase(), 'pathName').includes(name);
}
