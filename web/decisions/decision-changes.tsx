import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useAction, useChanges } from '../action.ts';
import { send } from '../api.ts';
import { Button, buttonClass, IconButton } from '../components/button.tsx';
import { FormDialog } from '../components/dialog.tsx';
import { Field, useForm } from '../components/form.tsx';
import { Menu, MenuChoices } from '../components/menu.tsx';
import { patchDecisions } from '../form-rules.json';
import { type DecisionChange, type DecisionDetail, decisionQuery } from '../knowledge/queries.ts';
import { useSession } from '../session.tsx';
import { GIVEN_STATUSES } from './status.tsx';

/** Actions of members on a decision. A superseded one stays as it was. */
export function DecisionActions({ decision }: { decision: DecisionDetail }) {
  const { atLeast } = useSession();
  const [isDating, setDating] = useState(false);
  if (!atLeast('member') || decision.status === 'superseded') return null;
  return (
    <>
      <Button onClick={() => setDating(true)}>Review date…</Button>
      <Link to="/decisions/new" search={{ supersedes: decision.id }} className={buttonClass()}>
        Supersede
      </Link>
      {isDating && <ReviewDate decision={decision} onClose={() => setDating(false)} />}
    </>
  );
}

/** Its status, for those who may change it. */
export function DecisionMenu({ decision }: { decision: DecisionDetail }) {
  const { atLeast } = useSession();
  const { say, tell } = useChanges();
  const sendChange = useSendChange(decision);
  const change = useAction(
    async (changed: DecisionChange) => say(`${decision.id} is now ${await sendChange(changed)}`),
    tell,
  );
  if (!atLeast('member') || decision.status === 'superseded') return null;
  return (
    <Menu trigger={<IconButton icon="more" label={`Status of ${decision.id}`} />}>
      <MenuChoices
        label="Status"
        value={decision.status}
        choices={GIVEN_STATUSES.map((value) => ({ value, label: value }))}
        onChoose={(status) => change.run({ status })}
      />
    </Menu>
  );
}

/** Sends a change of a decision; answers with its status. */
function useSendChange({ id }: DecisionDetail) {
  const { product, path, refresh } = useChanges();
  const queries = useQueryClient();
  return async (change: DecisionChange): Promise<string> => {
    const changed = await send<DecisionDetail>('PATCH', path(`decisions/${encodeURIComponent(id)}`), change);
    queries.setQueryData(decisionQuery(product.id, id).queryKey, changed);
    void refresh('decisions');
    return changed.status;
  };
}

function ReviewDate({ decision, onClose }: { decision: DecisionDetail; onClose: () => void }) {
  const sendChange = useSendChange(decision);
  const form = useForm(
    { rules: patchDecisions, edited: { review_on: decision.review_on } },
    async (change: DecisionChange) => {
      await sendChange(change);
      onClose();
    },
  );
  return (
    <FormDialog
      title="Review date"
      lead="When somebody should check whether this still holds."
      onClose={onClose}
      action="Save"
      form={form}
    >
      <Field of={form} name="review_on" label="Date" hint="Empty: no review." />
    </FormDialog>
  );
}
