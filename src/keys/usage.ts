import { ServiceError } from '../kernel/errors.ts';
import { DAY_MS, HOUR_MS, dayOf } from '../kernel/time.ts';
import type { Db } from '../platform/db.ts';
import {
  addUsage,
  type DailyUsageRow,
  lockKeysInOrder,
  selectDailyUsage,
  selectRequestsByDay,
  selectTotals,
  touchKeys,
  type TouchRow,
  type UsageRow,
} from './store.ts';

const DAYS_SHOWN = 90;
/** Days in a list of keys. */
const DAYS_LISTED = 30;

/**
 * Usage of a key, at most a second behind. Days and months are those of a time zone; requests are counted by the hour, so where
 * midnight is not at a full hour of UTC, up to half an hour of them counts for the neighbouring day.
 */
export interface KeyUsage {
  /** Name of the time zone at the IANA. */
  zone: string;
  /** Requests of all time. */
  total: number;
  today: number;
  thisMonth: number;
  /** Time of the first use, at most a second late. */
  firstUsedAt: Date | undefined;
  lastUsedAt: Date | undefined;
  /** The last 90 days with today, oldest first, days without requests as well. */
  perDay: { day: string; requests: number }[];
  /** Requests by operation over the same 90 days, most requests first. */
  perOperation: { operation: string; requests: number }[];
}

/** Key, and the time zone of the days. */
interface UsageQuestion {
  accountId: string;
  keyId: string;
  zone: string;
}

/**
 * Reads the usage of a key; undefined when the account has no such key. Cost: one row, and one range of 91 days.
 *
 * @throws ServiceError `bad_argument` for a time zone that nobody knows.
 */
export async function readUsage(db: Db, question: UsageQuestion, now: Date): Promise<KeyUsage | undefined> {
  const { accountId, keyId, zone } = question;
  const today = dayIn(zone, now);
  const totals = await selectTotals(db, accountId, keyId);
  if (totals === undefined) return undefined;
  const since = new Date(now.getTime() - (DAYS_SHOWN + 1) * DAY_MS);
  const daily = await selectDailyUsage(db, { accountId, keyIds: [keyId], zone, since });
  const { requests: total, firstUsedAt, lastUsedAt } = totals;
  const sums = summariseUsage(daily, today);
  return { zone, total, firstUsedAt: firstUsedAt ?? undefined, lastUsedAt: lastUsedAt ?? undefined, ...sums };
}

/**
 * Requests of several keys on this day of a time zone: the sum of what `readUsage` tells of each.
 *
 * @throws ServiceError `bad_argument` for a time zone that nobody knows.
 */
export async function readRequestsToday(
  db: Db,
  { accountId, keyIds, zone }: { accountId: string; keyIds: readonly string[]; zone: string },
  now: Date,
): Promise<number> {
  const today = dayIn(zone, now);
  // No zone is further from UTC than 14 hours.
  const since = new Date(now.getTime() - 2 * DAY_MS);
  return summariseUsage(await selectDailyUsage(db, { accountId, keyIds, zone, since }), today).today;
}

/**
 * Requests of several keys on each of the last 30 days of a time zone, oldest first and today last. Cost: a range for each.
 *
 * @throws ServiceError `bad_argument` for a time zone that nobody knows.
 */
export async function readRequestsByDay(
  db: Db,
  { accountId, keyIds, zone }: { accountId: string; keyIds: readonly string[]; zone: string },
  now: Date,
): Promise<Map<string, number[]>> {
  const days = daysUpTo(dayIn(zone, now), DAYS_LISTED);
  const since = new Date(now.getTime() - (DAYS_LISTED + 1) * DAY_MS);
  const byKey = new Map(keyIds.map((id) => [id, days.map(() => 0)]));
  for (const { keyId, day, requests } of await selectRequestsByDay(db, { accountId, keyIds, zone, since })) {
    const at = days.indexOf(day);
    const counts = byKey.get(keyId);
    if (at !== -1 && counts !== undefined) counts[at] = requests;
  }
  return byKey;
}

/** Sums days and operations up to `today`, written as `2026-11-21`. Rows before the first of the 90 days do not count. */
export function summariseUsage(
  rows: readonly DailyUsageRow[],
  today: string,
): Pick<KeyUsage, 'today' | 'thisMonth' | 'perDay' | 'perOperation'> {
  const byDay = new Map(daysUpTo(today, DAYS_SHOWN).map((day) => [day, 0]));
  const byOperation = new Map<string, number>();
  for (const { day, operation, requests } of rows) {
    const before = byDay.get(day);
    if (before === undefined) continue;
    byDay.set(day, before + requests);
    byOperation.set(operation, (byOperation.get(operation) ?? 0) + requests);
  }
  const perDay = Array.from(byDay, ([day, requests]) => ({ day, requests }));
  const perOperation = Array.from(byOperation, ([operation, requests]) => ({ operation, requests }));
  return {
    today: byDay.get(today) ?? 0,
    thisMonth: perDay.reduce((sum, { day, requests }) => sum + (day.startsWith(today.slice(0, 7)) ? requests : 0), 0),
    perDay,
    perOperation: perOperation.toSorted((a, b) => b.requests - a.requests || (a.operation < b.operation ? -1 : 1)),
  };
}

/** The last `count` days, oldest first. */
function daysUpTo(today: string, count: number): string[] {
  const lastMs = Date.parse(`${today}T00:00Z`);
  return Array.from({ length: count }, (_, index) => dayOf(new Date(lastMs - (count - 1 - index) * DAY_MS)));
}

/** The day that it is in a time zone. */
function dayIn(zone: string, now: Date): string {
  try {
    // Swedish writes dates as ISO 8601 does.
    return new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short' }).format(now);
  } catch (cause) {
    throw new ServiceError('bad_argument', `"${zone.slice(0, 60)}" is not a time zone.`, {
      fix: 'Use a name from the IANA list, for example Europe/Vienna, or UTC.',
      cause,
    });
  }
}

/** Activity of one account's keys since the last flush. */
interface Pending {
  usage: Map<string, UsageRow>;
  touched: Map<string, TouchRow>;
}

/**
 * Counts requests in memory and writes them in batches: one transaction per account and flush, whatever the traffic. A
 * process that is killed loses what was counted since its last flush; a flush that fails loses nothing.
 */
export class UsageCounter {
  readonly #db: Db;
  #pending = new Map<string, Pending>();
  #lastFlush: Promise<void> = Promise.resolve();

  constructor(db: Db) {
    this.#db = db;
  }

  /** Counts one request. `operation` is a name of ours, never text of a client: each becomes a row an hour. */
  count(key: { accountId: string; keyId: string }, operation: string, now: Date): void {
    const nowMs = now.getTime();
    const hour = new Date(nowMs - (nowMs % HOUR_MS));
    this.#add(key.accountId, { keyId: key.keyId, hour, operation, requests: 1 });
    this.#touch(key.accountId, { keyId: key.keyId, requests: 1, lastUsedAt: now });
  }

  /**
   * Writes what was counted until now, after the flushes before. Rejects with the first error; its counts are written the next
   * time.
   */
  flush(): Promise<void> {
    const flush = this.#lastFlush.then(() => this.#write());
    this.#lastFlush = flush.catch(() => undefined);
    return flush;
  }

  async #write(): Promise<void> {
    const pending = this.#pending;
    this.#pending = new Map();
    const errors: unknown[] = [];
    for (const [accountId, counted] of pending) {
      try {
        await saveUsage(this.#db, accountId, counted);
      } catch (error) {
        errors.push(error);
        for (const row of counted.usage.values()) this.#add(accountId, row);
        for (const row of counted.touched.values()) this.#touch(accountId, row);
      }
    }
    if (errors.length > 0) throw new Error('The usage of API keys could not be written.', { cause: errors[0] });
  }

  #add(accountId: string, row: UsageRow): void {
    const { usage } = this.#of(accountId);
    const slot = `${row.keyId} ${row.hour.getTime()} ${row.operation}`;
    const counted = usage.get(slot);
    if (counted === undefined) usage.set(slot, row);
    else counted.requests += row.requests;
  }

  #touch(accountId: string, row: TouchRow): void {
    const { touched } = this.#of(accountId);
    const counted = touched.get(row.keyId);
    if (counted === undefined) {
      touched.set(row.keyId, row);
      return;
    }
    counted.requests += row.requests;
    if (row.lastUsedAt > counted.lastUsedAt) counted.lastUsedAt = row.lastUsedAt;
  }

  #of(accountId: string): Pending {
    const existing = this.#pending.get(accountId);
    if (existing !== undefined) return existing;
    const pending: Pending = { usage: new Map(), touched: new Map() };
    this.#pending.set(accountId, pending);
    return pending;
  }
}

/** Counts of keys that were deleted meanwhile are dropped with them. */
async function saveUsage(db: Db, accountId: string, { usage, touched }: Pending): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const existing = new Set(await lockKeysInOrder(tx, accountId, [...touched.keys()]));
    if (existing.size === 0) return;
    await addUsage(
      tx,
      accountId,
      [...usage.values()].filter((row) => existing.has(row.keyId)),
    );
    await touchKeys(
      tx,
      accountId,
      [...touched.values()].filter((row) => existing.has(row.keyId)),
    );
  });
}
