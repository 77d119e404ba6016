import { expect, test } from 'vitest';
import { createLog, inText, maskSecrets } from './log.ts';

test.each([
  ['{"headers":{"authorization":"Basic abc\\"d"}}', '{"headers":{"authorization":"****"}}'],
  ['{"X-API-Key":"svc_live_abc123"}', '{"X-API-Key":"****"}'],
  ['key svc_live_abc123XYZ, twice svc_live_0', 'key svc_****, twice svc_****'],
  ['sent Authorization: Bearer eyJ.a-b_c==', 'sent Authorization: Bearer ****'],
  ['postgres://me:p@ss@db:5432/svc', 'postgres://me:****@db:5432/svc'],
  ['https://example.org/a:b and 12:30', 'https://example.org/a:b and 12:30'],
])('%s is written as %s', (line, masked) => {
  expect(maskSecrets(line)).toBe(masked);
});

test('a key in a message, a nested field or a stack never reaches the log', () => {
  const lines: string[] = [];
  const log = createLog('info', (line) => lines.push(line));

  log.info({ request: { deep: { headers: { 'x-api-key': 'svc_live_one' } } } }, 'got svc_live_two');
  log.error({ err: new Error('refused svc_live_three') });

  expect(lines).toHaveLength(2);
  expect(lines.join('')).not.toMatch(/svc_live_/);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 30, msg: 'got svc_****' });
});

test('what is below the level is not written', () => {
  const lines: string[] = [];

  createLog('warn', (line) => lines.push(line)).info('quiet');

  expect(lines).toEqual([]);
});

test('as text a record is a line for people: level, message, error and fields, and nothing that moves the cursor', () => {
  const lines: string[] = [];
  const log = createLog(
    'info',
    inText((line) => lines.push(line)),
  );
  const error = new Error('refused\u001b[2J svc_live_three');
  error.stack = `Error: refused\n    at one.ts:1\n    at two.ts:2`;

  log.info({ repository: 'a\u202Eb', run: 7 }, 'indexed');
  log.error({ err: error }, 'the disk');

  expect(lines).toHaveLength(2);
  expect(lines[0]).toMatch(/^\d{4}-\d\d-\d\dT\S+Z info indexed repository="a\\u202eb" run=7\n$/);
  expect(lines[1]).toMatch(
    /^\S+ error the disk: refused\\u001b\[2J svc_\*{4}.*\n {4}at one\.ts:1\n {4}at two\.ts:2\n$/,
  );
});
