import { once } from '../../kernel/once.ts';
import { type CountRow, CountOutput } from '../../search/search.ts';
import type { Operations } from '../model/operations.ts';
import { LOCALES } from './periods.ts';
import { type Scan, wordsPattern } from './scan.ts';
import { type Count, OPERATION, readPages } from './signal-query.ts';
import { FRAME } from './words.ts';

/** Fields whose values questions name; the first one that has a name is meant. */
export const NAMED_FIELDS = ['tag', 'language', 'segment', 'source', 'version', 'competitor', 'customer'] as const;
export type NamedField = (typeof NAMED_FIELDS)[number];

/** A value of a field with the words that stand for it. */
export interface NamedValue {
  field: NamedField;
  value: string;
  /** As the question spells it. */
  text: string;
}

/** Vocabulary of a product's signals: their fields, with the values of each. */
export interface Vocabulary {
  signals: number;
  /** Signals that have a field. */
  having: ReadonlyMap<string, number>;
  values: ReadonlyMap<NamedField, readonly CountRow[]>;
  /** First and last month of the signals; empty without dates. */
  months: readonly string[];
}

/** Values of one field that are read. */
const MOST_VALUES = 50;

/** Reads the fields of the signals. Nine calls. */
export async function readVocabulary(operations: Operations): Promise<Vocabulary> {
  const count = (field: string, page: { cursor?: string }): Promise<Count | undefined> =>
    operations.read(OPERATION, { action: 'count', group_by: field, limit: MOST_VALUES, ...page }, CountOutput);
  const fields = [...NAMED_FIELDS, 'rating', 'month'] as const;
  const answers = await Promise.all(
    fields.map((field) => (field === 'month' ? readPages((page) => count(field, page)) : count(field, {}))),
  );
  const byField = new Map(fields.map((field, at) => [field, answers[at]]));
  const months = (byField.get('month')?.rows ?? []).flatMap(({ value }) => value ?? []);
  return {
    signals: answers[0]?.of ?? 0,
    having: new Map(fields.map((field, at) => [field, (answers[at]?.of ?? 0) - (answers[at]?.lacking ?? 0)])),
    values: new Map(NAMED_FIELDS.map((field) => [field, byField.get(field)?.rows ?? []])),
    months,
  };
}

/** Takes the values that a question names, in its order, and the languages and countries that no signal is of. */
export function takeValues(scan: Scan, { values }: Vocabulary): { values: NamedValue[]; unknown: string[] } {
  const names = new Map<string, Omit<NamedValue, 'text'>>();
  for (const field of NAMED_FIELDS)
    for (const { value = '' } of values.get(field) ?? [])
      for (const name of namesOf(value)) if (!names.has(name)) names.set(name, { field, value });
  const matches = names.size === 0 ? [] : scan.take(new RegExp(wordsPattern(names.keys())));
  const named = matches.flatMap((match) => {
    const namedValue = names.get(match[0].toLowerCase());
    return namedValue === undefined ? [] : [{ ...namedValue, text: match[0] }];
  });
  // "Turkey" is a country, "turkey" is not.
  const unknown = scan.take(namePattern(), ([name]) => /^\p{Lu}/u.test(name)).map(([name]) => name);
  return { values: named, unknown };
}

/**
 * Returns the names that people give a value: as it is, and the language or country of a code. A file that is called `reviews` is
 * not what "how many reviews" means.
 */
function namesOf(value: string): string[] {
  const names = value.length > 2 && !FRAME.test(value) ? [value.toLowerCase()] : [];
  const type = /^[a-z]{2,3}([-_][A-Za-z]{2})?$/.test(value)
    ? 'language'
    : /^[A-Z]{2}$/.test(value)
      ? 'region'
      : undefined;
  return type === undefined ? names : [...names, ...spell(value.replace('_', '-'), type)];
}

function spell(code: string, type: 'language' | 'region'): string[] {
  return LOCALES.flatMap((locale) => {
    const name = new Intl.DisplayNames(locale, { type, fallback: 'none' }).of(code);
    return name === undefined ? [] : [name.toLowerCase().normalize('NFC')];
  });
}

/** Matches the English name of each language and country with a code of two letters. */
const namePattern = once((): RegExp => {
  const letters = Array.from({ length: 26 }, (_, at) => String.fromCodePoint(97 + at));
  const regions = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
  const languages = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });
  const codes = letters.flatMap((a) => letters.map((b) => a + b));
  const names = codes.flatMap((code) => [regions.of(code.toUpperCase()), languages.of(code)]);
  return new RegExp(wordsPattern(names.flatMap((name) => (name !== undefined && name.length > 3 ? [name] : []))));
});
