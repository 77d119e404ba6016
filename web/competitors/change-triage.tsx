import type { z } from '@hono/zod-openapi';
import type * as bodies from '../../src/competitors/competitor-bodies.ts';
import { useAction, useChanges } from '../action.ts';
import { send } from '../api.ts';
import { Button } from '../components/button.tsx';
import { Form, SelectField } from '../components/field.tsx';
import { Field, useForm } from '../components/form.tsx';
import { Problem } from '../components/query-state.tsx';
import { patchCompetitorChanges } from '../form-rules.json';
import { useSession } from '../session.tsx';
import type { Change } from './queries.ts';

const IMPORTANCE = [
  { value: '', label: 'As computed' },
  { value: 'high', label: 'High' },
  { value: 'medium', label: 'Medium' },
  { value: 'low', label: 'Low' },
] as const;

type Triage = z.input<typeof bodies.TriageBody>;
type Save = (triage: Triage, says: string) => Promise<void>;

/** Sets the owner and the severity of a change, or dismisses it. For members. */
export function ChangeTriage({ change }: { change: Change }) {
  const { atLeast } = useSession();
  const { path, apply } = useChanges();
  const sendTriage = (triage: Triage): Promise<unknown> =>
    send('PATCH', path(`competitor-changes/${encodeURIComponent(change.id)}`), triage);
  const save: Save = (triage, says) => apply(sendTriage(triage), { to: 'competitors', says });
  const setImportance = useAction((importance: Change['importance']) =>
    save({ importance }, 'The importance is saved'),
  );
  const dismiss = useAction(() =>
    apply(sendTriage({ dismissed: true }), {
      to: 'competitors',
      says: 'The change is dismissed',
      undo: () => sendTriage({ dismissed: false }),
    }),
  );
  const listAgain = useAction(() => save({ dismissed: false }, 'The change is listed again'));
  if (!atLeast('member')) return null;
  return (
    <div className="mt-3 flex flex-wrap items-end gap-3">
      <OwnerForm key={change.owner} owner={change.owner} save={save} />
      <SelectField
        label="Importance"
        value={change.importance ?? ''}
        choices={IMPORTANCE}
        onChoose={(importance) => setImportance.run(importance === '' ? null : importance)}
      />
      {change.dismissed_at === null ? (
        <Button disabled={dismiss.busy} onClick={() => dismiss.run()}>
          Dismiss
        </Button>
      ) : (
        <Button disabled={listAgain.busy} onClick={() => listAgain.run()}>
          List again
        </Button>
      )}
      <Problem problem={setImportance.problem ?? dismiss.problem ?? listAgain.problem} />
    </div>
  );
}

function OwnerForm({ owner, save }: { owner: string; save: Save }) {
  const form = useForm({ rules: patchCompetitorChanges, edited: { owner } }, (triage: Triage) =>
    save(triage, 'The owner is saved'),
  );
  return (
    <Form className="flex flex-wrap items-end gap-2 max-sm:w-full" form={form}>
      <Field of={form} name="owner" label="Owner" className="min-w-0 flex-1" />
      <Button type="submit" disabled={form.busy} blocked={!form.isChanged && 'Change the owner first.'}>
        Save owner
      </Button>
      <Problem problem={form.problem} />
    </Form>
  );
}
