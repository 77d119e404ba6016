import { createHash } from 'node:crypto';
import trained from '../../src/commits/files/next-author-weights.json' with { type: 'json' };
import { type Example, learn } from '../retrieval/linear-ranker.ts';
import { writeTrained } from '../trained-model.ts';
import { type AuthorCase, type Colleague, readAuthorCases } from './author-cases.ts';
import { PROJECTS } from './projects.ts';
import { train } from './train.ts';

const USAGE = `EVAL_MIRROR=<folder of <owner>+<name>/repo> node lab/training/train-next-author.ts [--keep] [<folder for shards>]

Learns the weights by which the next author of a file is guessed, and writes them with their figures. Each repository is
also guessed with weights that were learnt from the others, and beside it with the weights that are kept now. --keep
writes nothing.`;

/** Candidates for the weight of an author without any work, so that a newcomer is not ruled out. */
const NEWCOMERS = [0.005, 0.01, 0.02, 0.05, 0.1, 0.2];
const SHOWN = 3;

interface Weights {
  exponents: { file: number; folder: number; repository: number; idle: number };
  newcomer: number;
}

await train({
  usage: USAGE,
  projects: PROJECTS,
  readCases: readAuthorCases,
  fit,
  score: (example, weights) => Number(isAmongFirst(example, weights)),
  current: trained,
  write(weights, { cases, unseen, inSample }) {
    const sha256 = hashOf(cases);
    const metrics = {
      corpus: { projects: PROJECTS.length, files: cases.length, sha256 },
      known_author_percent: Math.round((1000 * cases.filter(isListed).length) / cases.length) / 10,
      among_first_three_percent: { unseen_projects: unseen, seen: inSample },
    };
    writeTrained(weights, {
      modelFile: 'src/commits/files/next-author-weights.json',
      metricsFile: 'lab/training/next-author-metrics.json',
      script: 'lab/training/train-next-author.ts',
      corpus: { list: 'lab/training/projects.ts', sha256 },
      metrics,
    });
  },
});

function isListed({ people }: AuthorCase): boolean {
  return people.some(({ isNext }) => isNext);
}

/** The exponents under which the next authors are likeliest, with the `newcomer` that puts most of them first. */
function fit(cases: readonly AuthorCase[]): Weights {
  const candidates = NEWCOMERS.map((newcomer): Weights => {
    const [file = 0, folder = 0, repository = 0, idle = 0] = learnExponents(cases, newcomer);
    return { exponents: { file, folder, repository, idle }, newcomer };
  });
  const hits = (weights: Weights): number => cases.filter((example) => isAmongFirst(example, weights)).length;
  return candidates.reduce((best, weights) => (hits(weights) > hits(best) ? weights : best));
}

/** Learns the exponents. Those of the wrong sign are dropped: less work, or a longer absence, makes no author likelier. */
function learnExponents(cases: readonly AuthorCase[], newcomer: number): number[] {
  const isUsed = [true, true, true, true];
  for (;;) {
    const learnt = learn(cases.map((example) => exampleOf(example, newcomer, isUsed)));
    const exponents = Array.from(learnt, (weight, at) => (isUsed[at] === true ? Math.round(100 * weight) / 100 : 0));
    const wrong = exponents.findIndex((exponent) => exponent < 0);
    if (wrong === -1) return exponents;
    isUsed[wrong] = false;
  }
}

function exampleOf({ people }: AuthorCase, newcomer: number, isUsed: readonly boolean[]): Example {
  const isAnswer = Uint8Array.from(people, ({ isNext }) => Number(isNext));
  const values = people.flatMap((person) =>
    valuesOf(person, newcomer).map((value, at) => (isUsed[at] === true ? value : 0)),
  );
  return { width: 4, values: Float32Array.from(values), isAnswer };
}

function valuesOf({ file, folder, repository, idleDays }: Colleague, newcomer: number): number[] {
  return [file, folder, repository].map((work) => Math.log(newcomer + work)).concat(-Math.log(1 + idleDays));
}

function isAmongFirst({ people }: AuthorCase, { exponents, newcomer }: Weights): boolean {
  const weights = [exponents.file, exponents.folder, exponents.repository, exponents.idle];
  const scoreOf = (person: Colleague): number =>
    valuesOf(person, newcomer).reduce((sum, value, at) => (weights[at] ? sum + value * weights[at] : sum), 0);
  return people
    .map((person) => ({ isNext: person.isNext, idleDays: person.idleDays, score: scoreOf(person) }))
    .toSorted((a, b) => b.score - a.score || a.idleDays - b.idleDays || 0)
    .slice(0, SHOWN)
    .some(({ isNext }) => isNext);
}

function hashOf(cases: readonly AuthorCase[]): string {
  const hash = createHash('sha256');
  for (const { project, snapshot, path } of cases) hash.update(`${project} ${snapshot} ${path}\n`);
  return hash.digest('hex');
}
