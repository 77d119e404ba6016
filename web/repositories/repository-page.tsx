import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { FilesSummary, RestRepository as Repository } from '../../src/repositories/repository-bodies.ts';
import { Button, buttonClass, Icon } from '../components/button.tsx';
import { PathLink } from '../components/entity-link.tsx';
import { OneLine } from '../components/inline.tsx';
import { LanguageBar } from '../components/language-bar.tsx';
import { Facts, Page, Panel, Section, Tile, Tiles, LoadedPage } from '../components/page.tsx';
import { QueryState } from '../components/query-state.tsx';
import { Time } from '../components/time.tsx';
import { formatCompact, formatCount, formatNumber, formatOmitted, formatShare } from '../format.ts';
import { filesSummaryQuery, isIndexing, repositoryQuery } from '../queries.ts';
import { useSession } from '../session.tsx';
import { RemoveRepository, useReindex } from './repository-changes.tsx';
import { FetchError, IndexError, IndexProgress, RepositoryBadge } from './state.tsx';

const route = getRouteApi('/shell/repositories/$repositoryId');
const BACK = { to: '/repositories', name: 'Repositories' } as const;

export function RepositoryPage() {
  const { repositoryId } = route.useParams();
  const { product } = useSession();
  const query = useQuery(repositoryQuery(product.id, repositoryId));
  return (
    <LoadedPage query={query} noun="repository" back={BACK}>
      {(repository) => <Detail repository={repository} />}
    </LoadedPage>
  );
}

function Detail({ repository }: { repository: Repository }) {
  return (
    <Page
      title={repository.name}
      aside={<RepositoryBadge repository={repository} />}
      lead={<span className="[overflow-wrap:anywhere]">{repository.url}</span>}
      back={BACK}
      actions={<Actions repository={repository} />}
    >
      <div className="flex flex-col gap-3 not-empty:mb-4">
        <IndexProgress repository={repository} />
        <IndexError error={repository.error} />
        <FetchError repository={repository} />
      </div>
      {repository.commit === null ? (
        !isIndexing(repository) && <p className="text-quiet">There is no index yet.</p>
      ) : (
        <IndexContent repository={repository} />
      )}
      <About repository={repository} />
    </Page>
  );
}

function Actions({ repository }: { repository: Repository }) {
  const { atLeast } = useSession();
  const [isRemoving, setRemoving] = useState(false);
  const navigate = useNavigate();
  const reindex = useReindex(repository);
  const blocked = isIndexing(repository) && 'It is being indexed.';
  return (
    <>
      {repository.commit !== null && (
        <PathLink repo={repository.name} path="" className={buttonClass()}>
          <Icon name="file" />
          Files
        </PathLink>
      )}
      {repository.commit !== null && (
        <>
          <Link to="/history" search={{ repo: repository.name }} className={buttonClass()}>
            <Icon name="history" />
            History
          </Link>
          <Link to="/history" search={{ repo: repository.name, view: 'compare' }} className={buttonClass()}>
            <Icon name="branch" />
            Compare
          </Link>
        </>
      )}
      {repository.commit !== null && (
        <Link to="/search" search={{ repo: repository.name }} className={buttonClass()}>
          <Icon name="search" />
          Search
        </Link>
      )}
      {repository.commit !== null && (
        <Link to="/ask" search={{ repo: repository.name }} className={buttonClass()}>
          <Icon name="speech" />
          Ask
        </Link>
      )}
      {atLeast('admin') && (
        <>
          <Button icon="refresh" disabled={reindex.busy} blocked={blocked} onClick={() => reindex.run()}>
            Index again
          </Button>
          <Button icon="trash" className="text-bad" onClick={() => setRemoving(true)}>
            Remove…
          </Button>
        </>
      )}
      {isRemoving && (
        <RemoveRepository
          repository={repository}
          onClose={() => setRemoving(false)}
          onRemoved={() => void navigate({ to: '/repositories' })}
        />
      )}
    </>
  );
}

/** The number in full, where its short form leaves something out. */
function exactNumber(value: number): string | undefined {
  const inFull = formatNumber(value);
  return inFull === formatCompact(value) ? undefined : inFull;
}

function IndexContent({ repository }: { repository: Repository }) {
  const { product } = useSession();
  const { data: summary, ...query } = useQuery(filesSummaryQuery(product.id, repository));
  if (summary === undefined) return <QueryState query={query} what="the files" box="h-48" />;
  return (
    <>
      <Tiles>
        <Tile name="Files" value={formatNumber(summary.files)}>
          {formatNumber(summary.with_symbols)} with symbols
        </Tile>
        <Tile name="Symbols" value={formatCompact(summary.symbols)}>
          {exactNumber(summary.symbols)}
        </Tile>
        <Tile name="Lines" value={formatCompact(summary.lines)}>
          {exactNumber(summary.lines)}
        </Tile>
        <Tile name="Partially parsed" value={formatNumber(summary.unparsed)}>
          {summary.files > 0 && `${formatShare(summary.unparsed / summary.files)} of the files`}
        </Tile>
      </Tiles>
      {Object.keys(summary.languages).length > 0 && (
        <Section title="Languages" lead={formatOmitted(summary.omitted)}>
          <Panel className="px-4 py-3">
            <LanguageBar languages={summary.languages} full />
          </Panel>
        </Section>
      )}
      <Unparsed summary={summary} repo={repository.name} />
    </>
  );
}

/** Gaps of the index, with their reasons: answers may miss what is in them. */
function Unparsed({ summary, repo }: { summary: FilesSummary; repo: string }) {
  if (summary.unparsed === 0) return null;
  const shown = summary.unparsed_files.length;
  return (
    <Section
      title="Partially parsed files"
      lead={`Text search finds them; symbols may be missing.${shown < summary.unparsed ? ` The first ${shown} of ${formatCount(summary.unparsed, 'file')}.` : ''}`}
    >
      <Panel>
        <ul className="max-h-96 divide-y divide-line overflow-y-auto" tabIndex={0} aria-label="Partially parsed files">
          {summary.unparsed_files.map(({ path, reason }) => (
            <li key={path} className="lazy-row flex flex-wrap gap-x-4 px-4 py-2">
              <code className="min-w-0 grow font-mono text-sm [overflow-wrap:anywhere]">
                <PathLink repo={repo} path={path} />
              </code>
              <span className="text-sm text-quiet">{reason}</span>
            </li>
          ))}
        </ul>
      </Panel>
    </Section>
  );
}

function About({ repository }: { repository: Repository }) {
  const { ref, commit, indexed_at: indexedAt, fetched_at: fetchedAt, behind, gaps } = repository;
  return (
    <Section title="About this repository">
      <Facts
        facts={[
          ['Product', repository.product],
          ['Branch', repository.default_branch ?? 'Not known yet'],
          ref !== null && ['Follows', ref],
          ['Indexed commit', commit === null ? 'Nothing yet' : <OneLine text={commit} className="font-mono text-sm" />],
          ['Indexed', indexedAt === null ? 'Never' : <Time at={indexedAt} as="exact" />],
          fetchedAt !== null && [
            'Fetched',
            <>
              <Time at={fetchedAt} as="exact" />
              {repository.fetch_result === 'new_commits' ? ', new commits' : ', no new commits'}
            </>,
          ],
          ['State', commit === null ? 'No index yet' : repository.freshness],
          ['Behind', behind === null ? 'Not known' : formatCount(behind, 'commit')],
          ...gaps.map((gap) => ['Gap', gap] as const),
        ]}
      />
    </Section>
  );
}
