import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { SearchHit } from '../../src/search/search-output.ts';
import { CopyCall, type ToolCall } from '../components/entity-link.tsx';
import { Badge } from '../components/inline.tsx';
import { EmptyState, LoadMore } from '../components/page.tsx';
import { QueryState } from '../components/query-state.tsx';
import { Time } from '../components/time.tsx';
import { formatNumber, formatTotal } from '../format.ts';
import { CORPORA, type Corpus, type SearchParameters } from '../search-parameters.ts';
import { useSession } from '../session.tsx';
import { argumentsOf, formatLocation, hitCountsQuery, hitLink, type HitPage, hitsQuery } from './hits.ts';
import { Marked } from './marked.tsx';
import { useRecent } from './recent.ts';

const NAMES: Readonly<Record<Corpus, string>> = {
  code: 'Code',
  commits: 'Commits',
  plans: 'Plans',
  documents: 'Documents',
  signals: 'Signals',
  decisions: 'Decisions',
  competitors: 'Competitors',
};

interface EverywhereProps {
  search: SearchParameters;
  query: string;
  onChange: (change: { corpus: Corpus | undefined }) => void;
}

/** Results of `search-tool`, as agents get them: all kinds of sources in one order, or one of them. */
export function Everywhere({ search, query, onChange }: EverywhereProps) {
  const { product } = useSession();
  const { corpus, repo, since } = search;
  const question = { query, corpus, repo, since };
  const results = useInfiniteQuery(hitsQuery(product.id, question));
  const counts = useQuery({ ...hitCountsQuery(product.id, question), enabled: corpus !== undefined });
  useRecent(search, results.data !== undefined && !results.isPlaceholderData);
  const [first] = results.data?.pages ?? [];
  if (results.isError || first === undefined) return <QueryState query={results} what="results" rows={6} />;
  const rows = results.data?.pages.flatMap((page) => page.rows) ?? [];
  const shownCounts = corpus === undefined ? first.counts : counts.data?.counts;
  return (
    <div aria-busy={results.isPlaceholderData} className={results.isPlaceholderData ? 'opacity-60' : undefined}>
      <CorpusChoice corpus={corpus} counts={shownCounts} onChoose={(chosen) => onChange({ corpus: chosen })} />
      <Summary page={first} shown={rows.length} call={{ name: 'search-tool', arguments: argumentsOf(question) }} />
      {rows.length === 0 ? (
        <EmptyState icon="search" title="Nothing found">
          {(first.notes ?? []).join('. ')}
        </EmptyState>
      ) : (
        <ol aria-label="Results" className="divide-y divide-line rounded-lg border border-line bg-panel">
          {rows.map((hit) => (
            <HitRow key={`${hit.rank} ${hit.id}`} hit={hit} query={query} />
          ))}
        </ol>
      )}
      <LoadMore query={results} />
    </div>
  );
}

interface CorpusChoiceProps {
  corpus: Corpus | undefined;
  counts: HitPage['counts'] | undefined;
  onChoose: (corpus: Corpus | undefined) => void;
}

/** The kinds of sources with their hits; pressing the chosen one again takes all. */
function CorpusChoice({ corpus, counts, onChoose }: CorpusChoiceProps) {
  return (
    <div role="group" aria-label="Kinds of sources" className="mb-3 flex flex-wrap gap-1.5">
      {CORPORA.map((name) => (
        <button
          key={name}
          type="button"
          aria-pressed={corpus === name}
          onClick={() => onChoose(corpus === name ? undefined : name)}
          className="inline-flex h-7 items-center gap-1.5 rounded-full border border-line bg-panel px-2.5 text-sm hover:bg-hover aria-pressed:border-accent aria-pressed:bg-accent-soft aria-pressed:text-accent max-md:h-9"
        >
          {NAMES[name]}
          {counts !== undefined && <span className="tabular-nums opacity-80">{formatNumber(counts[name] ?? 0)}</span>}
        </button>
      ))}
    </div>
  );
}

function Summary({ page, shown, call }: { page: HitPage; shown: number; call: ToolCall }) {
  const indexes = Array.isArray(page.index) ? page.index : [page.index];
  const stale = indexes.filter(({ state }) => state !== 'fresh');
  return (
    <div className="mb-2 flex flex-wrap items-center justify-between gap-2">
      <p role="status" className="text-quiet">
        {formatTotal({ ...page, shown }, 'hit')}
        {stale.length > 0 && (
          <span className="text-warn">
            {' '}
            · {stale.map(({ repo = '', state }) => `${repo} ${state}`.trim()).join(', ')}
          </span>
        )}
      </p>
      <CopyCall call={call} />
    </div>
  );
}

function HitRow({ hit, query }: { hit: SearchHit; query: string }) {
  const { corpus, title, date, snippet, folded: duplicates = 0 } = hit;
  const location = formatLocation(hit);
  const isRepeated = snippet === title || snippet === '';
  return (
    <li className="lazy-row px-4 py-2.5">
      <p className="flex flex-wrap items-baseline gap-x-2">
        <Badge>{NAMES[corpus]}</Badge>
        <Link {...hitLink(hit)} className="name-link">
          <Marked text={title.slice(0, TITLE_CHARACTERS)} query={query} />
        </Link>
        <Staleness hit={hit} />
      </p>
      {!isRepeated && (
        <p
          className={`mt-0.5 line-clamp-2 [overflow-wrap:anywhere] text-quiet ${corpus === 'code' ? 'font-mono text-[12.5px] leading-5' : ''}`}
        >
          <Marked text={snippet} query={query} />
        </p>
      )}
      <p className="mt-0.5 text-sm text-quiet [overflow-wrap:anywhere]">
        {location}
        {date !== undefined && (
          <>
            {location !== '' && ' · '}
            <Time at={date} as="date" />
          </>
        )}
        {duplicates > 0 && ` · ${formatNumber(duplicates)} more like it`}
      </p>
    </li>
  );
}

/** A title that is the whole text of a signal or of a commit is read in the row. */
const TITLE_CHARACTERS = 200;

/** Badge that shows if the plan's statement about this location still holds. */
function Staleness({ hit: { stale, plans = [] } }: { hit: SearchHit }) {
  if (stale === undefined || stale === '') return null;
  const plan = plans[0]?.id.replace('plan:', '');
  return (
    <Badge tone={stale === 'fresh' ? 'good' : 'warn'}>{plan === undefined ? stale : `plan ${plan}: ${stale}`}</Badge>
  );
}
