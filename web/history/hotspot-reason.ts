import type { HotspotPage } from '../../src/commits/history-bodies.ts';
import { formatCount, formatNumber } from '../format.ts';

export type Hotspot = HotspotPage['rows'][number];

/** From which trend on changes count as more or fewer than before. */
const CLEAR = 0.2;

/** Compares how often a file is changed with the earlier half of the period. */
export function trendWord({ trend }: Pick<Hotspot, 'trend'>): 'rising' | 'falling' | 'steady' {
  if (trend > CLEAR) return 'rising';
  return trend < -CLEAR ? 'falling' : 'steady';
}

/** Explains a hotspot in a sentence: how often the file is changed and by whom, and what makes changes hard. */
export function hotspotReason(row: Omit<Hotspot, 'series' | 'last' | 'path' | 'score' | 'churn'>): string {
  const { revisions, authors, fixes, complexity, lines } = row;
  const fixed = fixes === 0 ? '' : `, ${formatCount(fixes, 'fix', 'fixes')} among them`;
  const changed = `Changed ${formatCount(revisions, 'time')} by ${formatCount(authors, 'person', 'people')}${fixed}`;
  const size = formatCount(lines, 'line');
  const hard = complexity > 0 ? `complexity ${formatNumber(complexity)} in ${size}` : size;
  const trend = { rising: '; more often lately', falling: '; less often lately', steady: '' }[trendWord(row)];
  return `${changed}; ${hard}${trend}.`;
}
