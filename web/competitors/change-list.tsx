import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Icon } from '../components/button.tsx';
import { EntityLink } from '../components/entity-link.tsx';
import { Badge, type Tone } from '../components/inline.tsx';
import { Time } from '../components/time.tsx';
import { useSession } from '../session.tsx';
import { pairTexts, type Stretch } from '../word-diff.ts';
import { ChangeTriage } from './change-triage.tsx';
import { type Change, changeLinksQuery } from './queries.ts';

/** Names of the kinds of handles. */
const KINDS: Readonly<Record<string, string>> = {
  plan: 'plan',
  wi: 'work item',
  dec: 'decision',
  sig: 'signal',
  feature: 'feature',
};
const TONES: Record<Change['severity'], Tone> = { high: 'bad', medium: 'warn', low: 'neutral' };

/** Changes, newest first; each opens to what it said before and after. */
export function ChangeList({ changes, withCompetitor }: { changes: readonly Change[]; withCompetitor: boolean }) {
  return (
    <ol className="divide-y divide-line rounded-lg border border-line bg-panel">
      {changes.map((change) => (
        <li key={change.id} className="px-4 py-2.5">
          <ChangeEntry change={change} withCompetitor={withCompetitor} />
        </li>
      ))}
    </ol>
  );
}

/** One line; what it says in detail, and what of ours it is about, when it is opened. */
function ChangeEntry({ change, withCompetitor }: { change: Change; withCompetitor: boolean }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className="group" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="flex gap-2">
        <Icon name="chevron" className="mt-1 -rotate-90 text-quiet group-open:rotate-0" />
        <span className="flex min-w-0 flex-wrap items-baseline gap-x-2 gap-y-1">
          <Badge tone={TONES[change.importance ?? change.severity]}>{change.importance ?? change.severity}</Badge>
          <Badge>{change.kind}</Badge>
          {withCompetitor && <span className="font-medium">{change.competitor}</span>}
          <span className="min-w-0 [overflow-wrap:anywhere]">{change.summary}</span>
          <Time at={change.when} className="text-sm text-quiet" />
          {change.owner !== '' && <span className="text-sm text-quiet">{change.owner}</span>}
          {change.dismissed_at !== null && <Badge>dismissed</Badge>}
        </span>
      </summary>
      {isOpen && (
        <div className="sm:pl-6">
          <ChangeDetail change={change} />
          <ChangeTriage change={change} />
          <ChangeLinks id={change.id} />
        </div>
      )}
    </details>
  );
}

/** Plans, decisions, signals and features of ours that a change is about. */
function ChangeLinks({ id }: { id: string }) {
  const { product } = useSession();
  const links = useQuery(changeLinksQuery(product.id, id)).data?.links ?? [];
  if (links.length === 0) return null;
  return (
    <section className="mt-3" aria-label="About it in this product">
      <p className="text-sm font-medium">About it in this product</p>
      <ul className="mt-1 grid gap-1 text-sm">
        {links.map(({ id: handle, title }) => (
          <li key={handle} className="flex items-baseline gap-2">
            <Badge>{KINDS[handle.replace(/:.*/, '')] ?? 'other'}</Badge>
            <span className="min-w-0 [overflow-wrap:anywhere]">
              <EntityLink handle={handle.replace(/[#/].*/, '')} repo="">
                {title}
              </EntityLink>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function ChangeDetail({ change }: { change: Change }) {
  const { severity, summary, statements, reasons } = change;
  const others = statements.filter(({ text }) => !summary.includes(text));
  return (
    <div className="mt-2">
      <p className="text-sm text-quiet [overflow-wrap:anywhere]">
        <a href={change.url} rel="noopener noreferrer nofollow" target="_blank" className="text-accent hover:underline">
          {change.url}
        </a>
      </p>
      {others.length > 0 && (
        <ul className="mt-1 list-disc pl-5">
          {others.map(({ text }) => (
            <li key={text} className="[overflow-wrap:anywhere]">
              {text}
            </li>
          ))}
        </ul>
      )}
      <TextComparison removed={change.removed} added={change.added} />
      <p className="mt-2 text-sm text-quiet [overflow-wrap:anywhere]">
        Why {severity}: {reasons.join('; ')}
      </p>
    </div>
  );
}

/** The former text at the left and the present one at the right; one below the other on phones. */
export function TextComparison({ removed, added }: { removed: readonly string[]; added: readonly string[] }) {
  const pairs = pairTexts(removed, added);
  if (pairs.length === 0) return null;
  return (
    <div className="mt-2 grid gap-px overflow-hidden rounded-md border border-line bg-line">
      {pairs.map(({ before, after }, at) => (
        // Nothing in a stored change moves.
        <div key={at} className="grid gap-px sm:grid-cols-2">
          <Side stretches={before} mark="−" label="Before" tone="bg-bad-soft text-bad" />
          <Side stretches={after} mark="+" label="After" tone="bg-good-soft text-good" />
        </div>
      ))}
    </div>
  );
}

interface SideProps {
  stretches: readonly Stretch[] | undefined;
  mark: string;
  label: string;
  tone: string;
}

function Side({ stretches, mark, label, tone }: SideProps) {
  if (stretches === undefined) return <div className="bg-panel max-sm:hidden" />;
  return (
    <p className="flex gap-2 bg-panel px-3 py-1.5">
      <span aria-hidden="true" className="font-mono text-quiet">
        {mark}
      </span>
      <span className="sr-only">{label}: </span>
      <span className="min-w-0 [overflow-wrap:anywhere]">
        {stretches.map(({ text, isOwn }, at) =>
          isOwn ? (
            <mark key={at} className={`rounded-sm px-0.5 ${tone}`}>
              {text}
            </mark>
          ) : (
            text
          ),
        )}
      </span>
    </p>
  );
}
