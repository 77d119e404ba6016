import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { fileLink } from '../code/links.ts';
import { Panel, Section } from '../components/page.tsx';
import { QueryState } from '../components/query-state.tsx';
import { hotspotReason, trendWord } from '../history/hotspot-reason.ts';
import { Sparkline } from '../history/sparkline.tsx';
import { type IndexedRepository, worstFilesQuery } from './queries.ts';

/** The three files where changes are most frequent and hardest, each with the reason. */
export function WorstFiles({ repository }: { repository: IndexedRepository }) {
  const query = useQuery(worstFilesQuery(repository));
  return (
    <Section
      title="Hotspots"
      lead="Changed often and complex."
      actions={
        <Link to="/history" search={{ repo: repository.name }} className="text-sm text-accent hover:underline">
          All hotspots
        </Link>
      }
    >
      <QueryState query={query} what="hotspots" box="h-54 max-sm:h-71" />
      {query.data?.length === 0 && (
        <p className="text-quiet">No file with functions changed in the last twelve months of this history.</p>
      )}
      {query.data !== undefined && query.data.length > 0 && (
        <Panel>
          <ol className="divide-y divide-line">
            {query.data.map((row) => (
              <li key={row.path} className="px-4 py-2.5">
                <div className="flex items-center justify-between gap-3">
                  <Link
                    {...fileLink({ repo: repository.name, path: row.path })}
                    className="min-w-0 font-mono text-sm font-medium [overflow-wrap:anywhere] hover:text-accent hover:underline"
                  >
                    {row.path}
                  </Link>
                  <Sparkline series={row.series} label={`Changes over twelve months, ${trendWord(row)}`} />
                </div>
                <p className="text-sm text-quiet">{hotspotReason(row)}</p>
              </li>
            ))}
          </ol>
        </Panel>
      )}
    </Section>
  );
}
