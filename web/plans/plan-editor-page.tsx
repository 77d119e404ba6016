import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useBlocker, useNavigate } from '@tanstack/react-router';
import { useId, useRef, useState } from 'react';
import { useChanges } from '../action.ts';
import { post, send } from '../api.ts';
import { Button, buttonClass } from '../components/button.tsx';
import { Confirmation } from '../components/dialog.tsx';
import { Form, INPUT_CLASS } from '../components/field.tsx';
import { type FormState, useForm } from '../components/form.tsx';
import { Markdown } from '../components/markdown.tsx';
import { EmptyState, Page, Panel } from '../components/page.tsx';
import { Problem, QueryState } from '../components/query-state.tsx';
import { putPlans } from '../form-rules.json';
import { type PlanDetail, planQuery, type PlanText, type SavedPlan } from '../knowledge/queries.ts';
import { useSession } from '../session.tsx';
import { useKeepPlan } from './plan-changes.tsx';

const route = getRouteApi('/shell/plans/$slug/edit');

const DRAFT = `---
title: New plan
status: draft
---

# New plan

## Goal



## Requirements

- R1:

## Tasks

- [ ] T1

## Verify

- npm test
`;

export function NewPlanPage() {
  return <Editor draft={DRAFT} plan={undefined} />;
}

export function EditPlanPage() {
  const { slug } = route.useParams();
  const { product } = useSession();
  const query = useQuery(planQuery(product.id, slug));
  // The text that was there when the page was opened: a change in the meantime is reported when it is saved.
  const [plan, setPlan] = useState(query.data);
  if (plan !== undefined) return <Editor key={slug} draft={plan.text} plan={plan} />;
  if (query.data !== undefined) setPlan(query.data);
  return (
    <Page title="Edit plan">
      <QueryState query={query} what="this plan" box="h-80" />
    </Page>
  );
}

/** Reason why the plan cannot be edited on this page. */
function NotHere({ plan, title }: { plan: PlanDetail | undefined; title: string }) {
  const isMember = useSession().atLeast('member');
  return (
    <Page title={title}>
      <EmptyState
        icon="target"
        title={isMember ? 'This plan is kept in a repository' : 'Your role cannot edit plans'}
        action={
          plan === undefined ? (
            <Link to="/plans" className={buttonClass()}>
              All plans
            </Link>
          ) : (
            <Link to="/plans/$slug" params={{ slug: plan.slug }} className={buttonClass()}>
              Back to the plan
            </Link>
          )
        }
      >
        {isMember ? 'Change its file there; the next index run updates the plan.' : 'Ask an admin for the member role.'}
      </EmptyState>
    </Page>
  );
}

function Editor({ draft, plan }: { draft: string; plan: PlanDetail | undefined }) {
  const { atLeast } = useSession();
  // Read by the router while it leaves, before this is drawn again.
  const isSaved = useRef(false);
  const form = usePlanForm(draft, plan, () => {
    isSaved.current = true;
  });
  const isUnsaved = (): boolean => form.entries.text !== draft && !isSaved.current;
  const blocker = useBlocker({ shouldBlockFn: isUnsaved, enableBeforeUnload: isUnsaved, withResolver: true });
  const title = plan === undefined ? 'New plan' : `Edit ${plan.title}`;
  if (!atLeast('member') || (plan !== undefined && plan.path !== null)) return <NotHere plan={plan} title={title} />;
  return (
    <Page
      title={title}
      lead="Markdown. Tasks become work items; paths and symbols in backquotes are pinned to the code when you save."
    >
      <PlanForm plan={plan} form={form} />
      {blocker.status === 'blocked' && (
        <Confirmation
          title="Leave without saving?"
          action="Leave"
          onConfirm={() => Promise.resolve(blocker.proceed())}
          onClose={blocker.reset}
        >
          Your changes since the last save are lost.
        </Confirmation>
      )}
    </Page>
  );
}

function usePlanForm(draft: string, plan: PlanDetail | undefined, onSaved: () => void): FormState<PlanText> {
  const navigate = useNavigate();
  const { path, say } = useChanges();
  const keep = useKeepPlan();
  const initial = { text: draft, base_version: plan?.version ?? null };
  const form: FormState<PlanText> = useForm({ rules: putPlans, initial }, async (body: PlanText) => {
    // With the blank lines at its ends, which fields leave out.
    const { text } = form.entries;
    const saved =
      plan === undefined
        ? await post<SavedPlan>(path('plans'), { text })
        : await send<SavedPlan>('PUT', path(`plans/${encodeURIComponent(plan.slug)}`), { ...body, text });
    keep(saved.plan);
    onSaved();
    say(OUTCOMES[saved.outcome]);
    await navigate({ to: '/plans/$slug', params: { slug: saved.plan.slug } });
  });
  return form;
}

function PlanForm({ plan, form }: { plan: PlanDetail | undefined; form: FormState<PlanText> }) {
  const id = useId();
  const { text } = form.entries;
  const blocked = text.trim() === '' && 'Write the plan first.';
  return (
    <Form className="" form={form}>
      <div className="grid gap-4 lg:grid-cols-2">
        <div className="flex min-w-0 flex-col">
          <label htmlFor={id} className="mb-1 font-medium">
            Text
          </label>
          <textarea
            id={id}
            required
            spellCheck
            value={text}
            onChange={(event) => form.set({ text: event.target.value })}
            className={`${INPUT_CLASS} h-auto min-h-[60vh] flex-1 resize-y p-3 font-mono text-sm`}
          />
        </div>
        <section aria-labelledby={`${id}-preview`} className="min-w-0">
          <h2 id={`${id}-preview`} className="mb-1 text-base font-medium">
            Preview
          </h2>
          <Panel className="min-h-24 p-4">
            <Markdown text={text} />
          </Panel>
        </section>
      </div>
      <Problem problem={form.problem} />
      <div className="mt-4 flex flex-wrap gap-2">
        <Button type="submit" look="primary" disabled={form.busy} blocked={blocked}>
          {form.busy ? 'Saving…' : 'Save plan'}
        </Button>
        <Cancel plan={plan} />
      </div>
    </Form>
  );
}

const OUTCOMES = {
  created: 'Saved the plan',
  updated: 'Saved a new version',
  unchanged: 'Nothing changed',
} as const;

function Cancel({ plan }: { plan: PlanDetail | undefined }) {
  if (plan === undefined) {
    return (
      <Link to="/plans" className={buttonClass()}>
        Cancel
      </Link>
    );
  }
  return (
    <Link to="/plans/$slug" params={{ slug: plan.slug }} className={buttonClass()}>
      Cancel
    </Link>
  );
}
