import { useState } from 'react';
import { useChanges } from '../action.ts';
import { get, post } from '../api.ts';
import { FormDialog } from '../components/dialog.tsx';
import { TextArea } from '../components/field.tsx';
import { Field, useForm } from '../components/form.tsx';
import { postCompetitors } from '../form-rules.json';
import { formatCount, formatNumber } from '../format.ts';
import type { Check, Competitor, NewCompetitor, Proposal } from './queries.ts';

/** Pages of one check. */
const CHECKED = 10;

/** Adds a competitor: by its domain, for which pages are proposed, or by pages that somebody names. */
export function WatchCompetitor({ onClose }: { onClose: () => void }) {
  const { product } = useChanges();
  const [pages, setPages] = useState('');
  const [kinds, setKinds] = useState<ReadonlyMap<string, Proposal['kind']>>(new Map());
  const watch = useWatch(onClose);
  const hasPages = pages.trim() !== '';
  const form = useForm({ rules: postCompetitors }, async ({ name }: NewCompetitor) => {
    if (hasPages) {
      const urls = pages.split(/\s+/).filter((url) => url !== '');
      const watched = urls.map((url) => ({ url, kind: kinds.get(url) }));
      return watch({ name, ...(kinds.size > 0 && { domain: name }), pages: watched });
    }
    const given = { site: name, product: product.id };
    const { pages: proposals } = await get<{ pages: Proposal[] }>('competitor-proposals', given);
    setKinds(new Map(proposals.map(({ url, kind }) => [url, kind])));
    setPages(proposals.map(({ url }) => url).join('\n'));
  });
  const { busy } = form;
  return (
    <FormDialog
      title="Watch a competitor"
      lead="Enter a domain to find its pages, or a name and the pages yourself."
      dismissible={!busy}
      onClose={onClose}
      action={hasPages ? (busy ? 'Reading the pages…' : 'Watch') : busy ? 'Looking…' : 'Find pages'}
      form={form}
    >
      <Field of={form} name="name" label="Domain or name" placeholder="acme.example" />
      <TextArea
        label="Pages, one per line"
        rows={6}
        value={pages}
        hint="Proposed for a domain; remove what you do not want. The service obeys robots.txt."
        onEnter={setPages}
      />
    </FormDialog>
  );
}

/** Watches the pages of a competitor, and reads them for the first time. */
function useWatch(onClose: () => void) {
  const { path, say, refresh } = useChanges();
  return async (competitor: NewCompetitor): Promise<void> => {
    const added = await post<Competitor>(path('competitors'), competitor);
    const ids = added.pages.filter(({ status }) => status === 'waiting').map(({ id }) => id);
    let read = 0;
    for (let at = 0; at < ids.length; at += CHECKED) {
      const batch = { pages: ids.slice(at, at + CHECKED) };
      const { checks } = await post<{ checks: Check[] }>(path('competitor-checks'), batch);
      read += checks.filter(({ status }) => status === 'new').length;
    }
    onClose();
    say(`${formatNumber(read)} of ${formatCount(ids.length, 'page')} of ${added.name} read`);
    await refresh('competitors');
  };
}
