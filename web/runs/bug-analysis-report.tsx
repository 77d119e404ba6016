import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { symbolHandle } from '../code/handles.ts';
import { EntityLink, PathLink } from '../components/entity-link.tsx';
import { Section } from '../components/page.tsx';
import { QueryState } from '../components/query-state.tsx';
import { formatShare } from '../format.ts';
import { useSession } from '../session.tsx';
import type { BugAnalysis, Hypothesis, Suspect } from './bug-analysis.ts';
import { bugAnalysisQuery, type RunDetail } from './queries.ts';

const LIST = 'divide-y divide-line rounded-lg border border-line bg-panel';

/** Suspected code, its authors, possible causes, and next steps. Its children follow it. */
export function BugAnalysisReport({ run, children }: { run: RunDetail; children: ReactNode }) {
  const { product } = useSession();
  const query = useQuery(bugAnalysisQuery(product.id, run.id));
  return (
    <>
      <QueryState query={query} what="what it found" rows={4} />
      {query.data !== undefined && <Analysis analysis={query.data} />}
      {!query.isPending && children}
    </>
  );
}

interface SuspectsProps {
  title: string;
  lead: string;
  suspects: readonly Suspect[];
  analysis: BugAnalysis;
}

function Analysis({ analysis }: { analysis: BugAnalysis }) {
  const { suspects = [], hypotheses = [] } = analysis;
  if (suspects.length === 0)
    return <p className="mt-8 text-quiet">Nothing in the report names code of this repository.</p>;
  return (
    <>
      <Suspects
        title="Functions"
        lead="Functions that may contain the fault, most likely first."
        suspects={suspects.filter(({ symbol }) => symbol !== '')}
        analysis={analysis}
      />
      <Suspects
        title="Files"
        lead="Files by what they, their functions and their history have in common with the report."
        suspects={suspects.filter(({ symbol }) => symbol === '')}
        analysis={analysis}
      />
      {hypotheses.length > 0 && (
        <Section title="Hypotheses">
          <ol className={LIST}>
            {hypotheses.map((hypothesis) => (
              <HypothesisRow key={hypothesis.statement} hypothesis={hypothesis} />
            ))}
          </ol>
        </Section>
      )}
      <Commits analysis={analysis} />
      <NextSteps analysis={analysis} />
    </>
  );
}

function Suspects({ title, lead, suspects, analysis }: SuspectsProps) {
  if (suspects.length === 0) return null;
  return (
    <Section title={title} lead={lead}>
      <ol className={LIST}>
        {suspects.map((suspect) => (
          <SuspectRow key={`${suspect.path} ${suspect.lines[0]}`} suspect={suspect} analysis={analysis} />
        ))}
      </ol>
    </Section>
  );
}

function SuspectRow({ suspect, analysis }: { suspect: Suspect; analysis: BugAnalysis }) {
  const { path, symbol, lines, score, evidence } = suspect;
  const { repo = '', commit } = analysis;
  return (
    <li className="px-4 py-2.5">
      <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <span className="w-14 shrink-0 text-right font-medium whitespace-nowrap tabular-nums">{score.toFixed(2)}</span>
        <span className="min-w-0 font-medium [overflow-wrap:anywhere]">
          <PathLink
            repo={repo}
            commit={commit}
            path={path}
            {...(symbol !== '' && { lines: { from: lines[0], to: lines[1] } })}
          />
        </span>
        {symbol !== '' && (
          <code className="min-w-0 font-mono text-sm text-quiet [overflow-wrap:anywhere]">
            <EntityLink repo={repo} commit={commit} handle={symbolHandle({ name: symbol, path })} />
          </code>
        )}
      </div>
      <ul className="mt-0.5 pl-14 text-sm text-quiet max-sm:pl-0">
        {evidence.map(({ id, says }) => (
          <li key={`${id} ${says}`} className="[overflow-wrap:anywhere]">
            {says}
          </li>
        ))}
      </ul>
    </li>
  );
}

function HypothesisRow({ hypothesis }: { hypothesis: Hypothesis }) {
  const { statement, probability, for: reasons, against, test } = hypothesis;
  return (
    <li className="flex gap-x-3 px-4 py-2.5 max-sm:flex-col">
      <span className="w-14 shrink-0 text-right font-medium whitespace-nowrap tabular-nums max-sm:text-left">
        {formatShare(probability)}
      </span>
      <div className="min-w-0 [overflow-wrap:anywhere]">
        <p>{statement}</p>
        <dl className="mt-1 grid grid-cols-[auto_1fr] gap-x-3 text-sm text-quiet">
          <Reasons name="For" reasons={reasons} />
          <Reasons name="Against" reasons={against} />
          <Reasons name="To find out" reasons={[test]} />
        </dl>
      </div>
    </li>
  );
}

function Reasons({ name, reasons }: { name: string; reasons: readonly string[] }) {
  if (reasons.length === 0) return null;
  return (
    <>
      <dt className="whitespace-nowrap">{name}</dt>
      <dd className="min-w-0">
        {reasons.map((reason) => (
          <p key={reason}>{reason}</p>
        ))}
      </dd>
    </>
  );
}

/** Authors of the suspected lines, and past fixes of similar reports. */
function Commits({ analysis }: { analysis: BugAnalysis }) {
  const { repo = '', suspect_commits: suspected = [], similar_fixes: fixes = [] } = analysis;
  const lists = [
    ['Suspect commits', suspected.map(({ sha, why, ...commit }) => ({ ...commit, handle: `c:${sha}`, note: why }))],
    ['Similar fixes', fixes.map(({ id, ...commit }) => ({ ...commit, handle: id, note: '' }))],
  ] as const;
  return lists
    .filter(([, commits]) => commits.length > 0)
    .map(([title, commits]) => (
      <Section key={title} title={title}>
        <ul className={LIST}>
          {commits.map(({ handle, subject, author, date, note }) => (
            <li key={handle} className="px-4 py-2">
              <span className="[overflow-wrap:anywhere]">
                <EntityLink repo={repo} handle={handle}>
                  {subject}
                </EntityLink>
              </span>
              <p className="text-sm text-quiet">{[author, date, note].filter((part) => part !== '').join(' · ')}</p>
            </li>
          ))}
        </ul>
      </Section>
    ));
}

function NextSteps({ analysis: { plan, coverage } }: { analysis: BugAnalysis }) {
  const steps = plan?.steps ?? [];
  const gaps = coverage?.gaps ?? [];
  if (steps.length === 0 && gaps.length === 0) return null;
  return (
    <Section title="What to do">
      <ol className="list-decimal pl-6 [overflow-wrap:anywhere]">
        {steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      {gaps.length > 0 && <p className="mt-2 text-sm text-quiet">Not found: {gaps.join('; ')}.</p>}
    </Section>
  );
}
