import type { Key } from '../../src/keys/key-bodies.ts';
import { Badge } from '../components/inline.tsx';
import { Time } from '../components/time.tsx';

const DAY_MS = 86_400_000;
const RECENT_DAYS = 7;

/** Expired and Expiring are said; a working key needs no badge. */
export function KeyBadge({ status }: Pick<Key, 'status'>) {
  if (status === 'expired') return <Badge tone="bad">Expired</Badge>;
  if (status === 'expiring') return <Badge tone="warn">Expiring</Badge>;
  return null;
}

/** End of a key: the day, and near it the remaining time. */
export function Expiry({ status, expires_at: expiresAt }: Pick<Key, 'status' | 'expires_at'>) {
  if (expiresAt === null) return 'Never';
  const tone = { active: '', expiring: 'text-warn', expired: 'text-bad' }[status];
  return <Time at={expiresAt} as={status === 'active' ? 'date' : 'relative'} className={`whitespace-nowrap ${tone}`} />;
}

/** Somebody may still depend on it: deleting asks for the name. */
export function isUsedRecently({ last_used_at: lastUsedAt }: Pick<Key, 'last_used_at'>, nowMs: number): boolean {
  return lastUsedAt !== null && nowMs - Date.parse(lastUsedAt) < RECENT_DAYS * DAY_MS;
}
