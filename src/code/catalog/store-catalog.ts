import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { CODE_FORMAT } from '../../code-index/format/shard-schema.ts';
import { gramsOfPair, trigramsOf } from '../../code-index/format/trigrams.ts';
import {
  buildShard,
  openShard,
  ShardDamaged,
  type ShardDatabase,
  type ShardFormat,
} from '../../indexes/shards/shards.ts';
import { termsOf } from '../../text/terms.ts';
import { readNeed } from '../grep/store-grep.ts';
import type { Need } from '../pattern/grep-literals.ts';
import { codeTermsOf } from '../../text/near-words.ts';
import { isQuestionText, isSentenceText } from '../ranking/sentences.ts';
import { questionVector, searchTerms } from '../ranking/store-rank.ts';
import { questionTerms } from '../units/store-units.ts';
import { fittingNames, similarNames, splitQuery } from '../symbols/search-names.ts';
import { CATALOG_FORMAT, CATALOG_TABLES } from './catalog-schema.ts';

/** Two numbers of 32 bits. */
const PAIR_BYTES = 8;

/** The shards of one repository, and the text that names them in a catalog. */
export interface CatalogEntry {
  shards: string;
  codeFile: string;
  historyFile?: string | undefined;
}

interface Extension {
  /** The catalog that is copied and extended; a new one is begun when absent. */
  base?: string | undefined;
  target: string;
  entries: readonly CatalogEntry[];
  historyFormat: ShardFormat;
}

/**
 * Writes a catalog with further entries, and returns those that could not be read. A query by its form only: the shard that is
 * open is one of them, and what has to be done runs in the background thread of the readers.
 */
export function extendCatalog(
  _open: ShardDatabase,
  { base, target, entries, historyFormat }: Extension,
): Promise<string[]> {
  const [version = 0] = CATALOG_FORMAT.versions;
  const plan = { kind: CATALOG_FORMAT.kind, version, meta: {}, ...(base !== undefined && { base }) };
  return buildShard(target, plan, (db) => {
    if (base === undefined) db.exec(CATALOG_TABLES);
    const writer = new CatalogWriter(db, historyFormat);
    return entries.filter((entry) => !writer.add(entry)).map(({ shards }) => shards);
  });
}

class CatalogWriter {
  readonly #db: DatabaseSync;
  readonly #historyFormat: ShardFormat;
  readonly #findName: StatementSync;
  readonly #addName: StatementSync;
  readonly #addNameGrams: StatementSync;
  readonly #extendName: StatementSync;
  readonly #addGram: StatementSync;

  constructor(db: DatabaseSync, historyFormat: ShardFormat) {
    this.#db = db;
    this.#historyFormat = historyFormat;
    this.#findName = db.prepare('select id from name where text = ?1 collate nocase and text = ?1');
    this.#addName = db.prepare('insert into name (text, initials, slots) values (?, ?, ?)');
    this.#addNameGrams = db.prepare('insert into name_gram (rowid, text) values (?, ?)');
    this.#extendName = db.prepare('update name set slots = cast(slots || ? as blob) where id = ?');
    this.#addGram = db.prepare(
      `insert into gram (id, slots) values (?, ?)
         on conflict (id) do update set slots = cast(slots || excluded.slots as blob)`,
    );
  }

  /** Adds what the shards of one repository hold; false, with nothing added, when they cannot be read. */
  add({ shards, codeFile, historyFile }: CatalogEntry): boolean {
    const opened: ShardDatabase[] = [];
    try {
      const code = openShard(codeFile, CODE_FORMAT);
      opened.push(code);
      const history = historyFile === undefined ? undefined : openShard(historyFile, this.#historyFormat);
      if (history !== undefined) opened.push(history);
      this.#addShards(shards, code, history);
      return true;
    } catch (error) {
      if (error instanceof ShardDamaged) return false;
      throw error;
    } finally {
      for (const shard of opened) shard.close();
    }
  }

  #addShards(shards: string, code: ShardDatabase, history: ShardDatabase | undefined): void {
    const files = countRows(code, 'file');
    const unread = countRows(code, 'file where reason is not null');
    const documents = files + countRows(code, 'symbol');
    const commits = history === undefined ? 0 : countRows(history, 'git_commit');
    const { lastInsertRowid } = this.#db
      .prepare('insert into entry (shards, files, unread, documents, commits) values (?, ?, ?, ?, ?)')
      .run(shards, files, unread, documents, commits);
    const slot = Number(lastInsertRowid);
    this.#addNames(code, slot);
    for (const { pair, postings } of code.prepare('select pair, postings from gram').iterate() as Iterable<{
      pair: number;
      postings: Uint8Array;
    }>)
      for (const gram of gramsOfPair(pair, postings)) this.#addGram.run(gram, numbers([slot]));
    // What only lines have is in no document of the ranked search.
    this.#addTerms('term', slot, code, 'select text, documents from term');
    this.#addTerms(
      'term',
      slot,
      code,
      'select text, 0 as documents from unit_term u where not exists (select 1 from term t where t.text = u.text)',
    );
    if (history !== undefined) this.#addTerms('commit_term', slot, history, 'select text, documents from term');
  }

  #addNames(code: ShardDatabase, slot: number): void {
    for (const { text, initials } of code.prepare('select text, initials from name').iterate() as Iterable<{
      text: string;
      initials: string;
    }>) {
      const existing = this.#findName.get(text);
      if (existing === undefined) {
        const { lastInsertRowid } = this.#addName.run(text, initials, numbers([slot]));
        this.#addNameGrams.run(lastInsertRowid, text);
      } else this.#extendName.run(numbers([slot]), existing['id'] as number);
    }
  }

  #addTerms(table: 'term' | 'commit_term', slot: number, shard: ShardDatabase, select: string): void {
    const add = this.#db.prepare(
      `insert into ${table} (text, slots) values (?, ?)
         on conflict (text) do update set slots = cast(slots || excluded.slots as blob)`,
    );
    for (const { text, documents } of shard.prepare(select).iterate() as Iterable<{ text: string; documents: number }>)
      add.run(text, numbers([slot, documents]));
  }
}

function countRows(shard: ShardDatabase, from: string): number {
  return Number(shard.prepare(`select count(*) as rows from ${from}`).get()?.['rows'] ?? 0);
}

function numbers(values: readonly number[]): Uint8Array {
  return new Uint8Array(Uint32Array.from(values).buffer);
}

/** What is looked for; with none of them only counts are. */
export interface CatalogQuestion {
  /** A name, as `search_symbols` takes it. */
  names?: string;
  /** A regular expression, as `grep` takes it. */
  pattern?: string;
  /** A question, as `semantic_search` takes it. */
  words?: string;
  /** True if `words` are compared by vectors of an embedding service too. */
  isEmbedded?: boolean;
  /** Words of commits. */
  messages?: string;
  /** Terms whose documents are counted: commits beside `messages`, else symbols and files. */
  counted?: readonly string[];
}

interface CatalogFindings {
  /** Those of the slots that may have an answer; undefined for all. */
  may: number[] | undefined;
  /** Those of the slots with files that could not be read whole. */
  unread: number[];
  files: number;
  /** Symbols and files, or commits. */
  documents: number;
  /** Number of them that have each of the counted terms. */
  having: number[];
}

/** Finds which of some repositories may have an answer, and counts what they hold. */
export function lookUp(
  db: ShardDatabase,
  { slots, counted = [], ...question }: CatalogQuestion & { slots: readonly number[] },
): CatalogFindings {
  const isHistory = question.messages !== undefined;
  const table = isHistory ? 'commit_term' : 'term';
  const chosen = new Set(slots);
  const holders = holdersOf(db, question);
  const totals = { files: 0, documents: 0 };
  const unread: number[] = [];
  for (const entry of entriesOf(db).values()) {
    if (!chosen.has(entry.slot)) continue;
    totals.files += entry.files;
    totals.documents += isHistory ? entry.commits : entry.documents;
    if (entry.unread > 0) unread.push(entry.slot);
  }
  const having = counted.map((term) => {
    let sum = 0;
    for (const [slot, documents] of postingsOf(db, table, term)) if (chosen.has(slot)) sum += documents;
    return sum;
  });
  return { may: holders && slots.filter((slot) => holders.has(slot)), unread, ...totals, having };
}

/** The slots that may have an answer; undefined where that cannot be told. */
function holdersOf(
  db: ShardDatabase,
  { names, pattern, words, isEmbedded = false, messages }: CatalogQuestion,
): Set<number> | undefined {
  if (names !== undefined) return slotsOfNames(db, names);
  if (pattern !== undefined) return slotsOfNeed(db, readNeed(pattern));
  if (words !== undefined) return slotsOfTerms(db, 'term', searchedTerms(words, isEmbedded));
  // Without words all commits are listed.
  const terms = termsOf(messages ?? '');
  return slotsOfTerms(db, 'commit_term', terms.length === 0 ? undefined : terms);
}

function slotsOfTerms(
  db: ShardDatabase,
  table: 'term' | 'commit_term',
  terms: readonly string[] | undefined,
): Set<number> | undefined {
  return terms && new Set(terms.flatMap((term) => [...postingsOf(db, table, term).keys()]));
}

/** The terms of which code that answers a question has one; undefined when it may have none, as what is near by meaning. */
function searchedTerms(query: string, isEmbedded: boolean): string[] | undefined {
  if (isSentenceText(query) && (isEmbedded || questionVector(query) !== undefined)) return undefined;
  const codeTerms = isQuestionText(query) ? codeTermsOf(query) : [];
  return [...new Set([...termsOf(query), ...searchTerms(query), ...questionTerms(query), ...codeTerms])];
}

interface EntryRow {
  slot: number;
  shards: string;
  files: number;
  unread: number;
  documents: number;
  commits: number;
}

function entriesOf(db: ShardDatabase): readonly EntryRow[] {
  return db.derived(
    'entries',
    () => db.prepare('select * from entry order by slot').all() as unknown as readonly EntryRow[],
  );
}

/** The slots of a catalog by what they stand for. */
export function listEntries(db: ShardDatabase, _question: object): { slot: number; shards: string }[] {
  return entriesOf(db).map(({ slot, shards }) => ({ slot, shards }));
}

/** Who has a name that fits, or one that is like it; undefined for a pattern, which may fit many. */
function slotsOfNames(db: ShardDatabase, query: string): Set<number> | undefined {
  const { name } = splitQuery(query);
  if (/[*?]/.test(name)) return undefined;
  const ids = [...fittingNames(db, name).keys(), ...similarNames(db, name, Infinity).map(({ id }) => id)];
  const select = db.prepare('select slots from name where id = ?');
  return new Set(ids.flatMap((id) => slotsIn(select.get(id))));
}

/** Who has the trigrams of all that a line needs; undefined when they cannot tell. */
function slotsOfNeed(db: ShardDatabase, need: Need | undefined): Set<number> | undefined {
  if (need === undefined) return undefined;
  if (need.type === 'text') return slotsOfText(db, need.text);
  const parts = need.needs.map((part) => slotsOfNeed(db, part));
  const present = parts.filter((part) => part !== undefined);
  const [first, ...others] = present;
  if (first === undefined || (need.type === 'any' && present.length < parts.length)) return undefined;
  return others.reduce((sum, other) => (need.type === 'all' ? sum.intersection(other) : sum.union(other)), first);
}

function slotsOfText(db: ShardDatabase, text: string): Set<number> | undefined {
  const trigrams = trigramsOf(text);
  if (trigrams.size === 0) return undefined;
  const select = db.prepare('select slots from gram where id = ?');
  let holders: Set<number> | undefined;
  for (const trigram of trigrams) {
    const slots = new Set(slotsIn(select.get(trigram)));
    holders = holders === undefined ? slots : holders.intersection(slots);
    if (holders.size === 0) break;
  }
  return holders;
}

function postingsOf(db: ShardDatabase, table: 'term' | 'commit_term', term: string): Map<number, number> {
  const words = slotsIn(db.prepare(`select slots from ${table} where text = ?`).get(term));
  const postings = new Map<number, number>();
  for (let at = 0; at < words.length; at += PAIR_BYTES / Uint32Array.BYTES_PER_ELEMENT)
    postings.set(words[at] ?? 0, words[at + 1] ?? 0);
  return postings;
}

function slotsIn(row: Record<string, unknown> | undefined): number[] {
  if (row === undefined) return [];
  // Copied, because the blob may not lie on a four-byte boundary.
  const { buffer } = (row['slots'] as Uint8Array).slice();
  return Array.from(new Uint32Array(buffer));
}
