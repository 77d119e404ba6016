import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { type Action, useAction } from '../action.ts';
import { send } from '../api.ts';
import { Button, buttonClass, IconButton } from '../components/button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { TextField } from '../components/field.tsx';
import { FormActions } from '../components/form-actions.tsx';
import { Menu, MenuChoices } from '../components/menu.tsx';
import { useToast } from '../components/toast.tsx';
import type { DecisionDetail } from '../knowledge/bodies.ts';
import { useProductPath } from '../knowledge/product-path.ts';
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
  const say = useToast();
  const change = useDecisionChange(decision, {
    onDone: (status) => say(`${decision.id} is now ${status}`),
    onProblem: (text) => say(text, 'bad'),
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
  { onDone, onProblem }: { onDone: (status: string) => void; onProblem?: (text: string) => void },
): Action<DecisionChange> {
  const path = useProductPath();
  const { product } = useSession();
  const queries = useQueryClient();
  return useAction<DecisionChange>(
    async (change) => {
      const changed = await send<DecisionDetail>('PATCH', path(`decisions/${encodeURIComponent(decision.id)}`), change);
      queries.setQueryData(['decision', product.id, decision.id], changed);
      void queries.invalidateQueries({ queryKey: ['decisions'] });
      onDone(changed.status);
    },
    ({ message, fix }) => onProblem?.(`${message} ${fix}`),
  );
}

function ReviewDate({ decision, onClose }: { decision: DecisionDetail; onClose: () => void }) {
  const [date, setDate] = useState(decision.review_on ?? '');
  const change = useDecisionChange(decision, { onDone: onClose });
  return (
    <Dialog title="Review date" lead="When somebody should check whether this still holds." onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          change.run({ review_on: date === '' ? null : date });
        }}
      >
        <TextField
          label="Date"
          type="date"
          value={date}
          onChange={(event) => setDate(event.target.value)}
          hint="Empty: no review."
        />
        <FormActions action="Save" busy={change.busy} problem={change.problem} onCancel={onClose} />
      </form>
    </Dialog>
  );
}
