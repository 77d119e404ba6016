import { createContext, use, useEffect, useState, type ReactNode } from 'react';
import { formatDate, formatMoment, formatRelative } from '../format.ts';

const TICK_MS = 15_000;

const Now = createContext(0);

/** Moves the clock that all relative times on the page read. */
export function Clock({ children }: { children: ReactNode }) {
  const [nowMs, setNowMs] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return <Now value={nowMs}>{children}</Now>;
}

/** The time of the page's clock, at most 15 seconds behind. */
export function useNow(): number {
  return use(Now);
}

interface TimeProps {
  /** ISO 8601. */
  at: string;
  /** `relative` says how long ago; `date` the day; `exact` the second. */
  as?: 'relative' | 'date' | 'exact';
  className?: string;
}

/** A moment in the viewer's zone; its exact value shows on hover. */
export function Time({ at, as = 'relative', className }: TimeProps) {
  // What just happened may lie after the last tick of the clock.
  const nowMs = Math.max(useNow(), as === 'relative' && Date.parse(at) <= Date.now() ? Date.parse(at) : 0);
  const exact = formatMoment(at);
  const text = { relative: formatRelative(at, nowMs), date: formatDate(at), exact }[as];
  return (
    <time dateTime={at} title={exact} className={className}>
      {text}
    </time>
  );
}
