import type { CODE_QUERIES } from '../../code/code.ts';
import type { IndexSources } from '../../indexes/indexes.ts';

/** A symbol or file that a question names and the index has. */
export interface NamedThing {
  /** The name as the question spells it, without quotes and brackets. */
  name: string;
  kind: 'symbol' | 'path';
  /** Every place that bears it: several definitions of one name are all meant. Best first, never empty. */
  places: readonly NamedPlace[];
}

/** Location of something that a question names. */
export interface NamedPlace {
  repo: string;
  /** A file, or a folder where `NamedThing.kind` is `path`. */
  path: string;
  /** First and last line of a symbol; absent for a path. */
  lines?: LineRange;
  /** Qualified name of a symbol (`Server.listen`); absent for a path. */
  symbol?: string;
}

/** First and last line, both counted from 1. */
export interface LineRange {
  start: number;
  end: number;
}

/** A word of a question that occurs nowhere in its scope, with the nearest words that do. */
export interface AbsentWord {
  word: string;
  /** At most three, nearest first; empty where none is near. */
  nearest: readonly string[];
}

/** A question as it was read against the index. Facts decide by `names` first: what exists wins over every other word. */
export interface Question {
  /** As it was asked. */
  text: string;
  /** Its words that say something, in their order, as they are spelled; names are among them. */
  words: readonly string[];
  names: readonly NamedThing[];
  absent: readonly AbsentWord[];
}

/** The code of the repositories of one call, and the way to query it. */
export type CodeSources = IndexSources<Required<typeof CODE_QUERIES>['queries']>;
