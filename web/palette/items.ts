import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { FileNames } from '../../src/commits/history-bodies.ts';
import type { SearchResult } from '../../src/search/search-bodies.ts';
import { get } from '../api.ts';
import { type CodeLocation, fileLink } from '../code/links.ts';
import type { IconName } from '../components/button.tsx';
import { decisionsQuery, plansQuery, themesQuery } from '../knowledge/queries.ts';
import { repositoriesQuery } from '../queries.ts';
import { recentSearches } from '../search/recent.ts';
import { useSession } from '../session.tsx';
import { GROUPS } from '../shell/navigation.tsx';
import { chooseTheme } from '../theme.ts';

/** Something that the palette can go to or do. */
export interface Item {
  id: string;
  name: string;
  /** In smaller letters beside it. */
  hint?: string;
  icon: IconName;
  run: () => void;
}

export interface ItemGroup {
  value: string;
  items: Item[];
}

/** Of each kind; more are found by more letters. */
const MOST = 6;
/** Repositories whose files are looked through at each pause. */
const MOST_REPOSITORIES = 3;
const LEAST_LETTERS = 2;

/** True if all words are in a name, in any order. */
export function hasWords(name: string, words: string): boolean {
  const text = name.toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

/** Items that match the words: pages, actions, plans and the like at once; files and symbols as soon as they are loaded. */
export function useItems(words: string, searchText: string): ItemGroup[] {
  const atOnce = [usePages(), useActions(), useWritten()].flat();
  const code = useCode(searchText);
  const navigate = useNavigate();
  const { product } = useSession();
  const search = (q: string): void => void navigate({ to: '/search', search: { q } });
  if (words === '') {
    const recent = recentSearches(product.id).map(({ q = '' }): Item => {
      return { id: `recent ${q}`, name: q, icon: 'history', run: () => search(q) };
    });
    const bare = atOnce.filter(({ value }) => value === 'Pages' || value === 'Actions');
    return [{ value: 'Recent searches', items: recent }, ...bare].filter(({ items }) => items.length > 0);
  }
  const fitting = atOnce.map(({ value, items }) => ({
    value,
    items: items.filter(({ name }) => hasWords(name, words)).slice(0, MOST),
  }));
  const everything: Item = {
    id: 'everything',
    name: `Search everything for “${words}”`,
    icon: 'search',
    run: () => search(words),
  };
  const question: Item = {
    id: 'ask',
    name: `Ask “${words}”`,
    icon: 'speech',
    run: () => void navigate({ to: '/ask', search: { q: words } }),
  };
  return [...fitting, ...code, { value: 'Search', items: [everything, question] }].filter(
    ({ items }) => items.length > 0,
  );
}

function usePages(): ItemGroup {
  const navigate = useNavigate();
  const { atLeast } = useSession();
  const entries = GROUPS.flatMap((group) => group.entries).filter(({ role }) => role === undefined || atLeast(role));
  const items = entries.map(({ to, icon, text }): Item => {
    return { id: `page ${text}`, name: text, icon, run: () => void navigate({ to }) };
  });
  return { value: 'Pages', items };
}

function useActions(): ItemGroup {
  const navigate = useNavigate();
  const { atLeast } = useSession();
  const items: Item[] = [
    ...(atLeast('member')
      ? ([
          { id: 'new plan', name: 'New plan', icon: 'plus', run: () => void navigate({ to: '/plans/new' }) },
          {
            id: 'new decision',
            name: 'Record a decision',
            icon: 'plus',
            run: () => void navigate({ to: '/decisions/new' }),
          },
        ] as const)
      : []),
    { id: 'light', name: 'Light theme', icon: 'sun', run: () => chooseTheme('light') },
    { id: 'dark', name: 'Dark theme', icon: 'moon', run: () => chooseTheme('dark') },
    { id: 'system', name: 'System theme', icon: 'monitor', run: () => chooseTheme('system') },
  ];
  return { value: 'Actions', items };
}

/** Repositories, plans, decisions and themes by their names. */
function useWritten(): ItemGroup[] {
  const navigate = useNavigate();
  const { product } = useSession();
  const repositories = useQuery(repositoriesQuery(product.id)).data?.repositories ?? [];
  const plans = useQuery(plansQuery(product.id)).data?.plans ?? [];
  const decisions = useQuery(decisionsQuery(product.id)).data?.decisions ?? [];
  const themes = useQuery(themesQuery(product.id, { least: 1 })).data?.themes ?? [];
  return [
    {
      value: 'Repositories',
      items: repositories.map(({ id, name }): Item => {
        const to = { to: '/repositories/$repositoryId', params: { repositoryId: id } } as const;
        return { id, name, icon: 'repository', run: () => void navigate(to) };
      }),
    },
    {
      value: 'Plans',
      items: plans.map(({ slug, title, status }): Item => {
        const to = { to: '/plans/$slug', params: { slug } } as const;
        return { id: `plan ${slug}`, name: title, hint: status, icon: 'target', run: () => void navigate(to) };
      }),
    },
    {
      value: 'Decisions',
      items: decisions.map(({ id, title, status }): Item => {
        const to = { to: '/decisions/$decisionId', params: { decisionId: id } } as const;
        return { id, name: title, hint: status, icon: 'compass', run: () => void navigate(to) };
      }),
    },
    {
      value: 'Themes',
      items: themes.map(({ id, label }): Item => {
        const to = { to: '/signals', search: { theme: id } } as const;
        return { id, name: label, icon: 'tag', run: () => void navigate(to) };
      }),
    },
  ];
}

function useCode(searchText: string): ItemGroup[] {
  const navigate = useNavigate();
  const { product } = useSession();
  const repositories = useQuery(repositoriesQuery(product.id)).data?.repositories ?? [];
  const indexed = repositories.filter(({ commit }) => commit !== null).slice(0, MOST_REPOSITORIES);
  const isEnabled = searchText.length >= LEAST_LETTERS && indexed.length > 0;
  const symbols = useQuery({ ...symbolsQuery(product.id, searchText), enabled: isEnabled });
  const files = useQuery({ ...filesQuery(product.id, indexed, searchText), enabled: isEnabled });
  if (!isEnabled) return [];
  return [
    {
      value: 'Symbols',
      items: (symbols.data ?? []).map(({ repo, path, line, symbol = '', kind = '' }): Item => {
        const hint = `${kind} · ${path}:${line}`;
        return {
          id: `symbol ${repo} ${path} ${line} ${symbol}`,
          name: symbol,
          hint,
          icon: 'box',
          run: open({ repo, path, lines: { from: line, to: line } }),
        };
      }),
    },
    {
      value: 'Files',
      items: (files.data ?? []).map(({ repo, path }): Item => {
        return { id: `file ${repo} ${path}`, name: path, hint: repo, icon: 'file', run: open({ repo, path }) };
      }),
    },
  ];

  function open(target: CodeLocation): () => void {
    return () => void navigate(fileLink(target));
  }
}

function symbolsQuery(product: string, searchText: string) {
  return queryOptions({
    queryKey: ['palette', product, 'symbols', searchText],
    queryFn: async ({ signal }) => {
      const query = { product, q: `${searchText}*`, mode: 'symbols', limit: MOST };
      return (await get<SearchResult>('search', query, signal)).rows;
    },
    placeholderData: keepPreviousData,
  });
}

function filesQuery(product: string, indexed: readonly { id: string; name: string }[], searchText: string) {
  return queryOptions({
    queryKey: ['palette', product, 'files', searchText],
    queryFn: async ({ signal }) => {
      const matches = await Promise.all(
        indexed.map(async ({ id, name }) => {
          const query = { product, query: searchText };
          const { paths } = await get<FileNames>(`repositories/${id}/history/files`, query, signal);
          return paths.map((path) => ({ repo: name, path }));
        }),
      );
      return matches.flat().slice(0, MOST);
    },
    placeholderData: keepPreviousData,
  });
}
