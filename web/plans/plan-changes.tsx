import { useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { type Action, useAction, useChanges } from '../action.ts';
import { post, send } from '../api.ts';
import { Button, buttonClass, Icon, IconButton } from '../components/button.tsx';
import { Confirmation, Removal } from '../components/dialog.tsx';
import { Menu, MenuChoices, MenuItem, MenuSeparator } from '../components/menu.tsx';
import { type Plan, type PlanDetail, planQuery } from '../knowledge/queries.ts';
import { useSession } from '../session.tsx';
import { PLAN_STATUSES } from './status.tsx';

/** Actions on a plan. For members. */
export function PlanActions({ plan }: { plan: PlanDetail }) {
  const { atLeast } = useSession();
  const [isAccepting, setAccepting] = useState(false);
  if (!atLeast('member')) return null;
  return (
    <>
      {plan.path === null && (
        <Link to="/plans/$slug/edit" params={{ slug: plan.slug }} className={buttonClass()}>
          <Icon name="edit" />
          Edit
        </Link>
      )}
      <Button look="primary" icon="check" onClick={() => setAccepting(true)}>
        Accept…
      </Button>
      {isAccepting && <AcceptPlan plan={plan} onClose={() => setAccepting(false)} />}
    </>
  );
}

/** Its status, and its end. */
export function PlanMenu({ plan }: { plan: PlanDetail }) {
  const { atLeast } = useSession();
  const [isDeleting, setDeleting] = useState(false);
  const setStatus = useStatus(plan);
  if (!atLeast('member')) return null;
  return (
    <>
      <Menu trigger={<IconButton icon="more" label={`Actions for ${plan.title}`} />}>
        <MenuChoices
          label="Status"
          value={plan.status}
          choices={PLAN_STATUSES.map((value) => ({ value, label: value }))}
          onChoose={setStatus.run}
        />
        {plan.path === null && (
          <>
            <MenuSeparator />
            <MenuItem icon="trash" dangerous onSelect={() => setDeleting(true)}>
              Delete…
            </MenuItem>
          </>
        )}
      </Menu>
      {isDeleting && <DeletePlan plan={plan} onClose={() => setDeleting(false)} />}
    </>
  );
}

/** Puts a plan as the service now knows it to where pages read it. */
export function useKeepPlan(): (plan: PlanDetail) => void {
  const { product, refresh } = useChanges();
  const queries = useQueryClient();
  return (plan) => {
    queries.setQueryData(planQuery(product.id, plan.slug).queryKey, plan);
    void refresh('plans');
  };
}

function useStatus({ slug, title }: Plan): Action<Plan['status']> {
  const { path, say, tell } = useChanges();
  const keep = useKeepPlan();
  return useAction(async (status) => {
    keep(await send<PlanDetail>('PATCH', path(`plans/${encodeURIComponent(slug)}`), { status }));
    say(`“${title}” is now ${status}`);
  }, tell);
}

function AcceptPlan({ plan, onClose }: { plan: PlanDetail; onClose: () => void }) {
  const { path, say } = useChanges();
  const keep = useKeepPlan();
  return (
    <Confirmation
      title={`Accept “${plan.title}” with the code as it is?`}
      action="Accept plan"
      onConfirm={async () => {
        keep(await post<PlanDetail>(path(`plans/${encodeURIComponent(plan.slug)}/accept`)));
        onClose();
        say(`Accepted “${plan.title}”`);
      }}
      onClose={onClose}
    >
      The baseline moves to the code as it is indexed now: moved code is followed, changed code is accepted as it is,
      and missing code is listed as unresolved. A draft or proposed plan becomes accepted. Afterwards you can no longer
      see what was stale.
    </Confirmation>
  );
}

function DeletePlan({ plan, onClose }: { plan: PlanDetail; onClose: () => void }) {
  const { path } = useChanges();
  const navigate = useNavigate();
  return (
    <Removal
      title={`Delete “${plan.title}”?`}
      action="Delete plan"
      path={path(`plans/${encodeURIComponent(plan.slug)}`)}
      kinds={['plans']}
      message={`Deleted “${plan.title}”`}
      onRemoved={() => void navigate({ to: '/plans' })}
      onClose={onClose}
    >
      Its text, all versions and its work items are deleted. This cannot be undone.
    </Removal>
  );
}
