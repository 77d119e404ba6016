import { isFeedbackQuestionWord } from '../../text/function-words.ts';
import type { GroupField } from '../../signals/counts/counts.ts';
import { type Period, takePeriods } from './periods.ts';
import { Scan } from './scan.ts';
import { NAMED_FIELDS, type NamedField, type NamedValue, takeValues, type Vocabulary } from './vocabulary.ts';
import { AFTER_WHICH, DIMENSIONS, FRAME, KINDS, NUMBERS, RANKS, STARS, SUPERLATIVES, TONES, WITHOUT } from './words.ts';
import { wordsOf } from '../../text/words.ts';

/** Words of a noun behind `which`. */
const MOST_NOUN_WORDS = 3;

type Kind =
  | 'count'
  | 'share'
  | 'mean'
  | 'means'
  | 'values'
  | 'compare'
  | 'trend'
  | 'since'
  | 'tones'
  | 'themes'
  | 'new'
  | 'examples'
  | 'missing'
  | 'lacking';

/** A question about signals as one query of `document-search-tool` says it. */
export interface Reading {
  kind: Kind;
  /** Conditions of what is counted, and those of the whole that a share is of. */
  filter: readonly string[];
  base: readonly string[];
  /** Words that signals have; several are compared. */
  subjects: readonly string[];
  by?: GroupField | 'year';
  /** End from which values are ranked by their mean rating; absent where they are not. */
  rank?: 'best' | 'worst';
  isLeast: boolean;
  periods: readonly Period[];
  /** Values of one field that are compared. */
  values: readonly NamedValue[];
  /** Words of the question that no field of the signals has. */
  missing: readonly string[];
}

/** Reads a question against the fields that the signals have. */
export function readQuery(text: string, vocabulary: Vocabulary, now: Date): Reading {
  const scan = new Scan(text);
  const periods = takePeriods(scan, { now, lastMonth: vocabulary.months.at(-1) ?? '' });
  const lacked = takeLacked(scan);
  const asks = asksOf(scan);
  const stars = takeStars(scan);
  const { values, unknown } = takeValues(scan, vocabulary);
  const rank: Reading['rank'] = scan.has(RANKS.worst) ? 'worst' : scan.has(RANKS.best) ? 'best' : undefined;
  const [isLeast, isMost] = [scan.has(SUPERLATIVES.least), scan.has(SUPERLATIVES.most)];
  const named = new Set(values.map(({ field }) => field));
  const isRanked = rank !== undefined || isLeast || isMost;
  const isBy = asksForDimension(scan.open);
  const by = stars.isGrouped ? 'rating' : dimensionOf(scan, (field) => isRanked || !named.has(field));
  const tones = takeTones(scan);
  const compared = valuesOfOneField(values);
  const noun = nounOfWhich(scan.open);
  const subjects = subjectsOf(scan.open);
  const conditions = [
    ...stars.filter,
    // "Which country comes after Belgium" asks for the others, too.
    ...values.filter((value) => !compared.includes(value) && value.field !== by).map(conditionOf),
    ...(tones.are.length === 1 ? tones.are.map((tone) => `tone=${tone}`) : []),
    // "What do people complain about": who does says it; about a subject both sides are counted.
    ...(tones.do.length === 1 && subjects.length === 0 ? tones.do.map((tone) => `tone=${tone}`) : []),
  ];
  const base = asks.share ? baseOf({ text, vocabulary, now }, conditions, subjects.length > 0) : [];
  const reading = { filter: [...new Set(conditions)], base, subjects, periods, values: compared, isLeast };
  const hasTone = tones.are.length + tones.do.length > 0;
  const head = { ...reading, ...(by !== undefined && { by }), ...(rank !== undefined && { rank }) };
  const missing = missingOf({ asks, unknown, isRanked, by, subjects, noun });
  if (lacked !== undefined) return { ...head, kind: 'lacking', by: lacked, missing: [] };
  if (missing.length > 0) return { ...head, kind: 'missing', missing };
  return {
    ...head,
    kind: kindOf({
      asks,
      ranked: isRanked,
      tones,
      hasTone,
      by,
      subjects,
      periods,
      compared,
      isGrouped: stars.isGrouped,
      isBy,
    }),
    missing,
  };
}

type Asks = ReturnType<typeof asksOf>;

/** Takes the words of the kinds from a question; `than` and the like leave the words beside them. */
function asksOf(scan: Scan) {
  const isWhich = KINDS.which.test(scan.open.toLowerCase());
  return {
    isWhich,
    examples: scan.has(KINDS.examples),
    since: scan.has(KINDS.since),
    share: scan.has(KINDS.share),
    mean: scan.has(KINDS.mean),
    trend: scan.has(KINDS.trend),
    fresh: scan.has(KINDS.fresh),
    more: scan.has(KINDS.more),
    compare: scan.has(KINDS.compare),
    amount: scan.has(KINDS.amount),
    count: scan.has(KINDS.count),
  };
}

interface Seen {
  asks: Asks;
  ranked: boolean;
  tones: ReturnType<typeof takeTones>;
  hasTone: boolean;
  by: GroupField | 'year' | undefined;
  subjects: readonly string[];
  periods: readonly Period[];
  compared: readonly NamedValue[];
  isGrouped: boolean;
  /** A field is what is asked for: `which country`, `by month`. */
  isBy: boolean;
}

function kindOf({ asks, ranked, tones, hasTone, by, subjects, periods, compared, isGrouped, isBy }: Seen): Kind {
  if (asks.examples) return 'examples';
  if (asks.since) return 'since';
  if (asks.share) return 'share';
  if (tones.do.length > 1 && subjects.length > 0) return 'tones';
  if (subjects.length > 1 || compared.length > 1) return 'compare';
  if (asks.trend && subjects.length === 0 && hasTone) return 'themes';
  if (asks.trend || (periods.length > 1 && (asks.compare || asks.mean || asks.more))) return 'trend';
  if (asks.mean && isBy && by !== undefined && by !== 'rating') return 'means';
  if (isGrouped || (by !== undefined && by !== 'rating' && (ranked || isBy))) return 'values';
  if (asks.mean || by === 'rating') return 'mean';
  if (asks.fresh && subjects.length === 0) return 'new';
  if (asks.count) return 'count';
  if (subjects.length === 0 && (hasTone || by === 'theme') && (asks.isWhich || ranked || tones.do.length > 0))
    return 'themes';
  return asks.isWhich ? 'themes' : 'count';
}

/**
 * Returns the words about which no answer can be computed: a number of something else than signals, or a field that they do not
 * have.
 */
function missingOf({
  asks,
  unknown,
  isRanked,
  by,
  subjects,
  noun,
}: Pick<Seen, 'asks' | 'by' | 'subjects'> & {
  unknown: readonly string[];
  isRanked: boolean;
  noun: string;
}): string[] {
  if (unknown.length > 0) return [...unknown];
  if (noun !== '' && by === undefined) return [noun];
  if (asks.amount || (asks.isWhich && isRanked && by === undefined && !asks.trend)) return [...subjects];
  return [];
}

/**
 * Returns the conditions of the whole of a share: those that the question names with it ("of the one-star reviews"), else all
 * beside the subject, or beside stars and tone where there is no subject.
 */
function baseOf(
  { text, vocabulary, now }: { text: string; vocabulary: Vocabulary; now: Date },
  conditions: readonly string[],
  hasSubject: boolean,
): string[] {
  const named = conditionsIn(new Scan(wholeOf(text)), vocabulary, now);
  if (named.length > 0) return named;
  if (hasSubject) return [...conditions, PERIOD];
  const others = conditions.filter((condition) => !/^(?:rating|tone)=/.test(condition));
  return others.length < conditions.length ? [...others, PERIOD] : [];
}

/** Returns the whole of a share: "of the one-star reviews" in "what share of the one-star reviews is about crashes". */
function wholeOf(text: string): string {
  const [, whole = ''] =
    /\b(?:share|percentage|percent|proportion|fraction|%) of (?:the |all |our )?(.{1,80}?) (?:is|are|has|have|had|was|were|mentions?|says?|complains?|writes?|talks?)\b/i.exec(
      text,
    ) ?? [];
  return whole;
}

function conditionsIn(scan: Scan, vocabulary: Vocabulary, now: Date): string[] {
  const periods = takePeriods(scan, { now, lastMonth: vocabulary.months.at(-1) ?? '' });
  const { filter } = takeStars(scan);
  const { values } = takeValues(scan, vocabulary);
  const { are } = takeTones(scan);
  return [
    ...filter,
    ...values.map(conditionOf),
    ...are.map((tone) => `tone=${tone}`),
    ...(periods.length > 0 ? [PERIOD] : []),
  ];
}

/** Stands in a base for the period of the question. */
export const PERIOD = 'period';

function conditionOf({ field, value }: NamedValue): string {
  return `${field}=${value}`;
}

function takeStars(scan: Scan): { filter: string[]; isGrouped: boolean } {
  const numbered = scan.take(new RegExp(String.raw`\b(${NUMBERS.join('|')}|[1-5])[- ]?${STARS}\b`));
  const filter = numbered.map(([, number = '']) => {
    const named = NUMBERS.findIndex((names) => new RegExp(`^(?:${names})$`, 'iu').test(number));
    return `rating=${named === -1 ? number : named + 1}`;
  });
  const isGrouped = scan.has(
    new RegExp(String.raw`\b(?:each|every|per|by)\b(?: \p{L}+)? (?:${STARS}|ratings?)\b`, 'u'),
  );
  return { filter: [...new Set(filter)].slice(0, 1), isGrouped };
}

/** True if a question asks which value of a dimension, or by each: `which country`, `who`, `per month`. */
function asksForDimension(open: string): boolean {
  return DIMENSIONS.some(([, { source }]) =>
    new RegExp(
      String.raw`^\W*(?:\p{L}+ )?(?:which|what|welche[rs]?|quel(?:le)?s?|welke?|qué)\s+(?:${source})|^(?=\W*who)(?:${source})|\b(?:by|per|each|every)\s+(?:${source})`,
      'iu',
    ).test(open),
  );
}

/** Takes the field that signals do not have: `without a rating`. */
function takeLacked(scan: Scan): GroupField | undefined {
  const fields = DIMENSIONS.flatMap(([field, { source }]) =>
    field !== 'year' && scan.has(new RegExp(`${WITHOUT}(?:${source})`, 'u')) ? [field] : [],
  );
  return fields[0];
}

/** Returns the first dimension in the question; beside a value of it ("version 4.2") it is none. */
function dimensionOf(scan: Scan, isOpen: (field: NamedField) => boolean): GroupField | 'year' | undefined {
  const fields = DIMENSIONS.filter(([, pattern]) => scan.has(pattern)).map(([field]) => field);
  return fields.find((field) => NAMED_FIELDS.every((named) => named !== field || isOpen(named)));
}

function takeTones(scan: Scan): { are: string[]; do: string[] } {
  const tones = ['negative', 'positive'] as const;
  return {
    are: tones.filter((tone) => scan.has(TONES[tone].are)),
    do: tones.filter((tone) => scan.has(TONES[tone].do)),
  };
}

/** Two and more values of one field, which are compared. */
function valuesOfOneField(values: readonly NamedValue[]): NamedValue[] {
  const [several] = [...Map.groupBy(values, ({ field }) => field).values()].filter((group) => group.length > 1);
  return several ?? [];
}

/** Returns the noun of `which operating system do they use`: up to three words before the first that says nothing. */
function nounOfWhich(open: string): string {
  const words = (AFTER_WHICH.exec(open)?.[1] ?? '').split(/\s+/, MOST_NOUN_WORDS + 1);
  const end = words.findIndex((word) => word === 'of' || isFeedbackQuestionWord(word));
  // "Which kind of people" asks for no field.
  return end < 1 || words[end] === 'of' ? '' : contentOf(words.slice(0, end).join(' '));
}

/** Returns the subjects in the remaining text of a question: words that say something, in what it compares. */
function subjectsOf(open: string): string[] {
  const parts = open.split(/\b(?:or|versus|vs|oder|ou|of)\b(?= )/i);
  const spoken = parts.map(contentOf).filter((part) => part !== '');
  return spoken.length > 1 && /\b(?:or|versus|vs|oder|ou)\b/i.test(open)
    ? spoken
    : [contentOf(open)].filter((part) => part !== '');
}

/** The words of a text that say something, in their order. */
export function contentOf(text: string): string {
  return wordsOf(text, 'asked')
    .map((word) => word.replace(/^[ld]['’]/i, ''))
    .filter((word) => !FRAME.test(word) && !isFeedbackQuestionWord(word))
    .join(' ');
}
