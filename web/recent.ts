import { useEffect } from 'react';

const MOST = 6;

/** What was searched or asked for, as it stands in an address. */
interface Asked {
  q?: string;
}

/** Newest first; one that goes on where the last one was typed takes its place. */
export function withRecent<Entry extends Asked>(known: readonly Entry[], entry: Entry): Entry[] {
  const { q = '' } = entry;
  const others = known.filter((other) => other.q !== q && !q.startsWith(other.q ?? ''));
  return [entry, ...others].slice(0, MOST);
}

/** What this browser keeps under a key, newest first. */
export function recentOf<Entry extends Asked>(key: string, read: (raw: Record<string, unknown>) => Entry): Entry[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key) ?? '[]');
    if (!Array.isArray(kept)) return [];
    return kept.map((entry) => read(Object(entry) as Record<string, unknown>)).filter(({ q }) => q !== undefined);
  } catch {
    return [];
  }
}

/** Remembers what was asked once it has been answered. */
export function useRemember<Entry extends Asked>(
  key: string,
  { entry, isAnswered }: { entry: Entry; isAnswered: boolean },
  read: (raw: Record<string, unknown>) => Entry,
): void {
  const text = JSON.stringify(entry);
  useEffect(() => {
    if (!isAnswered) return;
    const kept = withRecent(recentOf(key, read), read(JSON.parse(text) as Record<string, unknown>));
    try {
      localStorage.setItem(key, JSON.stringify(kept));
    } catch {
      // Without storage nothing is remembered.
    }
  }, [key, text, isAnswered, read]);
}
