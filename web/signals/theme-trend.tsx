import { useState } from 'react';
import { BarChart } from '../components/bar-chart.tsx';
import { ChoiceGroup, TextField } from '../components/field.tsx';
import { formatCount } from '../format.ts';
import type { ThemeDetail } from '../knowledge/queries.ts';

const SERIES = {
  customers: { label: 'Customers', noun: 'customer', plural: 'customers' },
  value: { label: 'Value', noun: 'in value', plural: 'in value' },
  signals: { label: 'Signals', noun: 'signal', plural: 'signals' },
} as const;

/** While a day is typed, it is empty, or its year begins with zeros or is too long. */
const WHOLE_DAY = /^[1-9]\d{3}-/;

type Series = keyof typeof SERIES;

/** The days between which the trend is drawn, and how many customers spoke of it then and before. */
export function TrendPeriod({
  period: { since, until, now, before },
  onChoose,
}: Pick<ThemeDetail, 'period'> & { onChoose: (period: { since: string; until: string }) => void }) {
  const [days, setDays] = useState({ since: since.slice(0, 10), until: until.slice(0, 10) });
  const change = (changed: Partial<typeof days>): void => {
    const next = { ...days, ...changed };
    setDays(next);
    if (WHOLE_DAY.test(next.since) && WHOLE_DAY.test(next.until) && next.since <= next.until) onChoose(next);
  };
  return (
    <div className="mb-3 grid grid-cols-2 items-end gap-x-3 sm:flex sm:flex-wrap">
      <TextField
        label="From"
        type="date"
        value={days.since}
        max={days.until}
        onEnter={(day) => change({ since: day })}
      />
      <TextField label="To" type="date" value={days.until} min={days.since} onEnter={(day) => change({ until: day })} />
      <p className="col-span-2 py-2 text-sm text-quiet">
        {formatCount(now, 'customer')}, {formatCount(before, 'customer')} in as long a time before
      </p>
    </div>
  );
}

/** A theme by week: who said it, what they are worth, or how often it was said. */
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
        isDated
        adds={chosen === 'signals'}
      />
    </>
  );
}
