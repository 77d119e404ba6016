import { useState } from 'react';
import { useAction, useChanges } from '../action.ts';
import { send } from '../api.ts';
import { Button } from '../components/button.tsx';
import { Form, SelectField, TextField } from '../components/field.tsx';
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

interface Triage {
  owner?: string;
  importance?: Change['importance'];
  dismissed?: boolean;
  message: string;
  undo?: () => void;
}

/** Sets the owner and the severity of a change, or dismisses it. For members. */
export function ChangeTriage({ change }: { change: Change }) {
  const { atLeast } = useSession();
  const { path, say, refresh } = useChanges();
  const [owner, setOwner] = useState(change.owner);
  const save = useAction(async ({ message, undo, ...triage }: Triage) => {
    await send('PATCH', path(`competitor-changes/${encodeURIComponent(change.id)}`), triage);
    await refresh('competitors');
    say(message, 'good', undo);
  });
  if (!atLeast('member')) return null;
  const listAgain = (): void => save.run({ dismissed: false, message: 'The change is listed again' });
  return (
    <div className="mt-3 flex flex-wrap items-end gap-3">
      <Form
        className="flex items-end gap-2 max-sm:w-full"
        form={{ submit: () => save.run({ owner, message: 'The owner is saved' }) }}
      >
        <TextField
          label="Owner"
          className="min-w-0 flex-1"
          maxLength={patchCompetitorChanges.owner.maxLength}
          value={owner}
          onEnter={setOwner}
        />
        <Button type="submit" disabled={save.busy} blocked={owner === change.owner && 'Change the owner first.'}>
          Save owner
        </Button>
      </Form>
      <SelectField
        label="Importance"
        value={change.importance ?? ''}
        choices={IMPORTANCE}
        onChoose={(importance) =>
          save.run({ importance: importance === '' ? null : importance, message: 'The importance is saved' })
        }
      />
      {change.dismissed_at === null ? (
        <Button
          disabled={save.busy}
          onClick={() => save.run({ dismissed: true, message: 'The change is dismissed', undo: listAgain })}
        >
          Dismiss
        </Button>
      ) : (
        <Button disabled={save.busy} onClick={listAgain}>
          List again
        </Button>
      )}
      <Problem problem={save.problem} />
    </div>
  );
}
