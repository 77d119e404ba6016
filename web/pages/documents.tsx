import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { IconButton } from '../components/button.tsx';
import { EmptyState } from '../components/empty-state.tsx';
import { SelectField } from '../components/field.tsx';
import { FilterField } from '../components/filter-field.tsx';
import { LoadMore } from '../components/load-more.tsx';
import { Page } from '../components/page.tsx';
import { LoadFailure } from '../components/problem.tsx';
import { SkeletonRows } from '../components/skeleton.tsx';
import { Time } from '../components/time.tsx';
import { DeleteDocument } from '../documents/delete-document.tsx';
import { DocumentBadge, DocumentFaults } from '../documents/state.tsx';
import { UploadArea } from '../documents/upload-area.tsx';
import { formatBytes, formatCount } from '../format.ts';
import type { DocumentEntry } from '../knowledge/bodies.ts';
import { documentFilter } from '../knowledge/filters.ts';
import { type DocumentFilter, documentsQuery } from '../knowledge/queries.ts';
import { useSession } from '../session.tsx';

const route = getRouteApi('/shell/documents');

const STATUSES = [
  { value: '', label: 'Any status' },
  { value: 'ready', label: 'Ready' },
  { value: 'waiting', label: 'Processing' },
  { value: 'failed', label: 'Failed' },
] as const;
const KINDS = [
  { value: '', label: 'From anywhere' },
  { value: 'upload', label: 'Uploads' },
  { value: 'product_doc', label: 'From repositories' },
] as const;

export function DocumentsPage() {
  const { product, atLeast } = useSession();
  const filter = route.useSearch();
  const query = useInfiniteQuery(documentsQuery(product.id, filter));
  const first = query.data?.pages[0];
  const documents = query.data?.pages.flatMap((page) => page.documents) ?? [];
  const isFiltered = Object.keys(filter).length > 0;
  return (
    <Page title="Documents" lead="What people wrote about this product: uploads, and the docs of its repositories.">
      {atLeast('member') && <UploadArea />}
      <Filters filter={filter} />
      {query.isPending && <SkeletonRows label="Loading documents" rowClass="h-[69px]" />}
      {query.isError && <LoadFailure what="documents" problem={query.error} onRetry={() => void query.refetch()} />}
      {first !== undefined && (
        <p className="mb-2 text-sm text-quiet" role="status">
          {formatCount(first.total, 'document')}
          {first.counts.waiting > 0 && ` · ${first.counts.waiting} processing`}
          {first.counts.failed > 0 && ` · ${first.counts.failed} failed`}
        </p>
      )}
      {first !== undefined && documents.length === 0 && (
        <EmptyState icon="file" title={isFiltered ? 'No matches' : 'No documents yet'}>
          {isFiltered
            ? 'No document has these words in its name or title. Search looks inside the texts.'
            : 'Handbooks, specifications, research, meeting notes: every search finds what you upload. README files and docs folders are added when a repository is indexed.'}
        </EmptyState>
      )}
      {documents.length > 0 && (
        <ul className="divide-y divide-line rounded-lg border border-line bg-panel">
          {documents.map((document) => (
            <DocumentRow key={document.id} document={document} />
          ))}
        </ul>
      )}
      <LoadMore query={query} />
    </Page>
  );
}

function Filters({ filter }: { filter: DocumentFilter }) {
  const navigate = useNavigate();
  const change = (fields: DocumentFilter): void =>
    void navigate({ to: '/documents', search: documentFilter({ ...filter, ...fields }), replace: true });
  return (
    <div className="mb-4 grid gap-3 sm:grid-cols-3">
      <FilterField
        label="Name or title"
        value={filter.query ?? ''}
        placeholder="handbook"
        onChange={(query) => change({ query })}
      />
      <SelectField
        label="Status"
        value={STATUSES.find(({ value }) => value === filter.status)?.value ?? ''}
        choices={STATUSES}
        onChoose={(status) => change({ status })}
      />
      <SelectField
        label="From"
        value={KINDS.find(({ value }) => value === filter.kind)?.value ?? ''}
        choices={KINDS}
        onChoose={(kind) => change({ kind })}
      />
    </div>
  );
}

function DocumentRow({ document }: { document: DocumentEntry }) {
  const { atLeast } = useSession();
  const [isDeleting, setDeleting] = useState(false);
  const isUpload = document.kind === 'upload';
  return (
    <li className="lazy-row flex items-start gap-2 py-2.5 pr-2 pl-4">
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-center gap-x-2 gap-y-0.5">
          <Link
            to="/documents/$documentId"
            params={{ documentId: document.id }}
            className="font-medium [overflow-wrap:anywhere] hover:text-accent hover:underline"
          >
            {document.title === '' ? document.name : document.title}
          </Link>
          <DocumentBadge document={document} />
        </div>
        <p className="text-sm text-quiet [overflow-wrap:anywhere]">
          {document.name}
          {!isUpload && ' · from a repository'}
          {document.status === 'ready' && ` · ${formatCount(document.sections, 'section')}`}
          {` · ${formatBytes(document.size_bytes)}`}
          {document.version > 1 && ` · version ${document.version}`}
          {' · '}
          <Time at={document.updated_at} />
        </p>
        <DocumentFaults document={document} />
      </div>
      {isUpload && atLeast('member') && (
        <IconButton icon="trash" label={`Delete ${document.name}`} onClick={() => setDeleting(true)} />
      )}
      {isDeleting && <DeleteDocument document={document} onClose={() => setDeleting(false)} />}
    </li>
  );
}
