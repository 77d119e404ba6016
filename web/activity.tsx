import type { AuditEntry } from '../src/http/app-api.ts';
import { Time } from './components/time.tsx';

/** What was done, as a person says it. Actions that are not here are shown as they are. */
const WORDS: Readonly<Record<string, string>> = {
  'account.create': 'made the account',
  'account.change': 'changed the account',
  'api_key.create': 'created the API key',
  'api_key.regenerate': 'regenerated the API key',
  'api_key.delete': 'deleted the API key',
  'repository.add': 'added the repository',
  'repository.index': 'indexed the repository',
  'repository.remove': 'removed the repository',
  'product.create': 'made the product',
  'member.invite': 'invited',
  'member.join': 'joined as',
  'member.remove': 'removed the member',
  'member.role': 'changed the role of',
  'session.sign_in': 'signed in',
  'session.sign_out': 'signed out',
};

/** Changes, newest first. Rows outside the window are not laid out. */
export function Activity({ entries }: { entries: readonly AuditEntry[] }) {
  return (
    <ol className="divide-y divide-line rounded-lg border border-line bg-panel">
      {entries.map((entry) => (
        <li key={entry.id} className="lazy-row flex flex-wrap items-baseline gap-x-4 px-4 py-2.5">
          <span className="min-w-0 grow basis-64 [overflow-wrap:anywhere]">
            <span className="font-medium">{entry.actor}</span> {WORDS[entry.action] ?? entry.action}
            {entry.target_name !== null && <span className="font-medium"> {entry.target_name}</span>}
            <Detail detail={entry.detail} />
          </span>
          <Time at={entry.at} className="text-sm text-quiet" />
        </li>
      ))}
    </ol>
  );
}

function Detail({ detail }: Pick<AuditEntry, 'detail'>) {
  const facts = Object.entries(detail)
    .filter(([name, value]) => name !== 'name' && value !== null && value !== '')
    .map(
      ([name, value]) => `${name.replaceAll('_', ' ')}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
    );
  if (facts.length === 0) return null;
  return <span className="text-sm text-quiet"> · {facts.join(', ')}</span>;
}
