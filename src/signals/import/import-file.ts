import { sha256 } from '../../kernel/ids.ts';
import { roundTo } from '../../kernel/shown-values.ts';
import type { z } from '@hono/zod-openapi';
import { ServiceError } from '../../kernel/errors.ts';
import { shapeOf } from './export-shapes.ts';
import {
  type ColumnMapping,
  type FieldWithValues,
  IMPORT_FIELDS,
  type ImportField,
  mapColumns,
} from './known-exports.ts';
import { type DateColumn, dateColumnOf, dateOf } from './read-dates.ts';
import { numberOf } from './read-number.ts';
import type { NewSignalBody } from '../signal-bodies.ts';

/** A signal as `POST /v1/signals` takes it. */
export type SignalJson = z.input<typeof NewSignalBody>;
export type Mapping = ColumnMapping;

/** A file of an archive or a folder. */
export interface NamedFile {
  /** Its path there. */
  name: string;
  bytes: Buffer;
}

/** A line of a file: values by column. */
export type ImportRecord = Record<string, unknown>;

/** Holds the cells of a line behind the last column that the first row names. */
export const BEYOND = '(behind the last column)';

/** A line of a file, counted from 1, the names of columns not among them. */
interface FileLine {
  /** Of several files; absent for a single one. */
  file?: string;
  line: number;
}

/** Something about a line. */
export interface LineNote extends FileLine {
  reason: string;
}

/** A file as signals, with how it was read. */
export interface ImportedFile {
  mapping: Mapping;
  /** The tool whose export it is, when its columns show it. */
  known: string | undefined;
  /** Reading of the dates; undefined when there is no column of dates. */
  dates: DateColumn | undefined;
  /** Highest rating of the scale of the file: 5 stars, 10 (also NPS), or 100; undefined without ratings. */
  ratingOf: number | undefined;
  signals: SignalJson[];
  /** The line of each signal, in their order. */
  lines: FileLine[];
  /** Lines that are left out, with the reason. */
  skipped: LineNote[];
  /** Lines that are kept, with what of them could not be. */
  notes: LineNote[];
}

/** Stands for a character that cannot be read. */
const REPLACEMENT = '\uFFFD';
const TEXT_CHARACTERS = 20_000;
const SHORT_CHARACTERS = 400;
const LINK_CHARACTERS = 2_000;
const MOST_TAGS = 50;
const COLUMN_LINES = 100;
/** Share of the values of a column that are dates where its name does not say that it has dates. */
const DATES_SHARE = 0.9;
/** Scales of ratings, by their highest one. */
const SCALES = [5, 10, 100] as const;
const NPS = /nps|promoter/i;

/**
 * Turns lines into signals. Columns are found by their names; `given` wins. Every line becomes a signal or is named with
 * the reason: one that has no text, or is a pull request or a notice. A date or number that cannot be read is left out of its
 * signal and named. Exports of objects inside objects are known by their fields. `files` says how many lines are of which file.
 *
 * @throws ServiceError `bad_argument` for a field or column that is not there, or when none can be the text.
 */
export function importRecords(
  records: readonly ImportRecord[],
  given: Mapping,
  { now = new Date(), files = [] }: { now?: Date; files?: readonly FilePart[] } = {},
): ImportedFile {
  const shape = shapeOf(records);
  const rows = records.map((record) => (shape === undefined ? flatRecord(record) : shape.read(record)));
  const some = rows.filter((row) => typeof row !== 'string');
  const columns = [...new Set(some.slice(0, COLUMN_LINES).flatMap(Object.keys))];
  if (shape !== undefined && some.length === 0) columns.push('text');
  const { mapping, known } = chooseColumns(some, columns, given);
  const valuesOf = (field: ImportField): string[] => some.map((row) => textOf(row[mapping[field] ?? '']));
  const dates = mapping.date === undefined ? undefined : dateColumnOf(valuesOf('date'), now);
  const ratings = mapping.rating === undefined ? undefined : ratingScale(mapping.rating, valuesOf('rating'));
  const tags = columns.filter((column) => column === mapping.tags || isRepeated(column, mapping.tags));
  const repeated = columns.filter((column) => isRepeated(column, mapping.text));
  const read: Reading = { mapping, repeated, tags, dates, ratings };
  const imported: ImportedFile = {
    mapping,
    known: shape?.name ?? known,
    dates,
    ratingOf: ratings?.of,
    signals: [],
    lines: [],
    skipped: [],
    notes: [],
  };
  const lines = new Map<string, string>();
  const repeats = new Map<string, number>();
  const places = placesOf(files);
  for (const [index, row] of rows.entries()) {
    const place = places[index] ?? { line: index + 1 };
    const made = typeof row === 'string' ? row : signalOf(row, read);
    if (typeof made === 'string') {
      imported.skipped.push({ ...place, reason: made });
      continue;
    }
    imported.signals.push(withOwnId(made.signal, repeats));
    imported.lines.push(place);
    imported.notes.push(...made.notes.map((reason) => ({ ...place, reason })));
    const key =
      made.signal.external_id === undefined ? '' : JSON.stringify([made.signal.source, made.signal.external_id]);
    const before = lines.get(key);
    if (key !== '' && before !== undefined)
      imported.notes.push({ ...place, reason: `It has the id of ${before} and takes its place.` });
    lines.set(key, `line ${place.line}${place.file === undefined ? '' : ` of ${place.file}`}`);
  }
  return imported;
}

/**
 * The signal with an id where a line before says the same and neither has one: both are kept, and a second import of the
 * file finds both again. The first of them has the id that saving gives it, by what it says.
 */
function withOwnId(signal: SignalJson, repeats: Map<string, number>): SignalJson {
  if (signal.external_id !== undefined) return signal;
  const content = JSON.stringify([signal.source ?? '', signal.customer ?? '', signal.text]);
  const count = (repeats.get(content) ?? 0) + 1;
  repeats.set(content, count);
  if (count === 1) return signal;
  const hash = sha256(content);
  return { ...signal, external_id: `line:${hash.slice(0, 32)}:${count}` };
}

/** Lines of one of several files. */
export interface FilePart {
  name: string;
  records: number;
}

/** Location of each line. */
function placesOf(files: readonly FilePart[]): Omit<LineNote, 'reason'>[] {
  return files.flatMap(({ name, records }) =>
    Array.from({ length: records }, (_, at) => ({ ...(files.length > 1 && { file: name }), line: at + 1 })),
  );
}

/** A column that a table has several times is told apart by its number: `Labels 12`. */
function isRepeated(column: string, name: string | undefined): boolean {
  return name !== undefined && column.startsWith(`${name} `) && /^ \d+$/.test(column.slice(name.length));
}

interface Reading {
  mapping: Mapping;
  /** Further columns with the name of that of the text: their texts follow it. */
  repeated: readonly string[];
  /** Columns of tags: some tables have one for each. */
  tags: readonly string[];
  dates: DateColumn | undefined;
  ratings: { of: number; isNps: boolean } | undefined;
}

/** The signal with what of the line could not be kept, or why there is none. */
function signalOf(
  row: ImportRecord,
  { mapping, repeated, tags: tagColumns, dates, ratings }: Reading,
): { signal: SignalJson; notes: string[] } | string {
  const notes: string[] = [];
  const valueOf = (field: ImportField): string => textOf(row[mapping[field] ?? '']).replaceAll('\0', REPLACEMENT);
  const texts = [valueOf('text'), ...repeated.map((column) => textOf(row[column]))].filter((part) => part !== '');
  const text = wholeText(valueOf('title'), [...new Set(texts)].join('\n\n'));
  if (text === '') return 'It has no text.';
  if (IMPORT_FIELDS.some((field) => valueOf(field).includes(REPLACEMENT)))
    notes.push(`It has a character that cannot be read: shown as ${REPLACEMENT}.`);
  if (text.length > TEXT_CHARACTERS) notes.push(`Of its text the first ${TEXT_CHARACTERS} characters are kept.`);
  const shorts = (['external_id', 'source', 'customer', 'segment', 'version', 'language'] as const).flatMap((field) => {
    const content = valueOf(field);
    if (content.length > SHORT_CHARACTERS)
      notes.push(`Of its ${field} the first ${SHORT_CHARACTERS} characters are kept.`);
    return content === '' ? [] : [[field, content.slice(0, SHORT_CHARACTERS)] as const];
  });
  const link = valueOf('link').slice(0, LINK_CHARACTERS);
  const [value, date, rating] = [valueOf('value'), valueOf('date'), valueOf('rating')];
  const amount = value === '' ? undefined : numberOf(value);
  if (value !== '' && amount === undefined)
    notes.push(`"${value.slice(0, 40)}" is not a number: kept without a value.`);
  const time = date === '' ? undefined : dateOf(date, dates?.order ?? 'year first');
  if (date !== '' && time === undefined) notes.push(`"${date.slice(0, 40)}" is not a date: saved without one.`);
  const stars = rating === '' || ratings === undefined ? undefined : starsOf(rating, ratings);
  if (rating !== '' && stars === undefined) notes.push(`"${rating.slice(0, 40)}" is not a rating: saved without one.`);
  const beyond = textOf(row[BEYOND]);
  if (beyond !== '' && !Object.values(mapping).includes(BEYOND))
    notes.push(`"${beyond.slice(0, 40)}" is behind the last column: saved without it. Is a text with a comma quoted?`);
  const tags = [...new Set(tagColumns.flatMap((column) => tagsOf(row[column])))];
  if (tags.length > MOST_TAGS) notes.push(`Of its tags the first ${MOST_TAGS} are kept.`);
  const signal = {
    text: text.slice(0, TEXT_CHARACTERS),
    ...Object.fromEntries(shorts),
    ...(link !== '' && { link }),
    ...(amount !== undefined && { value: amount }),
    ...(stars !== undefined && { rating: stars }),
    ...(time !== undefined && { date: time.toISOString() }),
    ...(tags.length > 0 && { tags: tags.slice(0, MOST_TAGS) }),
  };
  return { signal, notes };
}

/** The column of each field: as it is given, else as names and values say. @throws ServiceError as `importRecords`. */
function chooseColumns(
  rows: readonly ImportRecord[],
  columns: readonly string[],
  given: Mapping,
): { mapping: Mapping & { text: string }; known: string | undefined } {
  const valuesOf = (column: string): string[] => rows.map((row) => textOf(row[column])).filter((value) => value !== '');
  const { mapping: byName, known } = mapColumns(columns, (field, column) => fitsField(field, valuesOf(column)));
  const free = columns.filter((column) => !Object.values({ ...byName, ...given }).includes(column));
  const date = free.find((column) => isDates(valuesOf(column)));
  // Where no column is known, the first row may be a signal and no names.
  const isHeaded = date !== undefined || Object.keys(byName).length > 0;
  const longest = isHeaded ? longestText(free, valuesOf) : undefined;
  const byValues = { text: longest ?? mapColumns(columns).mapping.text, date };
  const mapping = Object.fromEntries(
    Object.entries({ ...byValues, ...byName, ...given }).filter(([, column]) => column !== undefined),
  ) as Mapping;
  for (const [field, column] of Object.entries(mapping)) {
    if (!IMPORT_FIELDS.includes(field as ImportField)) {
      throw new ServiceError('bad_argument', `"${field}" is not a field of a signal.`, {
        fix: `Use one of: ${IMPORT_FIELDS.join(', ')}.`,
      });
    }
    if (!columns.includes(column)) throw noColumn(`There is no column "${column}".`, columns);
  }
  const { text } = mapping;
  if (text === undefined) throw noColumn('No column looks like the text of a signal.', columns);
  return { mapping: { ...mapping, text }, known };
}

/** True if the values of a column can be those of a field: most of them, for a name that does not say it alone. */
function fitsField(field: FieldWithValues, values: readonly string[]): boolean {
  const isMost = (is: (value: string) => boolean): boolean =>
    values.length > 0 && values.filter(is).length > values.length / 2;
  switch (field) {
    case 'text':
      return isMost((value) => /\p{L}/u.test(value));
    case 'sentence':
    case 'title':
      return isMost((value) => /\p{L}\P{L}+\p{L}/u.test(value));
    case 'rating':
      return isMost((value) => (numberOf(value) ?? Infinity) <= Math.max(...SCALES));
    case 'date': {
      const dates = dateColumnOf(values, new Date());
      return dates !== undefined && isMost((value) => dateOf(value, dates.order) !== undefined);
    }
    case 'customer':
      return new Set(values).size > 1 || values.length < 2;
  }
}

/** The first column of texts that are at least half as long as the longest ones on average. */
function longestText(columns: readonly string[], valuesOf: (column: string) => string[]): string | undefined {
  const texts = columns.flatMap((column) => {
    const values = valuesOf(column);
    return fitsField('sentence', values) ? [{ column, length: values.join('').length / values.length }] : [];
  });
  const longest = Math.max(...texts.map(({ length }) => length));
  return texts.find(({ length }) => length >= longest / 2)?.column;
}

/** True if nine in ten values are dates that no plain number can be. */
function isDates(values: readonly string[]): boolean {
  const dates = values.filter((value) => !Number.isFinite(Number(value)));
  const order = dateColumnOf(dates, new Date())?.order;
  const read = order === undefined ? [] : dates.filter((value) => dateOf(value, order) !== undefined);
  return values.length > 0 && read.length >= values.length * DATES_SHARE;
}

/** The title before the text, unless the text begins with it. */
function wholeText(title: string, text: string): string {
  if (title === '' || text.startsWith(title)) return text;
  return text === '' ? title : `${title}\n\n${text}`;
}

/** Scale of the ratings of a column, by its largest one; undefined when none is a number. */
function ratingScale(column: string, values: readonly string[]): Reading['ratings'] {
  const numbers = values.flatMap((value) => numberOf(value) ?? []);
  const most = Math.max(...numbers);
  const isNps = NPS.test(column);
  const of = SCALES.find((scale) => most <= scale && (scale > 5 || !isNps));
  return numbers.length === 0 || of === undefined ? undefined : { of, isNps };
}

/** One to five stars. Of an NPS up to 6 are detractors and from 9 on promoters. */
function starsOf(rating: string, { of, isNps }: { of: number; isNps: boolean }): number | undefined {
  const number = numberOf(rating);
  if (number === undefined || number < 0 || number > of) return undefined;
  if (isNps) return number >= 9 ? 5 : number >= 7 ? 3 : 1;
  return of === 5 ? Math.max(1, number) : roundTo(1, 1 + (4 * number) / of);
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? String(value) : value.toISOString();
  return typeof value === 'string' ? value.trim() : JSON.stringify(value);
}

function tagsOf(value: unknown): string[] {
  const list = Array.isArray(value) ? value.map(tagOf) : typeof value === 'string' ? value.split(/[,;|]/) : [];
  return [...new Set(list.map((tag) => tag.trim().slice(0, SHORT_CHARACTERS)).filter((tag) => tag !== ''))];
}

function tagOf(value: unknown): string {
  const { name } = (typeof value === 'object' && value !== null ? value : {}) as { name?: unknown };
  return typeof name === 'string' ? name : typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

/** Fields of objects inside as columns of their own: `user.name`. */
function flatRecord(record: ImportRecord): ImportRecord {
  return Object.fromEntries(
    Object.entries(record).flatMap(([key, value]) => {
      const isObject = typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
      return isObject ? Object.entries(value).map(([inner, field]) => [`${key}.${inner}`, field]) : [[key, value]];
    }),
  );
}

function noColumn(message: string, columns: readonly string[]): ServiceError {
  return new ServiceError('bad_argument', message, {
    fix: `The first row must name the columns. Say which one is which: --map text=<column>. Columns: ${columns.slice(0, 30).join(', ') || 'none'}.`,
  });
}
