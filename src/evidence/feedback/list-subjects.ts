import { NewOutput, ThemesOutput } from '../../search/search.ts';
import type { Fact } from '../model/brief.ts';
import { joinPeriods } from './periods.ts';
import { after, describe, number } from './phrases.ts';
import { type ComputedFact, MOST_QUOTED, OPERATION, type SignalQuery } from './signal-query.ts';

const MOST_THEMES = 8;
const MOST_NAMED = 6;

export async function stateMissing(query: SignalQuery): Promise<Fact[]> {
  const { missing, by } = query.reading;
  const named = missing.map((word) => `“${word}”`).join(' or ');
  const fields = [...query.vocabulary.having].flatMap(([field, signals]) =>
    signals > 0 && field !== 'month' ? [field] : [],
  );
  const all = await query.ask({ action: 'count', ...(by !== undefined && by !== 'year' && { group_by: by }) });
  if (all === undefined) return [];
  const what = `No signal has ${named === '' ? 'that' : named} in a field: it cannot be answered with them`;
  return query.state(`${what}. They have: ${fields.join(', ') || 'no fields'}.`, {}, 1);
}

export async function listThemes(query: SignalQuery): Promise<ComputedFact[]> {
  const scope = query.scope();
  const args = { action: 'themes', ...scope, limit: MOST_THEMES };
  query.show(args);
  const answer = await query.operations.read(OPERATION, args, ThemesOutput);
  const of = await query.read({ action: 'count', ...scope });
  if (answer === undefined || of === undefined) return [];
  const about = describe(scope);
  const isAbout = query.reading.subjects.length > 0;
  const isByMeaning = isAbout && of.counted === 0;
  const counted = isAbout ? await query.state(`${query.counted(of, of.rows[0], scope)}.`, scope) : [];
  const all = counted.map((fact) => ({ ...fact, isByMeaning }));
  if (answer.rows.length === 0)
    return isAbout ? all : query.state(`No theme has any of the ${number(of.counted)} signals${after(about)}.`, scope);
  const sources = await query.quoteThemes(answer.rows);
  if (of.counted === 0) {
    const names = answer.rows.map(({ theme }) => theme).join(', ');
    return [...all, { sentence: `Themes of the signals nearest to it: ${names}.`, sources }];
  }
  const parts = answer.rows.map(
    ({ theme, signals, customers }) => `${theme}: ${number(signals)} signals, ${number(customers)} customers`,
  );
  const which = `the ${number(of.counted)} signals${after(about)}`;
  return [...all, { sentence: `Themes of ${which}, most signals first: ${parts.join('; ')}.`, sources }];
}

export async function listNew(query: SignalQuery): Promise<Fact[]> {
  const period = joinPeriods(query.reading.periods);
  const args = { action: 'new', ...(period !== undefined && { since: period.since }) };
  query.show(args);
  const answer = await query.operations.read(OPERATION, args, NewOutput);
  if (answer === undefined) return [];
  const since = answer.period.since.slice(0, 10);
  const compared = `${number(answer.recent)} signals since ${since} against ${number(answer.before)} before`;
  if (answer.rows.length === 0) return query.state(`No new subject: ${compared}.`, { since }, 3);
  return Promise.all(
    answer.rows
      .slice(0, MOST_NAMED)
      .map(async ({ subject, signals, customers, before, sample_ids: ids, since: first }) => ({
        sentence: `New since ${first.slice(0, 10)}: “${subject}”, ${number(signals)} signals from ${number(customers)} customers, ${number(before)} before (${compared}).`,
        sources: await query.quote(ids.map((id) => [id, `new: ${subject}`])),
      })),
  );
}

export async function listExamples(query: SignalQuery): Promise<Fact[]> {
  const scope = query.scope(query.reading.subjects.join(' ') || undefined);
  const args = { action: 'search', types: ['signal'], ...scope, limit: MOST_QUOTED };
  query.show(args);
  const sources = await query.samples(scope, MOST_QUOTED);
  const every = await query.read({ action: 'count', ...scope });
  return [
    {
      sentence: `${query.counted(every, every?.rows[0], scope)}; the ${sources.length} that fit best follow.`,
      sources,
    },
  ];
}
