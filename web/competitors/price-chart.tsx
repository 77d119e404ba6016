import { CELL_CLASS, Header, NUMBER_CLASS, Table } from '../components/table.tsx';
import { Time } from '../components/time.tsx';
import type { PriceSeries } from './queries.ts';

const [WIDTH, HEIGHT, EDGE] = [160, 32, 3];

/** Prices over time: a row a plan, with the line of its steps. */
export function PriceTable({ series }: { series: readonly PriceSeries[] }) {
  const times = series.flatMap(({ points }) => points.map(({ at }) => Date.parse(at)));
  const [from, to] = [Math.min(...times), Math.max(Date.now(), ...times)];
  return (
    <Table
      caption="Prices over time"
      head={
        <>
          <Header>Plan</Header>
          <Header className="text-right">Price</Header>
          <Header className="max-sm:hidden">Trend</Header>
          <Header>Last change</Header>
        </>
      }
    >
      {series.map(({ plan, currency, url, points }) => {
        const last = points.at(-1);
        const before = points.at(-2);
        return (
          <tr key={`${url} ${plan} ${currency}`}>
            <th scope="row" className={`${CELL_CLASS} text-left font-medium [overflow-wrap:anywhere]`}>
              {plan === '' ? 'Without a heading' : plan}
            </th>
            <td className={NUMBER_CLASS}>{last?.text}</td>
            <td className={`${CELL_CLASS} max-sm:hidden`}>
              <Steps points={points} from={from} to={to} />
            </td>
            <td className={`${CELL_CLASS} text-quiet`}>
              {last !== undefined && before !== undefined && (
                <>
                  {before.text} → {last.text}, <Time at={last.at} as="date" />
                </>
              )}
              {before === undefined && 'none'}
            </td>
          </tr>
        );
      })}
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
