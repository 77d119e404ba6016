import { expect, test } from 'vitest';
import { z } from 'zod';
import { ServiceError } from '../kernel/errors.ts';
import { defineOperation } from '../platform/operation/operation.ts';
import { readArguments } from './arguments.ts';

const operation = defineOperation({
  name: 'code-tool',
  description: '',
  annotations: { readOnlyHint: true, openWorldHint: false },
  scope: 'read',
  input: z.object({
    action: z.enum(['search_symbols', 'usages', 'grep']),
    query: z.string().min(1).optional(),
    kind: z.array(z.string()).optional(),
    name: z.string().optional(),
    limit: z.int().min(1).max(100).default(20),
    exact: z.boolean().optional(),
    tests: z.enum(['include', 'exclude']).optional(),
  }),
  aliases: { query: ['q', 'symbol', 'name'], limit: ['max_results'] },
  synonyms: {
    action: {
      references: { action: 'usages' },
      callers: { action: 'usages', kind: ['call'] },
      map: { action: 'overview' },
    },
    tests: { false: { tests: 'exclude' } },
  },
  run: async () => ({ text: '', json: {} }),
});

function readRefusal(given: unknown): string {
  try {
    readArguments(operation, given);
  } catch (error) {
    if (error instanceof ServiceError) return `${error.code}: ${error.message} | ${error.fix}`;
    throw error;
  }
  return 'accepted';
}

test('other spellings are rewritten before validation and defaults are filled in', () => {
  const read = readArguments(operation, { action: 'usages', q: 'sendMail', max_results: 5 });

  expect(read).toEqual({ args: { action: 'usages', query: 'sendMail', limit: 5 }, notes: [] });
});

test('the canonical spelling wins, and an alias that is an argument itself stays what it is', () => {
  const read = readArguments(operation, { action: 'usages', query: 'a', symbol: 'b', name: 'c' });

  expect(read.args).toEqual({ action: 'usages', query: 'a', name: 'c', limit: 20 });
  expect(read.notes).toEqual(['ignored unknown argument: symbol']);
});

test.each([
  [{ limit: '50' }, { limit: 50 }],
  [{ limit: ' 50 ' }, { limit: 50 }],
  [{ kind: 'class' }, { kind: ['class'] }],
  [{ kind: 'class, method' }, { kind: ['class', 'method'] }],
  [{ kind: '["class","method"]' }, { kind: ['class', 'method'] }],
  [{ kind: 'one, as a sentence' }, { kind: ['one, as a sentence'] }],
  [{ exact: 'true' }, { exact: true }],
  [{ query: 1234 }, { query: '1234' }],
  [{ query: ['sendMail'] }, { query: 'sendMail' }],
  [{ tests: false }, { tests: 'exclude' }],
  [{ tests: 'False' }, { tests: 'exclude' }],
  [{ tests: 'Exclude' }, { tests: 'exclude' }],
  [{ maxResults: 3 }, { limit: 3 }],
  [{ 'max-results': 3 }, { limit: 3 }],
])('%j is read as it is meant', (given, meant) => {
  const { args, notes } = readArguments(operation, { action: 'usages', ...given });

  expect(args).toEqual({ action: 'usages', limit: 20, ...meant });
  expect(notes).toEqual([]);
});

test.each(['callers', 'Callers', ' CALLERS'])('the action %j is another word, which a note tells', (action) => {
  expect(readArguments(operation, { action, query: 'x' })).toEqual({
    args: { action: 'usages', kind: ['call'], query: 'x', limit: 20 },
    notes: [`action ${JSON.stringify(action)} was read as action="usages" kind=["call"]`],
  });
});

test('what the client says itself goes before what a word implies', () => {
  expect(readArguments(operation, { action: 'callers', kind: ['read'] }).args).toMatchObject({
    action: 'usages',
    kind: ['read'],
  });
});

test('an action of another operation is named with the call of it', () => {
  const history = defineOperation({
    ...operation,
    name: 'commit-tool',
    input: z.object({ action: z.enum(['show', 'changelog']), query: z.string().optional() }),
    synonyms: { action: { release_notes: { action: 'changelog' } } },
  });
  const callWith = (action: string) => () =>
    readArguments(operation, { action, query: 'v1', limit: 3 }, [operation, history]);

  expect(callWith('changelog')).toThrow('"changelog" is no action of code-tool, but of commit-tool');
  expect(callWith('release_notes')).toThrow(
    expect.objectContaining({ fix: 'commit-tool changelog query="v1" limit=3' }),
  );
  expect(callWith('nothing')).toThrow('is not one of search_symbols, usages, grep');
});

test('null counts as absent', () => {
  expect(readArguments(operation, { action: 'grep', query: null, symbol: 'x' }).args).toEqual({
    action: 'grep',
    query: 'x',
    limit: 20,
  });
});

test('unknown keys are noted by name, a few and cut, and never reach the operation', () => {
  const given = JSON.parse(
    `{"action":"grep","__proto__":{"limit":9},"constructor":1,"${'x'.repeat(60)}":1,"c":1,"d":1,"e":1}`,
  );

  const read = readArguments(operation, given);

  expect(read.args).toEqual({ action: 'grep', limit: 20 });
  expect(read.notes).toEqual([`ignored unknown arguments: __proto__, constructor, ${'x'.repeat(40)}, c, d and 1 more`]);
});

test.each([
  [{}, 'bad_argument: action is missing: one of search_symbols, usages, grep | code-tool search_symbols'],
  [undefined, 'bad_argument: action is missing: one of search_symbols, usages, grep | code-tool search_symbols'],
  ['usages', 'bad_argument: The arguments must be an object. | code-tool search_symbols'],
  [[1], 'bad_argument: The arguments must be an object. | code-tool search_symbols'],
  [
    { action: 'usage', query: 'x' },
    'bad_argument: action "usage" is not one of search_symbols, usages, grep | code-tool usages query="x"',
  ],
  [{ action: 'usages', limit: 500 }, 'bad_argument: limit must be at most 100, not 500 | code-tool usages limit=100'],
  [{ action: 'usages', limit: 0 }, 'bad_argument: limit must be at least 1, not 0 | code-tool usages limit=1'],
  [{ action: 'usages', limit: 'few' }, 'bad_argument: limit must be a number, not "few" | code-tool usages limit=20'],
  [{ action: 'usages', limit: '500' }, 'bad_argument: limit must be at most 100, not 500 | code-tool usages limit=100'],
  [{ action: 'usages', limit: 2.5 }, 'bad_argument: limit must be an integer, not 2.5 | code-tool usages limit=3'],
  [
    { action: 'usages', kind: '["class"' },
    'bad_argument: kind must be an array, not "[\\"class\\"" | code-tool usages kind=["[\\"class\\""]',
  ],
  [
    { action: 'usages', exact: 'maybe' },
    'bad_argument: exact must be a boolean, not "maybe" | code-tool usages exact=true',
  ],
  [
    { action: 'map' },
    'bad_argument: action "map" is not one of search_symbols, usages, grep | code-tool search_symbols',
  ],
  [
    { action: 'usages', query: '' },
    'bad_argument: query must be at least 1 character, not 0 | code-tool usages query="<query>"',
  ],
  [
    { action: 'usages', kind: ['a', {}] },
    'bad_argument: kind.1 must be a string, not {} | code-tool usages kind=["a","<kind>"]',
  ],
])('%j is refused with the call that would be accepted', (given, answer) => {
  expect(readRefusal(given)).toBe(answer);
});
