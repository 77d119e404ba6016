import { createHash } from 'node:crypto';

/** What a piece of evidence is. */
export type EvidenceKind = 'code' | 'commit' | 'document' | 'plan' | 'signal' | 'decision' | 'competitor' | 'entity';

/** A place that a tool showed in this run, and what it says. */
export interface Evidence {
  /** The handle that another call takes: `src/a.ts:3-9`, `c:1a2b3c4`, `doc:…`, `sig:…`, `plan:…`, `dec:12`. */
  id: string;
  kind: EvidenceKind;
  repo: string;
  /** The commit of the index that was read; of a commit its own. */
  commit?: string | undefined;
  path?: string | undefined;
  /** First and last line, counted from 1. */
  lines?: { start: number; end: number } | undefined;
  /** Of a document or plan, as `document-search-tool get` takes it. */
  section?: string | undefined;
  title?: string | undefined;
  /** ISO date of what it says. */
  date?: string | undefined;
  /** What stands there, as the tool gave it. */
  text: string;
}

/** Evidence of one run, by number from 1. */
export interface Entry extends Evidence {
  number: number;
  hash: string;
}

/**
 * What a run has seen, and all that its answer may cite. Only results of tools get in, so that a source that nobody read
 * cannot be cited.
 */
export class Ledger {
  readonly #entries: Entry[] = [];
  readonly #numbers = new Map<string, Entry>();

  /** Takes a piece of evidence; the same place twice is one entry. */
  add(evidence: Evidence): Entry {
    // A document is quoted at several places, each a source of its own.
    const quoted = evidence.kind === 'document' ? evidence.text : '';
    const key = [evidence.repo, evidence.id, evidence.section ?? '', quoted].join('\n');
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    const entry = { ...evidence, number: this.#entries.length + 1, hash: hashText(evidence.text) };
    this.#entries.push(entry);
    this.#numbers.set(key, entry);
    return entry;
  }

  /** The entry with this number; undefined for a number that nothing has. */
  get(number: number): Entry | undefined {
    return this.#entries[number - 1];
  }

  get entries(): readonly Entry[] {
    return this.#entries;
  }
}

/** SHA-256 of a text, line by line without the space around: moving code to the right does not change what it says. */
export function hashText(text: string): string {
  return createHash('sha256').update(comparable(text)).digest('hex');
}

/** A text as it is compared: each line without the space around it. */
export function comparable(text: string): string {
  return text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .join('\n')
    .trim();
}
