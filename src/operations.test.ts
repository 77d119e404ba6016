import { expect, test } from 'vitest';
import { z } from 'zod';
import { ServiceError } from './kernel/errors.ts';
import { readArguments } from './mcp/arguments.ts';
import { describeTool } from './mcp/tool-schema.ts';
import { type OperationParts, OPERATIONS } from './operations.ts';

/** Nothing is called here, so the operations need nothing to work with. */
const offered = OPERATIONS.map((build) => build({} as OperationParts));

test('what clients see of the tools, and in which order, changes only on purpose', async () => {
  const published = offered.map((operation) => ({ ...describeTool(operation), commands: operation.commands }));
  const list = JSON.stringify(published, undefined, 1);

  await expect(`${list}\n`).toMatchFileSnapshot('cli/tools.json');
});

test('every action of a tool with commands has one, and what only reads is an action of a tool that also writes', () => {
  for (const { input, commands, annotations, readingActions = [] } of offered) {
    const { action } = input.shape;
    const actions = action instanceof z.ZodEnum ? action.options : [''];
    expect(commands === undefined ? actions : Object.keys(commands.actions)).toEqual(actions);
    expect(actions).toEqual(expect.arrayContaining([...readingActions]));
    expect(readingActions.length > 0 && annotations.readOnlyHint).toBe(false);
  }
});

test('every alias belongs to an argument, and every read-only tool needs no more than read', () => {
  for (const { aliases, input, annotations, scope } of offered) {
    expect(Object.keys(input.shape)).toEqual(expect.arrayContaining(Object.keys(aliases)));
    // A tool that changes something may have actions that only read.
    expect(!annotations.readOnlyHint || scope === 'read').toBe(true);
  }
});

/** A value that the schema accepts. */
function acceptedValue(schema: unknown): unknown {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) return acceptedValue(schema.unwrap());
  if (schema instanceof z.ZodEnum) return schema.options[0];
  if (schema instanceof z.ZodBoolean) return true;
  if (schema instanceof z.ZodNumber) return schema.minValue ?? 1;
  if (schema instanceof z.ZodArray) return [acceptedValue(schema.element)];
  if (schema instanceof z.ZodObject)
    return Object.fromEntries(Object.entries(schema.shape).map(([name, field]) => [name, acceptedValue(field)]));
  return 'words of a caller';
}

const FAULTY: unknown[] = [{}, { a: 1 }, [{}], [[1]], 'no such choice', 'x'.repeat(200_000), -7, 1e12, true, ''];

test.each(offered)('no fix of $name drops or changes an argument that was sent and is not at fault', (operation) => {
  const shape = Object.entries(operation.input.shape);
  const accepted = Object.fromEntries(shape.map(([name, schema]) => [name, acceptedValue(schema)]));
  let refused = 0;
  for (const [faulty] of shape) {
    for (const value of FAULTY) {
      const given = { ...accepted, [faulty]: value };
      const fix = fixOf(() => readArguments(operation, given, offered));
      if (fix === undefined) continue;
      refused++;
      for (const [name, sent] of Object.entries(given)) {
        const isShown = name === 'action' || fix.includes(` ${name}=`);
        const isSame = name === faulty || name === 'action' || fix.includes(` ${name}=${JSON.stringify(sent)}`);
        expect({ name, fix, isShown, isSame }).toEqual({ name, fix, isShown: true, isSame: true });
      }
    }
  }
  expect(refused).toBeGreaterThan(3);
});

function fixOf(read: () => unknown): string | undefined {
  try {
    read();
    return undefined;
  } catch (error) {
    if (error instanceof ServiceError) return error.fix;
    throw error;
  }
}

test('the rationale of a decision is its context', () => {
  const record = offered.find(({ name }) => name === 'record-decision-tool');

  expect(record && readArguments(record, { title: 'T', decision: 'D', rationale: 'R' })).toMatchObject({
    args: { context: 'R' },
    notes: [],
  });
});

test('options of a decision may be their names alone', () => {
  const record = offered.find(({ name }) => name === 'record-decision-tool');
  const read = (options: unknown) =>
    record && readArguments(record, { title: 'T', decision: 'D', options }).args['options'];

  expect(read(['a', 'b'])).toEqual([{ name: 'a' }, { name: 'b' }]);
  expect(read('["a", "b"]')).toEqual([{ name: 'a' }, { name: 'b' }]);
  expect(read('a')).toEqual([{ name: 'a' }]);
  expect(read([{ name: 'a', pros: 'fast' }, 'b'])).toEqual([{ name: 'a', pros: ['fast'] }, { name: 'b' }]);
});
