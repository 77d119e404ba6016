import { useState } from 'react';
import { BarChart } from '../components/bar-chart.tsx';
import { ChoiceGroup } from '../components/field.tsx';
import type { ThemeDetail } from '../knowledge/queries.ts';

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
  const shownSeries = (['customers', 'value', 'signals'] as const).filter((series) => series !== 'value' || isValued);
  const { label, noun, plural } = SERIES[chosen];
  return (
    <>
      <div className="mb-3">
        <ChoiceGroup
          quiet
          legend="What is counted"
          name="series"
          value={chosen}
          choices={shownSeries.map((value) => ({ value, label: SERIES[value].label }))}
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
