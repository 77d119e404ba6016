import { partsOf, type ShardDatabase } from '../shards/shards.ts';
import { LENGTH_FIELDS, TERM_FIELDS } from './shard-schema.ts';
import { readUses, unpackLength, unpackReferences, VarintReader } from './store-codec.ts';
import { dense, firstSymbols, testFlags } from './store-files.ts';

/** BM25F with one saturation over all fields: weight of each field and how much its length counts, then k1. */
const WEIGHTS: Record<(typeof TERM_FIELDS)[number], number> = {
  body: 1,
  comments: 1.2,
  signature: 2.4,
  path: 1.4,
  scope: 1.9,
  name: 5,
  doc: 3,
};
const LENGTH_WEIGHTS: Record<(typeof LENGTH_FIELDS)[number], number> = {
  body: 0.4,
  comments: 0.5,
  signature: 0.5,
  doc: 0.3,
};
const K1 = 1.9;

/**
 * Weights of the second scoring. Learned over five repositories on documentation sentences and commit subjects; the weight
 * of an identifier that is a name letter by letter is set by hand.
 */
const FEATURES = {
  terms: 5.5,
  coverage: 2.5,
  name: 1.2,
  graph: 1.1,
  scope: 0.9,
  body: 0.9,
  verb: 0.8,
  file: 0.7,
  phrase: 0.5,
  identifier: 1,
} as const;
type Feature = keyof typeof FEATURES;

/** How features are named in `why`; those without a name explain nothing to a reader. */
const LABELS: Partial<Record<Feature, string>> = {
  terms: 'terms',
  coverage: 'terms',
  name: 'name',
  verb: 'name',
  phrase: 'name',
  identifier: 'name',
  graph: 'graph',
  scope: 'scope',
  file: 'file',
};

/** Symbols with more uses than this do not ask their callers: a hub has a neighbour for every question. */
const HUB_REFS = 200;

const SCOPE_BIT = 1 << TERM_FIELDS.indexOf('scope');

/** First scores of all documents. Arrays have one entry a document: the symbols, then the files. */
export interface Scores {
  symbols: number;
  score: Float32Array;
  /** Sum of the idf of the query terms a document has. */
  coverage: Float32Array;
  /** The same for its scope alone. */
  scope: Float32Array;
  /** Inverse document frequency of each query term, times its weight. */
  idf: ReadonlyMap<string, number>;
}

export interface Ranked {
  document: number;
  file: number;
  score: number;
  why: string;
  symbols: number;
}

interface Lengths {
  /** One byte a length field and document. */
  packed: Uint8Array;
  /** Mean of each length field. */
  means: number[];
}

/** Scores all documents for weighted terms, reading each term's postings once. */
export function scoreDocuments(db: ShardDatabase, terms: ReadonlyMap<string, number>): Scores {
  const lengths = db.derived('document_length', () => readLengths(db));
  const documents = lengths.packed.length / LENGTH_FIELDS.length;
  const scores = {
    symbols: documents - testFlags(db).length,
    score: new Float32Array(documents),
    coverage: new Float32Array(documents),
    scope: new Float32Array(documents),
  };
  const idf = new Map<string, number>();
  for (const [term, weight] of terms) {
    const row = db.prepare('select documents, postings from term where text = ?').get(term) as
      | { documents: number; postings: Uint8Array }
      | undefined;
    const weighed = weight * idfOf(documents, row?.documents ?? 0);
    idf.set(term, weighed);
    if (row !== undefined) addTerm(scores, lengths, { postings: row.postings, idf: weighed });
  }
  return { ...scores, idf };
}

/** The second scoring of the best documents: what else speaks for each, and in which order to say so. */
export function rankFeatures(
  db: ShardDatabase,
  query: { documents: readonly { document: number; file: number }[]; scores: Scores; text: string },
): Ranked[] {
  const { documents, scores } = query;
  const best = documents.reduce((most, { document }) => Math.max(most, scores.score[document] ?? 0), 0) || 1;
  const asked = readQuery(query.text);
  const total = [...scores.idf.values()].reduce((sum, idf) => sum + idf, 0) || 1;
  const files = fileScores(documents, scores.score);
  return documents.map(({ document, file }) => {
    const score = scores.score[document] ?? 0;
    const features = {
      ...nameFeatures(db, { document, file, asked, scores }),
      terms: score / best,
      coverage: (scores.coverage[document] ?? 0) / total,
      scope: (scores.scope[document] ?? 0) / total,
      graph: neighbourScore(db, document, scores) / best,
      body: bodyFeature(db, document),
      file: ((files.get(file) ?? score) - score) / best / 3,
    };
    return { document, file, symbols: scores.symbols, ...combine(features) };
  });
}

function addTerm(
  { score, coverage, scope }: Pick<Scores, 'score' | 'coverage' | 'scope'>,
  lengths: Lengths,
  { postings, idf }: { postings: Uint8Array; idf: number },
): void {
  const from = new VarintReader(postings);
  let document = 0;
  while (from.more) {
    document += from.next();
    const head = from.next();
    let frequency = 0;
    for (const [field, name] of TERM_FIELDS.entries()) {
      if ((head & (2 << field)) === 0) continue;
      const times = (head & 1) === 1 ? 1 : from.next();
      frequency += (WEIGHTS[name] * times) / lengthFactor(lengths, document, field);
    }
    score[document] = (score[document] ?? 0) + (idf * frequency * (K1 + 1)) / (frequency + K1);
    coverage[document] = (coverage[document] ?? 0) + idf;
    if ((head & (SCOPE_BIT << 1)) !== 0) scope[document] = (scope[document] ?? 0) + idf;
  }
}

/** Length fields by the field's bit; -1 for fields whose length does not count. */
const LENGTH_INDEX = TERM_FIELDS.map((field) => (LENGTH_FIELDS as readonly string[]).indexOf(field));
const LENGTH_FACTORS = LENGTH_FIELDS.map((field) => LENGTH_WEIGHTS[field]);

function lengthFactor({ packed, means }: Lengths, document: number, field: number): number {
  const index = LENGTH_INDEX[field] ?? -1;
  if (index === -1) return 1;
  const weight = LENGTH_FACTORS[index] ?? 0;
  const length = unpackLength(packed[document * LENGTH_FIELDS.length + index] ?? 0);
  return 1 - weight + (weight * length) / (means[index] ?? 1);
}

function readLengths(db: ShardDatabase): Lengths {
  const packed = dense(db, 'document_length').slice();
  const fields = LENGTH_FIELDS.length;
  const sums = LENGTH_FIELDS.map(() => 0);
  for (let at = 0; at < packed.length; at++)
    sums[at % fields] = (sums[at % fields] ?? 0) + unpackLength(packed[at] ?? 0);
  const documents = Math.max(1, packed.length / fields);
  return { packed, means: sums.map((sum) => sum / documents || 1) };
}

function idfOf(documents: number, having: number): number {
  return having === 0 ? 0 : Math.log(1 + (documents - having + 0.5) / (having + 0.5));
}

interface Asked {
  parts: string[];
  pairs: Set<string>;
  identifiers: Set<string>;
}

function readQuery(text: string): Asked {
  const parts = partsOf(text);
  return {
    parts,
    pairs: new Set(parts.slice(1).map((part, index) => `${parts[index]} ${part}`)),
    identifiers: new Set((text.match(/[A-Za-z_$][\w$]*/g) ?? []).map((word) => word.toLowerCase())),
  };
}

function nameFeatures(
  db: ShardDatabase,
  { document, file, asked, scores }: { document: number; file: number; asked: Asked; scores: Scores },
): Pick<Record<Feature, number>, 'name' | 'verb' | 'phrase' | 'identifier'> {
  const name = nameOf(db, { document, file, symbols: scores.symbols });
  const parts = partsOf(name);
  const documents = scores.score.length;
  let [matching, all] = [0, 0];
  for (const part of new Set(parts)) {
    const known = scores.idf.get(part);
    const idf = known ?? idfOf(documents, frequencyOf(db, part));
    all += idf;
    if (known !== undefined) matching += idf;
  }
  const pairs = parts.slice(1).filter((part, index) => asked.pairs.has(`${parts[index]} ${part}`));
  return {
    name: all === 0 ? 0 : matching / all,
    verb: parts[0] !== undefined && parts[0] === asked.parts[0] ? 1 : 0,
    phrase: pairs.length,
    identifier: parts.length > 1 && asked.identifiers.has(name.toLowerCase()) ? 1 : 0,
  };
}

function nameOf(db: ShardDatabase, of: { document: number; file: number; symbols: number }): string {
  if (of.document < of.symbols) {
    const row = db
      .prepare('select n.text from symbol s join name n on n.id = s.name where s.id = ?')
      .get(of.document) as { text: string } | undefined;
    return row?.text ?? '';
  }
  const row = db.prepare('select path from file where id = ?').get(of.file) as { path: string } | undefined;
  return (row?.path ?? '').replace(/^.*\//, '').replace(/\.[A-Za-z]+$/, '');
}

function frequencyOf(db: ShardDatabase, term: string): number {
  const row = db.prepare('select documents from term where text = ?').get(term) as { documents: number } | undefined;
  return row?.documents ?? 0;
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

function bodyFeature(db: ShardDatabase, document: number): number {
  const { packed } = db.derived('document_length', () => readLengths(db));
  const length = packed[document * LENGTH_FIELDS.length + LENGTH_FIELDS.indexOf('body')] ?? 0;
  return Math.log(1 + unpackLength(length)) / 6;
}

/** Sum of the four best scores of each file. `documents` come with the best first. */
function fileScores(
  documents: readonly { document: number; file: number }[],
  score: Float32Array,
): Map<number, number> {
  const counts = new Map<number, number>();
  const sums = new Map<number, number>();
  for (const { document, file } of documents) {
    const count = counts.get(file) ?? 0;
    counts.set(file, count + 1);
    if (count < 4) sums.set(file, (sums.get(file) ?? 0) + (score[document] ?? 0));
  }
  return sums;
}

/** The weighted sum, and the parts that made it up, largest first. */
function combine(features: Record<Feature, number>): { score: number; why: string } {
  const parts = new Map<string, number>();
  let score = 0;
  for (const feature of Object.keys(FEATURES) as Feature[]) {
    const part = Math.max(0, FEATURES[feature] * features[feature]);
    score += part;
    const label = LABELS[feature];
    if (label !== undefined) parts.set(label, (parts.get(label) ?? 0) + part);
  }
  const why = [...parts]
    .filter(([, part]) => part >= score * 0.04)
    .toSorted(([, a], [, b]) => b - a)
    .map(([label]) => label);
  return { score, why: why.join(', ') };
}
