import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useEffect } from 'react';
import type { DefinedSymbol } from '../../src/code/outputs/outputs.ts';
import { EntityActions, PathLink } from '../components/entity-link.tsx';
import { Badge } from '../components/inline.tsx';
import { EmptyState, Page, Section } from '../components/page.tsx';
import { LoadFailure, SkeletonBox } from '../components/query-state.tsx';
import { codeEntity, neighboursQuery } from '../graph/queries.ts';
import { useSession } from '../session.tsx';
import { NotFoundPage } from '../shell/not-found-page.tsx';
import {
  addressPath,
  readSourceAddress,
  shortId,
  type SourceAddress,
  writeLines,
  writeSourceAddress,
} from './address.ts';
import { symbolHandle } from './handles.ts';
import { namesQuery } from './queries.ts';
import { SourceView } from './source-view.tsx';
import { Implementations, Neighbours, Reasons, Usages } from './symbol-parts.tsx';
import { definitionQuery, symbolCall, type SymbolReference } from './symbol-queries.ts';
import { useIsStaying } from './use-is-staying.ts';

const GraphPicture = lazy(async () => ({ default: (await import('../graph/graph-picture.tsx')).GraphPicture }));
const route = getRouteApi('/shell/s/$');

/** A symbol: what it is, who uses it, what it uses, and why it is so. */
export function SymbolPage() {
  const { _splat = '' } = route.useParams();
  const { symbol } = route.useSearch();
  const address = readSourceAddress(_splat);
  if (address === undefined || symbol === undefined) return <NotFoundPage />;
  return <Loaded address={address} name={symbol} />;
}

function Loaded({ address, name }: { address: SourceAddress; name: string }) {
  const { product } = useSession();
  const { repo, ref, path } = address;
  const reference = { product: product.id, repo, ref, handle: symbolHandle({ name, path }) };
  const query = useQuery(definitionQuery(reference));
  const title = `${name} · ${repo}`;
  const [row] = query.data?.rows ?? [];
  useCommitInAddress(address, { name, commit: query.data?.commit });
  if (row !== undefined) return <Shown reference={reference} address={address} row={row} name={name} title={title} />;
  return (
    <Page title={title} heading={name}>
      {query.isError ? (
        <LoadFailure what="this symbol" problem={query.error} onRetry={() => void query.refetch()} />
      ) : query.data === undefined ? (
        <SkeletonBox label="Loading the symbol" className="h-96" />
      ) : (
        <EmptyState icon="search" title="There is no such symbol">
          It may have been renamed or removed: search for its name.
        </EmptyState>
      )}
    </Page>
  );
}

/** Puts the commit into an address without one: the page shows the same code next year. */
function useCommitInAddress(
  address: SourceAddress,
  { name, commit }: { name: string; commit: string | undefined },
): void {
  const navigate = useNavigate();
  const isStaying = useIsStaying();
  const { repo, ref, path } = address;
  useEffect(() => {
    if (commit === undefined || ref !== '' || !isStaying()) return;
    const params = { _splat: writeSourceAddress({ repo, ref: shortId(commit), path }) };
    void navigate({ to: '/s/$', params, search: { symbol: name }, replace: true, resetScroll: false });
  }, [navigate, isStaying, repo, ref, path, name, commit]);
}

interface ShownProps {
  reference: SymbolReference;
  address: SourceAddress;
  row: DefinedSymbol;
  /** As in its handle. */
  name: string;
  title: string;
}

function Shown({ reference, address, row, name, title }: ShownProps) {
  const { repo, ref } = address;
  const { kind, qualified, path, start, end, doc } = row;
  const call = { name: 'code-tool', arguments: symbolCall('usages', reference) };
  return (
    <div data-wide>
      <Page
        title={title}
        heading={qualified}
        aside={<Badge>{kind.replace('_', ' ')}</Badge>}
        lead={
          <>
            {doc !== '' && <p>{doc}</p>}
            <PathLink
              repo={repo}
              commit={ref}
              path={path}
              lines={{ from: start, to: end }}
              className="text-sm text-accent hover:underline"
            >
              {path}:{start}
            </PathLink>
          </>
        }
        actions={
          <EntityActions
            call={call}
            path={`/s/${addressPath({ repo, ref, path })}?symbol=${encodeURIComponent(name)}`}
            entity={codeEntity(repo, symbolHandle({ name, path }))}
          />
        }
      >
        <div className="grid gap-4 lg:grid-cols-[minmax(0,1fr)_19rem]">
          <div className="min-w-0">
            <Body address={address} row={row} />
            <SymbolGraph reference={reference} />
            <Implementations reference={reference} />
            <Usages reference={reference} name={row.name} />
          </div>
          <div className="flex min-w-0 flex-col gap-4">
            <Neighbours reference={reference} direction="in" />
            <Neighbours reference={reference} direction="out" />
            <Reasons scope={{ product: reference.product, repo, path, lines: `${start}-${end}` }} commit={ref} />
          </div>
        </div>
      </Page>
    </div>
  );
}

/** Its source; a line number leads to the whole file. */
function Body({ address, row }: Pick<ShownProps, 'address' | 'row'>) {
  const { product } = useSession();
  const navigate = useNavigate();
  const { data: names } = useQuery(namesQuery(product.id, address));
  const { body, start, path } = row;
  if (body === undefined) return null;
  return (
    <SourceView
      text={body}
      first={start}
      address={{ ...address, path }}
      names={names}
      selected={undefined}
      onSelect={(lines) =>
        void navigate({
          to: '/r/$',
          params: { _splat: writeSourceAddress({ ...address, path }) },
          hash: writeLines(lines),
        })
      }
    />
  );
}

/** Picture of the callers and callees of a symbol in the indexed code. The lists beside it say the same to all. */
function SymbolGraph({ reference }: { reference: SymbolReference }) {
  const entity = codeEntity(reference.repo, reference.handle);
  const { data } = useQuery(neighboursQuery(reference.product, { entity, hops: 1, relation: 'calls' }));
  if (data === undefined || data.rows.length === 0) return null;
  return (
    <div className="mt-8 max-md:hidden">
      <Section title="Callers and callees">
        <Suspense fallback={<div className="h-48" />}>
          <GraphPicture entity={data.entity} rows={data.rows} parameters={{}} />
        </Suspense>
      </Section>
    </div>
  );
}
