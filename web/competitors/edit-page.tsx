import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Action, useAction, useChanges } from '../action.ts';
import { remove, send } from '../api.ts';
import { Button } from '../components/button.tsx';
import { Confirmation, Dialog, DialogActions } from '../components/dialog.tsx';
import { Checkbox, Form, SelectField, TextArea } from '../components/field.tsx';
import { Problem } from '../components/query-state.tsx';
import { useSession } from '../session.tsx';
import { competitorsQuery, type WatchedPage } from './queries.ts';

type Kind = WatchedPage['kind'];

const KINDS: readonly { value: Kind; label: string }[] = [
  { value: 'pricing', label: 'Pricing' },
  { value: 'feature', label: 'Features' },
  { value: 'docs', label: 'Documentation' },
  { value: 'changelog', label: 'Changelog' },
  { value: 'positioning', label: 'Positioning' },
  { value: 'jobs', label: 'Jobs' },
  { value: 'legal', label: 'Legal' },
  { value: 'other', label: 'Other' },
];
const INTERVALS = [
  { value: '60', label: 'Every hour' },
  { value: '360', label: 'Every 6 hours' },
  { value: '1440', label: 'Every day' },
  { value: '10080', label: 'Every week' },
];
const LISTS = [
  { name: 'include', label: 'Include', hint: 'CSS selectors, one a line. Without any, the main content is read.' },
  { name: 'remove', label: 'Exclude', hint: 'CSS selectors, one a line.' },
  { name: 'ignore', label: 'Ignore text', hint: 'One a line; * stands for anything.' },
] as const;

/** Form for how a page is watched: its kind, interval and the parts that are read; ends the watch as well. */
export function EditPage({ page, onClose }: { page: WatchedPage; onClose: () => void }) {
  const [isStopping, setStopping] = useState(false);
  const { save, stop } = usePage(page, onClose);
  if (isStopping) {
    return (
      <Confirmation title="Stop watching this page?" action="Stop watching" onConfirm={stop} onClose={onClose}>
        <p className="[overflow-wrap:anywhere]">{page.url}</p>
        <p className="mt-2">Its captures and changes are deleted. This cannot be undone.</p>
      </Confirmation>
    );
  }
  return (
    <Dialog
      title="Edit a watched page"
      lead={<span className="[overflow-wrap:anywhere]">{page.url}</span>}
      onClose={onClose}
    >
      <PageForm page={page} save={save} onStop={() => setStopping(true)} onClose={onClose} />
    </Dialog>
  );
}

interface PageFormProps {
  page: WatchedPage;
  save: Action<PageChange>;
  onStop: () => void;
  onClose: () => void;
}

function PageForm({ page, save, onStop, onClose }: PageFormProps) {
  const { product } = useSession();
  const canRender = useQuery(competitorsQuery(product.id)).data?.browser ?? false;
  const [kind, setKind] = useState<Kind>(page.kind);
  const [minutes, setMinutes] = useState(String(page.every_minutes));
  const [render, setRender] = useState(page.render);
  const [lists, setLists] = useState({
    include: page.include.join('\n'),
    remove: page.remove.join('\n'),
    ignore: page.ignore.join('\n'),
  });
  const submit = (): void => {
    const { include, remove: left, ignore } = lists;
    const texts = { include: linesOf(include), remove: linesOf(left), ignore: linesOf(ignore) };
    save.run({ kind, every_minutes: Number(minutes), render, ...texts });
  };
  return (
    <Form className="flex flex-col gap-4" onSubmit={submit}>
      <div className="grid gap-4 sm:grid-cols-2">
        <SelectField label="Kind" value={kind} choices={KINDS} onChoose={setKind} />
        <SelectField label="Checked" value={minutes} choices={intervalsWith(minutes)} onChoose={setMinutes} />
      </div>
      {LISTS.map(({ name, label, hint }) => (
        <TextArea
          key={name}
          label={label}
          hint={hint}
          rows={2}
          value={lists[name]}
          onEnter={(text) => setLists({ ...lists, [name]: text })}
        />
      ))}
      {(canRender || render === 'browser') && (
        <Checkbox
          label="Run JavaScript"
          hint="For pages that are empty without it. Slower."
          checked={render === 'browser'}
          onChange={(checked) => setRender(checked ? 'browser' : 'none')}
        />
      )}
      <Problem problem={save.problem} />
      <DialogActions>
        <Button look="ghost" disabled={save.busy} onClick={onStop}>
          Stop watching
        </Button>
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" look="primary" disabled={save.busy}>
          Save
        </Button>
      </DialogActions>
    </Form>
  );
}

/** The usual ones, and that of the page when it is another. */
function intervalsWith(minutes: string): { value: string; label: string }[] {
  const isUsual = INTERVALS.some(({ value }) => value === minutes);
  return isUsual ? INTERVALS : [...INTERVALS, { value: minutes, label: `Every ${minutes} minutes` }];
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

type PageChange = Pick<WatchedPage, 'kind' | 'every_minutes' | 'render' | 'include' | 'remove' | 'ignore'>;

function usePage({ id, url }: WatchedPage, onClose: () => void) {
  const { path, say, refresh } = useChanges();
  const save = useAction(async (change: PageChange) => {
    await send('PATCH', path(`competitor-pages/${id}`), change);
    await refresh('competitors');
    onClose();
    say('Saved');
  });
  const stop = async (): Promise<void> => {
    await remove(path(`competitor-pages/${id}`));
    await refresh('competitors');
    onClose();
    say(`No longer watched: ${url}`);
  };
  return { save, stop };
}
