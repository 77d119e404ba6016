import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { PathNode } from '../../src/graph/entity-output.ts';
import { Icon } from '../components/button.tsx';
import { CopyCall } from '../components/entity-link.tsx';
import { Badge } from '../components/inline.tsx';
import { EmptyState } from '../components/page.tsx';
import { QueryState } from '../components/query-state.tsx';
import { formatCount } from '../format.ts';
import { useSession } from '../session.tsx';
import { EntityField } from './entity-field.tsx';
import { EntityPageLink } from './entity-page.tsx';
import { entityAddress, OPERATION, pathCall, pathQuery } from './queries.ts';
import type { GraphViewProps } from './view-parts.tsx';
import { GRADE_WORDS, kindWords, relationWords } from './words.ts';

/** Connections of two entities: up to three paths. */
export function PathFinder({ parameters: { entity, to }, onChange, repo }: GraphViewProps) {
  return (
    <>
      <div className="mb-4 grid items-end gap-3 sm:grid-cols-2">
        <EntityField label="From" value={entity ?? ''} onChoose={(chosen) => onChange({ entity: chosen })} />
        <EntityField label="To" value={to ?? ''} onChoose={(chosen) => onChange({ to: chosen })} />
      </div>
      {entity === undefined || to === undefined ? (
        <EmptyState icon="link" title="How are two entities connected?">
          Choose both ends: which code a theme is about, how a route reaches a table, what a plan has to do with a test.
        </EmptyState>
      ) : (
        <Paths entity={entity} to={to} repo={repo} />
      )}
    </>
  );
}

function Paths({ entity, to, repo }: { entity: string; to: string; repo: string }) {
  const { product } = useSession();
  const query = useQuery(pathQuery(product.id, entity, to));
  if (query.data === undefined) return <QueryState query={query} what="paths" />;
  const { rows, notes } = query.data;
  return (
    <>
      <div className="mb-2 flex flex-wrap items-start justify-between gap-2">
        <p role="status" className="min-w-0 text-quiet [overflow-wrap:anywhere]">
          {[formatCount(rows.length, 'path'), ...(notes ?? [])].join(' · ')}
        </p>
        <CopyCall call={{ name: OPERATION, arguments: pathCall(entity, to) }} />
      </div>
      {rows.length === 0 ? (
        <EmptyState icon="link" title="No path between them">
          Nothing links them as far as the graph was searched.
        </EmptyState>
      ) : (
        <ol aria-label="Paths, the best first" className="flex flex-col gap-4">
          {rows.map(({ hops, path }, at) => (
            <li key={at} className="rounded-lg border border-line bg-panel px-4 py-3">
              <h2 className="mb-2 text-sm text-quiet">
                Path {at + 1}, {formatCount(hops, 'step')}
              </h2>
              <ol className="flex flex-col gap-1">
                {path.map((node, index) => (
                  <Step key={index} node={node} repo={repo} />
                ))}
              </ol>
            </li>
          ))}
        </ol>
      )}
    </>
  );
}

function Step({ node, repo }: { node: PathNode; repo: string }) {
  const { relation, direction, grade } = node;
  return (
    <li>
      <div className="flex flex-wrap items-baseline gap-x-2">
        <Link to="/graph" search={{ entity: entityAddress(node) }} preload={false} className="name-link">
          {node.name}
        </Link>
        <span className="text-sm text-quiet [overflow-wrap:anywhere]">
          {kindWords(node.kind)}
          {node.repo !== undefined && ` in ${node.repo}`}
        </span>
        <EntityPageLink
          entity={node}
          repo={repo}
          className="inline-flex min-h-6 items-center px-1 text-sm text-accent hover:underline"
        >
          Open<span className="sr-only"> {node.name}</span>
        </EntityPageLink>
      </div>
      {relation !== undefined && direction !== undefined && (
        <div className="flex items-center gap-2 py-1 pl-4 text-sm text-quiet">
          <Icon name="arrow" className="rotate-90" />
          {relationWords({ relation, direction })}
          {grade === 'name' && <Badge tone="warn">{GRADE_WORDS[grade]}</Badge>}
        </div>
      )}
    </li>
  );
}
