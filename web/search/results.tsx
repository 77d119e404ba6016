import type { SearchRow } from '../../src/search/search-bodies.ts';
import { CopyButton } from '../components/copy.tsx';
import { PathLink } from '../components/entity-link.tsx';
import { Badge } from '../components/inline.tsx';
import { formatCount } from '../format.ts';
import { groupByFile } from './group-by-file.ts';
import { Marked } from './marked.tsx';

export function Results({ rows, query }: { rows: readonly SearchRow[]; query: string }) {
  return (
    <ul aria-label="Results" className="flex flex-col gap-3">
      {groupByFile(rows).map((file) => (
        <li
          key={`${file.repo}/${file.path}`}
          className="lazy-row overflow-hidden rounded-lg border border-line bg-panel"
        >
          <h2 className="flex items-center justify-between gap-2 border-b border-line py-0.5 pr-0.5 pl-3 text-sm font-normal">
            <span className="min-w-0 [overflow-wrap:anywhere]">
              <PathLink repo={file.repo} path="" className="inline-block py-0.5 text-quiet hover:underline">
                {file.repo}/
              </PathLink>
              <PathLink
                repo={file.repo}
                path={file.path}
                className="inline-block py-0.5 font-medium hover:text-accent hover:underline"
              />
            </span>
            <CopyButton look="ghost" label="Copy path" text={file.path} />
          </h2>
          <ul className="divide-y divide-line/60">
            {file.rows.map((row, index) => (
              <ResultRow key={`${row.line}:${index}`} row={row} query={query} />
            ))}
          </ul>
        </li>
      ))}
    </ul>
  );
}

function ResultRow({ row, query }: { row: SearchRow; query: string }) {
  return (
    <li className="flex gap-3 px-3 py-1.5">
      <PathLink
        repo={row.repo}
        path={row.path}
        lines={{ from: row.line, to: row.end ?? row.line }}
        className="w-10 shrink-0 pt-px text-right font-mono text-xs leading-5 text-quiet tabular-nums hover:text-accent hover:underline"
      >
        <span className="sr-only">Line </span>
        {row.line}
      </PathLink>
      <div className="min-w-0 flex-1">
        {row.symbol !== undefined && (
          <p className="flex flex-wrap items-center gap-x-2">
            {row.kind !== undefined && <Badge>{row.kind}</Badge>}
            <PathLink
              repo={row.repo}
              path={row.path}
              lines={{ from: row.line, to: row.end ?? row.line }}
              className="name-link"
            >
              {row.symbol}
            </PathLink>
            {row.refs !== undefined && row.refs > 0 && (
              <span className="text-xs text-quiet">{formatCount(row.refs, 'use')}</span>
            )}
          </p>
        )}
        <code className="block font-mono text-[12.5px] leading-5 [overflow-wrap:anywhere] whitespace-pre-wrap text-quiet">
          <Marked text={row.text.trim()} query={query} />
        </code>
      </div>
    </li>
  );
}
