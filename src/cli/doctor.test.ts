import { expect, test } from 'vitest';
import { describeLast } from './doctor.ts';

const DAY_SECONDS = 86_400;
const at = (day: number, error: string | null = null) => {
  const started = `2026-03-0${day}T00:00:00.000Z`;
  return { started_at: started, finished_at: started, file: '/b/one.tar.zst', bytes: 2_000_000, error };
};
const NOW = Date.parse('2026-03-05T00:00:00Z');

test('the last backup is described, and one of the schedule is late after two intervals', () => {
  const scheduled = { backups: [at(3)], intervalSeconds: DAY_SECONDS };
  const last = 'the last one began 2026-03-03T00:00:00.000Z: /b/one.tar.zst, 2.0 MB';
  expect(describeLast(scheduled, NOW)).toBe(last);
  expect(() => describeLast(scheduled, NOW + 1)).toThrow('No backup was made for 2 times SVC_BACKUP_INTERVAL_SECONDS.');
  expect(describeLast({ backups: [at(1)], intervalSeconds: undefined }, NOW)).toContain('SVC_BACKUP_DIR makes them');
  expect(describeLast({ backups: [], intervalSeconds: DAY_SECONDS }, NOW)).toBe('none was made yet');
  const failed = { backups: [at(4, 'No space'), at(3)], intervalSeconds: DAY_SECONDS };
  expect(() => describeLast(failed, NOW)).toThrow('The backup of 2026-03-04T00:00:00.000Z failed: No space');
});
