import { useState } from 'react';
import { Button } from '../components/button.tsx';
import { Badge, type Tone } from '../components/inline.tsx';
import { Table, actionsColumn, Cell, RowHeader } from '../components/table.tsx';
import { Time } from '../components/time.tsx';
import { useSession } from '../session.tsx';
import { EditPage } from './edit-page.tsx';
import type { WatchedPage } from './queries.ts';

const TONES: Record<WatchedPage['status'], Tone> = {
  waiting: 'neutral',
  same: 'good',
  new: 'good',
  changed: 'accent',
  removed: 'bad',
  error: 'warn',
  robots_denied: 'warn',
};

/** Watched pages with what the last check said; members edit how they are watched. */
export function PageTable({ pages }: { pages: readonly WatchedPage[] }) {
  const { atLeast } = useSession();
  const [edited, setEdited] = useState<WatchedPage>();
  if (pages.length === 0) return <p className="text-quiet">No page is watched yet.</p>;
  const canEdit = atLeast('member');
  return (
    <>
      <Table
        caption="Watched pages"
        columns={[
          'Page',
          ['Kind', 'max-sm:hidden'],
          'Status',
          ['Checked', 'max-sm:hidden'],
          canEdit && actionsColumn(),
        ]}
      >
        {pages.map((page) => (
          <PageRow key={page.id} page={page} onEdit={canEdit ? () => setEdited(page) : undefined} />
        ))}
      </Table>
      {edited !== undefined && <EditPage page={edited} onClose={() => setEdited(undefined)} />}
    </>
  );
}

function PageRow({ page, onEdit }: { page: WatchedPage; onEdit: (() => void) | undefined }) {
  const { url, kind, status, detail, last_checked: checked, moved_to: movedTo } = page;
  return (
    <tr>
      <RowHeader className="font-normal [overflow-wrap:anywhere]">
        <a href={url} rel="noopener noreferrer nofollow" target="_blank" className="hover:text-accent hover:underline">
          {url}
        </a>
        {detail !== '' && <span className="block text-sm text-quiet">{detail}</span>}
        {movedTo !== null && !detail.includes(movedTo) && (
          <span className="block text-sm text-quiet">Moved to {movedTo}</span>
        )}
      </RowHeader>
      <Cell className="max-sm:hidden">{kind}</Cell>
      <Cell>
        <Badge tone={TONES[status]}>{status.replace('_', ' ')}</Badge>
      </Cell>
      <Cell className="text-quiet max-sm:hidden">{checked === null ? 'not yet' : <Time at={checked} />}</Cell>
      {onEdit !== undefined && (
        <Cell>
          <Button look="ghost" aria-label={`Edit ${url}`} onClick={onEdit}>
            Edit
          </Button>
        </Cell>
      )}
    </tr>
  );
}
