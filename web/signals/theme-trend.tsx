import { useState } from 'react';
import { Badge } from '../components/badge.tsx';
import { BarChart } from '../components/bar-chart.tsx';
import { ChoiceGroup } from '../components/field.tsx';
import type { Theme, ThemeDetail } from '../knowledge/bodies.ts';

const SERIES = {
  customers: { label: 'Customers', noun: 'customer', plural: 'customers' },
  value: { label: 'Value', noun: 'in value', plural: 'in value' },
  signals: { label: 'Signals', noun: 'signal', plural: 'signals' },
} as const;

type Series = keyof typeof SERIES;

/** Half a year of a theme by week: who said it, what they are worth, or how often it was said. */
export function ThemeTrend({ weeks }: Pick<ThemeDetail, 'weeks'>) {
  const [chosen, setChosen] = useState<Series>('customers');
  const isValued = weeks.some(({ value }) => value !== null);
  const known = (['customers', 'value', 'signals'] as const).filter((series) => series !== 'value' || isValued);
  const { label, noun, plural } = SERIES[chosen];
  return (
    <>
      <div className="mb-3">
        <ChoiceGroup
          quiet
          legend="What is counted"
          name="series"
          value={chosen}
          choices={known.map((value) => ({ value, label: SERIES[value].label }))}
          onChoose={setChosen}
        />
      </div>
      <BarChart
        bars={weeks.map((week) => ({ day: week.week, count: week[chosen] ?? 0 }))}
        title={`${label} per week`}
        noun={noun}
        plural={plural}
        unit="week"
        adds={chosen === 'signals'}
      />
    </>
  );
}

/** What is usual; rising and falling are said only where it is no accident. */
export function TrendWords({ trend: { direction, usual } }: Pick<Theme, 'trend'>) {
  return (
    <>
      {direction === 'rising' && <Badge tone="warn">rising</Badge>}
      {direction === 'falling' && <Badge tone="good">falling</Badge>} usually{' '}
      {usual < 10 ? usual.toFixed(1) : Math.round(usual)} a week
    </>
  );
}
