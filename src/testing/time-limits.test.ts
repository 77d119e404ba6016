import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type CallExpression, type ObjectExpression, parseSync, Visitor } from 'oxc-parser';
import { expect, test } from 'vitest';

const ROOT = dirname(dirname(import.meta.dirname));

/** Limits that decide nothing, from `limits.ts`, and what is made of them. */
const SHARED = /\b(?:HANG_LIMIT_MS|NEVER_MS)\b/;

const TIMERS = new Set(['setTimeout', 'setInterval']);
/** Functions of the test runner, and at which argument they take a limit. */
const LIMITED = new Map([
  ...['test', 'it'].map((name) => [name, 2] as const),
  ...['beforeAll', 'beforeEach', 'afterAll', 'afterEach', 'onTestFinished'].map((name) => [name, 1] as const),
]);

/** Types of arguments in that position that are no limit. */
const NO_LIMITS: ReadonlySet<string> = new Set(['ArrowFunctionExpression', 'FunctionExpression', 'ObjectExpression']);

/**
 * Waits that are left, and what for. The list can only get shorter: a test waits for the event (`expect.poll`, a promise, a
 * line of the log), and only `src/testing/limits.ts` ends what hangs.
 */
const EXCEPTIONS: Record<string, string[]> = {
  // The moment of a kill is drawn by chance; nothing is expected of what was done until then.
  'test/journeys/kill.test.ts': ['setTimeout', 'setTimeout'],
  'test/journeys/knowledge-kill.test.ts': ['setTimeout'],
  // What is done between two kills is for as long as nobody kills; a client waits before it asks again.
  'test/journeys/replicas.test.ts': ['setTimeout', 'setTimeout', 'setTimeout', 'setTimeout', 'setTimeout'],
  // Between two looks at something that another process does without a message; the looks have no end of their own.
  'test/journeys/service-process.ts': ['setTimeout'],
  'src/testing/postgres-server.ts': ['setTimeout', 'setTimeout'],
  // Between messages of progress, of which the service sends some a second.
  'test/journeys/mcp-conformance.test.ts': ['setTimeout'],
  // The moment at which a call is left is drawn by chance; the call after it must end.
  'src/testing/aborted-calls.ts': ['setTimeout', 'AbortSignal.timeout'],
};

/** Waits and limits that a text of TypeScript sets by itself. */
function limitsIn(path: string, text: string): string[] {
  const limits: string[] = [];
  const source = ({ start, end }: { start: number; end: number }): string => text.slice(start, end);
  const isOwn = (node: { start: number; end: number }): boolean => !SHARED.test(source(node));
  const inOptions = ({ properties }: ObjectExpression): void => {
    for (const property of properties) {
      if (property.type !== 'Property' || property.key.type !== 'Identifier' || property.key.name !== 'timeout')
        continue;
      const { value } = property;
      // A text is a row, an object a setting of what is tested.
      const isOther =
        value.type === 'ObjectExpression' || (value.type === 'Literal' && typeof value.value === 'string');
      if (!isOther && isOwn(value)) limits.push('timeout');
    }
  };
  const inCall = (call: CallExpression): void => {
    const name = source(call.callee);
    const [first = ''] = name.split(/[.(`]/, 1);
    const limit = call.arguments[LIMITED.get(first) ?? Infinity];
    if (TIMERS.has(name) && isOwn(call)) limits.push(name);
    else if (name === 'AbortSignal.timeout' && isOwn(call)) limits.push(name);
    else if (limit !== undefined && !NO_LIMITS.has(limit.type) && isOwn(limit)) limits.push(`limit of ${first}`);
  };
  new Visitor({ CallExpression: inCall, ObjectExpression: inOptions }).visit(parseSync(path, text).program);
  return limits;
}

test('a wait and a limit are seen however they are written', () => {
  const text = `
    await new Promise((resolve) => setTimeout(resolve, 50));
    test('a', () => {}, 5_000);
    test.each([1])('b', () => {}, 5_000);
    beforeAll(() => {}, CALLS * 60);
    await expect.poll(() => 1, { timeout: 1_000 }).toBe(1);
    fetch(url, { signal: AbortSignal.timeout(10) });
    await page.click('a', { timeout: HANG_LIMIT_MS });
    setTimeout(end, NEVER_MS);
    expect(row).toEqual({ timeout: '30s' });
    answer(question, { timeout: { totalMs: 1 } });
    test('c', () => {}, HANG_LIMIT_MS);`;

  expect(limitsIn('a.ts', text).toSorted()).toEqual([
    'AbortSignal.timeout',
    'limit of beforeAll',
    'limit of test',
    'limit of test',
    'setTimeout',
    'timeout',
  ]);
});

test('nothing in the tests is decided by a clock: no wait and no limit but the shared ones', () => {
  const files = globSync(['src/**/*.test.ts', 'src/testing/**/*.ts', 'test/**/*.ts', 'web/**/*.test.ts'], {
    cwd: ROOT,
  });
  const limited = files.flatMap((file) => {
    const limits = limitsIn(file, readFileSync(join(ROOT, file), 'utf8'));
    return limits.length === 0 ? [] : [[file.replaceAll('\\', '/'), limits] as const];
  });

  expect(files).toContain('test/journeys/kill.test.ts');
  expect(
    Object.fromEntries(limited),
    'A test waits for the event and sets no limit of its own; src/testing/limits.ts ends what hangs.',
  ).toEqual(EXCEPTIONS);
});
