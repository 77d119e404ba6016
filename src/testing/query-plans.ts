import { vi } from 'vitest';
import type { ShardDatabase } from '../indexes/shards/shards.ts';

/**
 * Returns SQLite's plan of each statement that `ask` prepares, as `explain query plan` prints it: `SCAN n`, `SEARCH s USING
 * ...`.
 */
export function queryPlansOf(db: ShardDatabase, ask: () => unknown): string[] {
  const prepare = vi.spyOn(db, 'prepare');
  ask();
  const statements = prepare.mock.calls.map(([statement]) => statement);
  prepare.mockRestore();
  const plans = statements.flatMap((statement) => db.prepare(`explain query plan ${statement}`).all());
  return plans.map(({ detail }) => String(detail));
}
