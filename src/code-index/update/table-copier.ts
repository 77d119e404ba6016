import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';

/** Writes a table out of the one before: rows that follow each other and stay are copied by one statement. */
export class TableCopier {
  readonly #copy: StatementSync;
  readonly #insert: StatementSync;
  /** Old keys that are to be copied, and what is added to them. */
  #pending: { first: number; last: number; shift: number } | undefined;

  /** `key` is the integer primary key and first column, `columns` are the others. */
  constructor(db: DatabaseSync, table: string, key: string, columns: readonly string[]) {
    this.#copy = db.prepare(
      `insert into ${table} select ${[`${key} + :shift`, ...columns].join(', ')} from base.${table}
       where ${key} >= :first and ${key} <= :last order by ${key}`,
    );
    this.#insert = db.prepare(`insert into ${table} values (?${', ?'.repeat(columns.length)})`);
  }

  /** Copies the next old row under a new key. */
  keep(key: number, to: number): void {
    if (this.#pending?.shift === to - key) {
      this.#pending.last = key;
      return;
    }
    this.flush();
    this.#pending = { first: key, last: key, shift: to - key };
  }

  /** Copies the next old rows from a key up to another one. */
  keepAll(first: number, last: number): void {
    this.flush();
    if (first <= last) this.#copy.run({ first, last, shift: 0 });
  }

  /** Writes a row in the place of the next old one. */
  put(...row: SQLInputValue[]): void {
    this.flush();
    this.#insert.run(...row);
  }

  /** To be called for an old row that is not copied, and at the end. */
  flush(): void {
    if (this.#pending !== undefined) this.#copy.run(this.#pending);
    this.#pending = undefined;
  }
}
