import { queryOptions, useQuery } from '@tanstack/react-query';
import { callTool } from '../api.ts';
import { EntityLink, PathLink } from '../components/entity-link.tsx';
import { Badge } from '../components/inline.tsx';
import { Panel, Section } from '../components/page.tsx';
import { useSession } from '../session.tsx';

/** A plan or decision that a search for a theme finds. */
interface Hit {
  corpus: 'plans' | 'decisions';
  id: string;
  repo?: string;
  title: string;
  snippet?: string;
  stale?: string;
}

const MOST = 6;

function relatedQuery(product: string, label: string) {
  return queryOptions({
    queryKey: ['theme-related', product, label],
    queryFn: ({ signal }) =>
      callTool<{ rows: Hit[] }>(
        { product, name: 'search-tool', signal },
        { query: label, corpora: ['plans', 'decisions'], limit: MOST },
      ),
  });
}

/** Link to the code that a theme is about. `place` is `repository:folder`. */
export function ThemePlace({ place }: { place: string }) {
  const at = place.indexOf(':');
  const [repo, path] = [place.slice(0, at), place.slice(at + 1)];
  return (
    <Section title="Code that it is about">
      <Panel className="px-4 py-2.5 [overflow-wrap:anywhere]">
        <PathLink repo={repo} path={path} />
        <span className="text-sm text-quiet"> of {repo}</span>
      </Panel>
    </Section>
  );
}

/** Plans and decisions that say the like. A search, so nothing of it is certain. */
export function ThemeRelated({ label }: { label: string }) {
  const { product } = useSession();
  const rows = useQuery(relatedQuery(product.id, label)).data?.rows ?? [];
  if (rows.length === 0) return null;
  return (
    <Section title="Plans and decisions about it" lead="Found by the words of the theme.">
      <ul className="divide-y divide-line rounded-lg border border-line bg-panel">
        {rows.map(({ id, repo = '', title, corpus, stale }) => (
          <li key={id} className="flex flex-wrap items-baseline gap-x-3 gap-y-1 px-4 py-2">
            <span className="min-w-0 grow [overflow-wrap:anywhere]">
              <EntityLink repo={repo} handle={id.replace(/[#/].*/, '')}>
                {title}
              </EntityLink>
            </span>
            {stale !== undefined && <span className="text-sm text-quiet">{stale}</span>}
            <Badge>{corpus === 'plans' ? 'plan' : 'decision'}</Badge>
          </li>
        ))}
      </ul>
    </Section>
  );
}
