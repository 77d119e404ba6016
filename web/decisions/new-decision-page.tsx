import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useChanges } from '../action.ts';
import { post } from '../api.ts';
import { Button, buttonClass, Icon } from '../components/button.tsx';
import { Form } from '../components/field.tsx';
import { Field, type FormState, useForm } from '../components/form.tsx';
import { Badge } from '../components/inline.tsx';
import { EmptyState, Page } from '../components/page.tsx';
import { Problem } from '../components/query-state.tsx';
import { postDecisions } from '../form-rules.json';
import type { NewDecision, RecordedDecision } from '../knowledge/queries.ts';
import { useSession } from '../session.tsx';
import { namedOptions, OptionFields } from './option-fields.tsx';

const route = getRouteApi('/shell/decisions/new');
const BACK = { to: '/decisions', name: 'Decisions' } as const;

export function NewDecisionPage() {
  const { atLeast } = useSession();
  const { supersedes, link } = route.useSearch();
  if (!atLeast('member')) {
    return (
      <Page title="Record decision" back={BACK}>
        <EmptyState icon="compass" title="Your role cannot record decisions">
          Ask an admin for the member role.
        </EmptyState>
      </Page>
    );
  }
  return (
    <Page
      title="Record decision"
      lead="What was chosen and why. Names of code in backquotes are pinned, so that you see when the code changes."
      back={BACK}
    >
      <RecordForm key={`${supersedes} ${link}`} supersedes={supersedes ?? ''} link={link ?? ''} />
    </Page>
  );
}

/** Checks for similar decisions first, and records at once when there are none. */
function RecordForm({ supersedes, link }: { supersedes: string; link: string }) {
  const [similar, setSimilar] = useState<{ to: object; decisions: RecordedDecision['similar'] }>();
  const { findSimilar, record } = useRecord();
  const initial = { status: 'accepted' as const, options: [], supersedes: [supersedes], links: [link] };
  const form = useForm({ rules: postDecisions, initial }, async ({ options, ...given }: NewDecision) => {
    const decision = { ...given, ...(options !== undefined && { options: namedOptions(options) }) };
    const decisions = similar?.to === form.entries ? [] : await findSimilar(decision);
    setSimilar({ to: form.entries, decisions });
    if (decisions.length === 0) await record(decision);
  });
  const hasSimilar = similar?.to === form.entries && similar.decisions.length > 0;
  return (
    <Form className="flex max-w-2xl flex-col gap-4" form={form}>
      <Fields form={form} />
      {hasSimilar && <SimilarDecisions similar={similar.decisions} />}
      <Problem problem={form.problem} />
      <div className="flex flex-wrap gap-2">
        <Button type="submit" look="primary" disabled={form.busy}>
          {hasSimilar ? 'Record it anyway' : 'Record decision'}
        </Button>
        <Link to="/decisions" className={buttonClass()}>
          Cancel
        </Link>
      </div>
    </Form>
  );
}

function useRecord() {
  const { path, say, refresh } = useChanges();
  const navigate = useNavigate();
  return {
    /** Decisions about the same that this one does not supersede. */
    findSimilar: async (decision: NewDecision): Promise<RecordedDecision['similar']> => {
      const { similar } = await post<RecordedDecision>(path('decisions'), { ...decision, dry_run: true });
      return similar.filter(({ id }) => decision.supersedes?.includes(id) !== true);
    },
    record: async (decision: NewDecision): Promise<void> => {
      const { outcome, id } = await post<RecordedDecision>(path('decisions'), decision);
      say(outcome === 'duplicate_of' ? 'This decision was already recorded' : 'Recorded the decision');
      void refresh('decisions', 'decision');
      await (id === null
        ? navigate({ to: '/decisions' })
        : navigate({ to: '/decisions/$decisionId', params: { decisionId: id } }));
    },
  };
}

function Fields({ form }: { form: FormState<NewDecision> }) {
  return (
    <>
      <Field of={form} name="title" label="Title" placeholder="Keep sessions in PostgreSQL" />
      <Field of={form} name="decision" label="Decision" rows={4} hint="What was chosen, and why. Markdown." />
      <Field of={form} name="context" label="Context" rows={4} hint="What made a decision necessary." />
      <OptionFields options={form.entries.options} onChange={(options) => form.set({ options })} />
      <Field of={form} name="consequences" label="Consequences" rows={3} hint="One per line." />
      <Field
        of={form}
        name="links"
        label="Links"
        rows={2}
        hint="One per line: src/mail.ts:10, symbol:Mailer.send, plan:faster-search, theme:late-refunds, a commit, a URL."
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <Field of={form} name="status" label="Status" />
        <Field of={form} name="review_on" label="Review on" />
        <Field of={form} name="supersedes" label="Supersedes" placeholder="dec:3" />
        <Field of={form} name="tags" label="Tags" placeholder="storage, security" />
      </div>
    </>
  );
}

/** Decisions about the same that are there already, asked about before a new one is recorded. */
function SimilarDecisions({ similar }: { similar: RecordedDecision['similar'] }) {
  return (
    <section role="alert" className="rounded-lg border border-line bg-warn-soft px-4 py-3">
      <h2 className="flex items-center gap-2 text-warn">
        <Icon name="alert" />
        Similar decisions already exist
      </h2>
      <ul className="mt-2 flex flex-col gap-2">
        {similar.map(({ id, title, status, shared, contradicts }) => (
          <li key={id} className="[overflow-wrap:anywhere]">
            <Link
              to="/decisions/$decisionId"
              params={{ decisionId: id }}
              target="_blank"
              className="font-medium underline"
            >
              {id} {title}
            </Link>{' '}
            <Badge>{status}</Badge>
            {contradicts !== null && <p className="text-sm">May contradict this one: {contradicts}</p>}
            {shared.length > 0 && <p className="text-sm">Words in common: {shared.slice(0, 12).join(', ')}</p>}
          </li>
        ))}
      </ul>
      <p className="mt-2 text-sm">If this one takes the place of another, write its id into “Supersedes”.</p>
    </section>
  );
}
