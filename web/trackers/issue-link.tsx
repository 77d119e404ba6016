import type { IssueBody } from '../../src/trackers/tracker-bodies.ts';
import { Badge, type Tone } from '../components/inline.tsx';
import { Time } from '../components/time.tsx';
import { TRACKER_NAMES } from './queries.ts';

const TONES: Record<IssueBody['state'], Tone> = { open: 'accent', closed: 'good', gone: 'warn', unclear: 'warn' };

/** Issue of a work item in the tracker, and its status there. */
export function IssueLink({ issue }: { issue: IssueBody }) {
  const { kind, project, state, label, url, status, fault } = issue;
  const name = `${TRACKER_NAMES[kind]} ${label ?? project}`;
  return (
    <span className="inline-flex flex-wrap items-center gap-x-2 gap-y-0.5 text-sm">
      {url === null || state === 'gone' ? (
        <span className="text-quiet">{name}</span>
      ) : (
        <a href={url} target="_blank" rel="noopener noreferrer" className="text-accent hover:underline">
          {name}
        </a>
      )}
      <Badge tone={TONES[state]}>{STATES[state] ?? status}</Badge>
      {fault !== null && <span className="text-xs text-bad [overflow-wrap:anywhere]">Not read: {fault}</span>}
    </span>
  );
}

const STATES: Partial<Record<IssueBody['state'], string>> = { gone: 'deleted there', unclear: 'sending was cut off' };

/** Time at which the status of an issue was last read. */
export function LastRead({ issue }: { issue: IssueBody }) {
  if (issue.checked_at === null) return null;
  return (
    <span className="text-xs text-quiet">
      read <Time at={issue.checked_at} />
    </span>
  );
}
