import { useRef, useState } from 'react';
import { useAction, useChanges } from '../action.ts';
import { get, post } from '../api.ts';
import { FormDialog } from '../components/dialog.tsx';
import { TextArea, TextField } from '../components/field.tsx';
import { formatCount, formatNumber } from '../format.ts';
import type { Check, Competitor, Proposal } from './queries.ts';

/** Pages of one check. */
const CHECKED = 10;

/** Adds a competitor: by its domain, for which pages are proposed, or by pages that somebody names. */
export function WatchCompetitor({ onClose }: { onClose: () => void }) {
  const site = useRef<HTMLInputElement>(null);
  const [name, setName] = useState('');
  const [pages, setPages] = useState('');
  const { propose, add } = useWatching({ name, pages, setPages, onClose });
  const hasPages = pages.trim() !== '';
  return (
    <FormDialog
      title="Watch a competitor"
      lead="Enter a domain to find its pages, or a name and the pages yourself."
      initialFocus={site}
      dismissible={!add.busy}
      onClose={onClose}
      action={hasPages ? (add.busy ? 'Reading the pages…' : 'Watch') : propose.busy ? 'Looking…' : 'Find pages'}
      blocked={name.trim() === '' && 'Enter a domain or name first.'}
      change={{ busy: add.busy || propose.busy, problem: add.problem ?? propose.problem }}
      onSubmit={() => {
        if (hasPages) add.run();
        else propose.run();
      }}
    >
      <TextField
        ref={site}
        label="Domain or name"
        required
        maxLength={80}
        placeholder="acme.example"
        value={name}
        onEnter={setName}
      />
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

interface Watching {
  name: string;
  pages: string;
  setPages: (pages: string) => void;
  onClose: () => void;
}

/** Looks for the pages of a site, and watches those that are named. */
function useWatching({ name, pages, setPages, onClose }: Watching) {
  const { product, path, say, refresh } = useChanges();
  const [kinds, setKinds] = useState<ReadonlyMap<string, Proposal['kind']>>(new Map());
  const propose = useAction(async () => {
    const { pages: proposals } = await get<{ pages: Proposal[] }>('competitor-proposals', {
      site: name,
      product: product.id,
    });
    setKinds(new Map(proposals.map(({ url, kind }) => [url, kind])));
    setPages(proposals.map(({ url }) => url).join('\n'));
  });
  const add = useAction(async () => {
    const urls = pages.split(/\s+/).filter((url) => url !== '');
    const added = await post<Competitor>(path('competitors'), {
      name,
      ...(kinds.size > 0 && { domain: name }),
      pages: urls.map((url) => ({ url, kind: kinds.get(url) })),
    });
    const ids = added.pages.filter(({ status }) => status === 'waiting').map(({ id }) => id);
    let read = 0;
    for (let at = 0; at < ids.length; at += CHECKED) {
      const { checks } = await post<{ checks: Check[] }>(path('competitor-checks'), {
        pages: ids.slice(at, at + CHECKED),
      });
      read += checks.filter(({ status }) => status === 'new').length;
    }
    onClose();
    say(`${formatNumber(read)} of ${formatCount(ids.length, 'page')} of ${added.name} read`);
    await refresh('competitors');
  });
  return { propose, add };
}
