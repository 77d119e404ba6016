import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { dense, TextReader } from '../../code/reading/reading.ts';
import { contentKeys } from '../../code/stored/stored.ts';
import type { ShardDatabase } from '../../indexes/shards/shards.ts';

/** Name of its value in the table `dense`. */
const FINDINGS = 'graph_findings';
/** Lines of a file that are read. */
const MOST_LINES = 10_000;
/** Characters of texts that stay in memory while the graph is built: each builder reads the same files. */
const CACHED_CHARACTERS = 50_000_000;
const EXAMINED = '1';
const NOT_EXAMINED = '0';

/** Findings in the texts of a shard, by kind. */
interface PackedFindings {
  version: number;
  kinds: Record<string, PackedKind>;
}

interface PackedKind {
  /** A character a file: whether it was looked at. */
  asked: string;
  /** Findings by file; files without any are omitted. */
  found: [number, unknown][];
}

/** Findings of one kind by file; undefined where nothing was found. */
type Findings = Map<number, unknown>;

/**
 * Findings of the builders of a graph in the texts of a shard. Findings of an earlier shard in the same text at the same path
 * are taken from its graph: after a commit only the files that it changed are read. Reading is most of what a graph costs.
 */
export class TextFindings {
  readonly #texts: TextReader;
  readonly #known = new Map<number, string>();
  #left = CACHED_CHARACTERS;
  readonly #findings = new Map<string, Findings>();
  readonly #before: EarlierFindings | undefined;
  readonly #files: number;

  /** `version` says which findings are alike; `before` is a shard of whatever commit. */
  constructor(db: ShardDatabase, version: number, before?: ShardDatabase) {
    this.#texts = new TextReader(db);
    const keys = contentKeys(db);
    this.#files = keys.length;
    this.#before = before === undefined ? undefined : EarlierFindings.read(before, version, keys);
  }

  /** The text of a file. */
  text(file: number): string {
    const cached = this.#known.get(file);
    if (cached !== undefined) return cached;
    const text = this.#texts.lines(file, 1, MOST_LINES).join('\n');
    if (text.length < this.#left) {
      this.#left -= text.length;
      this.#known.set(file, text);
    }
    return text;
  }

  /**
   * Returns the result of `find` for the text of a file: plain data that path, language and text alone decide, or undefined for
   * nothing.
   */
  of<Found>(kind: string, file: number, find: (text: string) => Found | undefined): Found | undefined {
    let findings = this.#findings.get(kind);
    if (findings === undefined) this.#findings.set(kind, (findings = new Map()));
    if (!findings.has(file)) {
      const earlier = this.#before?.of(kind, file);
      findings.set(file, earlier === undefined ? find(this.text(file)) : earlier.found);
    }
    // Findings of one kind are made by one function, and those of another version are not read.
    return findings.get(file) as Found | undefined;
  }

  /** Packs the findings as a value of the table `dense`. */
  pack(version: number): { name: string; data: Uint8Array } {
    const kinds = [...this.#findings].map(([kind, findings]): [string, PackedKind] => {
      const flags = Array.from({ length: this.#files }, (_, file) => (findings.has(file) ? EXAMINED : NOT_EXAMINED));
      const values = [...findings].filter(([, value]) => value !== undefined).toSorted(([a], [b]) => a - b);
      return [kind, { asked: flags.join(''), found: values }];
    });
    return packFindings(version, kinds);
  }
}

/** Returns the findings of `before` in the texts of a shard, as a value of its table `dense`; undefined when it has none. */
export function carriedFindings(
  db: ShardDatabase,
  version: number,
  before: ShardDatabase,
): { name: string; data: Uint8Array } | undefined {
  return EarlierFindings.read(before, version, contentKeys(db))?.pack(version);
}

function packFindings(version: number, kinds: [string, PackedKind][]): { name: string; data: Uint8Array } {
  const packed: PackedFindings = { version, kinds: Object.fromEntries(kinds) };
  return { name: FINDINGS, data: zstdCompressSync(JSON.stringify(packed)) };
}

/** Findings in the graph of another shard, by the files of this one. */
class EarlierFindings {
  readonly #kinds: ReadonlyMap<string, { asked: string; found: ReadonlyMap<number, unknown> }>;
  /** The same file in the other shard; undefined for one that has another content there. */
  readonly #same: readonly (number | undefined)[];

  private constructor(packed: PackedFindings, same: readonly (number | undefined)[]) {
    this.#kinds = new Map(
      Object.entries(packed.kinds).map(([kind, { asked: flags, found: values }]) => [
        kind,
        { asked: flags, found: new Map(values) },
      ]),
    );
    this.#same = same;
  }

  static read(before: ShardDatabase, version: number, keys: readonly string[]): EarlierFindings | undefined {
    const stored = dense(before, FINDINGS);
    if (stored.length === 0) return undefined;
    const packed = JSON.parse(zstdDecompressSync(stored).toString()) as PackedFindings;
    if (packed.version !== version) return undefined;
    const files = new Map(contentKeys(before).map((key, file) => [key, file]));
    return new EarlierFindings(
      packed,
      keys.map((key) => files.get(key)),
    );
  }

  /** Packs the findings in files that stayed as they were, as a value of the table `dense` of their new shard. */
  pack(version: number): { name: string; data: Uint8Array } {
    const kinds = [...this.#kinds].map(([kind, findings]): [string, PackedKind] => {
      const values: PackedKind['found'] = [];
      let flags = '';
      for (const [file, same] of this.#same.entries()) {
        flags += same === undefined ? NOT_EXAMINED : (findings.asked[same] ?? NOT_EXAMINED);
        if (same !== undefined && findings.found.has(same)) values.push([file, findings.found.get(same)]);
      }
      return [kind, { asked: flags, found: values }];
    });
    return packFindings(version, kinds);
  }

  of(kind: string, file: number): { found: unknown } | undefined {
    const findings = this.#kinds.get(kind);
    const same = this.#same[file];
    if (findings === undefined || same === undefined || findings.asked[same] !== EXAMINED) return undefined;
    return { found: findings.found.get(same) };
  }
}
