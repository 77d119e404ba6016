import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useAction, useChanges } from '../action.ts';
import { post } from '../api.ts';
import { askParameters } from '../ask/parameters.ts';
import { Button, buttonClass } from '../components/button.tsx';
import { CopyCall } from '../components/entity-link.tsx';
import { Facts, Page, Section, LoadedPage } from '../components/page.tsx';
import { Problem } from '../components/query-state.tsx';
import { Time } from '../components/time.tsx';
import { formatCount } from '../format.ts';
import { useSession } from '../session.tsx';
import { BugAnalysisReport } from './bug-analysis-report.tsx';
import { reportCall, type RunDetail, runQuery, type Workflow, workflowOf, WORKFLOWS } from './queries.ts';
import { ResearchReport } from './research-report.tsx';
import { RunBadge, StepBadge, stepState, tookOf } from './state.tsx';

const route = getRouteApi('/shell/runs/$runId');
const BACK = { to: '/runs', name: 'Runs' } as const;

export function RunPage() {
  const { runId } = route.useParams();
  const { product } = useSession();
  const query = useQuery(runQuery(product.id, runId));
  return (
    <LoadedPage query={query} noun="run" back={BACK}>
      {(run) => <Detail run={run} />}
    </LoadedPage>
  );
}

function Detail({ run }: { run: RunDetail }) {
  const { kind, title, state, by, started_at: startedAt, ended_at: endedAt } = run;
  const workflow = workflowOf(kind);
  const label = workflow === undefined ? kind : WORKFLOWS[workflow].label;
  const [first = ''] = title.split('\n');
  return (
    <Page
      title={first === '' ? label : first}
      aside={<RunBadge run={run} />}
      back={BACK}
      actions={
        <>
          {state === 'running' ? (
            <Cancel run={run} />
          ) : (
            workflow !== undefined && <AskAgain run={run} workflow={workflow} />
          )}
          {/* A research has it beside its answer. */}
          {workflow === 'bug-analysis' && <CopyCall call={reportCall(workflow, run.id)} />}
        </>
      }
    >
      <Facts
        facts={[
          ['Workflow', label],
          ['By', by],
          ['Started', <Time key="started" at={startedAt} as="exact" />],
          ['Duration', tookOf(startedAt, endedAt) ?? 'still running'],
        ]}
      />
      {run.error !== null && <Problem problem={run.error} />}
      {state === 'running' ? (
        <Working run={run} />
      ) : (
        <Report run={run} workflow={workflow}>
          <RunInput run={run} />
          <Trace run={run} />
        </Report>
      )}
    </Page>
  );
}

/** Stands where the report will: what is read while it works is replaced by it, and nothing is pushed down. */
function Working({ run }: { run: RunDetail }) {
  return (
    <>
      <p role="status" className="mt-6 text-quiet">
        {run.stage === '' ? 'Queued.' : `Working on ${run.stage}.`} Its report appears here when it ends.
      </p>
      <Trace run={run} />
    </>
  );
}

interface ReportProps {
  run: RunDetail;
  workflow: Workflow | undefined;
  /** Stands below it, and not before it is there: it would be pushed down. */
  children: ReactNode;
}

function Report({ run, workflow, children }: ReportProps) {
  if (run.error !== null || workflow === undefined) return children;
  if (workflow === 'deep_research') return <ResearchReport run={run}>{children}</ResearchReport>;
  return <BugAnalysisReport run={run}>{children}</BugAnalysisReport>;
}

function Cancel({ run }: { run: RunDetail }) {
  const { atLeast } = useSession();
  const { product, path, refresh } = useChanges();
  const queries = useQueryClient();
  const cancel = useAction(async () => {
    const ended = await post<RunDetail>(path(`runs/${encodeURIComponent(run.id)}/cancel`));
    queries.setQueryData(runQuery(product.id, run.id.replace('run:', '')).queryKey, ended);
    void refresh('runs');
  });
  if (!atLeast('member')) return null;
  return (
    <Button disabled={cancel.busy} onClick={() => cancel.run()}>
      {cancel.busy ? 'Cancelling…' : 'Cancel run'}
    </Button>
  );
}

/** Leads to its question, to be changed before it is sent again. */
function AskAgain({ run: { input }, workflow }: { run: RunDetail; workflow: Workflow }) {
  const { atLeast } = useSession();
  const [about, question] =
    workflow === 'deep_research' ? (['research', input['question']] as const) : (['bug', input['report']] as const);
  if (!atLeast('member') || typeof question !== 'string' || question.length > LONGEST_IN_ADDRESS) return null;
  return (
    <Link
      to="/ask"
      search={askParameters({ q: question, about, repo: input['repo'], edit: '1' })}
      className={buttonClass()}
    >
      Ask again…
    </Link>
  );
}

/** Longest question that the page Ask accepts in its address, in characters. */
const LONGEST_IN_ADDRESS = 4_000;

/** Its arguments, whole. */
function RunInput({ run: { input } }: { run: RunDetail }) {
  const text = input['report'];
  const others = Object.entries(input).filter(([name, value]) => name !== 'report' && textOf(value) !== '');
  return (
    <Section title="Input">
      {others.length > 0 && (
        <Facts facts={others.map(([name, value]) => [WORDS[name] ?? name, textOf(value)] as const)} />
      )}
      {typeof text === 'string' && (
        <pre
          tabIndex={0}
          className="mt-3 max-h-80 overflow-auto rounded-lg border border-line bg-panel px-4 py-3 font-mono text-xs leading-5 whitespace-pre-wrap [overflow-wrap:anywhere]"
        >
          {text}
        </pre>
      )}
    </Section>
  );
}

const WORDS: Readonly<Record<string, string>> = {
  question: 'Question',
  repo: 'Repository',
  corpora: 'Sources',
  since: 'Since',
  effort: 'Effort',
  paths: 'Paths',
  suspects: 'Suspects',
};

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).join(', ');
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** The steps with the calls that each made. */
function Trace({ run }: { run: RunDetail }) {
  const { steps, started_at: startedAt } = run;
  if (steps.length === 0) return null;
  return (
    <Section title="Steps">
      <ol className="divide-y divide-line rounded-lg border border-line bg-panel">
        {steps.map((step, at) => {
          const { name, ended_at: endedAt, calls } = step;
          const open = stepState(run, step);
          return (
            <li key={name} className="px-4 py-2">
              <div className="flex flex-wrap items-center gap-x-3">
                <span className="grow">{name}</span>
                {open !== undefined ? (
                  <StepBadge state={open} />
                ) : (
                  <span className="text-sm text-quiet tabular-nums">
                    {tookOf(steps[at - 1]?.ended_at ?? startedAt, endedAt)}
                  </span>
                )}
              </div>
              {calls.length > 0 && (
                <details className="text-sm text-quiet">
                  <summary className="inline-block cursor-pointer py-0.5">{formatCount(calls.length, 'call')}</summary>
                  <ol className="list-decimal pb-1 pl-6">
                    {calls.map((call, index) => (
                      <li key={index} className="font-mono text-xs leading-5 [overflow-wrap:anywhere]">
                        {call}
                      </li>
                    ))}
                  </ol>
                </details>
              )}
            </li>
          );
        })}
      </ol>
    </Section>
  );
}
