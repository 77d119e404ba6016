import { HOUR_MS } from '../../kernel/time.ts';

/** A repository whose last change is so many times longer ago than the interval is fetched less often. */
const QUIET_SHARE = 12;
/** The first pause after a failed fetch; it doubles with each further failure. */
const FIRST_RETRY_MS = 30_000;
/** Longest pause, unless the interval is longer. */
const MOST_PAUSE_MS = HOUR_MS;
/** Fetches begin before the interval is over, spread over this part of it, so that hosts are not asked all at once. */
const EARLIEST = 0.7;
const SPREAD = 0.2;

interface FetchHistory {
  intervalMs: number;
  /** Since the last fetch that brought another commit. */
  sinceMoveMs: number;
  /** Failed fetches since the last successful one. */
  failures: number;
}

/**
 * The pause before the next fetch in milliseconds; `random` is from 0 to 1. A quiet repository is fetched less often, up to
 * once an hour; after failures the pause doubles up to an hour.
 */
export function nextFetchMs({ intervalMs, sinceMoveMs, failures }: FetchHistory, random: number): number {
  const most = Math.max(intervalMs, MOST_PAUSE_MS);
  const pause =
    failures > 0
      ? Math.min(intervalMs, FIRST_RETRY_MS) * 2 ** (failures - 1)
      : Math.max(intervalMs, sinceMoveMs / QUIET_SHARE);
  return Math.round(Math.min(most, pause) * (EARLIEST + SPREAD * random));
}
