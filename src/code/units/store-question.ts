import { WORD_VECTORS } from '../../code-index/format/word-vectors.ts';
import type { ShardDatabase } from '../../indexes/shards/shards.ts';
import { nearSpellings } from '../../kernel/edit-distance.ts';
import { stem } from '../../text/stem.ts';
import { identifierParts, partsOf } from '../../text/terms.ts';
import { cleanPath, filesMeant } from '../files/store-paths.ts';
import { pathOf } from '../files/store-files.ts';
import { findDefinitions } from '../symbols/store-symbols.ts';
import { nearestNames, splitQuery } from '../symbols/search-names.ts';

/** Places that are given of one name: of more than that no reader looks at each. */
const MOST_PLACES = 20;
const MOST_NEAREST = 3;
/** Terms that are looked at for being near in meaning, and how near they have to be. */
const NEAR_TERMS = 40;
const LEAST_NEARNESS = 0.45;
/** Edits by which a word may be spelled otherwise, for each so many letters. */
const LETTERS_OF_EDIT = 4;

interface QuestionWords {
  /** Possible names of the code: a symbol, with its qualifier or without, or a path. */
  names: readonly string[];
  words: readonly string[];
}

/** A name that exists here. */
interface NameMatch {
  name: string;
  kind: 'symbol' | 'path';
  places: readonly { path: string; start?: number; end?: number; symbol?: string }[];
}

export interface ReadWords {
  names: readonly NameMatch[];
  /** Words of which no unit has any part, with words of units that are near in spelling or meaning. */
  absent: readonly { word: string; nearest: readonly string[] }[];
}

/** Names of a question that a repository has, as they are spelled, and words of it that occur nowhere in the repository. */
export function readQuestion(db: ShardDatabase, { names, words }: QuestionWords): ReadWords {
  return {
    names: names.flatMap((name) => findName(db, name) ?? []),
    absent: words.filter((word) => isAbsent(db, word)).map((word) => ({ word, nearest: nearestWords(db, word) })),
  };
}

function findName(db: ShardDatabase, name: string): NameMatch | undefined {
  if (/[/\\]|\.\w+$/.test(name)) {
    const files = filesMeant(db, name).slice(0, MOST_PLACES);
    if (files.length > 0) return { name, kind: 'path', places: files.map((file) => ({ path: pathOf(db, file) })) };
    const folder = cleanPath(name);
    // '0' is the character after '/'.
    const inside = db
      .prepare('select 1 from file where path >= ?1 and path < ?2 limit 1')
      .get(`${folder}/`, `${folder}0`);
    if (inside !== undefined) return { name, kind: 'path', places: [{ path: folder }] };
  }
  const bare = splitQuery(name).name;
  const { match, rows } = findDefinitions(db, { query: name, limit: MOST_PLACES });
  const places = match === 'name' ? rows.filter((row) => row.name === bare && row.kind !== 'heading') : [];
  if (places.length === 0) return undefined;
  return {
    name,
    kind: 'symbol',
    places: places.map(({ path, line, end, qualified }) => ({
      path,
      start: line,
      end,
      symbol: qualified,
    })),
  };
}

/** True if no unit has any part of a word; of a name, which is spelled as only code is, if none has it whole. */
function isAbsent(db: ShardDatabase, word: string): boolean {
  const terms = isName(word) ? [stem(word.toLowerCase())] : partsOf(word);
  return terms.length > 0 && terms.every((term) => !occurs(db, term));
}

function isName(word: string): boolean {
  return /^[\w$]+$/.test(word) && identifierParts(word).length > 1;
}

function occurs(db: ShardDatabase, term: string): boolean {
  return db.prepare('select 1 from unit_term where text = ?').get(term) !== undefined;
}

/** Words of units that are spelled like a word, then those that mean about the same. */
function nearestWords(db: ShardDatabase, word: string): string[] {
  if (isName(word)) return nearestNames(db, { name: word, limit: MOST_NEAREST });
  const [term = ''] = partsOf(word);
  const nearest = [...termsSpelledLike(db, term), ...termsMeaning(db, term)];
  return [...new Set(nearest)].slice(0, MOST_NEAREST).map((near) => spelledOut(db, near));
}

function termsSpelledLike(db: ShardDatabase, term: string): string[] {
  const most = Math.floor(term.length / LETTERS_OF_EDIT);
  const start = term.slice(0, 1);
  if (most === 0 || start === '') return [];
  const rows = db
    .prepare('select text from unit_term where text >= ?1 and text < ?2 and length(text) between ?3 and ?4')
    .all(start, `${start}\uffff`, term.length - most, term.length + most) as { text: string }[];
  const spellings = rows.map(({ text }) => text);
  return nearSpellings(term, spellings, most).map(({ text }) => text);
}

function termsMeaning(db: ShardDatabase, term: string): string[] {
  const question = WORD_VECTORS.ofQuestion([term]);
  if (question === undefined) return [];
  return WORD_VECTORS.terms
    .map((text) => ({ text, nearness: WORD_VECTORS.nearness(question, [text]) }))
    .filter(({ nearness }) => nearness >= LEAST_NEARNESS)
    .toSorted((a, b) => b.nearness - a.nearness || (a.text < b.text ? -1 : 1))
    .slice(0, NEAR_TERMS)
    .filter(({ text }) => occurs(db, text))
    .map(({ text }) => text);
}

/** A word of a name that has this stem, the shortest; the stem where no name has one. */
function spelledOut(db: ShardDatabase, term: string): string {
  // A stem may end in another letter than the words: `deliveri`.
  const stemmed = term.slice(0, Math.max(LETTERS_OF_EDIT, term.length - 1));
  const rows = db
    .prepare(`select text from name where text like ?1 escape '\\' order by length(text), text limit 20`)
    .all(`%${stemmed.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`) as { text: string }[];
  const words = rows.flatMap(({ text }) => identifierParts(text)).filter((part) => stem(part) === term);
  return words.toSorted((a, b) => a.length - b.length)[0] ?? term;
}
