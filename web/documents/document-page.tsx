import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useChanges } from '../action.ts';
import { Button, buttonClass, Icon } from '../components/button.tsx';
import { PathLink } from '../components/entity-link.tsx';
import { Badges } from '../components/inline.tsx';
import { Markdown } from '../components/markdown.tsx';
import { EmptyState, Facts, LoadMore, Page, Panel, Section, LoadedPage } from '../components/page.tsx';
import { QueryState } from '../components/query-state.tsx';
import { Time } from '../components/time.tsx';
import { formatBytes, formatCount } from '../format.ts';
import { Actor } from '../knowledge/actor.tsx';
import { type DocumentDetail, documentQuery, type DocumentText, documentTextQuery } from '../knowledge/queries.ts';
import { repositoriesQuery } from '../queries.ts';
import { useSession } from '../session.tsx';
import { DeleteDocument } from './delete-document.tsx';
import { DocumentVersions } from './document-versions.tsx';
import { DocumentBadge, DocumentFaults } from './state.tsx';

const route = getRouteApi('/shell/documents/$documentId');
const BACK = { to: '/documents', name: 'Documents' } as const;

export function DocumentPage() {
  const { documentId } = route.useParams();
  const { product } = useSession();
  const query = useQuery(documentQuery(product.id, documentId));
  return (
    <LoadedPage query={query} noun="document" back={BACK}>
      {(document) => <Detail document={document} />}
    </LoadedPage>
  );
}

function Detail({ document }: { document: DocumentDetail }) {
  return (
    <Page
      title={document.title === '' ? document.name : document.title}
      aside={<DocumentBadge document={document} />}
      lead={<span className="[overflow-wrap:anywhere]">{document.name}</span>}
      back={BACK}
      actions={<Actions document={document} />}
    >
      {(document.error !== null || document.problems.length > 0) && (
        <div className="mb-4">
          <DocumentFaults document={document} />
        </div>
      )}
      {document.sections > 0 && <Content document={document} />}
      <About document={document} />
      <DocumentVersions document={document} />
    </Page>
  );
}

function Actions({ document }: { document: DocumentDetail }) {
  const { atLeast } = useSession();
  const [isDeleting, setDeleting] = useState(false);
  const navigate = useNavigate();
  const { path } = useChanges();
  if (document.kind !== 'upload') return null;
  return (
    <>
      <a href={`/app/api/${path(`documents/${encodeURIComponent(document.id)}/original`)}`} className={buttonClass()}>
        <Icon name="download" />
        Download
      </a>
      {atLeast('member') && (
        <Button icon="trash" className="text-bad" onClick={() => setDeleting(true)}>
          Delete…
        </Button>
      )}
      {isDeleting && (
        <DeleteDocument
          document={document}
          onClose={() => setDeleting(false)}
          onDeleted={() => void navigate({ to: '/documents' })}
        />
      )}
    </>
  );
}

/** The text as searches see it, with its sections beside it. */
function Content({ document }: { document: DocumentDetail }) {
  const { product } = useSession();
  const query = useInfiniteQuery(documentTextQuery(product.id, document));
  const first = query.data?.pages[0];
  if (query.isError || first === undefined) return <QueryState query={query} what="the text" box="h-64" />;
  const parts = query.data?.pages.flatMap(({ text }) => text) ?? [];
  if (parts.length === 0)
    return (
      <EmptyState icon="file" title="No text">
        {null}
      </EmptyState>
    );
  return (
    <Section title="Text" lead={`${formatCount(first.sections.length, 'section')}, as search sees them.`}>
      <Panel className="px-4 py-4 sm:px-6">
        <Outline sections={first.sections} shown={new Set(parts.map(({ id }) => id))} />
        {parts.map((part) => (
          <Part key={part.id} part={part} isMarkdown={document.type === 'markdown'} />
        ))}
        <LoadMore query={query} label="Read on" />
      </Panel>
    </Section>
  );
}

const FEWEST_OUTLINED = 3;

function Outline({ sections, shown }: { sections: DocumentText['sections']; shown: ReadonlySet<string> }) {
  if (sections.length < FEWEST_OUTLINED) return null;
  return (
    <details className="mb-4 border-b border-line pb-3">
      <summary className="text-sm text-quiet">Sections</summary>
      <ol aria-label="Sections" tabIndex={0} className="mt-2 max-h-72 overflow-y-auto text-sm">
        {sections.map(({ id, heading }) => (
          <li key={id} className="py-0.5 [overflow-wrap:anywhere]">
            {shown.has(id) ? (
              <a href={`#${anchorOf(id)}`} className="text-accent hover:underline">
                {heading === '' ? 'Beginning' : heading}
              </a>
            ) : (
              <span className="text-quiet">{heading === '' ? 'Beginning' : heading}</span>
            )}
          </li>
        ))}
      </ol>
    </details>
  );
}

function Part({
  part: { id, heading, text },
  isMarkdown,
}: {
  part: DocumentText['text'][number];
  isMarkdown: boolean;
}) {
  return (
    <section id={anchorOf(id)} className="mt-6 scroll-mt-4 first-of-type:mt-0">
      {heading !== '' && <h3 className="mb-2 [overflow-wrap:anywhere]">{heading}</h3>}
      {isMarkdown ? (
        <Markdown text={text} under={3} />
      ) : (
        <p className="max-w-[72ch] [overflow-wrap:anywhere] whitespace-pre-wrap">{text}</p>
      )}
    </section>
  );
}

function anchorOf(sectionId: string): string {
  return `section-${sectionId.replaceAll(/[^\w-]/g, '-')}`;
}

/** High enough to be met by a finger where links stand in rows. */
const LINK_IN_ROW = 'inline-flex min-h-6 items-center text-accent hover:underline';

function About({ document }: { document: DocumentDetail }) {
  const { product } = useSession();
  const { data } = useQuery(repositoriesQuery(product.id));
  const repository = data?.repositories.find(({ id }) => id === document.repository);
  return (
    <Section title="About this document">
      <Facts
        facts={[
          ['Type', document.type ?? 'Not known yet'],
          ['Size', formatBytes(document.size_bytes)],
          ['From', document.kind === 'upload' ? 'Upload' : <Origin repo={repository?.name} path={document.name} />],
          ['Updated', <Time at={document.updated_at} as="exact" />],
          ['By', <Actor actor={document.updated_by} />],
          ['Id', <code className="font-mono text-sm">{document.id}</code>],
          document.tags.length > 0 && ['Tags', <Badges names={document.tags} />],
        ]}
      />
    </Section>
  );
}

function Origin({ repo, path }: { repo: string | undefined; path: string }) {
  if (repo === undefined) return 'A repository';
  return (
    <span className="flex flex-wrap gap-x-3">
      <PathLink repo={repo} path={path} className={LINK_IN_ROW}>
        {repo}
      </PathLink>
      <Link to="/history" search={{ repo, view: 'commits', path }} className={LINK_IN_ROW}>
        Versions in its history
      </Link>
    </span>
  );
}
