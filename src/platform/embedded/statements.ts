import { parse, type PGlite, protocol, type Results } from '@electric-sql/pglite';

const { serialize } = protocol;

/** Most texts of statements that are remembered. The whole service has some 600. */
const MOST_TEXTS = 800;

/** A statement as the engine has it. */
interface Prepared {
  name: string;
  /** Object ids of the types of its parameters. */
  types: readonly number[];
}

/**
 * Runs statements with values, and lets the engine parse each text once: with the second run it is prepared under a name.
 * Every run is planned anew for its values and for what the tables hold then. Measured: half the processor time of a
 * short query.
 */
export class Statements {
  readonly #lite: PGlite;
  /** By text, the one that was used longest ago first; undefined after the first run. */
  #texts = new Map<string, Prepared | undefined>();
  #lastName = 0;

  constructor(lite: PGlite) {
    this.#lite = lite;
  }

  /** Runs one statement. Rows are lists, in the order of the fields. */
  async run(sql: string, values: readonly unknown[]): Promise<Results<unknown[]>> {
    const isNew = !this.#texts.has(sql);
    const prepared = this.#texts.get(sql) ?? (isNew ? undefined : await this.#prepare(sql));
    await this.#remember(sql, prepared);
    if (prepared === undefined) return this.#lite.query<unknown[]>(sql, [...values], { rowMode: 'array' });
    return this.#execute(prepared, values);
  }

  /** Forgets all statements: with the schema, the columns change that they return. */
  async forget(): Promise<void> {
    if (this.#texts.size === 0) return;
    this.#texts = new Map();
    await this.#lite.exec('deallocate all');
  }

  async #prepare(sql: string): Promise<Prepared> {
    this.#lastName += 1;
    const name = `s${this.#lastName}`;
    const { messages } = await this.#send(
      serialize.parse({ name, text: sql }),
      serialize.describe({ type: 'S', name }),
      serialize.sync(),
    );
    return { name, types: parse.parseDescribeStatementResults(messages) };
  }

  async #execute({ name, types }: Prepared, values: readonly unknown[]): Promise<Results<unknown[]>> {
    const texts = values.map((value, index) => this.#textOf(value, types[index]));
    const { messages } = await this.#send(
      serialize.bind({ statement: name, values: texts }),
      serialize.describe({ type: 'P' }),
      serialize.execute({}),
      serialize.sync(),
    );
    const [result] = parse.parseResults(messages, this.#lite.parsers, { rowMode: 'array' });
    if (result === undefined) throw new Error('The embedded database gave no result.');
    // With `rowMode: 'array'` each row is one.
    return result as Results<unknown[]>;
  }

  #textOf(value: unknown, type: number | undefined): string | null {
    if (value === null || value === undefined) return null;
    const toText = type === undefined ? undefined : this.#lite.serializers[type];
    // oxlint-disable-next-line typescript/no-base-to-string -- lists and objects are of types that have a serializer
    return toText === undefined ? String(value) : toText(value);
  }

  #send(...parts: Uint8Array[]): ReturnType<PGlite['execProtocol']> {
    return this.#lite.execProtocol(Buffer.concat(parts));
  }

  /** Remembers that a text is run, and forgets the one that was not run for longest. */
  async #remember(sql: string, prepared: Prepared | undefined): Promise<void> {
    this.#texts.delete(sql);
    this.#texts.set(sql, prepared);
    if (this.#texts.size <= MOST_TEXTS) return;
    const [oldest] = this.#texts;
    if (oldest === undefined) return;
    this.#texts.delete(oldest[0]);
    if (oldest[1] !== undefined)
      await this.#send(serialize.close({ type: 'S', name: oldest[1].name }), serialize.sync());
  }
}
