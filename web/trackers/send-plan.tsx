import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type {
  PlanPreviewBody,
  SendIssuesBody,
  SentIssuesBody,
  TrackerBody,
} from '../../src/trackers/tracker-bodies.ts';
import { useChanges } from '../action.ts';
import { post } from '../api.ts';
import { Button } from '../components/button.tsx';
import { Dialog, DialogActions, DialogForm } from '../components/dialog.tsx';
import { Checkbox, SelectField } from '../components/field.tsx';
import { Field, useForm } from '../components/form.tsx';
import { QueryState } from '../components/query-state.tsx';
import { postIssues } from '../form-rules.json';
import { useSession } from '../session.tsx';
import { IssueLink } from './issue-link.tsx';
import { planPreviewQuery, TRACKER_NAMES } from './queries.ts';

/** Items of one request, so that what is done is seen. */
const BATCH = 5;

type Preview = PlanPreviewBody['items'][number];
type Result = SentIssuesBody['results'][number];

interface SendPlanProps {
  slug: string;
  trackers: readonly TrackerBody[];
  first: TrackerBody;
  onClose: () => void;
}

/** Shows what all open items of a plan would become in a tracker, sends the chosen ones, and shows the result of each. */
export function SendPlan({ slug, trackers, first, onClose }: SendPlanProps) {
  const { product } = useSession();
  const [tracker, setTracker] = useState(first.id);
  const [results, setResults] = useState<Result[]>();
  const preview = useQuery(planPreviewQuery(product.id, { slug, tracker }));
  const choices = trackers.map(({ id, kind, project }) => ({ value: id, label: `${TRACKER_NAMES[kind]} ${project}` }));
  return (
    <Dialog title="Send open items to an issue tracker" dismissible={false} onClose={onClose}>
      {results === undefined ? (
        <div className="flex flex-col gap-4">
          <SelectField label="Tracker" value={tracker} choices={choices} onChoose={setTracker} />
          <QueryState query={preview} what="the preview" box="h-48" />
          {preview.data !== undefined && (
            <ChooseItems
              key={tracker}

              tracker={tracker}
              items={preview.data.items.filter(({ existing }) => existing === null)}
              onSent={setResults}
              onClose={onClose}
            />
          )}
        </div>
      ) : (
        <SentItems results={results} onClose={onClose} />
      )}
    </Dialog>
  );
}

interface ChooseItemsProps {
  tracker: string;
  items: Preview[];
  onSent: (results: Result[]) => void;
  onClose: () => void;
}

function ChooseItems({ tracker, items, onSent, onClose }: ChooseItemsProps) {
  const { path, refresh } = useChanges();
  const [done, setDone] = useState(0);
  const all = items.map(({ item, digest }) => ({ item, digest }));
  const initial = { tracker, items: all };
  const form = useForm({ rules: postIssues, initial }, async ({ items: sent, ...body }: SendIssuesBody) => {
    const results: Result[] = [];
    for (let at = 0; at < sent.length; at += BATCH) {
      const batch = { ...body, items: sent.slice(at, at + BATCH) };
      results.push(...(await post<SentIssuesBody>(path('issues'), batch)).results);
      setDone(results.length);
      if (results.at(-1)?.fault != null) break;
    }
    await refresh('issues');
    onSent(results);
  });
  const { items: chosen } = form.entries;
  if (items.length === 0) return <NothingToSend onClose={onClose} />;
  return (
    <DialogForm
      action="Send them"
      blocked={chosen.length === 0 && 'Select an item first.'}
      form={form}
      onCancel={onClose}
    >
      <Field of={form} name="parent" label="Parent issue" placeholder="#12" />
      <ItemChoices
        items={items}
        chosen={new Set(chosen.map(({ item }) => item))}
        onChange={(is) => form.set({ items: all.filter(({ item }) => is.has(item)) })}
      />
      {form.busy && (
        <p role="status" className="text-quiet">
          {done} of {chosen.length} sent
        </p>
      )}
    </DialogForm>
  );
}

function NothingToSend({ onClose }: { onClose: () => void }) {
  return (
    <>
      <p>All open items have an issue there.</p>
      <DialogActions>
        <Button onClick={onClose}>Close</Button>
      </DialogActions>
    </>
  );
}

interface ItemChoicesProps {
  items: readonly Preview[];
  chosen: ReadonlySet<string>;
  onChange: (chosen: ReadonlySet<string>) => void;
}

function ItemChoices({ items, chosen, onChange }: ItemChoicesProps) {
  return (
    <fieldset className="max-h-96 overflow-auto rounded-md border border-line p-3">
      <legend className="px-1 font-medium">
        {chosen.size} of {items.length} items
      </legend>
      {items.map(({ item, key, title, body }) => (
        <div key={item} className="mb-2">
          <Checkbox
            label={`${key} ${title}`}
            checked={chosen.has(item)}
            onChange={() => onChange(chosen.symmetricDifference(new Set([item])))}
          />
          <details className="ml-6">
            <summary className="cursor-pointer text-sm text-quiet">Text of the issue of {key}</summary>
            <pre className="font-mono text-xs whitespace-pre-wrap [overflow-wrap:anywhere]">{body}</pre>
          </details>
        </div>
      ))}
    </fieldset>
  );
}

function SentItems({ results, onClose }: { results: Result[]; onClose: () => void }) {
  const unsent = results.filter(({ issue }) => issue === null);
  return (
    <>
      <ul aria-label="What became of each" className="flex max-h-96 flex-col gap-1 overflow-auto">
        {results.map(({ item, key, issue, fault, link_fault: linkFault }) => (
          <li key={item} className="[overflow-wrap:anywhere]">
            <span className="text-quiet">{key}</span> {issue !== null && <IssueLink issue={issue} />}
            {fault !== null && <span className="text-bad">Not sent: {fault}</span>}
            {linkFault !== null && <span className="block text-xs text-bad">Not linked: {linkFault}</span>}
          </li>
        ))}
      </ul>
      {unsent.length > 0 && <p className="mt-3">{unsent[0]?.fix} Sending again makes what is missing.</p>}
      <DialogActions>
        <Button look="primary" onClick={onClose}>
          Done
        </Button>
      </DialogActions>
    </>
  );
}
