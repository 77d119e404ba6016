import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { RestRepository as Repository } from '../../src/repositories/repository-bodies.ts';
import { Button, IconButton } from '../components/button.tsx';
import { LanguageBar } from '../components/language-bar.tsx';
import { Menu, MenuItem, MenuSeparator } from '../components/menu.tsx';
import { EmptyState, Page } from '../components/page.tsx';
import { QueryState } from '../components/query-state.tsx';
import { formatCount } from '../format.ts';
import { isIndexing, repositoriesQuery } from '../queries.ts';
import { useSession } from '../session.tsx';
import { AddRepository } from './add-repository.tsx';
import { FollowOrganization, Organizations } from './organizations.tsx';
import { RemoveRepository, useReindex } from './repository-changes.tsx';
import { RepositoryLink } from './repository-link.tsx';
import { Fetched, FetchError, Freshness, IndexError, IndexProgress } from './state.tsx';

export function RepositoriesPage() {
  const { product, atLeast } = useSession();
  const [isAdding, setAdding] = useState(false);
  const query = useQuery(repositoriesQuery(product.id));
  const [isFollowing, setFollowing] = useState(false);
  const add = atLeast('admin') && (
    <span className="flex flex-wrap gap-2">
      <Button onClick={() => setFollowing(true)}>Follow an organization</Button>
      <Button look="primary" icon="plus" onClick={() => setAdding(true)}>
        Add repository
      </Button>
    </span>
  );
  return (
    <Page title="Repositories" lead="The code and history that answers come from." actions={add}>
      <QueryState query={query} what="repositories" rowClass="h-[104px]" />
      {query.data?.repositories.length === 0 && (
        <EmptyState icon="repository" title="No repositories yet" action={add}>
          Add one by its URL or folder. It is read on the machine of the service; nothing leaves that machine.
        </EmptyState>
      )}
      {query.data !== undefined && query.data.repositories.length > 0 && (
        <ul className="divide-y divide-line rounded-lg border border-line bg-panel">
          {query.data.repositories.map((repository) => (
            <RepositoryRow key={repository.id} repository={repository} />
          ))}
        </ul>
      )}
      <Organizations />
      {isFollowing && <FollowOrganization onClose={() => setFollowing(false)} />}
      {isAdding && (
        <AddRepository acceptsFolders={query.data?.accepts_folders ?? false} onClose={() => setAdding(false)} />
      )}
    </Page>
  );
}

function RepositoryRow({ repository }: { repository: Repository }) {
  const hasIndex = repository.commit !== null;
  return (
    <li className="flex items-start gap-2 py-3 pr-2 pl-4">
      <div className="grid min-w-0 flex-1 gap-x-6 gap-y-2 md:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <div className="min-w-0">
          <div className="flex flex-wrap items-center gap-x-2 gap-y-0.5">
            <RepositoryLink repository={repository} />
          </div>
          <p className="text-sm text-quiet [overflow-wrap:anywhere]">{repository.url}</p>
          <p className="text-sm text-quiet">
            <Freshness repository={repository} />
            {repository.fetched_at !== null && (
              <>
                {' · '}
                <Fetched repository={repository} />
              </>
            )}
          </p>
        </div>
        <div className="min-w-0 self-center">
          {hasIndex && (
            <>
              <p className="mb-1 text-sm text-quiet">
                {formatCount(repository.files, 'file')} · {formatCount(repository.symbols, 'symbol')}
              </p>
              <LanguageBar languages={repository.languages} />
            </>
          )}
        </div>
        {(isIndexing(repository) || repository.error !== null || repository.fetch_error !== null) && (
          <div className="flex flex-col gap-2 md:col-span-2">
            <IndexProgress repository={repository} />
            <IndexError error={repository.error} />
            <FetchError repository={repository} />
          </div>
        )}
      </div>
      <RepositoryMenu repository={repository} />
    </li>
  );
}

function RepositoryMenu({ repository }: { repository: Repository }) {
  const { atLeast } = useSession();
  const navigate = useNavigate();
  const [isRemoving, setRemoving] = useState(false);
  const reindex = useReindex(repository);
  return (
    <>
      <Menu trigger={<IconButton icon="more" label={`Actions for ${repository.name}`} />}>
        <MenuItem
          icon="search"
          blocked={repository.commit === null && 'It has not been indexed yet.'}
          onSelect={() => void navigate({ to: '/search', search: { repo: repository.name } })}
        >
          Search in it
        </MenuItem>
        {atLeast('admin') && (
          <>
            <MenuItem icon="refresh" blocked={isIndexing(repository) && 'It is being indexed.'} onSelect={reindex.run}>
              Index again
            </MenuItem>
            <MenuSeparator />
            <MenuItem icon="trash" dangerous onSelect={() => setRemoving(true)}>
              Remove…
            </MenuItem>
          </>
        )}
      </Menu>
      {isRemoving && <RemoveRepository repository={repository} onClose={() => setRemoving(false)} />}
    </>
  );
}
