import { type AgentTools, Tools } from '../agents/gather/tools.ts';
import type { CallContext } from '../platform/operation/operation.ts';

/** Symbols that a search is told to have looked at. */
const SEARCHED = 100;

/** The tools of an agent whose calls `answer` answers with rows, and what was asked for. */
export function scriptedTools(answer: (name: string, args: Readonly<Record<string, unknown>>) => readonly object[]): {
  tools: Tools;
  asked: { name: string; args: Readonly<Record<string, unknown>> }[];
} {
  const asked: { name: string; args: Readonly<Record<string, unknown>> }[] = [];
  const parts: AgentTools = {
    ask: async (name, args) => {
      asked.push({ name, args });
      const rows = answer(name, args);
      return { repo: 'shop', total: rows.length, searched: SEARCHED, rows };
    },
    offered: () => [
      'code-tool',
      'commit-tool',
      'search-tool',
      'document-search-tool',
      'competitor-tool',
      'entity-analysis-tool',
    ],
    budget: { left: async () => 0, record: async () => undefined },
    onFault: () => undefined,
  };
  const caller: CallContext['caller'] = { accountId: 'a', productId: 'p', keyId: 'k', scopes: ['read'] };
  const context = { caller, signal: new AbortController().signal, now: () => new Date(), progress: () => undefined };
  return { tools: new Tools(parts, context, 'shop'), asked };
}
