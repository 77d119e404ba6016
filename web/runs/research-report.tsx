import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { readLine } from '../ask/answer-text.ts';
import { Answer } from '../ask/answer.tsx';
import { Section } from '../components/page.tsx';
import { QueryState } from '../components/query-state.tsx';
import { useSession } from '../session.tsx';
import { reportCall, type Research, researchQuery, type RunDetail } from './queries.ts';

/** Result of a research: its answer with sources, contradictions, and a timeline. Its children follow it. */
export function ResearchReport({ run, children }: { run: RunDetail; children: ReactNode }) {
  const { product } = useSession();
  const query = useQuery(researchQuery(product.id, run.id));
  const { data } = query;
  return (
    <>
      <QueryState query={query} what="what it found" rows={4} />
      {data !== undefined && (
        <Section title="Findings">
          <Answer answer={data} call={reportCall('deep_research', run.id)} />
          <Contradictions research={data} />
          <Timeline research={data} />
        </Section>
      )}
      {!query.isPending && children}
    </>
  );
}

function Contradictions({ research: { contradictions = [] } }: { research: Research }) {
  if (contradictions.length === 0) return null;
  return (
    <Section title="Contradictions">
      <ul className="divide-y divide-line rounded-lg border border-line bg-panel">
        {contradictions.map(({ a, b, why }) => (
          <li key={`${a.claim} ${b.claim}`} className="px-4 py-2.5">
            <Claim {...a} />
            <Claim {...b} />
            <p className="text-sm text-quiet">{why}</p>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Timeline({ research: { timeline = [] } }: { research: Research }) {
  if (timeline.length === 0) return null;
  return (
    <Section title="Timeline">
      <ol className="divide-y divide-line rounded-lg border border-line bg-panel">
        {timeline.map(({ date, ...claim }, at) => (
          <li key={at} className="flex gap-x-4 px-4 py-2 max-sm:flex-col">
            <time dateTime={date} className="shrink-0 text-sm leading-5.5 text-quiet tabular-nums">
              {date}
            </time>
            <Claim {...claim} />
          </li>
        ))}
      </ol>
    </Section>
  );
}

/** A sentence, or a line of a text as it is, with links to the sources that it has. */
function Claim({ claim, sources }: { claim: string; sources: readonly number[] }) {
  return (
    <p className="min-w-0 [overflow-wrap:anywhere]">
      {readLine(claim).map((stretch, at) => {
        if (stretch.as === 'source') return `[${stretch.number}]`;
        if (stretch.as === 'text') return stretch.text;
        return (
          <code key={at} className="font-mono text-[0.92em]">
            {stretch.text}
          </code>
        );
      })}{' '}
      {sources.map((number) => (
        <a key={number} href={`#source-${number}`} className="text-accent underline">
          [{number}]
        </a>
      ))}
    </p>
  );
}
