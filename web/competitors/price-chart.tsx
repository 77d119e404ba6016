import { Header, Table, Cell, NumberCell, RowHeader } from '../components/table.tsx';
import { Time } from '../components/time.tsx';
import type { PriceSeries } from './queries.ts';

/** The latest days with changes; older ones are in the trend. */
const MOST_DAYS = 6;
const [WIDTH, HEIGHT, EDGE] = [160, 32, 3];

/** Prices over time: a row a plan, a column for each day on which a price changed. */
export function PriceTable({ series }: { series: readonly PriceSeries[] }) {
  const times = series.flatMap(({ points }) => points.map(({ at }) => Date.parse(at)));
  const [from, to] = [Math.min(...times), Math.max(Date.now(), ...times)];
  const days = [...new Set(series.flatMap(({ points }) => points.map(({ at }) => at.slice(0, 10))))]
    .toSorted()
    .slice(-MOST_DAYS);
  return (
    <Table
      caption="Prices over time"
      head={
        <>
          <Header>Plan</Header>
          {days.map((day) => (
            <Header key={day} className="text-right">
              <Time at={day} as="date" />
            </Header>
          ))}
          <Header className="max-sm:hidden">Trend</Header>
        </>
      }
    >
      {series.map(({ plan, former_names: formerNames, currency, unit, url, points }) => (
        <tr key={`${url} ${plan} ${currency} ${unit}`}>
          <RowHeader className="font-medium [overflow-wrap:anywhere]">
            {plan === '' ? 'Without a heading' : plan}
            {unit !== '' && <span className="block text-sm font-normal text-quiet">{unit}</span>}
            {formerNames.length > 0 && (
              <span className="block text-sm font-normal text-quiet">formerly {formerNames.join(', ')}</span>
            )}
          </RowHeader>
          {days.map((day) => (
            <NumberCell key={day}>{points.findLast(({ at }) => at.slice(0, 10) <= day)?.text ?? '–'}</NumberCell>
          ))}
          <Cell className="max-sm:hidden">
            <Steps points={points} from={from} to={to} />
          </Cell>
        </tr>
      ))}
    </Table>
  );
}

function Steps({ points, from, to }: Pick<PriceSeries, 'points'> & { from: number; to: number }) {
  const top = Math.max(...points.map(({ value }) => value), 1);
  const x = (at: number): number => EDGE + ((at - from) / Math.max(1, to - from)) * (WIDTH - 2 * EDGE);
  const y = (value: number): number => HEIGHT - EDGE - (value / top) * (HEIGHT - 2 * EDGE);
  const line = points
    .map(
      ({ at, value }, index) =>
        `${index === 0 ? 'M' : 'H'}${x(Date.parse(at))}${index === 0 ? ` ${y(value)}` : `V${y(value)}`}`,
    )
    .join('');
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      className="h-8 w-40"
      role="img"
      aria-label={points.map(({ text }) => text).join(', then ')}
    >
      <path d={`${line}H${x(to)}`} fill="none" stroke="var(--color-series-1)" strokeWidth="1.5" />
    </svg>
  );
}
