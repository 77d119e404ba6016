import { type ReactNode, useCallback } from 'react';
import { EntityLink, PathLink } from '../components/entity-link.tsx';
import { Badge, type Tone } from '../components/inline.tsx';
import { Time } from '../components/time.tsx';
import type { Anchor, Staleness } from './queries.ts';

const TONES: Readonly<Record<Staleness['state'], Tone>> = {
  fresh: 'good',
  unresolved: 'warn',
  aging: 'warn',
  stale: 'warn',
  broken: 'bad',
};

/** Badge that shows if the code that a text names has changed. */
export function StalenessBadge({ stale }: { stale: Staleness | null }) {
  if (stale === null) return <Badge>No code references</Badge>;
  return <Badge tone={TONES[stale.state]}>{stale.label}</Badge>;
}

const STATES: Readonly<Record<Anchor['status'], { tone: Tone; order: number }>> = {
  gone: { tone: 'bad', order: 0 },
  changed: { tone: 'warn', order: 1 },
  moved: { tone: 'accent', order: 2 },
  unresolved: { tone: 'neutral', order: 3 },
  fresh: { tone: 'good', order: 4 },
};

const CHANGES: Readonly<Record<NonNullable<Anchor['commits'][number]['change']>['kind'], string>> = {
  body: 'changed it',
  signature: 'changed its signature',
  moved: 'moved it',
  removed: 'removed it',
};

/** Links what a text names to its present location, by its spelling; undefined for what the index does not have. */
export function useCodeLinks(anchors: readonly Anchor[]): (written: string) => ReactNode | undefined {
  return useCallback(
    (written) => {
      const named = anchors.find((anchor) => anchor.written === written);
      // A path beside a symbol says where that is, and is not watched itself.
      const { now = null, repository = null } = named ?? anchors.find((anchor) => anchor.now?.path === written) ?? {};
      if (now === null || repository === null) return undefined;
      const lines = named === undefined || now.line === null ? undefined : { from: now.line, to: now.line };
      return (
        <PathLink repo={repository} path={now.path} lines={lines} className="text-accent hover:underline">
          {written}
        </PathLink>
      );
    },
    [anchors],
  );
}

/** Code that a text names: what has changed comes first, with the commits that changed it. */
export function AnchorList({ anchors }: { anchors: readonly Anchor[] }) {
  const sorted = anchors.toSorted((a, b) => STATES[a.status].order - STATES[b.status].order);
  return (
    <ul aria-label="Named in the code" className="divide-y divide-line rounded-lg border border-line bg-panel">
      {sorted.map((anchor) => (
        <AnchorRow key={`${anchor.written} ${anchor.path}`} anchor={anchor} />
      ))}
    </ul>
  );
}

function AnchorRow({ anchor: { written, status, reason, now, repository, baseline, commits } }: { anchor: Anchor }) {
  return (
    <li className="lazy-row px-4 py-2.5">
      <div className="flex flex-wrap items-baseline gap-x-3 gap-y-0.5">
        <code className="min-w-0 grow basis-48 font-mono text-sm font-medium [overflow-wrap:anywhere]">{written}</code>
        <Badge tone={STATES[status].tone}>{status}</Badge>
      </div>
      {reason !== null && <p className="text-sm text-quiet">{reason}</p>}
      {now !== null && (
        <p className="text-sm text-quiet [overflow-wrap:anywhere]">
          {status === 'moved' ? 'Now ' : ''}
          {now.symbol !== null && <>{now.symbol} in </>}
          {repository === null ? (
            now.path
          ) : (
            <PathLink
              repo={repository}
              path={now.path}
              lines={now.line === null ? undefined : { from: now.line, to: now.line }}
            >
              {now.path}
              {now.line !== null && `:${now.line}`}
            </PathLink>
          )}
        </p>
      )}
      {commits.length > 0 && (
        <ul
          aria-label={`Commits since ${baseline?.slice(0, 7) ?? 'then'} that ${commits[0]?.change === undefined ? 'touched its file' : 'changed it'}`}
          className="mt-1 text-sm"
        >
          {commits.map(({ sha, subject, date, change }) => (
            <li key={sha} className="flex flex-wrap gap-x-2 text-quiet">
              <code className="font-mono text-xs leading-5">
                {repository === null ? sha.slice(0, 7) : <EntityLink repo={repository} handle={`c:${sha}`} />}
              </code>
              <span className="min-w-0 text-ink [overflow-wrap:anywhere]">{subject}</span>
              {change !== undefined && (
                <span>
                  {CHANGES[change.kind]}
                  {change.kind !== 'removed' && ` +${change.added} −${change.removed}`}
                </span>
              )}
              <Time at={date} as="date" />
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}
