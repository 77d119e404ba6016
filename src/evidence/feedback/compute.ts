import type { Fact } from '../model/brief.ts';
import { compareSides, compareTones, countSignals, rankValues, stateMean, stateShare } from './count-signals.ts';
import { listExamples, listNew, listThemes, stateMissing } from './list-subjects.ts';
import type { SignalQuery } from './signal-query.ts';
import { compareThemes, stateBeginning, stateTrend } from './state-change.ts';

/** Computes the facts in the rows of a query. One to eight calls. */
export function computeQuery(query: SignalQuery): Promise<(Fact | undefined)[]> {
  switch (query.reading.kind) {
    case 'missing':
      return stateMissing(query);
    case 'count':
      return countSignals(query);
    case 'share':
      return stateShare(query);
    case 'mean':
      return stateMean(query);
    case 'values':
      return rankValues(query);
    case 'compare':
      return compareSides(query);
    case 'trend':
      return stateTrend(query);
    case 'since':
      return stateBeginning(query);
    case 'tones':
      return compareTones(query);
    case 'themes':
      return query.reading.periods.length > 1 ? compareThemes(query) : listThemes(query);
    case 'new':
      return listNew(query);
    case 'examples':
      return listExamples(query);
  }
}
