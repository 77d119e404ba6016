import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useChanges } from '../action.ts';
import { send } from '../api.ts';
import { Button } from '../components/button.tsx';
import { Dialog, DialogActions, Removal } from '../components/dialog.tsx';
import { Checkbox, Form } from '../components/field.tsx';
import { Field, useForm } from '../components/form.tsx';
import { Problem } from '../components/query-state.tsx';
import { patchCompetitorPages } from '../form-rules.json';
import { competitorsQuery, type PageChange, type WatchedPage } from './queries.ts';

const KINDS = {
  pricing: 'Pricing',
  feature: 'Features',
  docs: 'Documentation',
  changelog: 'Changelog',
  positioning: 'Positioning',
  jobs: 'Jobs',
  legal: 'Legal',
  other: 'Other',
};
const INTERVALS = [
  { value: '60', label: 'Every hour' },
  { value: '360', label: 'Every 6 hours' },
  { value: '1440', label: 'Every day' },
  { value: '10080', label: 'Every week' },
];

/** Form for how a page is watched: its kind, interval and the parts that are read; ends the watch as well. */
export function EditPage({ page, onClose }: { page: WatchedPage; onClose: () => void }) {
  const { path } = useChanges();
  const [isStopping, setStopping] = useState(false);
  if (isStopping) {
    return (
      <Removal
        title="Stop watching this page?"
        action="Stop watching"
        path={path(`competitor-pages/${page.id}`)}
        kinds={['competitors']}
        message={`No longer watched: ${page.url}`}
        onClose={onClose}
      >
        <p className="[overflow-wrap:anywhere]">{page.url}</p>
        <p className="mt-2">Its captures and changes are deleted. This cannot be undone.</p>
      </Removal>
    );
  }
  return (
    <Dialog
      title="Edit a watched page"
      lead={<span className="[overflow-wrap:anywhere]">{page.url}</span>}
      onClose={onClose}
    >
      <PageForm page={page} onStop={() => setStopping(true)} onClose={onClose} />
    </Dialog>
  );
}

function PageForm({ page, onStop, onClose }: { page: WatchedPage; onStop: () => void; onClose: () => void }) {
  const { product, path, apply } = useChanges();
  const canRender = useQuery(competitorsQuery(product.id)).data?.browser ?? false;
  const form = useForm({ rules: patchCompetitorPages, edited: page }, (change: PageChange) =>
    apply(send('PATCH', path(`competitor-pages/${page.id}`), change), {
      to: 'competitors',
      done: onClose,
      says: 'Saved',
    }),
  );
  const { render, every_minutes: minutes } = form.entries;
  return (
    <Form form={form}>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field of={form} name="kind" label="Kind" labels={KINDS} />
        <Field of={form} name="every_minutes" label="Checked" choices={intervalsWith(minutes)} />
      </div>
      <Field
        of={form}
        name="include"
        label="Include"
        rows={2}
        hint="CSS selectors, one a line. Without any, the main content is read."
      />
      <Field of={form} name="remove" label="Exclude" rows={2} hint="CSS selectors, one a line." />
      <Field of={form} name="ignore" label="Ignore text" rows={2} hint="One a line; * stands for anything." />
      {(canRender || render === 'browser') && (
        <Checkbox
          label="Run JavaScript"
          hint="For pages that are empty without it. Slower."
          checked={render === 'browser'}
          onChange={(checked) => form.set({ render: checked ? 'browser' : 'none' })}
        />
      )}
      <Problem problem={form.problem} />
      <DialogActions>
        <Button look="ghost" disabled={form.busy} onClick={onStop}>
          Stop watching
        </Button>
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" look="primary" disabled={form.busy}>
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
