import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { IconButton } from '../components/button.tsx';
import { type Facet, ListPage } from '../components/list-page.tsx';
import { Time } from '../components/time.tsx';
import { VirtualList } from '../components/virtual-list.tsx';
import { formatBytes, formatCount } from '../format.ts';
import { type DocumentEntry, type DocumentFilter, type DocumentList, documentsQuery } from '../knowledge/queries.ts';
import { useSession } from '../session.tsx';
import { DeleteDocument } from './delete-document.tsx';
import { DocumentBadge, DocumentFaults } from './state.tsx';
import { UploadArea } from './upload-area.tsx';

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

const FACETS: readonly Facet<keyof DocumentFilter>[] = [
  { kind: 'text', name: 'query', label: 'Name or title', placeholder: 'handbook' },
  { kind: 'choice', name: 'status', label: 'Status', choices: STATUSES },
  { kind: 'choice', name: 'kind', label: 'From', choices: KINDS },
];

export function DocumentsPage() {
  const { product, atLeast } = useSession();
  const filter = route.useSearch();
  const query = useInfiniteQuery(documentsQuery(product.id, filter));
  const first = query.data?.pages[0];
  const documents = useMemo(() => query.data?.pages.flatMap((page) => page.documents), [query.data]);
  return (
    <ListPage
      title="Documents"
      lead="What people wrote about this product: uploads, and the docs of its repositories."
      above={atLeast('member') && <UploadArea />}
      noun={{ one: 'document', all: 'documents' }}
      icon="file"
      query={query}
      rows={documents}
      filter={filter}
      facets={FACETS}
      summary={first && describeCount(first)}
      rowClass="h-[69px]"
      empty={{
        title: 'No documents yet',
        text: 'Handbooks, specifications, research, meeting notes: every search finds what you upload. README files and docs folders are added when a repository is indexed.',
      }}
      noMatch="No document has these words in its name or title. Search looks inside the texts."
    >
      {(rows) => (
        <VirtualList
          label="Documents"
          rows={rows}
          total={first?.total ?? rows.length}
          keyOf={({ id }) => id}
          estimatePx={() => 65}
          query={query}
        >
          {showDocument}
        </VirtualList>
      )}
    </ListPage>
  );
}

function describeCount({ total, counts }: DocumentList): string {
  const waiting = counts.waiting > 0 ? ` · ${counts.waiting} processing` : '';
  const failed = counts.failed > 0 ? ` · ${counts.failed} failed` : '';
  return `${formatCount(total, 'document')}${waiting}${failed}`;
}

function showDocument(document: DocumentEntry) {
  return <DocumentRow document={document} />;
}

function DocumentRow({ document }: { document: DocumentEntry }) {
  const { atLeast } = useSession();
  const [isDeleting, setDeleting] = useState(false);
  const isUpload = document.kind === 'upload';
  return (
    <div className="flex items-start gap-2 py-2.5 pr-2 pl-4">
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-center gap-x-2 gap-y-0.5">
          <Link to="/documents/$documentId" params={{ documentId: document.id }} className="name-link">
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
    </div>
  );
}
