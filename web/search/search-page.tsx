import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import type { SearchResult } from '../../src/search/search-bodies.ts';
import { Button, Icon } from '../components/button.tsx';
import { CopyCall } from '../components/entity-link.tsx';
import { INPUT_CLASS } from '../components/field.tsx';
import { EmptyState, Page } from '../components/page.tsx';
import { QueryState } from '../components/query-state.tsx';
import { formatTotal } from '../format.ts';
import { searchQuery } from '../queries.ts';
import { searchParameters, type SearchParameters } from '../search-parameters.ts';
import { useSession } from '../session.tsx';
import { Everywhere } from './everywhere.tsx';
import { Facets, ModeChoice } from './facets.tsx';
import { recentSearches, useRecent } from './recent.ts';
import { Results } from './results.tsx';

const route = getRouteApi('/shell/search');
const TYPING_PAUSE_MS = 300;

const PLACEHOLDERS = {
  all: 'A question or a few words',
  words: 'Where are expired keys refused?',
  symbols: 'KeyStore, or save*',
  text: 'A regular expression, such as TODO|FIXME',
};

export function SearchPage() {
  const search = route.useSearch();
  const navigate = useNavigate();
  // The address is the state: what is in it can be sent to somebody, and Back leads to the search before.
  const change = (
    facets: { [Key in keyof SearchParameters]: SearchParameters[Key] | undefined },
    replace = false,
  ): void => void navigate({ to: '/search', search: (now) => searchParameters({ ...now, ...facets }), replace });
  return (
    <Page title="Search" lead="The same index and the same ranking that your agent gets.">
      <div className="flex flex-col gap-3">
        <QueryField search={search} onChange={(q) => change({ q }, true)} />
        <ModeChoice search={search} onChange={change} />
        <Facets search={search} onChange={change} />
      </div>
      <div className="mt-5">
        {search.q === undefined ? (
          <Invitation onTry={(tried) => change(tried)} />
        ) : (search.mode ?? 'all') === 'all' ? (
          <Everywhere search={search} query={search.q} onChange={change} />
        ) : (
          <SearchResults search={search} query={search.q} />
        )}
      </div>
    </Page>
  );
}

/** The one box. Searches when the typing pauses, and at once on Enter. */
function QueryField({ search, onChange }: { search: SearchParameters; onChange: (q: string) => void }) {
  const [text, setText] = useState(search.q ?? '');
  const sent = useRef(search.q ?? '');
  useEffect(() => {
    // Back, Forward and the examples change the address from outside.
    if ((search.q ?? '') === sent.current) return;
    sent.current = search.q ?? '';
    setText(sent.current);
  }, [search.q]);

  function submit(value: string): void {
    if (value.trim() === sent.current) return;
    sent.current = value.trim();
    onChange(sent.current);
  }

  useEffect(() => {
    const timer = setTimeout(() => submit(text), TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  });

  return (
    <form
      role="search"
      className="relative"
      onSubmit={(event) => {
        event.preventDefault();
        submit(text);
      }}
    >
      <Icon name="search" className="pointer-events-none absolute top-3 left-3 text-quiet" />
      <input
        type="search"
        aria-label="Search"
        placeholder={PLACEHOLDERS[search.mode ?? 'all']}
        value={text}
        maxLength={1000}
        autoFocus
        spellCheck={false}
        autoCapitalize="none"
        onChange={(event) => setText(event.target.value)}
        className={`${INPUT_CLASS} h-10 pl-9`}
      />
    </form>
  );
}

/** Recent searches, or examples where there are none. */
function Invitation({ onTry }: { onTry: (search: SearchParameters) => void }) {
  const { product } = useSession();
  const recent = recentSearches(product.id);
  const tried: readonly SearchParameters[] = recent.length > 0 ? recent : EXAMPLES;
  return (
    <EmptyState
      icon="search"
      title={recent.length > 0 ? 'Recent searches' : 'Search everything'}
      action={tried.map((attempt) => (
        <Button key={`${attempt.q} ${attempt.mode ?? ''}`} onClick={() => onTry(attempt)}>
          {attempt.q}
        </Button>
      ))}
    >
      Everything covers code, commits, plans, documents, signals, decisions and changes of competitors together. Code
      ranks passages by what they are about; Symbols finds names, with * as a wildcard; Text matches a regular
      expression against every line.
    </EmptyState>
  );
}

const EXAMPLES = [
  { q: 'error handling' },
  { q: 'main', mode: 'symbols' },
  { q: 'TODO|FIXME', mode: 'text' },
] as const satisfies SearchParameters[];

function SearchResults({ search, query }: { search: SearchParameters; query: string }) {
  const { product } = useSession();
  const { repo, kinds, path, tests, mode } = search;
  const filters = { repo, kinds, path, tests, mode: mode === 'all' ? undefined : mode };
  const results = useInfiniteQuery(searchQuery({ ...filters, q: query, product: product.id }));
  useRecent(search, results.data !== undefined);
  const [first] = results.data?.pages ?? [];
  if (results.isError || first === undefined) return <QueryState query={results} what="results" rows={6} />;
  const rows = results.data?.pages.flatMap((page) => page.rows) ?? [];
  return (
    <div aria-busy={results.isPlaceholderData} className={results.isPlaceholderData ? 'opacity-60' : undefined}>
      <Summary result={first} shown={rows.length} />
      {first.notes.map((note) => (
        <p key={note} className="mb-2 text-sm text-quiet">
          {note}
        </p>
      ))}
      {rows.length === 0 ? (
        <EmptyState icon="search" title="Nothing found">
          Try fewer words, another mode, or fewer filters.
        </EmptyState>
      ) : (
        <Results rows={rows} query={search.mode === 'text' ? '' : query} />
      )}
      {results.hasNextPage && (
        <Button
          className="mt-3 w-full"
          disabled={results.isFetchingNextPage}
          onClick={() => void results.fetchNextPage()}
        >
          {results.isFetchingNextPage ? 'Loading…' : 'More results'}
        </Button>
      )}
    </div>
  );
}

function Summary({ result, shown }: { result: SearchResult; shown: number }) {
  const stale = result.indexes.filter(({ state }) => state !== 'fresh');
  return (
    <div className="mb-2 flex flex-wrap items-center justify-between gap-2">
      <p role="status" className="text-quiet">
        {formatTotal({ ...result, shown }, 'result')}
        {stale.length > 0 && (
          <span className="text-warn"> · {stale.map(({ repo, state }) => `${repo}: ${state}`).join(', ')}</span>
        )}
      </p>
      <CopyCall call={result.call} />
    </div>
  );
}
