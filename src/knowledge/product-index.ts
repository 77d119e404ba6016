import { type AskedTerm, askedTerms, LIKE_ASKED_SHARE } from './asked-terms.ts';
import { type Counts, type Field, FIELDS, Postings } from './postings.ts';
import { filterOf } from './query-filter.ts';
import { CORPORA, type Corpus, type Entry, type Thing, type ThingChange } from './store.ts';

/** BM25F with one saturation over all fields: weight of each field and how much its length counts, then k1. */
const WEIGHTS: Record<Field, number> = { text: 1, title: 3, section: 2.5, tags: 1.5 };
const LENGTH_WEIGHTS: Record<Field, number> = { text: 0.5, title: 0.3, section: 0.3, tags: 0 };
const K1 = 1.5;

/** Share of the score that says how much of the question an entry has at all; the rest is BM25F. */
const COVERAGE_SHARE = 0.4;

/** An entry is a hit when it has at least this share of what was asked, each term weighing by how rare it is. */
const LEAST_COVERAGE = 1 / 3;

/** What release notes count against documentation: they name everything once, and explain nothing. */
const RELEASE_NOTES_SHARE = 0.75;
const RELEASE_NOTES = /(?:^|\/)(?:changes|changelog|history|news|releases?|release[-_]notes|whatsnew)\b[^/]*$/i;

/** Terms of a question of which it is told which hits have them. */
const MASK_BITS = 31;

/** Entries without anything written on them go once there are this many, and more of them than of others. */
const LEAST_DEAD = 1000;

/** What an entry costs beside its postings, about. */
const ENTRY_BYTES = 400;

/** A repository that things were taken from. */
export interface Origin {
  /** Its name: documentation that was taken from another one is left out. */
  repository: string;
  /** Handles of what is known to be of another one, such as plans, which do not say so themselves. */
  without: readonly string[];
}

export interface KnowledgeQuery {
  /** Words. Without any, everything that the filters let through, newest first. */
  query: string;
  corpora?: readonly Corpus[];
  kinds?: readonly string[];
  since?: Date;
  until?: Date;
  /** All of them, in any case. */
  tags?: readonly string[];
  /** A customer, segment or source, whole and in any case. */
  customer?: string;
  /** Only what is of one repository or of none. */
  from?: Origin;
  /** Hits in all, or of each corpus with `perCorpus`, so that a large corpus does not keep the others out. */
  limit: number;
  offset?: number;
  perCorpus?: boolean;
}

/** A part of a thing that was found. */
export interface KnowledgeHit extends Thing {
  kind: string;
  part: string;
  title: string;
  section: string;
  date: Date | undefined;
  tags: readonly string[];
  customer: string;
  segment: string;
  source: string;
  /** 0..1, comparable between corpora and between questions; 0 when nothing was asked. */
  score: number;
  /** Terms among the first 31 of the question that it has anywhere, and in its title or section. */
  terms: readonly string[];
  headTerms: readonly string[];
}

/** What there is of a corpus, whatever was asked: of one repository or of none where the query wants only that. */
export interface CorpusCoverage {
  things: number;
  entries: number;
  /** Date of the newest entry that has one. */
  newest: Date | undefined;
}

export interface KnowledgeResult<Hit = KnowledgeHit> {
  hits: Hit[];
  /** All hits by corpus: exact, whatever the limit. */
  totals: Record<Corpus, number>;
  coverage: Record<Corpus, CorpusCoverage>;
  /** Terms of the question that no entry has. */
  unknownTerms: string[];
  /** How many entries have each term of the question. */
  entriesWith: Record<string, number>;
}

/** An entry without its text. */
export type IndexedEntry = Omit<KnowledgeHit, 'score' | 'terms' | 'headTerms'> & { lengths: Counts };

/** The words of one product's entries in memory, and the search on them. */
export class ProductIndex {
  readonly #postings = new Postings();
  /** By number; undefined for those that were replaced or removed. */
  #documents: (IndexedEntry | undefined)[] = [];
  /** Numbers of the entries of each thing. */
  readonly #numbers = new Map<string, number[]>();
  readonly #lengthSums: Counts = [0, 0, 0, 0];
  #alive = 0;
  #coverage: Record<Corpus, CorpusCoverage> | undefined;

  /** Memory used, about. */
  get sizeBytes(): number {
    return this.#postings.sizeBytes + this.#documents.length * ENTRY_BYTES;
  }

  /** Replaces the entries of the things. */
  apply(changes: readonly ThingChange[]): void {
    for (const change of changes) {
      if (change.isContinued !== true) this.#remove(change);
      const before = change.isContinued === true ? (this.#numbers.get(keyOf(change)) ?? []) : [];
      const numbers = [...before, ...change.entries.map((entry) => this.#add(change, entry))];
      if (numbers.length > 0) this.#numbers.set(keyOf(change), numbers);
    }
    this.#coverage = undefined;
    if (this.#documents.length > 2 * this.#alive + LEAST_DEAD) this.#compact();
  }

  /** Hits by score, then corpus, id and part. About 1 ms for 30,000 entries and a few words. */
  search(query: KnowledgeQuery): KnowledgeResult {
    const { scores, terms, having, masks } = this.#score(query.query);
    const passes = filterOf(query);
    const found: Found[] = [];
    const totals = byCorpus(() => 0);
    for (const [number, document] of this.#documents.entries()) {
      if (document === undefined) continue;
      const score = scores === undefined ? 0 : (scores[number] ?? 0);
      if ((scores !== undefined && score === 0) || !passes(document)) continue;
      found.push({ number, document, score });
      totals[document.corpus] += 1;
    }
    const termsIn = (mask = 0): string[] => terms.filter((_, at) => at < MASK_BITS && (mask & (1 << at)) !== 0);
    return {
      hits: pageOf(found.toSorted(compareHits), query).map(({ number, document: { lengths: _, ...hit }, score }) => ({
        ...hit,
        score: round(score),
        terms: termsIn(masks?.any[number]),
        headTerms: termsIn(masks?.head[number]),
      })),
      totals,
      coverage: query.from === undefined ? (this.#coverage ??= this.#count()) : this.#count(query.from),
      unknownTerms: terms.filter((_, at) => having[at] === 0),
      entriesWith: Object.fromEntries(terms.map((term, at) => [term, having[at] ?? 0])),
    };
  }

  #add(thing: Thing, entry: Entry): number {
    const { part, kind, title, section, date, tags, customer, segment, source } = entry;
    const number = this.#documents.length;
    const lengths = this.#postings.add(number, {
      text: entry.text,
      title,
      section,
      tags: [...tags, customer, segment, source].join(' '),
    });
    const { corpus, id } = thing;
    this.#documents.push({ corpus, id, part, kind, title, section, date, tags, customer, segment, source, lengths });
    for (const [field, length] of lengths.entries()) this.#lengthSums[field] = (this.#lengthSums[field] ?? 0) + length;
    this.#alive += 1;
    return number;
  }

  #remove(thing: Thing): void {
    const key = keyOf(thing);
    for (const number of this.#numbers.get(key) ?? []) {
      const document = this.#documents[number];
      this.#documents[number] = undefined;
      for (const [field, length] of document?.lengths.entries() ?? [])
        this.#lengthSums[field] = (this.#lengthSums[field] ?? 0) - length;
      this.#alive -= 1;
    }
    this.#numbers.delete(key);
  }

  /** Scores by number, 0 for what is no hit; undefined when nothing was asked. */
  #score(text: string): Scored {
    if (text.trim() === '') return { scores: undefined, terms: [], having: [], masks: undefined };
    const asked = askedTerms(text, this.#postings);
    const size = this.#documents.length;
    const sums: Sums = {
      scores: new Float64Array(size),
      coverage: new Float64Array(size),
      masks: { any: new Uint32Array(size), head: new Uint32Array(size) },
    };
    let all = 0;
    let known = 0;
    const having: number[] = [];
    for (const [at, term] of asked.entries()) {
      const { weight, entries } = this.#addTerm(term, at, sums);
      all += weight;
      if (entries > 0) known += weight;
      having.push(entries);
    }
    const { scores, coverage, masks } = sums;
    for (const [number, covered] of coverage.entries()) {
      if (covered === 0) continue;
      const relevance = (scores[number] ?? 0) / (all * (K1 + 1));
      const isHit = covered >= known * LEAST_COVERAGE;
      const share = isReleaseNotes(this.#documents[number]) ? RELEASE_NOTES_SHARE : 1;
      scores[number] = isHit ? share * ((1 - COVERAGE_SHARE) * relevance + (COVERAGE_SHARE * covered) / all) : 0;
    }
    return { scores, terms: asked.map(({ term }) => term), having, masks };
  }

  /** Adds what a term gives to each entry that has it or one that stands for it, and tells how rare it is. */
  #addTerm({ term, others }: AskedTerm, at: number, { scores, coverage, masks }: Sums): TermReach {
    const own = this.#read(term);
    const standing = others.map((other) => ({ ...this.#readAll(other.terms), share: other.weight }));
    const bit = at < MASK_BITS ? 1 << at : 0;
    const best = new Map<number, { score: number; covered: number }>();
    for (const { rarity, frequencies, share } of [{ ...own, share: 1 }, ...standing])
      for (const [number, { frequency, isHead }] of frequencies) {
        const score = (share * rarity * frequency * (K1 + 1)) / (frequency + K1);
        const before = best.get(number);
        if (before === undefined || before.score < score)
          best.set(number, { score, covered: Math.sqrt(share) * rarity });
        if (share < LIKE_ASKED_SHARE) continue;
        masks.any[number] = (masks.any[number] ?? 0) | bit;
        if (isHead) masks.head[number] = (masks.head[number] ?? 0) | bit;
      }
    for (const [number, { score, covered }] of best) {
      scores[number] = (scores[number] ?? 0) + score;
      coverage[number] = (coverage[number] ?? 0) + covered;
    }
    const found = standing.filter(({ frequencies }) => frequencies.size > 0);
    if (own.frequencies.size > 0 || found.length === 0) return { weight: own.rarity, entries: own.frequencies.size };
    // Nothing has the term itself: the question asks for what stands for it.
    return { weight: Math.max(...found.map(({ rarity, share }) => Math.sqrt(share) * rarity)), entries: best.size };
  }

  /** The entries that have all of the terms: as much of them as of the one that they have least of. */
  #readAll([first = '', ...more]: readonly string[]): TermEntries {
    let { frequencies, rarity } = this.#read(first);
    for (const term of more) {
      const other = this.#read(term).frequencies;
      const both = [...frequencies].flatMap(([number, one]): [number, Frequency][] => {
        const same = other.get(number);
        if (same === undefined) return [];
        const frequency = Math.min(one.frequency, same.frequency);
        return [[number, { frequency, isHead: one.isHead && same.isHead }]];
      });
      frequencies = new Map(both);
      rarity = this.#rarityOf(frequencies.size);
    }
    return { rarity, frequencies };
  }

  /** The entries that have a term, how much of it, and how rare it is. */
  #read(term: string): TermEntries {
    const means = this.#lengthSums.map((sum) => sum / Math.max(1, this.#alive) || 1);
    const frequencies = new Map<number, Frequency>();
    this.#postings.read(term, (number, counts) => {
      const document = this.#documents[number];
      if (document === undefined) return;
      let frequency = 0;
      let isHead = false;
      for (const [field, name] of FIELDS.entries()) {
        const count = counts[field] ?? 0;
        if (count === 0) continue;
        const share = LENGTH_WEIGHTS[name];
        frequency +=
          (WEIGHTS[name] * count) / (1 - share + (share * (document.lengths[field] ?? 0)) / (means[field] ?? 1));
        if (name === 'title' || name === 'section') isHead = true;
      }
      frequencies.set(number, { frequency, isHead });
    });
    return { rarity: this.#rarityOf(frequencies.size), frequencies };
  }

  #rarityOf(entries: number): number {
    return Math.log(1 + (this.#alive - entries + 0.5) / (entries + 0.5));
  }

  /** All that there is, or what is of one repository or of none. */
  #count(from?: Origin): Record<Corpus, CorpusCoverage> {
    const isOf = filterOf({ query: '', limit: 0, ...(from !== undefined && { from }) });
    const coverage = byCorpus((): CorpusCoverage => ({ things: 0, entries: 0, newest: undefined }));
    for (const numbers of this.#numbers.values()) {
      const first = this.#documents[numbers[0] ?? -1];
      if (first !== undefined && isOf(first)) coverage[first.corpus].things += 1;
    }
    for (const document of this.#documents) {
      if (document === undefined || !isOf(document)) continue;
      const of = coverage[document.corpus];
      of.entries += 1;
      if (document.date !== undefined && (of.newest === undefined || document.date > of.newest))
        of.newest = document.date;
    }
    return coverage;
  }

  #compact(): void {
    const renumbered = new Map<number, number>();
    for (const [number, document] of this.#documents.entries())
      if (document !== undefined) renumbered.set(number, renumbered.size);
    this.#postings.compact((number) => renumbered.get(number));
    this.#documents = this.#documents.filter((document) => document !== undefined);
    for (const numbers of this.#numbers.values())
      for (const [index, number] of numbers.entries()) numbers[index] = renumbered.get(number) ?? -1;
  }
}

function isReleaseNotes(entry: IndexedEntry | undefined): boolean {
  return entry?.kind === 'product_doc' && RELEASE_NOTES.test(entry.source);
}

interface Found {
  number: number;
  document: IndexedEntry;
  score: number;
}

/** What is summed up of each entry while the terms are gone through. */
interface Sums {
  scores: Float64Array;
  coverage: Float64Array;
  /** A bit for each term: whether it stands anywhere in the entry, and in its title or section. */
  masks: { any: Uint32Array; head: Uint32Array };
}

/** How much of a term an entry has, and whether its title or section has it. */
interface Frequency {
  frequency: number;
  isHead: boolean;
}

/** How rare a term is, and the entries that have it, by number. */
interface TermEntries {
  rarity: number;
  frequencies: Map<number, Frequency>;
}

/** How rare a term is, and how many entries have it or, where none has, one that stands for it. */
interface TermReach {
  weight: number;
  entries: number;
}

interface Scored {
  scores: Float64Array | undefined;
  terms: string[];
  /** How many entries have each of the terms. */
  having: number[];
  masks: Sums['masks'] | undefined;
}

function pageOf(found: readonly Found[], { offset = 0, limit, perCorpus = false }: KnowledgeQuery): readonly Found[] {
  if (!perCorpus) return found.slice(offset, offset + limit);
  const taken = byCorpus(() => 0);
  return found.filter(({ document: { corpus } }) => {
    const place = (taken[corpus] += 1);
    return place > offset && place <= offset + limit;
  });
}

/** Best first; among equals the newest, then in the order of the corpora, ids and parts. */
function compareHits(a: Found, b: Found): number {
  const [left, right] = [a.document, b.document];
  return (
    b.score - a.score ||
    (right.date?.getTime() ?? 0) - (left.date?.getTime() ?? 0) ||
    CORPORA.indexOf(left.corpus) - CORPORA.indexOf(right.corpus) ||
    compareTexts(left.id, right.id) ||
    compareTexts(left.part, right.part)
  );
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function keyOf({ corpus, id }: Thing): string {
  return `${corpus} ${id}`;
}

function byCorpus<T>(make: () => T): Record<Corpus, T> {
  // Every corpus is a key.
  return Object.fromEntries(CORPORA.map((corpus) => [corpus, make()])) as Record<Corpus, T>;
}

/** Four digits say all there is to say, and hide what differs from machine to machine. */
function round(score: number): number {
  return Math.round(score * 10_000) / 10_000;
}
