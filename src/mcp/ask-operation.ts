import type { AskOperation } from '../platform/operation/operation.ts';
import { countedCall } from './call.ts';
import type { ToolTable } from './server.ts';

/** Budget of operations that set no limit of their own: pages are for people, who do not count tokens. */
const MAX_TOKENS = 20_000;

/**
 * Makes the function by which pages call operations: those that MCP clients call, counted as their calls are, so that both find
 * the same.
 */
export function askOperations({ byName, tools, serving }: ToolTable): AskOperation {
  const budgets = new Map(tools.map(({ name, inputSchema }) => [name, mostTokens(inputSchema)]));
  return async (name, args, { caller, signal }) => {
    const operation = byName.get(name);
    if (operation === undefined) throw new Error(`There is no ${name}.`);
    const given = { ...args, max_tokens: budgets.get(name) ?? MAX_TOKENS, format: 'json' };
    return (await countedCall(operation, given, { ...serving, caller, signal, progress: () => {} })).json;
  };
}

/** The most tokens that an operation takes, as its schema says. */
function mostTokens({ properties = {} }: ToolTable['tools'][number]['inputSchema']): number | undefined {
  const { maximum } = (properties['max_tokens'] ?? {}) as { maximum?: unknown };
  return typeof maximum === 'number' ? Math.min(maximum, MAX_TOKENS) : undefined;
}
