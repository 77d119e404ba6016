import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { type Action, useAction, useChanges } from '../action.ts';
import { type ApiError, send } from '../api.ts';
import { Button, buttonClass, IconButton } from '../components/button.tsx';
import { FormDialog } from '../components/dialog.tsx';
import { TextField } from '../components/field.tsx';
import { Menu, MenuChoices } from '../components/menu.tsx';
import type { DecisionDetail } from '../knowledge/queries.ts';
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
  const change = useDecisionChange(decision, {
    onDone: (status) => say(`${decision.id} is now ${status}`),
    onProblem: tell,
  });
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

interface DecisionChange {
  status?: (typeof GIVEN_STATUSES)[number];
  review_on?: string | null;
}

function useDecisionChange(
  decision: DecisionDetail,
  { onDone, onProblem }: { onDone: (status: string) => void; onProblem?: (problem: ApiError) => void },
): Action<DecisionChange> {
  const { product, path } = useChanges();
  const queries = useQueryClient();
  return useAction<DecisionChange>(async (change) => {
    const changed = await send<DecisionDetail>('PATCH', path(`decisions/${encodeURIComponent(decision.id)}`), change);
    queries.setQueryData(['decision', product.id, decision.id], changed);
    void queries.invalidateQueries({ queryKey: ['decisions'] });
    onDone(changed.status);
  }, onProblem);
}

function ReviewDate({ decision, onClose }: { decision: DecisionDetail; onClose: () => void }) {
  const [date, setDate] = useState(decision.review_on ?? '');
  const change = useDecisionChange(decision, { onDone: onClose });
  return (
    <FormDialog
      title="Review date"
      lead="When somebody should check whether this still holds."
      onClose={onClose}
      action="Save"
      change={change}
      onSubmit={() => change.run({ review_on: date === '' ? null : date })}
    >
      <TextField label="Date" type="date" value={date} onEnter={setDate} hint="Empty: no review." />
    </FormDialog>
  );
}
