import { useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useAction, useChanges } from '../action.ts';
import { post } from '../api.ts';
import { Button, buttonClass } from '../components/button.tsx';
import { Form, SelectField, TextArea, TextField } from '../components/field.tsx';
import { EmptyState, Page } from '../components/page.tsx';
import { Problem } from '../components/query-state.tsx';
import type { RecordedDecision } from '../knowledge/queries.ts';
import { useSession } from '../session.tsx';
import { type DecisionForm, emptyDecision, linesOf, toDecision } from './decision-form.ts';
import { OptionFields } from './option-fields.tsx';
import { SimilarDecisions } from './similar-decisions.tsx';
import { GIVEN_STATUSES } from './status.tsx';

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
  const [form, setForm] = useState<DecisionForm>({ ...emptyDecision, supersedes, links: link });
  const [similar, setSimilar] = useState<RecordedDecision['similar']>();
  const record = useRecord(form, setSimilar);
  const change = (fields: Partial<DecisionForm>): void => {
    setForm({ ...form, ...fields });
    setSimilar(undefined);
  };
  const hasSimilar = similar !== undefined && similar.length > 0;
  return (
    <Form className="flex max-w-2xl flex-col gap-4" onSubmit={() => record.run({ isSure: hasSimilar })}>
      <Fields form={form} onChange={change} />
      {hasSimilar && <SimilarDecisions similar={similar} replaced={linesOf(form.supersedes, /[,\s]+/)} />}
      <Problem problem={record.problem} />
      <div className="flex flex-wrap gap-2">
        <Button
          type="submit"
          look="primary"
          disabled={record.busy}
          blocked={(form.title.trim() === '' || form.decision.trim() === '') && 'Enter a title and the decision first.'}
        >
          {hasSimilar ? 'Record it anyway' : 'Record decision'}
        </Button>
        <Link to="/decisions" className={buttonClass()}>
          Cancel
        </Link>
      </div>
    </Form>
  );
}

function useRecord(form: DecisionForm, onSimilar: (similar: RecordedDecision['similar']) => void) {
  const { path, say } = useChanges();
  const queries = useQueryClient();
  const navigate = useNavigate();
  return useAction<{ isSure: boolean }>(async ({ isSure }) => {
    const decision = toDecision(form);
    if (!isSure) {
      const { similar } = await post<RecordedDecision>(path('decisions'), { ...decision, dry_run: true });
      const others = similar.filter(({ id }) => decision.supersedes?.includes(id) !== true);
      onSimilar(others);
      if (others.length > 0) return;
    }
    const { outcome, id } = await post<RecordedDecision>(path('decisions'), decision);
    say(outcome === 'duplicate_of' ? 'This decision was already recorded' : 'Recorded the decision');
    void queries.invalidateQueries({
      predicate: ({ queryKey: [kind] }) => kind === 'decisions' || kind === 'decision',
    });
    await (id === null
      ? navigate({ to: '/decisions' })
      : navigate({ to: '/decisions/$decisionId', params: { decisionId: id } }));
  });
}

function Fields({ form, onChange }: { form: DecisionForm; onChange: (fields: Partial<DecisionForm>) => void }) {
  const bind = (name: Exclude<keyof DecisionForm, 'options' | 'status'>) => ({
    value: form[name],
    onEnter: (text: string) => onChange({ [name]: text }),
  });
  return (
    <>
      <TextField label="Title" required maxLength={200} placeholder="Keep sessions in PostgreSQL" {...bind('title')} />
      <TextArea label="Decision" required rows={4} hint="What was chosen, and why. Markdown." {...bind('decision')} />
      <TextArea label="Context (optional)" rows={4} hint="What made a decision necessary." {...bind('context')} />
      <OptionFields options={form.options} onChange={(options) => onChange({ options })} />
      <TextArea label="Consequences (optional)" rows={3} hint="One per line." {...bind('consequences')} />
      <TextArea
        label="Links (optional)"
        rows={2}
        hint="One per line: src/mail.ts:10, symbol:Mailer.send, plan:faster-search, theme:late-refunds, a commit, a URL."
        {...bind('links')}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <SelectField
          label="Status"
          value={form.status}
          choices={GIVEN_STATUSES.map((value) => ({ value, label: value }))}
          onChoose={(status) => onChange({ status })}
        />
        <TextField label="Review on (optional)" type="date" {...bind('reviewOn')} />
        <TextField label="Supersedes (optional)" placeholder="dec:3" {...bind('supersedes')} />
        <TextField label="Tags (optional)" placeholder="storage, security" {...bind('tags')} />
      </div>
    </>
  );
}
