import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import type {
  RepositoryList,
  RestRepository as Repository,
  NewRepository,
} from '../../src/repositories/repository-bodies.ts';
import { useChanges } from '../action.ts';
import { post } from '../api.ts';
import { Button, IconButton } from '../components/button.tsx';
import { FormDialog } from '../components/dialog.tsx';
import { Field, useForm } from '../components/form.tsx';
import { LanguageBar } from '../components/language-bar.tsx';
import { type Facet, isNarrowed, ListPage } from '../components/list-page.tsx';
import { Menu, MenuItem, MenuSeparator } from '../components/menu.tsx';
import { VirtualList } from '../components/virtual-list.tsx';
import { postRepositories } from '../form-rules.json';
import { formatCount } from '../format.ts';
import type { repositoryFilter } from '../knowledge/filters.ts';
import { isIndexing, readPages } from '../queries.ts';
import { useSession } from '../session.tsx';
import { FollowOrganization, Organizations } from './organizations.tsx';
import { PauseNote, Queue } from './queue.tsx';
import { RemoveRepository, useReindex } from './repository-changes.tsx';
import { RepositoryLink } from './repository-link.tsx';
import { Fetched, FetchError, Freshness, IndexError, IndexProgress } from './state.tsx';

const route = getRouteApi('/shell/repositories');

/** With so many repositories a page has filters. */
const MANY = 8;
const PAGE = 50;
/** Height of a row with an index, in px. */
const ROW_PX = 94;

const STATUSES = [
  { value: '', label: 'Any status' },
  { value: 'ready', label: 'Ready' },
  { value: 'indexing', label: 'Indexing' },
  { value: 'pending', label: 'Waiting' },
  { value: 'failed', label: 'Failed' },
] as const;

type Filter = ReturnType<typeof repositoryFilter>;

const FACETS: readonly Facet<keyof Filter>[] = [
  { kind: 'text', name: 'query', label: 'Name or address', placeholder: 'api' },
  { kind: 'choice', name: 'status', label: 'Status', choices: STATUSES },
];

function repositoryPagesQuery(product: string, filter: Filter) {
  const parameters = { ...filter, product, limit: PAGE };
  return readPages<RepositoryList>('repositories', 'repositories', parameters, {
    watch: ({ repositories }) => repositories.some(isIndexing),
  });
}

export function RepositoriesPage() {
  const { product, atLeast } = useSession();
  const [dialog, setDialog] = useState<'add' | 'follow'>();
  const close = (): void => setDialog(undefined);
  const filter = route.useSearch();
  const query = useInfiniteQuery(repositoryPagesQuery(product.id, filter));
  const first = query.data?.pages[0];
  const repositories = useMemo(() => query.data?.pages.flatMap((page) => page.repositories), [query.data]);
  const hasFilters = isNarrowed(filter) || (first?.total ?? 0) > MANY;
  return (
    <>
      <ListPage
        title="Repositories"
        lead="The code and history that answers come from."
        actions={atLeast('admin') && <AddButtons onOpen={setDialog} />}
        above={<PauseNote since={first?.paused_since ?? null} />}
        noun={{ one: 'repository', all: 'repositories' }}
        icon="repository"
        query={query}
        rows={repositories}
        filter={filter}
        facets={hasFilters ? FACETS : []}
        summary={hasFilters && first !== undefined ? formatCount(first.total, 'repository', 'repositories') : undefined}
        rowClass="h-[104px]"
        empty={{
          title: 'No repositories yet',
          text: 'Add one by its URL or folder. It is read on the machine of the service; nothing leaves that machine.',
        }}
        noMatch="No repository has this in its name or address, and this status."
      >
        {(rows) => (
          <VirtualList
            label="Repositories"
            rows={rows}
            total={first?.total ?? rows.length}
            keyOf={({ id }) => id}
            estimatePx={() => ROW_PX}
            query={query}
          >
            {showRepository}
          </VirtualList>
        )}
      </ListPage>
      <Organizations />
      {atLeast('admin') && <Queue />}
      {dialog === 'follow' && <FollowOrganization onClose={close} />}
      {dialog === 'add' && <AddRepository acceptsFolders={first?.accepts_folders ?? false} onClose={close} />}
    </>
  );
}

function AddButtons({ onOpen }: { onOpen: (dialog: 'add' | 'follow') => void }) {
  return (
    <span className="flex flex-wrap gap-2">
      <Button onClick={() => onOpen('follow')}>Follow an organization</Button>
      <Button look="primary" icon="plus" onClick={() => onOpen('add')}>
        Add repository
      </Button>
    </span>
  );
}

function showRepository(repository: Repository) {
  return <RepositoryRow repository={repository} />;
}

function RepositoryRow({ repository }: { repository: Repository }) {
  const hasIndex = repository.commit !== null;
  return (
    <div className="flex items-start gap-2 py-3 pr-2 pl-4">
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
    </div>
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
            <MenuItem
              icon="refresh"
              blocked={repository.status === 'indexing' && 'It is being indexed.'}
              onSelect={reindex.run}
            >
              {repository.status === 'pending' ? 'Index before others' : 'Index again'}
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

/** Adds a repository by its address; the index starts at once. */
function AddRepository({ acceptsFolders, onClose }: { acceptsFolders: boolean; onClose: () => void }) {
  const { product, path, apply } = useChanges();
  const form = useForm({ rules: postRepositories }, (request: NewRepository) =>
    apply(post<Repository>(path('repositories'), request), {
      to: 'repositories',
      done: onClose,
      says: ({ name }) => `Added “${name}”; indexing is queued`,
    }),
  );
  return (
    <FormDialog
      title="Add a repository"
      lead={`To the product ${product.name}.`}
      onClose={onClose}
      action="Add and index"
      form={form}
    >
      <Field
        of={form}
        name="url"
        label={acceptsFolders ? 'URL or folder' : 'URL'}
        spellCheck={false}
        autoCapitalize="none"
        placeholder="https://github.com/owner/name"
        hint={
          acceptsFolders
            ? 'An https or ssh URL, or a folder on the machine that the service runs on.'
            : 'An https or ssh URL that the service can reach.'
        }
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <Field of={form} name="name" label="Name" hint="Default: the last part of the address." />
        <Field of={form} name="ref" label="Branch, tag or commit" hint="What to follow. Default: the default branch." />
      </div>
    </FormDialog>
  );
}
