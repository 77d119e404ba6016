import type { AnyOperation } from '../platform/operation/operation.ts';

/**
 * The operations a client can call, in the order of `tools/list`. The one place that lists them: a new operation is a file in its slice and a
 * line here.
 */
export function operations(offered: {
  codeTool: AnyOperation;
  commitTool: AnyOperation;
  searchTool: AnyOperation;
  documentSearchTool: AnyOperation;
  specExportTool: AnyOperation;
  recordDecisionTool: AnyOperation;
}): AnyOperation[] {
  return [
    offered.codeTool,
    offered.commitTool,
    offered.searchTool,
    offered.documentSearchTool,
    offered.specExportTool,
    offered.recordDecisionTool,
  ];
}
