import { Link } from '@tanstack/react-router';
import { Icon } from '../components/button.tsx';
import { Badge } from '../components/inline.tsx';
import type { RecordedDecision } from '../knowledge/queries.ts';

/** Decisions about the same that are there already, asked about before a new one is recorded. */
export function SimilarDecisions({ similar }: { similar: RecordedDecision['similar'] }) {
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
