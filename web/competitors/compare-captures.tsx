import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { SelectField } from '../components/field.tsx';
import { QueryState } from '../components/query-state.tsx';
import { formatMoment } from '../format.ts';
import { useSession } from '../session.tsx';
import { TextComparison } from './change-list.tsx';
import { type Capture, capturesQuery, comparisonQuery, type WatchedPage } from './queries.ts';

/** Any two of the texts that a page had, side by side. */
export function CompareCaptures({ pages }: { pages: readonly WatchedPage[] }) {
  const { product } = useSession();
  const [chosen, setChosen] = useState('');
  const page = pages.find(({ id }) => id === chosen) ?? pages.find(({ capture }) => capture !== null) ?? pages[0];
  const query = useQuery({ ...capturesQuery(product.id, page?.id ?? ''), enabled: page !== undefined });
  if (page === undefined) return <p className="text-quiet">No page is watched yet.</p>;
  const captures = query.data?.captures;
  return (
    <div className="flex flex-col gap-4">
      <SelectField
        label="Page"
        value={page.id}
        choices={pages.map(({ id, url }) => ({ value: id, label: url }))}
        onChoose={setChosen}
      />
      <QueryState query={query} what="what the page said" rows={4} />
      {captures?.length === 0 && <p className="text-quiet">The page has not been fetched yet.</p>}
      {captures?.length === 1 && <p className="text-quiet">No check has found a change.</p>}
      {captures !== undefined && captures.length > 1 && <Comparison key={page.id} captures={captures} />}
    </div>
  );
}

/** `captures` has at least two, newest first. */
function Comparison({ captures }: { captures: readonly Capture[] }) {
  const { product } = useSession();
  const [before, setBefore] = useState(captures[1]?.id ?? '');
  const [after, setAfter] = useState(captures[0]?.id ?? '');
  const query = useQuery(comparisonQuery(product.id, before, after));
  const choices = captures.map(({ id, fetched_at: at }) => ({ value: id, label: formatMoment(at) }));
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <SelectField label="Before" value={before} choices={choices} onChoose={setBefore} />
        <SelectField label="After" value={after} choices={choices} onChoose={setAfter} />
      </div>
      <QueryState query={query} what="the comparison" rows={4} />
      {query.data !== undefined &&
        (query.data.added.length + query.data.removed.length === 0 ? (
          <p className="text-quiet">The two captures are identical.</p>
        ) : (
          <TextComparison removed={query.data.removed} added={query.data.added} />
        ))}
    </>
  );
}
