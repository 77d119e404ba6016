import { useEffect } from 'react';

const MOST = 6;

/** A search or a question, as it is in an address. */
interface RecentQuery {
  q?: string;
}

/** Newest first; one that goes on where the last one was typed takes its place. */
export function withRecent<Entry extends RecentQuery>(recent: readonly Entry[], entry: Entry): Entry[] {
  const { q = '' } = entry;
  const others = recent.filter((other) => other.q !== q && !q.startsWith(other.q ?? ''));
  return [entry, ...others].slice(0, MOST);
}

/** Reads the entries that this browser stores under a key, newest first. */
export function recentOf<Entry extends RecentQuery>(
  key: string,
  read: (raw: Record<string, unknown>) => Entry,
): Entry[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? '[]');
    if (!Array.isArray(stored)) return [];
    return stored.map((entry) => read(Object(entry) as Record<string, unknown>)).filter(({ q }) => q !== undefined);
  } catch {
    return [];
  }
}

/** Remembers what was asked once it has been answered. */
export function useRemember<Entry extends RecentQuery>(
  key: string,
  { entry, isAnswered }: { entry: Entry; isAnswered: boolean },
  read: (raw: Record<string, unknown>) => Entry,
): void {
  const text = JSON.stringify(entry);
  useEffect(() => {
    if (!isAnswered) return;
    const recent = withRecent(recentOf(key, read), read(JSON.parse(text) as Record<string, unknown>));
    try {
      localStorage.setItem(key, JSON.stringify(recent));
    } catch {
      // Without storage nothing is remembered.
    }
  }, [key, text, isAnswered, read]);
}
