import type { CountRow } from '../../search/search.ts';
import type { Fact } from '../model/brief.ts';
import { after, describe, number, percent, predicate, tonesOf, valueName, yearsOf } from './phrases.ts';
import { PERIOD } from './read-query.ts';
import { type ComputedFact, MOST_QUOTED, type Scope, type SignalQuery } from './signal-query.ts';

const MOST_NAMED = 6;
/** Months of two years. */
const MOST_TIMES = 24;
/** A mean of fewer ratings ranks no value. */
const LEAST_RATED = 5;

export async function countSignals(query: SignalQuery): Promise<ComputedFact[]> {
  const scope = query.scope();
  const isAbout = query.reading.subjects.length > 0;
  const answer = await query.ask({ action: 'count', ...scope, ...(isAbout && { group_by: 'tone' }) });
  if (answer === undefined) return [];
  const total = isAbout ? await query.read({ action: 'count', ...scope }) : answer;
  const [row] = total?.rows ?? [];
  const sources = await query.samples(scope, MOST_QUOTED);
  const isAbsent = answer.counted === 0 && isAbout;
  const counted = `${query.counted(answer, row, scope)}${lackingOf(query, scope)}.`;
  if (isAbsent) {
    const nearest = { sentence: 'These are the nearest by meaning.', sources };
    return [
      { sentence: counted, sources: [], isByMeaning: true },
      ...(await countPerWord(query, scope)),
      ...(sources.length === 0 ? [] : [nearest]),
    ];
  }
  const tones = isAbout ? tonesOf(answer) : '';
  return [{ sentence: counted, sources }, ...(tones === '' ? [] : [{ sentence: `Of these ${tones}.`, sources }])];
}

/** Signals that lack a field of a condition, which may belong to the counted ones: `; 10 of 586 have no language`. */
function lackingOf({ vocabulary: { having, signals } }: SignalQuery, { filter = [] }: Scope): string {
  const fields = new Set(filter.map((condition) => condition.replace(/[!<>=].*/s, '')));
  return [...fields]
    .map((field) => ({ field, lacking: signals - (having.get(field) ?? signals) }))
    .filter(({ lacking }) => lacking > 0 && lacking < signals)
    .map(({ field, lacking }) => `; ${number(lacking)} of ${number(signals)} have no ${field}`)
    .join('');
}

/** Counts of each word where no signal has all of them. */
async function countPerWord(query: SignalQuery, scope: Scope): Promise<Fact[]> {
  const words = (scope.query ?? '').split(' ');
  if (words.length < 2) return [];
  const counts = await Promise.all(words.map((word) => query.read({ action: 'count', ...scope, query: word })));
  const parts = words.map((word, at) => `“${word}” ${number(counts[at]?.counted ?? 0)}`);
  return [{ sentence: `Alone they have: ${parts.join(', ')}.`, sources: [] }];
}

/** Counts the signals of a scope that do not have a field. */
export async function countLacking(query: SignalQuery): Promise<Fact[]> {
  const { by = 'rating' } = query.reading;
  const { query: _, ...scope } = query.scope();
  const answer = await query.ask({ action: 'count', ...scope, group_by: query.fieldOf(by), limit: 1 });
  if (answer === undefined) return [];
  const { lacking, counted } = answer;
  return query.state(
    `${number(lacking)} of ${number(counted)} signals${after(describe(scope))} have no ${by}.`,
    scope,
    1,
  );
}

export async function stateShare(query: SignalQuery): Promise<Fact[]> {
  const { base } = query.reading;
  const scope = query.scope();
  const { since, until } = scope;
  const filter = base.filter((condition) => condition !== PERIOD);
  const whole: Scope = {
    ...(filter.length > 0 && { filter }),
    ...(base.includes(PERIOD) && since !== undefined && until !== undefined && { since, until }),
  };
  const [part, of] = [await query.ask({ action: 'count', ...scope }), await query.read({ action: 'count', ...whole })];
  if (part === undefined || of === undefined) return [];
  const share = `${percent(part.counted, of.counted)} of the signals${after(describe(whole))} ${predicate(scope, whole)}`;
  return query.state(`${share}: ${number(part.counted)} of ${number(of.counted)}.`, scope);
}

export async function stateMean(query: SignalQuery): Promise<Fact[]> {
  const scope = query.scope();
  const answer = await query.ask({ action: 'count', ...scope });
  const [row] = answer?.rows ?? [];
  if (answer === undefined) return [];
  const which = after(describe(scope));
  const sentence =
    row?.mean_rating === undefined
      ? `No signal${which} has a rating.`
      : `The mean rating is ${row.mean_rating.toFixed(2)} stars, over ${number(row.signals)} signals${which}.`;
  return query.state(sentence, scope, 3);
}

/** The mean rating of each value of a field: months in their order, others from the best on. */
export async function listMeans(query: SignalQuery): Promise<Fact[]> {
  const { by = 'month' } = query.reading;
  const scope = query.scope();
  const args = { action: 'count', ...scope, group_by: query.fieldOf(by) };
  query.show(args);
  const rows = (await query.readAll(args))?.rows ?? [];
  const rated = (by === 'year' ? yearsOf(rows) : rows).flatMap(({ mean_rating: mean, ...row }) =>
    mean === undefined ? [] : [{ ...row, mean }],
  );
  if (rated.length === 0) return query.state(`No signal${after(describe(scope))} has a rating and a ${by}.`, scope, 1);
  const isTime = by === 'month' || by === 'week' || by === 'year';
  const ordered = isTime
    ? rated.toSorted((a, b) => (a.value ?? '').localeCompare(b.value ?? '')).slice(-MOST_TIMES)
    : rated.toSorted((a, b) => b.mean - a.mean).slice(0, MOST_NAMED);
  const parts = ordered.map((row) => `${valueName(row)} ${row.mean.toFixed(2)} (${number(row.signals)})`);
  const rest =
    rated.length > ordered.length ? `, and ${rated.length - ordered.length} ${isTime ? 'before' : 'more'}` : '';
  const order = isTime ? '' : ', the best first';
  return query.state(
    `Mean rating of the signals${after(describe(scope))} by ${by}${order}, with their number: ${parts.join(', ')}${rest}.`,
    scope,
    3,
  );
}

export async function rankValues(query: SignalQuery): Promise<Fact[]> {
  const { by = 'theme', rank, isLeast } = query.reading;
  const scope = query.scope();
  const field = query.fieldOf(by);
  query.show({ action: 'count', ...scope, group_by: field });
  const answer = await query.readAll({ action: 'count', ...scope, group_by: field });
  if (answer === undefined) return [];
  const rows = by === 'year' ? yearsOf(answer.rows) : answer.rows;
  if (rows.length === 0) {
    const lacking = `${number(answer.lacking)} of ${number(answer.counted)} signals lack it`;
    return query.state(`No signal has a ${by}: ${lacking}.`, scope, 3);
  }
  const rated = rows.filter((row) => row.mean_rating !== undefined && row.signals >= LEAST_RATED);
  const ranked =
    rank !== undefined
      ? rated.toSorted((a, b) => (rank === 'best' ? -1 : 1) * ((a.mean_rating ?? 0) - (b.mean_rating ?? 0)))
      : by === 'rating'
        ? rows
        : rows.toSorted((a, b) => (isLeast ? 1 : -1) * (a.signals - b.signals));
  const parts = ranked
    .slice(0, MOST_NAMED)
    .map(
      (row) =>
        `${valueName(row)} (${rank === undefined ? number(row.signals) : `${row.mean_rating?.toFixed(2)} stars, ${number(row.signals)}`})`,
    );
  const order =
    rank !== undefined
      ? `, the ${rank} mean rating first`
      : by === 'rating'
        ? ''
        : `, the ${isLeast ? 'fewest' : 'most'} signals first`;
  const rest = ranked.length > MOST_NAMED ? `, and ${ranked.length - MOST_NAMED} more` : '';
  const lacking = answer.lacking === 0 ? '' : `; ${number(answer.lacking)} have none`;
  return query.state(
    `Signals${after(describe(scope))} by ${by}${order}: ${parts.join(', ')}${rest}${lacking}.`,
    scope,
    3,
  );
}

export async function compareSides(query: SignalQuery): Promise<Fact[]> {
  const { subjects, values } = query.reading;
  const isOfRatings = query.reading.rank !== undefined;
  const sides =
    values.length > 1
      ? values.map(({ field, value, text }) => ({ name: text, scope: query.with([`${field}=${value}`]) }))
      : subjects.map((subject) => ({ name: subject, scope: query.scope(subject) }));
  const counts: { name: string; scope: Scope; row: CountRow | undefined }[] = [];
  for (const { name, scope } of sides)
    counts.push({ name, scope, row: (await query.ask({ action: 'count', ...scope }))?.rows[0] });
  const valueOf = ({ row }: (typeof counts)[number]): number =>
    isOfRatings ? (row?.mean_rating ?? 0) : (row?.signals ?? 0);
  const ranked = counts.toSorted((a, b) => valueOf(b) - valueOf(a));
  const parts = ranked.map(({ name, row }) =>
    isOfRatings
      ? `${name} ${row?.mean_rating?.toFixed(2) ?? 'no'} stars (${number(row?.signals ?? 0)} signals)`
      : `${name} ${number(row?.signals ?? 0)} signals`,
  );
  const sources = (await Promise.all(ranked.map(({ scope }) => query.samples(scope, 3)))).flat();
  const [first, second] = ranked;
  const isMore = first !== undefined && second !== undefined && valueOf(first) > valueOf(second);
  const more = isMore
    ? `More ${isOfRatings ? 'stars come from' : 'signals mention'} ${first.name} than ${second.name}: `
    : '';
  return [{ sentence: `${more}${parts.join(', ')}.`, sources }];
}

export async function compareTones(query: SignalQuery): Promise<Fact[]> {
  const scope = query.scope();
  const answer = await query.ask({ action: 'count', ...scope, group_by: 'tone' });
  if (answer === undefined) return [];
  const of = (tone: string): number => answer.rows.find(({ value }) => value === tone)?.signals ?? 0;
  const [good, bad] = [of('positive'), of('negative')];
  const more = good === bad ? 'As many' : `More ${good > bad ? 'positive than negative' : 'negative than positive'}`;
  const counts = [`${number(good)} positive`, `${number(bad)} negative`];
  const sides = (good >= bad ? counts : counts.toReversed()).join(', ');
  return query.state(`${more} signals ${predicate(scope, {})}: ${sides} of ${number(answer.counted)}.`, scope);
}
