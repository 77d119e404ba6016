import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import type { EntityMatch, Neighbour } from '../../src/graph/entity-output.ts';
import { ApiError } from '../api.ts';
import { BreakablePath, CopyCall, EntityLink } from '../components/entity-link.tsx';
import { SelectField } from '../components/field.tsx';
import { Badge } from '../components/inline.tsx';
import { EmptyState } from '../components/page.tsx';
import { LoadFailure, SkeletonBox, QueryState } from '../components/query-state.tsx';
import { Table, Cell, NumberCell, RowHeader } from '../components/table.tsx';
import { formatNumber, formatTotal } from '../format.ts';
import { useSession } from '../session.tsx';
import { EntityField } from './entity-field.tsx';
import { EntityPageLink } from './entity-page.tsx';
import { graphParameters } from './parameters.ts';
import { entityAddress, findQuery, neighbourCall, type Neighbourhood, neighboursQuery, OPERATION } from './queries.ts';
import type { GraphViewProps } from './view-parts.tsx';
import { GRADE_WORDS, kindWords, RELATION_WORDS, relationWords } from './words.ts';

const GraphPicture = lazy(async () => ({ default: (await import('./graph-picture.tsx')).GraphPicture }));
/** Of each kind, as long as nothing is chosen. */
const STARTS = 60;

/** Surroundings of one entity, up to two hops. */
export function Neighbours({ parameters, onChange, repo }: GraphViewProps) {
  const { entity, hops, relation } = parameters;
  return (
    <>
      <div className="mb-4 grid items-end gap-3 sm:grid-cols-[minmax(0,1fr)_12rem_7rem]">
        <EntityField
          label="Around"
          value={entity ?? ''}
          onChoose={(chosen) => onChange({ entity: chosen, relation: undefined })}
        />
        <SelectField
          label="Relation"
          value={relation ?? ''}
          choices={[
            { value: '', label: 'All' },
            ...Object.entries(RELATION_WORDS).map(([value, label]) => ({ value, label })),
          ]}
          onChoose={(value) => onChange({ relation: value })}
        />
        <SelectField
          label="Hops"
          value={hops === 'two' ? 'two' : ''}
          choices={[
            { value: '', label: 'One' },
            { value: 'two', label: 'Two' },
          ]}
          onChoose={(value) => onChange({ hops: value })}
        />
      </div>
      {entity === undefined ? (
        <Starts name="" parameters={parameters} />
      ) : (
        <Around parameters={parameters} entity={entity} repo={repo} />
      )}
    </>
  );
}

function Around({ parameters, entity, repo }: Pick<GraphViewProps, 'parameters' | 'repo'> & { entity: string }) {
  const { product } = useSession();
  const around = { entity, hops: parameters.hops === 'two' ? 2 : 1, relation: parameters.relation } as const;
  const query = useQuery(neighboursQuery(product.id, around));
  if (query.isError) {
    const isMisnamed = query.error instanceof ApiError && query.error.status >= 400 && query.error.status < 500;
    if (isMisnamed) return <Starts name={entity} parameters={parameters} problem={query.error.message} />;
    return <LoadFailure what="the graph" problem={query.error} onRetry={() => void query.refetch()} />;
  }
  if (query.data === undefined) return <SkeletonBox label="Loading the graph" className="h-96" />;
  const { rows, entity: focus, notes } = query.data;
  return (
    <>
      <div className="mb-2 flex flex-wrap items-start justify-between gap-2">
        <p role="status" className="min-w-0 text-quiet [overflow-wrap:anywhere]">
          <strong className="font-semibold text-ink">
            <BreakablePath path={focus.name} />
          </strong>{' '}
          ({kindWords(focus.kind)}
          {focus.repo !== undefined && ` in ${focus.repo}`}):{' '}
          {formatTotal({ ...query.data, at_least: query.data.at_least, shown: rows.length }, 'neighbour')}
          {(notes ?? []).map((note) => ` · ${note}`)}
        </p>
        <div className="flex flex-wrap gap-2">
          <EntityPageLink entity={focus} repo={repo} className="self-center text-accent hover:underline">
            Open
          </EntityPageLink>
          <CopyCall call={{ name: OPERATION, arguments: neighbourCall(around) }} />
        </div>
      </div>
      {rows.length === 0 ? (
        <EmptyState icon="link" title="Nothing is linked to it in this way">
          Choose all relations, or two hops.
        </EmptyState>
      ) : (
        <>
          <Suspense fallback={<div className="mb-4 h-96 max-md:hidden" />}>
            <GraphPicture entity={focus} rows={rows} parameters={parameters} />
          </Suspense>
          <NeighbourTable neighbourhood={query.data} parameters={parameters} repo={repo} hops={around.hops} />
        </>
      )}
    </>
  );
}

interface NeighbourTableProps extends Pick<GraphViewProps, 'parameters' | 'repo'> {
  neighbourhood: Neighbourhood;
  hops: 1 | 2;
}

function NeighbourTable({ neighbourhood: { entity, rows }, parameters, repo, hops }: NeighbourTableProps) {
  return (
    <Table
      caption={`Neighbours of ${entity.name}, nearest first`}
      columns={[
        'Relation',
        'Neighbour',
        'Kind',
        hops === 2 && ['Hops', 'text-right'],
        'Grade',
        'Location',
        <span className="sr-only">Page</span>,
      ]}
    >
      {rows.map((row) => (
        <tr key={`${row.hop} ${entityAddress(row)}`}>
          <Cell className="whitespace-nowrap text-quiet">{relationWords(row)}</Cell>
          <RowHeader className="min-w-56 font-normal">
            <Link
              to="/graph"
              search={graphParameters({ ...parameters, entity: entityAddress(row), relation: undefined })}
              preload={false}
              className="font-medium hover:text-accent hover:underline"
            >
              <BreakablePath path={row.name} />
            </Link>
            {row.repo !== undefined && row.repo !== entity.repo && (
              <span className="block text-sm text-quiet">in {row.repo}</span>
            )}
            {row.hop > 1 && row.via !== undefined && (
              <span className="block text-sm text-quiet">
                over <BreakablePath path={nameOf(rows, row.via)} />
              </span>
            )}
          </RowHeader>
          <Cell className="whitespace-nowrap">{kindWords(row.kind)}</Cell>
          {hops === 2 && <NumberCell>{formatNumber(row.hop)}</NumberCell>}
          <Cell className="whitespace-nowrap">
            <Badge tone={row.grade === 'name' ? 'warn' : 'neutral'}>{GRADE_WORDS[row.grade]}</Badge>
          </Cell>
          <Cell className="min-w-40 font-mono text-xs">
            <Source row={row} focusRepo={entity.repo ?? repo} repo={repo} />
          </Cell>
          <Cell className="whitespace-nowrap">
            <EntityPageLink entity={row} repo={repo} className="text-accent hover:underline">
              Open<span className="sr-only"> {row.name}</span>
            </EntityPageLink>
          </Cell>
        </tr>
      ))}
    </Table>
  );
}

function nameOf(rows: readonly Neighbour[], via: string): string {
  return rows.find((row) => entityAddress(row) === via)?.name ?? via;
}

/** Source location of an edge, in the repository of the end that it leaves. */
function Source({ row, focusRepo, repo }: { row: Neighbour; focusRepo: string; repo: string }) {
  const { source, direction, hop } = row;
  // Behind the first hop the other end may be in any repository.
  const leaves = direction === 'in' || hop > 1 ? (row.repo ?? repo) : focusRepo;
  // `src/app.ts:12`, or words such as `plan:slug names payCart` and `folder, name`.
  const [handle = ''] = /^(?:[a-z]+:\S+|\S+\.\w+(?::\d+)?)(?= |$)/.exec(source) ?? [];
  if (handle === '') return source;
  return (
    <>
      <EntityLink handle={handle} repo={leaves} />
      {source.slice(handle.length)}
    </>
  );
}

interface StartsProps extends Pick<GraphViewProps, 'parameters'> {
  /** '' for what the product is about. */
  name: string;
  problem?: string;
}

/** Entities to choose from: those that a name fits, or those that a product is about. */
function Starts({ name, parameters, problem }: StartsProps) {
  const { product } = useSession();
  const query = useQuery(findQuery(product.id, name, STARTS));
  if (query.data === undefined) return <QueryState query={query} what="entities" rows={4} />;
  const { rows } = query.data;
  return (
    <>
      {problem !== undefined && (
        <p role="status" className="mb-3 text-quiet [overflow-wrap:anywhere]">
          {problem}
        </p>
      )}
      {rows.length === 0 ? (
        <EmptyState icon="search" title="Nothing of this name">
          Try a part of the name of a feature, file, symbol, plan or theme.
        </EmptyState>
      ) : (
        <div className="divide-y divide-line rounded-lg border border-line bg-panel">
          {[...Map.groupBy(rows, ({ kind }) => kind)].map(([kind, entities]) => (
            <section key={kind} aria-label={kindWords(kind)} className="px-4 py-3">
              <h2 className="mb-1.5 text-sm text-quiet first-letter:uppercase">{kindWords(kind)}</h2>
              <ul className="flex flex-wrap gap-2">
                {entities.map((entity) => (
                  <Start key={entityAddress(entity)} entity={entity} parameters={parameters} />
                ))}
              </ul>
            </section>
          ))}
        </div>
      )}
    </>
  );
}

function Start({ entity, parameters }: { entity: EntityMatch } & Pick<GraphViewProps, 'parameters'>) {
  return (
    <li className="max-w-full">
      <Link
        to="/graph"
        search={graphParameters({ ...parameters, entity: entityAddress(entity), relation: undefined })}
        preload={false}
        className="flex items-baseline gap-2 rounded-md border border-line bg-page px-2.5 py-1 hover:border-accent hover:bg-hover"
      >
        <span className="min-w-0 [overflow-wrap:anywhere]">
          <BreakablePath path={entity.name} />
          {entity.repo !== undefined && <span className="text-quiet"> in {entity.repo}</span>}
        </span>
        <span className="text-xs text-quiet tabular-nums">{formatNumber(entity.degree)}</span>
      </Link>
    </li>
  );
}
