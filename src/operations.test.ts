import { expect, test } from 'vitest';
import { describeTool } from './mcp/tool-schema.ts';
import { type OperationParts, OPERATIONS } from './operations.ts';

/** Nothing is called here, so the operations need nothing to work with. */
const offered = OPERATIONS.map((build) => build({} as OperationParts));

test('what clients see of the tools, and in which order, changes only on purpose', async () => {
  const list = JSON.stringify(offered.map(describeTool), undefined, 1);

  await expect(`${list}\n`).toMatchFileSnapshot('tools.snap');
});

test('every alias belongs to an argument, and every read-only tool needs no more than read', () => {
  for (const { aliases, input, annotations, scope } of offered) {
    expect(Object.keys(input.shape)).toEqual(expect.arrayContaining(Object.keys(aliases)));
    // A tool that changes something may have actions that only read.
    expect(!annotations.readOnlyHint || scope === 'read').toBe(true);
  }
});
