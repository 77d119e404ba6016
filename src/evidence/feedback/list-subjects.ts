import { NewOutput, ThemesOutput } from '../../search/search.ts';
import type { Fact } from '../model/brief.ts';
import { joinPeriods } from './periods.ts';
import { after, describe, number } from './phrases.ts';
import { MOST_QUOTED, OPERATION, type SignalQuery } from './signal-query.ts';

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

export async function listThemes(query: SignalQuery): Promise<Fact[]> {
  const scope = query.scope();
  const args = { action: 'themes', ...scope, limit: MOST_THEMES };
  query.show(args);
  const answer = await query.operations.read(OPERATION, args, ThemesOutput);
  const of = await query.read({ action: 'count', ...scope });
  if (answer === undefined || of === undefined) return [];
  const about = describe(scope);
  query.isByMeaning = of.counted === 0 && query.reading.subjects.length > 0;
  const all =
    query.reading.subjects.length === 0 ? [] : await query.state(`${query.counted(of, of.rows[0], scope)}.`, scope);
  if (answer.rows.length === 0)
    return all.length > 0
      ? all
      : query.state(`No theme has any of the ${number(of.counted)} signals${after(about)}.`, scope);
  if (of.counted === 0)
    return [
      ...all,
      {
        sentence: `Themes of the signals nearest to it: ${answer.rows.map(({ theme }) => theme).join(', ')}.`,
        sources: await query.quoteThemes(answer.rows),
      },
    ];
  const parts = answer.rows.map(
    ({ theme, signals, customers }) => `${theme}: ${number(signals)} signals, ${number(customers)} customers`,
  );
  const which = query.isByMeaning ? 'that are nearest by meaning' : about;
  const signals = query.isByMeaning ? 'signals' : `${number(of.counted)} signals`;
  return [
    ...(query.isByMeaning ? all.map(({ sentence }) => ({ sentence, sources: [] })) : all),
    {
      sentence: `Themes of the ${signals}${after(which)}, most signals first: ${parts.join('; ')}.`,
      sources: await query.quoteThemes(answer.rows),
    },
  ];
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
