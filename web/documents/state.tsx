import { Icon } from '../components/button.tsx';
import { Badge } from '../components/inline.tsx';
import { Fix } from '../components/query-state.tsx';
import { formatCount } from '../format.ts';
import type { DocumentEntry } from '../knowledge/queries.ts';

/** State of a document, unless it was read, which is the expected case. */
export function DocumentBadge({ document: { status } }: { document: Pick<DocumentEntry, 'status'> }) {
  if (status === 'waiting') return <Badge tone="accent">Processing</Badge>;
  if (status === 'failed') return <Badge tone="bad">Failed</Badge>;
  return null;
}

/** Reason why a document could not be read, and the files of an archive that were skipped. */
export function DocumentFaults({ document: { error, problems } }: { document: DocumentEntry }) {
  if (error === null && problems.length === 0) return null;
  return (
    <div className="flex flex-col gap-1 text-sm">
      {error !== null && (
        <p className="flex items-start gap-2 rounded-md bg-bad-soft px-3 py-2 text-bad">
          <Icon name="alert" className="mt-0.5" />
          <span className="min-w-0 [overflow-wrap:anywhere]">
            {error.message} <Fix fix={error.fix} />
          </span>
        </p>
      )}
      {problems.length > 0 && (
        <details className="text-quiet">
          <summary>{formatCount(problems.length, 'file')} of the archive left out</summary>
          <ul className="mt-1 max-h-60 overflow-y-auto pl-4" tabIndex={0} aria-label="Skipped files">
            {problems.map(({ name, reason }) => (
              <li key={name} className="[overflow-wrap:anywhere]">
                <span className="text-ink">{name}</span>: {reason}
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}
