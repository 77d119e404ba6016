import { codeTool } from './code/code.ts';
import { commitTool } from './commits/commits.ts';
import { operations } from './mcp/operations.ts';
import type { AnyOperation } from './platform/operation.ts';
import type { ProductIndexes } from './service-indexes.ts';

/** Gives each operation what it works with. */
export function serviceOperations(indexes: ProductIndexes): AnyOperation[] {
  return operations({ codeTool: codeTool(indexes), commitTool: commitTool(indexes) });
}
