import type { Logger } from 'pino';
import { expect, test } from 'vitest';
import { NotYet } from '../kernel/errors.ts';
import { testOperations, type Witness } from '../testing/operations.ts';
import { callOperation, countedCall, type CallRequest } from './call.ts';

const caller = { accountId: 'a', productId: 'p', keyId: 'k', scopes: ['read'] as const };

function contextOf(more: Partial<CallRequest> = {}): CallRequest {
  return { caller, now: () => new Date(), signal: new AbortController().signal, progress: () => {}, ...more };
}

function operationNamed(name: string, witness?: Witness) {
  const operation = testOperations(witness).find((candidate) => candidate.name === name);
  if (operation === undefined) throw new Error(`no test operation ${name}`);
  return operation;
}

test('an ignored argument is noted last in the text and in the notes', async () => {
  const result = await callOperation(operationNamed('echo-tool'), { action: 'say', q: 'hi', foo: 1 }, contextOf());

  expect(result.text).toBe('echo-tool say · p\nhi\nnote: ignored unknown argument: foo');
  expect(result.json['notes']).toEqual(['ignored unknown argument: foo']);
  expect(result.format).toBe('text');
});

test('a key without the scope is refused before its arguments are read', async () => {
  await expect(callOperation(operationNamed('failing-tool'), {}, contextOf())).rejects.toMatchObject({
    code: 'scope_denied',
  });
});

test('a call past its limit is stopped and told to ask for less', async () => {
  const witness = { started: 0, cancelled: 0 };

  const call = callOperation(operationNamed('run_waitingWorkflow', witness), {}, contextOf({ limitMs: 20 }));

  await expect(call).rejects.toMatchObject({ code: 'timed_out', message: expect.stringContaining('0.02 s') });
  expect(witness).toEqual({ started: 1, cancelled: 1 });
});

test('a call answers its cancellation at once, even if the operation does not listen', async () => {
  const stop = new AbortController();
  const deaf = { ...operationNamed('run_waitingWorkflow'), run: () => new Promise<never>(() => {}) };
  const call = callOperation(deaf, {}, contextOf({ signal: stop.signal }));

  stop.abort(new Error('gone'));

  await expect(call).rejects.toThrow('gone');
});

test('a call that was cancelled before it began does not begin', async () => {
  const witness = { started: 0, cancelled: 0 };
  const signal = AbortSignal.abort(new Error('gone'));

  await expect(
    callOperation(operationNamed('run_waitingWorkflow', witness), {}, contextOf({ signal })),
  ).rejects.toThrow('gone');
  expect(witness.started).toBe(0);
});

/** An operation whose index is there at the third look, and how often it was looked for. */
function makeIndexing() {
  const looks = { count: 0 };
  const run = async () => {
    looks.count += 1;
    if (looks.count > 2) return { text: 'found', json: {} };
    const progress = { done: looks.count * 30, total: 100, message: 'shop is being indexed' };
    throw new NotYet('not_indexed', 'shop has no index yet (indexing).', {
      fix: 'Repeat the call in a minute.',
      progress,
    });
  };
  return { looks, operation: { ...operationNamed('run_waitingWorkflow'), run } };
}

test('a call waits for an index that is being made when its client is told how far that is', async () => {
  const { looks, operation } = makeIndexing();
  const reports: [number, number, string][] = [];

  const result = await callOperation(
    operation,
    {},
    contextOf({ waits: true, progress: (...step) => reports.push(step) }),
  );

  expect(result.text).toBe('found');
  expect(looks.count).toBe(3);
  expect(reports).toEqual([
    [30, 100, 'shop is being indexed'],
    [60, 100, 'shop is being indexed'],
  ]);
});

test.each([
  ['a client that is told nothing', {}],
  ['a call without time for it', { waits: true, limitMs: 5_000 }],
])('%s is refused at once, with what to do', async (_, more) => {
  const { looks, operation } = makeIndexing();

  await expect(callOperation(operation, {}, contextOf(more))).rejects.toMatchObject({
    code: 'not_indexed',
    fix: 'Repeat the call in a minute.',
  });
  expect(looks.count).toBe(1);
});

test('a call that waits for an index is cancelled at once', async () => {
  const { operation } = makeIndexing();
  const stop = new AbortController();

  const call = callOperation(
    operation,
    {},
    contextOf({ waits: true, signal: stop.signal, progress: () => stop.abort(new Error('gone')) }),
  );

  await expect(call).rejects.toThrow('gone');
});

test('an answer about a repository is counted with the state of its index', async () => {
  const counted: (string | undefined)[] = [];
  const operation = {
    ...operationNamed('echo-tool'),
    run: async () => ({ text: '', json: { index: { state: 'behind' } } }),
  };
  const countCall: NonNullable<Parameters<typeof countedCall>[2]['countCall']> = ({ freshness }) =>
    void counted.push(freshness);

  await countedCall(operation, { action: 'say' }, { ...contextOf(), countCall });
  await countedCall(operationNamed('echo-tool'), { action: 'say' }, { ...contextOf(), countCall });

  expect(counted).toEqual(['behind', undefined]);
});

test('a call is counted by how it ended, with the action only when it is one of the operation', async () => {
  const counted: string[] = [];
  const stop = new AbortController();
  const count = (name: string, given: object, scopes: CallRequest['caller']['scopes'] = ['read', 'decisions:write']) =>
    countedCall(operationNamed(name), given, {
      ...contextOf({ caller: { ...caller, scopes }, signal: stop.signal }),
      countCall: ({ operation, action, outcome }) => void counted.push(`${operation} ${action} ${outcome}`),
    }).catch(() => {});

  await count('echo-tool', { action: 'shout' });
  await count('echo-tool', { action: 'made up' });
  await count('failing-tool', { how: 'expected' });
  await count('failing-tool', { how: 'expected' }, ['read']);
  await count('failing-tool', { how: 'bug' });
  const waiting = count('run_waitingWorkflow', {});
  stop.abort();
  await waiting;

  expect(counted).toEqual([
    'echo-tool shout ok',
    'echo-tool  bad_argument',
    'failing-tool  unknown_repo',
    'failing-tool  scope_denied',
    'failing-tool  internal',
    'run_waitingWorkflow  cancelled',
  ]);
});

test('a call that takes long is in the log, with its request id and how it ended', async () => {
  const lines: object[] = [];
  const log = { warn: (line: object) => void lines.push(line) } as unknown as Pick<Logger, 'warn'>;
  const context = { ...contextOf(), log, requestId: 'r-1' };

  await countedCall(operationNamed('echo-tool'), { action: 'say', q: 'hi' }, context);
  await countedCall(operationNamed('echo-tool'), { action: 'say', q: 'hi' }, { ...context, slowSeconds: 0 });

  expect(lines).toEqual([
    { request_id: 'r-1', operation: 'echo-tool', action: 'say', outcome: 'ok', seconds: expect.any(Number) },
  ]);
});
