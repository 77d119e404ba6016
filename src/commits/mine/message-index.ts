import type { DatabaseSync } from 'node:sqlite';
import { packLength, VarintWriter } from '../../kernel/varints.ts';
import { termsOfWord, WordCache } from '../../text/terms.ts';
import { wordsOf } from '../../text/words.ts';

/** Weights of a word in the subject, the scope or the body of a message, or in a path. */
const WEIGHTS = { subject: 4, body: 1, path: 1 } as const;
/** Files of one commit whose paths are searched: a commit of more is not about any of them. */
const MOST_PATHS = 30;
/** Longest body that is searched, in characters: squashed branches carry whole logs. */
const LONGEST_BODY = 4_000;
/** Words whose terms are cached: messages and paths of a history repeat theirs. */
const CACHED_WORDS = 50_000;

interface Posting {
  first: number;
  last: number;
  documents: number;
  /** Frequency of the first commit, then pairs of the distance to the next commit and its frequency. */
  pairs: VarintWriter;
}

/** The searched parts of a commit. */
interface SearchedCommit {
  subject: string;
  body: string;
  paths: readonly string[];
}

/** Builds the postings of the commit search: per term the commits that have it and its weighted frequency in each. */
export class MessageIndexWriter {
  readonly #postings = new Map<string, Posting>();
  readonly #lengths: number[] = [];
  readonly #cache = new WordCache(termsOfWord, CACHED_WORDS);

  /** Adds the next commit; ids rise by one, from the last that the shard holds. */
  add(commit: number, { subject, body, paths }: SearchedCommit): void {
    const counts = new Map<string, number>();
    const count = (text: string, weight: number): void => {
      for (const term of this.#termsOf(text)) counts.set(term, (counts.get(term) ?? 0) + weight);
    };
    count(subject, WEIGHTS.subject);
    count(body.slice(0, LONGEST_BODY), WEIGHTS.body);
    if (paths.length <= MOST_PATHS)
      for (const term of this.#pathTerms(paths)) counts.set(term, (counts.get(term) ?? 0) + WEIGHTS.path);
    let length = 0;
    for (const [term, frequency] of counts) {
      length += frequency;
      this.#push(term, commit, frequency);
    }
    this.#lengths.push(packLength(length));
  }

  /** Writes what was added behind what the shard holds. */
  finish(db: DatabaseSync): void {
    const select = db.prepare('select documents, last, postings from term where text = ?');
    const write = db.prepare('insert or replace into term (text, documents, last, postings) values (?, ?, ?, ?)');
    const out = new VarintWriter(256);
    for (const [term, { first, last, documents, pairs }] of this.#postings) {
      const before = select.get(term) as { documents: number; last: number; postings: Uint8Array } | undefined;
      out.clear();
      if (before !== undefined) out.append(before.postings);
      out.push(first - (before?.last ?? 0));
      out.append(pairs.bytes());
      write.run(term, documents + (before?.documents ?? 0), last, out.bytes());
    }
    const lengths = db.prepare('select data from message_length').get() as { data: Uint8Array } | undefined;
    const data = Uint8Array.from([...(lengths?.data ?? []), ...this.#lengths]);
    db.prepare('insert or replace into message_length (id, data) values (1, ?)').run(data);
  }

  #push(term: string, commit: number, frequency: number): void {
    const posting = this.#postings.get(term);
    if (posting === undefined) {
      const pairs = new VarintWriter(4);
      pairs.push(frequency);
      this.#postings.set(term, { first: commit, last: commit, documents: 1, pairs });
      return;
    }
    posting.pairs.push(commit - posting.last);
    posting.pairs.push(frequency);
    posting.last = commit;
    posting.documents += 1;
  }
  /** Each term of the paths once, so that ten files of one folder do not count ten times. */
  #pathTerms(paths: readonly string[]): Set<string> {
    const parts = new Set(paths.flatMap((path) => path.replace(/\.[A-Za-z]+$/, '').split('/')));
    return new Set([...parts].flatMap((part) => this.#termsOf(part)));
  }

  #termsOf(text: string): string[] {
    return wordsOf(text, 'term').flatMap((word) => this.#cache.of(word));
  }
}
