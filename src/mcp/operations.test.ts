import { expect, test } from 'vitest';
import { codeTool } from '../code/code-tool.ts';
import { commitTool } from '../commits/commit-tool.ts';
import { recordDecisionTool } from '../decisions/record-decision-tool.ts';
import { specExportTool } from '../plans/export/spec-export-tool.ts';
import { documentSearchTool } from '../search/document-search-tool.ts';
import { searchTool } from '../search/search-tool.ts';
import { operations } from './operations.ts';
import { describeTool } from './tool-schema.ts';

/** Nothing is called here, so the tools need nothing to work with. */
const nothing = {} as Parameters<typeof codeTool>[0];
const noSearch = {} as Parameters<typeof searchTool>[0];
const noPlans = {} as Parameters<typeof specExportTool>[0];

const offered = operations({
  codeTool: codeTool(nothing),
  commitTool: commitTool(nothing),
  searchTool: searchTool(noSearch),
  documentSearchTool: documentSearchTool(noSearch),
  specExportTool: specExportTool(noPlans, {} as Parameters<typeof specExportTool>[1]),
  recordDecisionTool: recordDecisionTool(noPlans, String),
});

test('clients are offered exactly these tools', () => {
  expect(offered.map(({ name }) => name)).toEqual([
    'code-tool',
    'commit-tool',
    'search-tool',
    'document-search-tool',
    'spec-export-tool',
    'record-decision-tool',
  ]);
});

test('what clients see of the tools changes only on purpose', async () => {
  const list = JSON.stringify(offered.map(describeTool), undefined, 1);

  await expect(`${list}\n`).toMatchFileSnapshot('tools.snap');
});

test('every alias belongs to an argument, and every read-only tool needs no more than read', () => {
  for (const { aliases, input, annotations, scope } of offered) {
    expect(Object.keys(input.shape)).toEqual(expect.arrayContaining(Object.keys(aliases)));
    expect(annotations.readOnlyHint).toBe(scope === 'read');
  }
});
