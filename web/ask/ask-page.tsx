import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link, Navigate, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from '../components/button.tsx';
import { ChoiceGroup, Form, SelectField, TextArea } from '../components/field.tsx';
import { Badge } from '../components/inline.tsx';
import { Page, Panel, Section } from '../components/page.tsx';
import { LoadFailure, SkeletonRows } from '../components/query-state.tsx';
import { repositoriesQuery } from '../queries.ts';
import { recentOf, useRemember } from '../recent.ts';
import { useSession } from '../session.tsx';
import { Answer } from './answer.tsx';
import { askParameters } from './parameters.ts';
import { type Agent, agentOf, AGENTS, answerQuery, callOf, type Question } from './queries.ts';

const route = getRouteApi('/shell/ask');

const CHOICES = (['code', 'product', 'architecture', 'research', 'bug'] as const).map((value) => ({
  value,
  label: AGENTS[value].label,
}));

const PLACEHOLDERS: Readonly<Record<Agent, string>> = {
  code: 'How are expired keys refused?',
  product: 'What do customers say about the export?',
  architecture: 'Which modules depend on each other in a cycle?',
  research: 'How are refunds paid, what was decided about them, and what do customers say?',
  bug: 'A bug report, stack trace or failing test output',
};

export function AskPage() {
  const { q, about, repo, edit } = route.useSearch();
  const question: Question | undefined =
    q === undefined || edit !== undefined ? undefined : { agent: agentOf(about), message: q, repo };
  return (
    <Page title="Ask" lead="The same agents that your client can ask, with the lines that they answer from.">
      <QuestionForm key={`${q} ${about} ${repo}`} />
      {question !== undefined && (
        <div className="mt-6">
          <Answered question={question} />
        </div>
      )}
      {q === undefined && <RecentQuestions />}
    </Page>
  );
}

/** Questions that were asked before, each a link that asks it again. */
function RecentQuestions() {
  const { product } = useSession();
  const recent = recentOf(`questions ${product.id}`, askParameters);
  if (recent.length === 0) return null;
  return (
    <Section title="Recent questions">
      <Panel>
        <ul className="divide-y divide-line">
          {recent.map((question) => (
            <li key={question.q} className="flex flex-wrap items-baseline gap-x-2 px-4 py-2.5">
              <Badge>{AGENTS[agentOf(question.about)].label}</Badge>
              <Link
                to="/ask"
                search={question}
                preload={false}
                className="line-clamp-2 min-w-0 [overflow-wrap:anywhere] hover:text-accent hover:underline"
              >
                {question.q}
              </Link>
            </li>
          ))}
        </ul>
      </Panel>
    </Section>
  );
}

function QuestionForm() {
  const { product } = useSession();
  const search = route.useSearch();
  const navigate = useNavigate();
  const repositories = useQuery(repositoriesQuery(product.id)).data?.repositories ?? [];
  const [message, setMessage] = useState(search.q ?? '');
  const [agent, setAgent] = useState(agentOf(search.about));
  const [repo, setRepo] = useState(search.repo ?? '');
  const ask = (): void => {
    if (message.trim() === '') return;
    void navigate({ to: '/ask', search: askParameters({ q: message.trim(), about: agent, repo }) });
  };
  const names = new Set([...repositories.map(({ name }) => name), ...(repo === '' ? [] : [repo])]);
  return (
    <Form className="flex flex-col gap-3" form={{ submit: ask }}>
      <TextArea
        label={agent === 'bug' ? 'Report' : 'Question'}
        rows={agent === 'bug' ? 8 : 2}
        maxLength={4000}
        placeholder={PLACEHOLDERS[agent]}
        value={message}
        onEnter={setMessage}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.shiftKey || agent === 'bug') return;
          event.preventDefault();
          ask();
        }}
      />
      <div className="flex flex-wrap items-end gap-3">
        <ChoiceGroup legend="About" name="about" value={agent} choices={CHOICES} onChoose={setAgent} />
        {/* Also for one repository: what appears when they are known would move what is below. */}
        <SelectField
          className="w-52 max-sm:w-full"
          label="Repository"
          value={repo}
          choices={[
            { value: '', label: 'All repositories' },
            ...[...names].map((name) => ({ value: name, label: name })),
          ]}
          onChoose={setRepo}
        />
        <Button look="primary" type="submit" className="ml-auto h-9 max-sm:w-full">
          {agent === 'research' ? 'Research' : agent === 'bug' ? 'Analyse' : 'Ask'}
        </Button>
      </div>
    </Form>
  );
}

function Answered({ question }: { question: Question }) {
  const { product } = useSession();
  const queries = useQueryClient();
  const query = answerQuery(product.id, question);
  const { data, isError, error, isFetching, refetch } = useQuery(query);
  const entry = askParameters({ q: question.message, about: question.agent, repo: question.repo });
  useRemember(`questions ${product.id}`, { entry, isAnswered: data !== undefined }, askParameters);
  if (isError) return <LoadFailure what="an answer" problem={error} onRetry={() => void refetch()} />;
  // What a workflow found is kept, and has a page of its own.
  if (data?.run !== undefined)
    return <Navigate to="/runs/$runId" params={{ runId: data.run.id.replace('run:', '') }} replace />;
  if (data !== undefined) return <Answer answer={data} about={question.agent} call={callOf(question)} />;
  if (!isFetching) {
    return (
      <p className="flex flex-wrap items-center gap-3 text-quiet" role="status">
        Stopped. <Button onClick={() => void refetch()}>Ask again</Button>
      </p>
    );
  }
  return (
    <>
      <p className="mb-3 flex flex-wrap items-center gap-3 text-quiet" role="status">
        Looking through code, history and knowledge…{' '}
        <Button onClick={() => void queries.cancelQueries({ queryKey: query.queryKey })}>Stop</Button>
      </p>
      <SkeletonRows label="Waiting for the answer" rows={4} />
    </>
  );
}
