import { useInfiniteQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import type { HotspotPage } from '../../src/commits/history-bodies.ts';
import { PathLink } from '../components/entity-link.tsx';
import { EmptyState } from '../components/page.tsx';
import { Table, Cell, NumberCell, RowHeader } from '../components/table.tsx';
import { formatDate, formatNumber, formatShare } from '../format.ts';
import { trendWord } from './hotspot-reason.ts';
import { hotspotsQuery } from './queries.ts';
import { Sparkline } from './sparkline.tsx';
import { ListView, type ViewProps } from './view-parts.tsx';

const HotspotMap = lazy(async () => ({ default: (await import('./hotspot-map.tsx')).HotspotMap }));

/** Files that change often and hold much, with what says so. */
export function Hotspots({ source, parameters, onChange }: ViewProps) {
  const { since, path } = parameters;
  const query = useInfiniteQuery(hotspotsQuery(source, { since, path }));
  return (
    <ListView
      parameters={parameters}
      onChange={onChange}
      query={query}
      what="hotspots"
      noun="file"
      empty={
        <EmptyState icon="flame" title="No source file changed">
          No file that defines symbols changed in this period{path === undefined ? '' : ' below this path'}. Choose a
          longer period.
        </EmptyState>
      }
    >
      {(rows) => (
        <>
          {rows.length > 1 && (
            <Suspense fallback={<div className="mb-4 aspect-video max-sm:hidden" />}>
              <HotspotMap
                rows={rows}
                repo={parameters.repo ?? source.id}
                onZoom={(folder) => onChange({ path: folder })}
              />
            </Suspense>
          )}
          <HotspotTable rows={rows} repo={source.id} />
        </>
      )}
    </ListView>
  );
}

function HotspotTable({ rows, repo }: { rows: HotspotPage['rows']; repo: string }) {
  const right = 'text-right';
  return (
    <Table
      caption="Hotspots, worst first"
      columns={[
        'File',
        ['Score', right],
        'Over the period',
        ['Revisions', right],
        ['Fixes', right],
        ['Authors', right],
        ['Complexity', right],
        ['Lines', right],
        ['Churn', right],
        'Last',
      ]}
    >
      {rows.map((row) => (
        <tr key={row.path}>
          <RowHeader className="min-w-48 font-normal">
            <PathLink repo={repo} path={row.path} className="font-mono text-sm hover:text-accent hover:underline" />
          </RowHeader>
          <NumberCell className="font-medium">{Math.round(row.score)}</NumberCell>
          <Cell>
            <Sparkline series={row.series} label={`${trendWord(row)}: ${row.series.join(', ')}`} />
          </Cell>
          <NumberCell>{formatNumber(row.revisions)}</NumberCell>
          <NumberCell>{formatShare(row.fix_share)}</NumberCell>
          <NumberCell>{formatNumber(row.authors)}</NumberCell>
          <NumberCell>{formatNumber(row.complexity)}</NumberCell>
          <NumberCell>{formatNumber(row.lines)}</NumberCell>
          <NumberCell>{row.churn === undefined ? '' : formatNumber(row.churn)}</NumberCell>
          <Cell className="whitespace-nowrap text-quiet">{formatDate(row.last)}</Cell>
        </tr>
      ))}
    </Table>
  );
}
