import { useQuery } from '@tanstack/react-query';
import { EmptyState, Section } from '../components/page.tsx';
import { QueryState } from '../components/query-state.tsx';
import { Table, Cell, NumberCell, RowHeader } from '../components/table.tsx';
import { formatCount, formatNumber } from '../format.ts';
import { folderLevels } from '../overview/folder-levels.ts';
import { useSession } from '../session.tsx';
import { type ServiceLink, servicesQuery } from './queries.ts';

/** Width of a box with its gap, and of a level, in pixels of the picture. */
const BOX = { width: 260, height: 40, gapX: 40, gapY: 70 };

/** Repositories of the product that make requests to routes of others. */
export function ServiceMap() {
  const { product } = useSession();
  const query = useQuery(servicesQuery(product.id));
  if (query.data === undefined) return <QueryState query={query} what="services" box="h-64" />;
  const { services = [] } = query.data;
  if (services.length === 0) {
    return (
      <EmptyState icon="link" title="No requests between repositories">
        Code of one repository that asks for a route of another one shows here. The product needs both.
      </EmptyState>
    );
  }
  return (
    <>
      <Levels links={services} />
      <Section title={formatCount(services.length, 'link')} lead="By the paths of requests and of routes.">
        <Table
          caption="Requests between repositories"
          columns={['From', 'To', ['Requests', 'text-right'], ['Routes', 'text-right']]}
        >
          {services.map(({ from, to, requests, routes }) => (
            <tr key={`${from} ${to}`}>
              <RowHeader className="font-medium">{from}</RowHeader>
              <Cell>{to}</Cell>
              <NumberCell>{formatNumber(requests)}</NumberCell>
              <NumberCell>{formatNumber(routes)}</NumberCell>
            </tr>
          ))}
        </Table>
      </Section>
    </>
  );
}

/** Repositories from those that ask down to those that answer; the table below says the same. */
function Levels({ links }: { links: readonly ServiceLink[] }) {
  const levels = serviceLevels(links);
  const widest = Math.max(...levels.map((level) => level.length));
  const width = widest * (BOX.width + BOX.gapX);
  const height = levels.length * (BOX.height + BOX.gapY) - BOX.gapY;
  const places = new Map(
    levels.flatMap((level, row) =>
      level.map((name, at) => [
        name,
        {
          x: ((at + 0.5) * width) / level.length,
          y: row * (BOX.height + BOX.gapY),
        },
      ]),
    ),
  );
  const most = Math.max(...links.map(({ requests }) => requests));
  return (
    <div aria-hidden="true" className="mb-6 overflow-x-auto rounded-lg border border-line bg-panel p-4 max-sm:hidden">
      <svg viewBox={`0 0 ${width} ${height}`} style={{ maxWidth: `${width}px` }} className="mx-auto w-full">
        {links.map(({ from, to, requests }) => {
          const [start, end] = [places.get(from), places.get(to)];
          if (start === undefined || end === undefined) return null;
          const isDown = end.y > start.y;
          const [y1, y2] = [start.y + (isDown ? BOX.height : 0), end.y + (isDown ? 0 : BOX.height)];
          return (
            <path
              key={`${from} ${to}`}
              className="fill-none stroke-edge"
              strokeWidth={1 + (3 * requests) / most}
              d={`M${start.x} ${y1}C${start.x} ${(y1 + y2) / 2} ${end.x} ${(y1 + y2) / 2} ${end.x} ${y2}`}
            />
          );
        })}
        {[...places].map(([name, { x, y }]) => (
          <g key={name}>
            <title>{name}</title>
            <rect
              x={x - BOX.width / 2}
              y={y}
              width={BOX.width}
              height={BOX.height}
              rx={6}
              className="fill-page stroke-line"
            />
            <text x={x} y={y + BOX.height / 2 + 5} textAnchor="middle" className="fill-ink text-sm">
              {name.length > 34 ? `${name.slice(0, 33)}…` : name}
            </text>
          </g>
        ))}
      </svg>
    </div>
  );
}

/** Names of repositories from those that ask down to those that only answer; of a circle, the links of the fewest requests do not count. */
function serviceLevels(links: readonly ServiceLink[]): string[][] {
  const names = [...new Set(links.flatMap(({ from, to }) => [from, to]))];
  const asking = names.map((path) => ({
    path,
    files: links.filter(({ to }) => to === path).reduce((sum, { requests }) => sum + requests, 0),
    uses: links.filter(({ from }) => from === path).map(({ to, requests }) => ({ path: to, files: requests })),
  }));
  return folderLevels(asking).map((level) => level.map(({ path }) => path));
}
