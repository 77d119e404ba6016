import { useInfiniteQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import type { CouplingPage } from '../../src/commits/history-bodies.ts';
import { BreakablePath, PathLink } from '../components/entity-link.tsx';
import { EmptyState } from '../components/page.tsx';
import { CELL_CLASS, Table, NumberCell } from '../components/table.tsx';
import { formatNumber, formatShare } from '../format.ts';
import { couplingQuery } from './queries.ts';
import { ListView, type ViewProps } from './view-parts.tsx';

const CouplingPicture = lazy(async () => ({ default: (await import('./coupling-picture.tsx')).CouplingPicture }));
const PATH = `${CELL_CLASS} min-w-40 font-mono text-sm font-normal`;

/** Pairs of files that changed in the same commits. */
export function ChangeTogether({ source, parameters, onChange }: ViewProps) {
  const { since, path } = parameters;
  const query = useInfiniteQuery(couplingQuery(source, { since, path }));
  return (
    <ListView
      parameters={parameters}
      onChange={onChange}
      query={query}
      what="files that change together"
      noun="pair"
      empty={
        <EmptyState icon="link" title="No files changed together often enough">
          Pairs need three shared commits, or one when you name a path. Choose a longer period.
        </EmptyState>
      }
    >
      {(rows) => (
        <>
          {rows.length > 2 && (
            <Suspense fallback={<div className="mb-4 h-[46rem] max-sm:hidden" />}>
              <CouplingPicture pairs={rows} onChoose={(file) => onChange({ path: file })} />
            </Suspense>
          )}
          <Table
            caption="Files that change together, most certain first"
            columns={[
              'File',
              'Changes with',
              ['Degree', 'text-right'],
              ['Shared', 'text-right'],
              ['Of each', 'text-right'],
            ]}
          >
            {rows.map((row) => (
              <Pair key={`${row.a} ${row.b}`} row={row} repo={source.id} onChoose={() => onChange({ path: row.a })} />
            ))}
          </Table>
        </>
      )}
    </ListView>
  );
}

function Pair({ row, repo, onChoose }: { row: CouplingPage['rows'][number]; repo: string; onChoose: () => void }) {
  return (
    <tr>
      <th scope="row" className={`${PATH} text-left`}>
        <button type="button" className="text-left hover:text-accent hover:underline" onClick={onChoose}>
          <BreakablePath path={row.a} />
        </button>
      </th>
      <td className={PATH}>
        <PathLink repo={repo} path={row.b} />
        {row.linked && <span className="block font-sans text-quiet">one uses the other</span>}
      </td>
      <NumberCell className="font-medium">{formatShare(row.degree_pct / 100)}</NumberCell>
      <NumberCell>{formatNumber(row.shared)}</NumberCell>
      <NumberCell>
        {formatNumber(row.revisions_a)} and {formatNumber(row.revisions_b)}
      </NumberCell>
    </tr>
  );
}
