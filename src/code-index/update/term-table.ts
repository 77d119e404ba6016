import type { DatabaseSync } from 'node:sqlite';
import { lineStarts } from '../format/line-starts.ts';
import type { Vocabulary } from '../format/rank-words.ts';
import type { BaseFile, BaseShard } from './base-shard.ts';

/** What a term says of its documents, and how many they are. */
interface Postings {
  count: number;
  postings: Uint8Array;
}

interface CarriedTerms {
  /** Terms of the files that changed, ascending by `<`. */
  added: readonly (Postings & { text: string })[];
  /** Puts two postings of one term together; a count of 0 when nothing is left. Valid until the next call. */
  merge: (postings: Uint8Array, more: Uint8Array | undefined) => Postings;
  /** Terms that files which changed or are gone may have had; undefined when documents that stay have other numbers. */
  gone: ReadonlySet<string> | undefined;
}

/** Writes a table of terms out of the one before, in the order in which a whole one is written: ascending by `<`. */
export function carryTermTable(
  db: DatabaseSync,
  base: BaseShard,
  table: 'term' | 'unit_term',
  { added, merge, gone }: CarriedTerms,
): void {
  const insert = db.prepare(`insert into ${table} values (?, ?, ?)`);
  const write = (text: string, { count, postings }: Postings): void => {
    if (count > 0) insert.run(text, count, postings);
  };
  let next = 0;
  const addBefore = (text: string | undefined): void => {
    for (; next < added.length; next += 1) {
      const term = added[next];
      if (term === undefined || (text !== undefined && term.text >= text)) return;
      write(term.text, term);
    }
  };
  const mergeRow = (text: string, postings: Uint8Array): void => {
    addBefore(text);
    write(text, merge(postings, added[next]?.text === text ? added[next++]?.postings : undefined));
  };
  if (gone === undefined)
    for (const row of base.each<[string, Uint8Array]>(`select text, postings from ${table} order by rowid`))
      mergeRow(...row);
  else {
    const rows = new SortedRows(db, base, table);
    for (const text of [...new Set([...gone, ...added.map((term) => term.text)])].toSorted(byUnits)) {
      const postings = rows.copyBefore(text);
      if (postings !== undefined) mergeRow(text, postings);
      else if (added[next]?.text === text) write(text, added[next++] ?? { count: 0, postings: NONE });
    }
    rows.copyRest();
  }
  addBefore(undefined);
}

const NONE = new Uint8Array(0);

function byUnits(a: string, b: string): number {
  return a < b ? -1 : 1;
}

/** The rows of an old table of terms, numbered from 1 in the order of their terms; those between two terms are copied by one statement. */
class SortedRows {
  readonly #base: BaseShard;
  readonly #table: string;
  readonly #copy: (from: number, to: number) => void;
  readonly #after: number;
  #next = 1;

  constructor(db: DatabaseSync, base: BaseShard, table: 'term' | 'unit_term') {
    const copy = db.prepare(
      `insert into ${table} select * from base.${table} where rowid >= ? and rowid < ? order by rowid`,
    );
    this.#base = base;
    this.#table = table;
    this.#copy = (from, to) => void copy.run(from, to);
    this.#after = (base.rows<[number | null]>(`select max(rowid) from ${table}`)[0]?.[0] ?? 0) + 1;
  }

  /** Copies the rows up to a term, and gives the postings of the term itself, which is not copied. */
  copyBefore(text: string): Uint8Array | undefined {
    const [row] = this.#base.rows<[number, Uint8Array]>(
      `select rowid, postings from ${this.#table} where text = ?`,
      text,
    );
    const at = row?.[0] ?? this.#placeOf(text);
    if (at > this.#next) this.#copy(this.#next, at);
    this.#next = row === undefined ? at : at + 1;
    return row?.[1];
  }

  copyRest(): void {
    this.#copy(this.#next, this.#after);
  }

  /** The first row whose term follows a term. */
  #placeOf(text: string): number {
    let [low, high] = [this.#next, this.#after];
    while (low < high) {
      const middle = (low + high) >> 1;
      const [[other] = ['']] = this.#base.rows<[string]>(`select text from ${this.#table} where rowid = ?`, middle);
      if (other < text) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** True if what stays has other numbers now, or how many there are is another. */
export function isMoved(to: Int32Array, count: number): boolean {
  return to.length !== count || to.some((next, old) => next >= 0 && next !== old);
}

/** Terms that documents of some old files may have: those of their texts, their paths, and all that rows of their symbols say. */
export function termsOfFiles(base: BaseShard, files: readonly BaseFile[], vocabulary: Vocabulary): Set<string> {
  const ids = new Set<number>();
  const addAll = (words: readonly Int32Array[]): void => {
    for (const terms of words) for (const id of terms) ids.add(id);
  };
  const ofFile = `select n.text, s.qualified, s.signature, s.doc from symbol s join name n on n.id = s.name
    where s.id >= ? and s.id < ?`;
  for (const { id, path, firstSymbol, symbols } of files) {
    const text = base.text(id);
    addAll(vocabulary.read(text, lineStarts(text)).terms);
    addAll(vocabulary.idsOf(path));
    for (const [name, qualified, signature, doc] of base.rows<[string, string, string, string]>(
      ofFile,
      firstSymbol,
      firstSymbol + symbols,
    )) {
      const scope = qualified.slice(0, Math.max(0, qualified.length - name.length));
      for (const words of [name, scope, signature, signature.replace(name, ' '), doc]) addAll(vocabulary.idsOf(words));
    }
  }
  return new Set([...vocabulary.termIds].flatMap(([term, id]) => (ids.has(id) ? [term] : [])));
}
