import { partsOf, type ShardDatabase, termsOf } from '../shards/shards.ts';
import trained from './model/rank-weights.json' with { type: 'json' };
import { bodyLength, type Scores } from './rank-score.ts';
import { readUses, unpackReferences } from './store-codec.ts';
import { firstSymbols, testFlags } from './store-files.ts';
import { WORD_VECTORS } from './word-vectors.ts';

/** What speaks for a document in the second scoring, or against it. */
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
] as const;
export type Feature = (typeof FEATURES)[number];

/** Learned by `bench/retrieval/train-ranker.ts`, which says from what. */
const WEIGHTS: Record<Feature, number> = trained.weights;
/** The weighted sum at which a document is as likely an answer as not. */
const EVEN: number = trained.even;

/** Of a name that stands in the question letter by letter. Set by hand: documentation does not ask like this. */
const IDENTIFIER = 4;

/** How features are named in `why`; those without a name explain nothing to a reader. */
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
  identifier: 'name',
  graph: 'graph',
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

/** A document that is looked at again. */
export interface Candidate {
  document: number;
  file: number;
}

/** What is asked of the documents. */
export interface Question {
  text: string;
  /** A sentence says what something does; names and few words do not. */
  isSentence: boolean;
  isAboutTests: boolean;
  scores: Scores;
}

export interface Ranked extends Candidate {
  /** 0 to 1: how sure it is that this answers the question. */
  score: number;
  why: string;
  symbols: number;
}

interface Asked extends Question {
  parts: string[];
  pairs: Set<string>;
  identifiers: Set<string>;
  /** Of all words, and of the first alone; undefined for names and few words, and when no word is known. */
  vector: Float32Array | undefined;
  verbVector: Float32Array | undefined;
  asksPredicate: boolean;
  /** Of the best document, and the sum of all terms. */
  best: number;
  total: number;
}

/** The second scoring of the best documents: what else speaks for each, and in which order to say so. */
export function rankFeatures(db: ShardDatabase, candidates: readonly Candidate[], question: Question): Ranked[] {
  const { symbols } = question.scores;
  return featuresOf(db, candidates, question).map(({ features, isNamed, ...candidate }) => ({
    ...candidate,
    symbols,
    ...combine(features, isNamed),
  }));
}

/** The features of documents, each from 0 to about 1. What the weights are learned from. */
export function featuresOf(
  db: ShardDatabase,
  candidates: readonly Candidate[],
  question: Question,
): (Candidate & { features: Record<Feature, number>; isNamed: boolean })[] {
  const asked = readQuestion(question, candidates);
  return candidates.map((candidate) => {
    const described = describe(db, candidate, question.scores.symbols);
    const words = partsOf(described.name);
    return {
      ...candidate,
      isNamed: words.length > 1 && asked.identifiers.has(described.name.toLowerCase()),
      features: {
        ...scoreFeatures(db, candidate, asked),
        ...nameFeatures(words, asked),
        ...kindFeatures(described, asked),
        ...vectorFeatures(words, described, asked),
        // What holds a symbol says what it is about; the file does where nothing else holds it.
        holder_vector: question.scores.vector?.[described.parent ?? question.scores.symbols + candidate.file] ?? 0,
        length: Math.log1p(bodyLength(db, candidate.document)) / 6,
        test: testFlags(db)[candidate.file] === 1 && !question.isAboutTests ? 1 : 0,
      },
    };
  });
}

function readQuestion(question: Question, candidates: readonly Candidate[]): Asked {
  const { score, idf } = question.scores;
  const parts = partsOf(question.text);
  const { isSentence, text } = question;
  return {
    ...question,
    vector: isSentence ? WORD_VECTORS.ofQuestion(termsOf(text)) : undefined,
    verbVector: isSentence ? WORD_VECTORS.ofQuestion(parts.slice(0, 1)) : undefined,
    asksPredicate: isSentence && ASKS_PREDICATE.test(text),
    parts,
    pairs: new Set(parts.slice(1).map((part, index) => `${parts[index]} ${part}`)),
    identifiers: new Set((question.text.match(/[A-Za-z_$][\w$]*/g) ?? []).map((word) => word.toLowerCase())),
    best: candidates.reduce((most, { document }) => Math.max(most, score[document] ?? 0), 0) || 1,
    total: [...idf.values()].reduce((sum, value) => sum + value, 0) || 1,
  };
}

type ScoreFeatures = 'terms' | 'coverage' | 'signature' | 'path' | 'graph' | 'file_text' | 'vector';

function scoreFeatures(
  db: ShardDatabase,
  { document, file }: Candidate,
  { scores, best, total }: Asked,
): Record<ScoreFeatures, number> {
  return {
    terms: (scores.score[document] ?? 0) / best,
    coverage: (scores.coverage[document] ?? 0) / total,
    signature: (scores.signature[document] ?? 0) / total,
    path: (scores.path[document] ?? 0) / total,
    graph: neighbourScore(db, document, scores) / best,
    file_text: (scores.score[scores.symbols + file] ?? 0) / best,
    vector: scores.vector?.[document] ?? 0,
  };
}

type NameFeatures = 'verb' | 'phrase' | 'words' | 'precision';

function nameFeatures(words: readonly string[], { parts, pairs }: Asked): Record<NameFeatures, number> {
  return {
    precision: words.filter((word) => parts.includes(word)).length / (words.length || 1),
    verb: words[0] !== undefined && words[0] === parts[0] ? 1 : 0,
    phrase: words.slice(1).filter((word, index) => pairs.has(`${words[index]} ${word}`)).length,
    words: words.length / 4,
  };
}

type KindFeatures = 'data' | 'holder' | 'file' | 'lines' | 'exported' | 'predicate';

function kindFeatures(
  { name, signature, kind, lines, isExported }: Described,
  { isSentence, asksPredicate }: Asked,
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
  { name, signature }: Described,
  { vector, verbVector }: Asked,
): Record<'verb_vector' | 'signature_vector', number> {
  return {
    verb_vector: verbVector === undefined ? 0 : WORD_VECTORS.nearness(verbVector, words.slice(0, 1)),
    signature_vector: vector === undefined ? 0 : WORD_VECTORS.nearness(vector, partsOf(signature.replace(name, ' '))),
  };
}

interface Described {
  name: string;
  signature: string;
  kind: string;
  lines: number;
  isExported: boolean;
  /** The symbol that holds it. */
  parent: number | undefined;
}

function describe(db: ShardDatabase, { document, file }: Candidate, symbols: number): Described {
  if (document < symbols) {
    const row = db
      .prepare(
        `select n.text as name, s.signature, s.kind, s.line, s.end_line as end, s.exported, s.parent
         from symbol s join name n on n.id = s.name where s.id = ?`,
      )
      .get(document) as unknown as SymbolDescription;
    const { name, signature, kind, line, end, exported, parent } = row;
    return { name, signature, kind, lines: end - line + 1, isExported: exported === 1, parent: parent ?? undefined };
  }
  const row = db.prepare('select path, lines from file where id = ?').get(file) as { path: string; lines: number };
  const name = row.path.replace(/^.*\//, '').replace(/\.[A-Za-z]+$/, '');
  return { name, signature: '', kind: 'file', lines: row.lines, isExported: false, parent: undefined };
}

interface SymbolDescription {
  name: string;
  signature: string;
  kind: string;
  line: number;
  end: number;
  exported: number;
  parent: number | null;
}

/** The best first score among what a symbol refers to and who refers to it. */
function neighbourScore(db: ShardDatabase, document: number, { symbols, score }: Scores): number {
  if (document >= symbols) return 0;
  const edge = db.prepare('select refers from edge where symbol = ?').get(document) as
    | { refers: Uint8Array | null }
    | undefined;
  const usage = db.prepare('select uses from usage where symbol = ? and refs <= ?').get(document, HUB_REFS) as
    | { uses: Uint8Array }
    | undefined;
  const isTest = testFlags(db);
  const callees = unpackReferences(edge?.refers ?? null).map(({ target }) => target);
  const callers = usage === undefined ? [] : readUses(usage.uses, firstSymbols(db));
  let best = 0;
  for (const callee of callees) if (callee !== document) best = Math.max(best, score[callee] ?? 0);
  for (const { enclosing, file } of callers)
    if (enclosing !== -1 && enclosing !== document && isTest[file] !== 1) best = Math.max(best, score[enclosing] ?? 0);
  return best;
}

/** How likely it is, and the parts that speak for it, largest first. */
function combine(features: Record<Feature, number>, isNamed: boolean): { score: number; why: string } {
  const parts = new Map<string, number>();
  let sum = 0;
  const add = (feature: Feature | 'identifier', part: number): void => {
    sum += part;
    const label = LABELS[feature];
    if (label !== undefined) parts.set(label, (parts.get(label) ?? 0) + Math.max(0, part));
  };
  for (const feature of FEATURES) add(feature, WEIGHTS[feature] * features[feature]);
  if (isNamed) add('identifier', IDENTIFIER);
  const all = [...parts.values()].reduce((total, part) => total + part, 0);
  const why = [...parts]
    .filter(([, part]) => part >= all * 0.04)
    .toSorted(([, a], [, b]) => b - a)
    .map(([label]) => label);
  return { score: 1 / (1 + Math.exp(EVEN - sum)), why: why.join(', ') };
}
