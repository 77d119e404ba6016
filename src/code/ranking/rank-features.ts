import type { ShardDatabase } from '../../indexes/shards/shards.ts';
import { partsOf, termsOf, WordCache } from '../../text/terms.ts';
import learntFromQuestions from './question-weights.json' with { type: 'json' };
import learntFromDocumentation from './rank-weights.json' with { type: 'json' };
import { bodyLength, type Scores } from './rank-score.ts';
import { readUses, unpackReferences } from '../../code-index/format/store-codec.ts';
import { firstSymbols, testFlags } from '../files/store-files.ts';
import { WORD_VECTORS } from '../../code-index/format/word-vectors.ts';
import { wordsOf } from '../../text/words.ts';

/** Features of a document in the second scoring, for it or against it. */
export const FEATURES = [
  'terms',
  'coverage',
  'signature',
  'path',
  'verb',
  'phrase',
  'graph',
  'file_text',
  'length',
  'lines',
  'exported',
  'words',
  'data',
  'holder',
  'file',
  'test',
  'vector',
  'precision',
  'predicate',
  'verb_vector',
  'signature_vector',
  'holder_vector',
  'code_terms',
  'code_name',
  'code_graph',
] as const;
type Feature = (typeof FEATURES)[number];

/** Weight of each feature, and the weighted sum at which a document is as likely an answer as not. */
interface Weights {
  /** Nothing for features that only questions have. */
  weights: Partial<Record<Feature, number>>;
  even: number;
}

/** Of what says what a function does, as its documentation would; learned by `lab/retrieval/train-ranker.ts`. */
const STATED: Weights = learntFromDocumentation;
/** Of questions, which are about what happens inside; learned by `lab/retrieval/train-question-ranker.ts`. */
const QUESTION_WEIGHTS: Weights = learntFromQuestions;

/** Of a name that stands in the question letter by letter. Set by hand: documentation does not ask like this. */
const IDENTIFIER = 4;

/** Names of features in `why`; those without a name explain nothing to a reader. */
const LABELS: Partial<Record<Feature | 'identifier', string>> = {
  terms: 'terms',
  coverage: 'terms',
  signature: 'terms',
  vector: 'vector',
  signature_vector: 'vector',
  verb_vector: 'vector',
  verb: 'name',
  precision: 'name',
  phrase: 'name',
  code_terms: 'other words',
  code_name: 'other words',
  identifier: 'name',
  graph: 'graph',
  code_graph: 'graph',
  path: 'path',
  file_text: 'file',
};

/** Kinds that hold values, and kinds that hold other symbols: a sentence asks for what does something. */
const DATA = new Set(['property', 'constant', 'variable', 'enum_member']);
const HOLDERS = new Set(['class', 'interface', 'struct', 'type', 'trait', 'enum', 'module', 'heading']);

/** Sentences about what is true or not, and names that answer them; a signature that has a truth value answers too. */
const ASKS_PREDICATE = /^(?:returns? )?(?:checks?|determines?|is|indicates|tests? if)\b|\bwhether\b|\btrue\b/i;
const PREDICATE_NAME = /^(?:is|has|can|should|contain|equal|match|exist)/i;
const TRUTH_VALUE = /\bbool(?:ean)?\b/i;

/** Symbols with more uses than this do not ask their callers: a hub has a neighbour for every question. */
const HUB_REFS = 200;

/** Words whose parts an open shard keeps at hand; then they are taken apart anew. */
const MOST_CACHED_WORDS = 5000;

/** A document that is looked at again. */
export interface Candidate {
  document: number;
  file: number;
}

/** Question that is compared with the documents. */
export interface Question {
  text: string;
  /** A sentence says what something does; names and few words do not. */
  isSentence: boolean;
  /** A sentence that asks. */
  isQuestion: boolean;
  isAboutTests: boolean;
  scores: Scores;
  /** By what code may be called that does what a question asks for; undefined when nothing is asked. */
  codeScores: Scores | undefined;
}

/** Candidate with the features of the second scoring. */
interface Described extends Candidate {
  features: Record<Feature, number>;
  /** Its name stands in the question letter by letter. */
  isNamed: boolean;
}

export interface Ranked extends Described {
  /** 0 to 1: how sure it is that this answers the question. */
  score: number;
}

interface ReadQuestion extends Question {
  parts: string[];
  pairs: Set<string>;
  identifiers: Set<string>;
  /** Of all words, and of the first alone; undefined for names and few words, and when no word is known. */
  vector: Float32Array | undefined;
  verbVector: Float32Array | undefined;
  asksPredicate: boolean;
  /** The parts of words that were met: the signatures of one repository say the same again and again. */
  known: WordCache;
  /** Of the best document, also by the words that code may have, and the sum of all terms. */
  best: number;
  bestByCode: number;
  total: number;
}

/** The second scoring of the best documents. `whyOf` says what spoke for one of them. */
export function rankFeatures(db: ShardDatabase, candidates: readonly Candidate[], question: Question): Ranked[] {
  const learnt = weightsFor(question);
  return featuresOf(db, candidates, question).map((row) => ({ ...row, score: likelihood(row, learnt) }));
}

/** The features of documents, each from 0 to about 1. What the weights are learned from. */
export function featuresOf(db: ShardDatabase, candidates: readonly Candidate[], question: Question): Described[] {
  const read = readQuestion(db, question, candidates);
  const { symbols, vector } = question.scores;
  return candidates.map(({ document, file }) => {
    const candidate = { document, file };
    const entry = entryOf(db, candidate, symbols);
    const words = readParts(entry.name, read);
    return {
      document,
      file,
      isNamed: words.length > 1 && read.identifiers.has(entry.name.toLowerCase()),
      features: {
        ...scoreFeatures(candidate, read),
        graph: neighbourScore(db, document, { references: entry, scores: read.scores }) / read.best,
        ...nameFeatures(words, read),
        ...kindFeatures(entry, read),
        ...vectorFeatures(words, entry, read),
        ...codeFeatures(db, candidate, { words, entry, asked: read }),
        // What holds a symbol says what it is about; the file does where nothing else holds it.
        holder_vector: vector?.[entry.parent ?? symbols + file] ?? 0,
        length: Math.log1p(bodyLength(db, document)) / 6,
        test: testFlags(db)[file] === 1 && !question.isAboutTests ? 1 : 0,
      },
    };
  });
}

function readQuestion(db: ShardDatabase, question: Question, candidates: readonly Candidate[]): ReadQuestion {
  const { score, idf } = question.scores;
  const parts = partsOf(question.text);
  const { isSentence, text } = question;
  return {
    ...question,
    vector: isSentence ? WORD_VECTORS.ofQuestion(termsOf(text)) : undefined,
    verbVector: isSentence ? WORD_VECTORS.ofQuestion(parts.slice(0, 1)) : undefined,
    asksPredicate: isSentence && ASKS_PREDICATE.test(text),
    parts,
    known: db.derived('word_parts', () => new WordCache(partsOf, MOST_CACHED_WORDS)),
    pairs: new Set(parts.slice(1).map((part, index) => `${parts[index]} ${part}`)),
    identifiers: new Set(wordsOf(question.text, 'asciiIdentifier').map((word) => word.toLowerCase())),
    best: mostOf(score, candidates),
    bestByCode: mostOf(question.codeScores?.score ?? score, candidates),
    total: [...idf.values()].reduce((sum, value) => sum + value, 0) || 1,
  };
}

/** The score of the best document by words, 0 without candidates. */
export function bestScoreOf({ scores }: Question, candidates: readonly Candidate[]): number {
  return candidates.length === 0 ? 0 : mostOf(scores.score, candidates);
}

function mostOf(score: Float32Array, candidates: readonly Candidate[]): number {
  return candidates.reduce((most, { document }) => Math.max(most, score[document] ?? 0), 0) || 1;
}

/** As `partsOf`. */
function readParts(text: string, { known }: ReadQuestion): string[] {
  return wordsOf(text, 'term').flatMap((word) => known.of(word));
}

type ScoreFeatures = 'terms' | 'coverage' | 'signature' | 'path' | 'file_text' | 'vector';

function scoreFeatures(
  { document, file }: Candidate,
  { scores, best, total }: ReadQuestion,
): Record<ScoreFeatures, number> {
  return {
    terms: (scores.score[document] ?? 0) / best,
    coverage: (scores.coverage[document] ?? 0) / total,
    signature: (scores.signature[document] ?? 0) / total,
    path: (scores.path[document] ?? 0) / total,
    file_text: (scores.score[scores.symbols + file] ?? 0) / best,
    vector: scores.vector?.[document] ?? 0,
  };
}

/** Scores of the words that code may have for those of a question: in all of a document, in its name, and beside it. */
function codeFeatures(
  db: ShardDatabase,
  { document }: Candidate,
  { words, entry, asked }: { words: readonly string[]; entry: Entry; asked: ReadQuestion },
): Record<'code_terms' | 'code_name' | 'code_graph', number> {
  const { codeScores: scores, bestByCode } = asked;
  if (scores === undefined) return { code_terms: 0, code_name: 0, code_graph: 0 };
  return {
    code_terms: (scores.score[document] ?? 0) / bestByCode,
    code_name: words.filter((word) => scores.idf.has(word)).length / (words.length || 1),
    code_graph: neighbourScore(db, document, { references: entry, scores }) / bestByCode,
  };
}

type NameFeatures = 'verb' | 'phrase' | 'words' | 'precision';

function nameFeatures(words: readonly string[], { parts, pairs }: ReadQuestion): Record<NameFeatures, number> {
  return {
    precision: words.filter((word) => parts.includes(word)).length / (words.length || 1),
    verb: words[0] !== undefined && words[0] === parts[0] ? 1 : 0,
    phrase: words.slice(1).filter((word, index) => pairs.has(`${words[index]} ${word}`)).length,
    words: words.length / 4,
  };
}

type KindFeatures = 'data' | 'holder' | 'file' | 'lines' | 'exported' | 'predicate';

function kindFeatures(
  { name, signature, kind, lines, isExported }: Entry,
  { isSentence, asksPredicate }: ReadQuestion,
): Record<KindFeatures, number> {
  return {
    predicate: asksPredicate && (TRUTH_VALUE.test(signature) || PREDICATE_NAME.test(name)) ? 1 : 0,
    data: isSentence && DATA.has(kind) ? 1 : 0,
    holder: isSentence && HOLDERS.has(kind) ? 1 : 0,
    file: isSentence && kind === 'file' ? 1 : 0,
    lines: Math.log1p(lines) / 5,
    exported: isExported ? 1 : 0,
  };
}

function vectorFeatures(
  words: readonly string[],
  { name, signature }: Entry,
  read: ReadQuestion,
): Record<'verb_vector' | 'signature_vector', number> {
  const { vector, verbVector } = read;
  const held = vector === undefined ? [] : readParts(signature.replace(name, ' '), read);
  return {
    verb_vector: verbVector === undefined ? 0 : WORD_VECTORS.nearness(verbVector, words.slice(0, 1)),
    signature_vector: vector === undefined ? 0 : WORD_VECTORS.nearness(vector, held),
  };
}

/** Content of a document in the shard, beside its words. */
interface Entry extends References {
  name: string;
  signature: string;
  kind: string;
  lines: number;
  isExported: boolean;
  /** The symbol that holds it. */
  parent: number | undefined;
}

/** Symbols that a symbol refers to, and its uses unless they are too many. */
interface References {
  refers: Uint8Array | null;
  uses: Uint8Array | null;
}

function entryOf(db: ShardDatabase, { document, file }: Candidate, symbols: number): Entry {
  if (document < symbols) {
    const row = db
      .prepare(
        `select n.text as name, s.signature, s.kind, s.line, s.end_line as end, s.exported, s.parent, e.refers, u.uses
         from symbol s join name n on n.id = s.name
         left join edge e on e.symbol = s.id left join usage u on u.symbol = s.id and u.refs <= ${HUB_REFS}
         where s.id = ?`,
      )
      .get(document) as unknown as EntryRow;
    const { name, signature, kind, line, end, exported, parent, refers, uses } = row;
    const lines = end - line + 1;
    return { name, signature, kind, lines, isExported: exported === 1, parent: parent ?? undefined, refers, uses };
  }
  const row = db.prepare('select path, lines from file where id = ?').get(file) as { path: string; lines: number };
  const name = row.path.replace(/^.*\//, '').replace(/\.[A-Za-z]+$/, '');
  const none = { signature: '', isExported: false, parent: undefined, refers: null, uses: null };
  return { ...none, name, kind: 'file', lines: row.lines };
}

interface EntryRow extends References {
  name: string;
  signature: string;
  kind: string;
  line: number;
  end: number;
  exported: number;
  parent: number | null;
}

/** The best first score among what a symbol refers to and who refers to it. */
function neighbourScore(
  db: ShardDatabase,
  document: number,
  { references, scores }: { references: References; scores: Scores },
): number {
  const { score } = scores;
  const isTest = testFlags(db);
  let best = 0;
  for (const { target } of unpackReferences(references.refers))
    if (target !== document) best = Math.max(best, score[target] ?? 0);
  if (references.uses === null) return best;
  for (const { enclosing, file } of readUses(references.uses, firstSymbols(db)))
    if (enclosing !== -1 && enclosing !== document && isTest[file] !== 1) best = Math.max(best, score[enclosing] ?? 0);
  return best;
}

function weightsFor({ isQuestion }: Pick<Question, 'isQuestion'>): Weights {
  return isQuestion ? QUESTION_WEIGHTS : STATED;
}

function likelihood({ features, isNamed }: Described, { weights, even }: Weights): number {
  let sum = isNamed ? IDENTIFIER : 0;
  for (const feature of FEATURES) sum += (weights[feature] ?? 0) * features[feature];
  return 1 / (1 + Math.exp(even - sum));
}

/** Features that speak for a document as the answer to a question, largest first. */
export function whyOf({ features, isNamed }: Described, question: Pick<Question, 'isQuestion'>): string {
  const { weights } = weightsFor(question);
  const parts = new Map<string, number>();
  const add = (feature: Feature | 'identifier', part: number): void => {
    const label = LABELS[feature];
    if (label !== undefined) parts.set(label, (parts.get(label) ?? 0) + Math.max(0, part));
  };
  for (const feature of FEATURES) add(feature, (weights[feature] ?? 0) * features[feature]);
  if (isNamed) add('identifier', IDENTIFIER);
  const all = [...parts.values()].reduce((total, part) => total + part, 0);
  return [...parts]
    .filter(([, part]) => part >= all * 0.04)
    .toSorted(([, a], [, b]) => b - a)
    .map(([label]) => label)
    .join(', ');
}
