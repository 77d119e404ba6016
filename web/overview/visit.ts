import { useEffect, useState } from 'react';

/** After a pause this long a look at the page is a new visit. */
const PAUSE_MS = 30 * 60_000;

/** Time of the last look at the page, and end of the visit before the present one. In ms since 1970. */
interface Visits {
  seenMs: number;
  beforeMs?: number;
}

/** Returns the times to store when the page is looked at now. Looks that follow each other closely are one visit. */
export function nextVisits(visits: Visits | undefined, nowMs: number): Visits {
  if (visits === undefined) return { seenMs: nowMs };
  if (nowMs - visits.seenMs > PAUSE_MS) return { seenMs: nowMs, beforeMs: visits.seenMs };
  return { ...visits, seenMs: nowMs };
}

/**
 * The end of the person's last visit in this browser, as ISO 8601; undefined on the first one, and where the browser keeps
 * nothing.
 */
export function useLastVisit(person: string, product: string): string | undefined {
  const key = `visit ${person} ${product}`;
  const [visits] = useState(() => nextVisits(storedVisits(key), Date.now()));
  useEffect(() => {
    try {
      localStorage.setItem(key, JSON.stringify(visits));
    } catch {
      // Without storage every visit is the first.
    }
  }, [key, visits]);
  return visits.beforeMs === undefined ? undefined : new Date(visits.beforeMs).toISOString();
}

function storedVisits(key: string): Visits | undefined {
  try {
    const { seenMs, beforeMs } = JSON.parse(localStorage.getItem(key) ?? '{}') as Partial<Visits>;
    if (!Number.isFinite(seenMs)) return undefined;
    return { seenMs: Number(seenMs), ...(Number.isFinite(beforeMs) && { beforeMs: Number(beforeMs) }) };
  } catch {
    return undefined;
  }
}
