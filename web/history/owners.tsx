import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { Button } from '../components/button.tsx';
import { BreakablePath } from '../components/entity-link.tsx';
import { FilterField } from '../components/field.tsx';
import { Panel } from '../components/page.tsx';
import { SkeletonBox, QueryState } from '../components/query-state.tsx';
import { OwnersOf } from './file-owners.tsx';
import { fileNamesQuery, type HistorySource } from './queries.ts';
import { Filters, type ViewProps } from './view-parts.tsx';

const Ownership = lazy(async () => ({ default: (await import('./ownership.tsx')).Ownership }));

/** Owners of the code: all files as a map, and one file that is searched by a part of its path or chosen there. */
export function Owners(props: ViewProps) {
  const { source, parameters, onChange } = props;
  const { query = '' } = parameters;
  // A folder ends in a slash, and is in the map.
  const path = parameters.path?.endsWith('/') === true ? undefined : parameters.path;
  return (
    <>
      <Filters>
        <FilterField
          label="Find a file"
          placeholder="Words in its path"
          value={query}
          onChange={(text) => onChange({ query: text }, { replace: true })}
        />
        {path !== undefined && (
          <div>
            <Button onClick={() => onChange({ path: undefined, query: undefined })}>Map of all files</Button>
          </div>
        )}
      </Filters>
      {query !== '' && (
        <Files source={source} query={query} onChoose={(chosen) => onChange({ path: chosen, query: undefined })} />
      )}
      {path !== undefined && <OwnersOf source={source} path={path} repo={parameters.repo} />}
      {path === undefined && query === '' && (
        <Suspense fallback={<SkeletonBox label="Loading the owners" className="h-96" />}>
          <Ownership {...props} />
        </Suspense>
      )}
    </>
  );
}

function Files({
  source,
  query,
  onChoose,
}: {
  source: HistorySource;
  query: string;
  onChoose: (path: string) => void;
}) {
  const { data, ...result } = useQuery(fileNamesQuery(source, query));
  if (data === undefined) return <QueryState query={result} what="files" />;
  return (
    <Panel className="mb-6">
      {data.paths.length === 0 ? (
        <p role="status" className="px-4 py-3 text-quiet">
          No indexed file has these words in its path.
        </p>
      ) : (
        <ul aria-label="Files found" className="divide-y divide-line">
          {data.paths.map((path) => (
            <li key={path}>
              <button
                type="button"
                onClick={() => onChoose(path)}
                className="w-full px-4 py-2 text-left font-mono text-sm -outline-offset-2 [overflow-wrap:anywhere] hover:bg-hover"
              >
                <BreakablePath path={path} />
              </button>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
