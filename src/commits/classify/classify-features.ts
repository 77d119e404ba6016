import { baseName } from '../../kernel/paths.ts';
import { pathKind, type PathKind } from '../../kernel/path-kinds.ts';
import { inflectionStem } from '../../text/stem.ts';
import { wordsOf } from '../../text/words.ts';

/** The input of a classification. */
export interface CommitText {
  subject: string;
  body: string;
  files: readonly CommitFile[];
}

export interface CommitFile {
  path: string;
  /** A, M, D, R or T. */
  status: string;
  /** By how many bytes it grew; undefined where that is not known. */
  growth?: number | undefined;
}

/** Beyond these, a commit is about everything, and its class does not depend on one more file or word. */
const MOST_FILES = 300;
const MOST_BODY_CHARACTERS = 600;
const MOST_NAMED_FILES = 8;
/** Of code, about. The model was trained with it. */
const BYTES_OF_LINE = 35;

const NOISE = /https?:\S+|\(?#\d+\)?|\b[0-9a-f]{7,40}\b|\b\S+@\S+\b/g;
const TRAILER = /^[\w-]+-by:|^change-id:|^signed-off|^\(?cherry/i;
const LISTED_TYPE =
  /^\s*[*-]?\s*(feat|fix|docs?|refactor|tests?|chore|perf|build|ci|style|revert|types|wip)(\([^)]*\))?!?:/i;
const CLOSES = /\b(fix(e[sd])?|close[sd]?|resolve[sd]?):?\s+([\w./-]+)?#\d+/i;

/** A feature and its strength, 0 to about 1.5. */
export type Features = Map<string, number>;

/**
 * Features of a commit for the model: words and pairs of words of the description, words of the body, kinds, endings and names
 * of files, what became of them, and by how much they grew. Trailers and squashed lists of headers are omitted. 10 to 50 µs.
 */
export function featuresOf(description: string, { body, files }: CommitText): Features {
  const features: Features = new Map();
  addText(features, description, body);
  const listed = files.slice(0, MOST_FILES);
  if (listed.length > 0) {
    const kinds = listed.map((file) => pathKind(file.path));
    addPaths(features, listed, kinds);
    addChanges(features, listed, kinds);
    addGrowth(features, listed, kinds);
  }
  return features;
}

function addText(features: Features, description: string, body: string): void {
  const words = stemsOf(description);
  if (words[0] !== undefined) features.set(`first:${words[0]}`, 1.5);
  if (words[1] !== undefined) features.set(`second:${words[1]}`, 0.5);
  for (const word of words) features.set(`w:${word}`, 1);
  for (let at = 1; at < words.length; at += 1) features.set(`p:${words[at - 1]}_${words[at]}`, 0.7);
  features.set('length', Math.min(words.length, 15) / 10);
  if (description.includes('`')) features.set('tick', 1);
  if (/\bv?\d+\.\d+/.test(description)) features.set('version', 1);
  if (/\bto v?\d+\.\d+/.test(description)) features.set('to version', 1);
  if (/\b[\w$]+\(\)|\b[a-z]+[A-Z]\w*/.test(description)) features.set('identifier', 1);
  const prose = proseOf(body);
  for (const word of new Set(stemsOf(prose.slice(0, MOST_BODY_CHARACTERS)))) features.set(`b:${word}`, 0.35);
  if (prose === '') features.set('no body', 1);
  if (CLOSES.test(body)) features.set('closes', 1);
  if (/#\d+/.test(description)) features.set('number', 1);
}

/** The body without trailers and without the headers of squashed commits. */
function proseOf(body: string): string {
  if (body === '') return '';
  const lines = body.split('\n').filter((line) => !TRAILER.test(line.trimStart()) && !LISTED_TYPE.test(line));
  return lines.join('\n').trim();
}

function stemsOf(text: string): string[] {
  return wordsOf(text.replace(NOISE, ' '), 'asciiHump').map((word) => inflectionStem(word.toLowerCase()));
}

function addPaths(features: Features, files: readonly CommitFile[], kinds: readonly PathKind[]): void {
  const counts = new Map<PathKind, number>();
  for (const kind of kinds) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  for (const [kind, count] of counts) {
    features.set(`k:${kind}`, count / files.length);
    features.set(`has:${kind}`, 1);
    if (count === files.length) features.set(`all:${kind}`, 1);
  }
  features.set(`kinds:${[...counts.keys()].toSorted().join('+')}`, 1);
  for (const file of files.slice(0, MOST_NAMED_FILES)) {
    const name = baseName(file.path).toLowerCase();
    const dot = name.lastIndexOf('.');
    features.set(`e:${dot === -1 ? 'none' : name.slice(dot + 1)}`, 0.5);
    features.set(`f:${name}`, 0.5);
    const folder = file.path.split('/')[0]?.toLowerCase() ?? '';
    features.set(`d:${folder === name ? '.' : folder}`, 0.5);
  }
}

function addChanges(features: Features, files: readonly CommitFile[], kinds: readonly PathKind[]): void {
  const share = (status: string): number => files.filter((file) => file.status === status).length / files.length;
  features.set('files', Math.log1p(files.length) / 3);
  features.set('new', share('A'));
  features.set('gone', share('D'));
  features.set('moved', share('R'));
  if (files.some((file, at) => file.status === 'A' && kinds[at] === 'source')) features.set('new source', 1);
  if (files.some((file, at) => file.status === 'A' && kinds[at] === 'test')) features.set('new test', 1);
  if (files.length === 1) features.set('one file', 1);
}

/** How much kinds of files grew, in lines of a usual length: sizes of contents are at hand, their lines are not. */
function addGrowth(features: Features, files: readonly CommitFile[], kinds: readonly PathKind[]): void {
  const lines = (sign: 1 | -1, only?: PathKind): number =>
    files.reduce(
      (sum, { growth = 0 }, at) =>
        only === undefined || kinds[at] === only ? sum + Math.max(0, (sign * growth) / BYTES_OF_LINE) : sum,
      0,
    );
  const [added, deleted] = [lines(1), lines(-1)];
  const total = added + deleted;
  if (total > 0)
    for (const kind of new Set(kinds)) features.set(`lines:${kind}`, (lines(1, kind) + lines(-1, kind)) / total);
  features.set('added', Math.log1p(added) / 5);
  features.set('deleted', Math.log1p(deleted) / 5);
  features.set('growth', (added - deleted) / (total + 1));
  if (total <= 1) features.set('tiny', 1);
  features.set(`size:${Math.min(9, Math.floor(Math.log2(total + 1)))}`, 1);
  const [sourceAdded, sourceDeleted] = [lines(1, 'source'), lines(-1, 'source')];
  features.set('source added', Math.log1p(sourceAdded) / 5);
  features.set('source deleted', Math.log1p(sourceDeleted) / 5);
  features.set('source growth', (sourceAdded - sourceDeleted) / (sourceAdded + sourceDeleted + 1));
  features.set('test added', Math.log1p(lines(1, 'test')) / 5);
}
