import { type AgentTools, Tools } from '../agents/gather/tools.ts';
import type { CallContext } from '../platform/operation/operation.ts';

/** Symbols that a search is told to have looked at. */
const SEARCHED = 100;

/** Rows of an answer, with the cursor of the next page where there is one. */
type Scripted = readonly object[] | { rows: readonly object[]; next?: string; [field: string]: unknown };

/** The tools of an agent whose calls `answer` answers with rows, and what was asked for. */
export function scriptedTools(answer: (name: string, args: Readonly<Record<string, unknown>>) => Scripted): {
  tools: Tools;
  asked: { name: string; args: Readonly<Record<string, unknown>> }[];
} {
  const asked: { name: string; args: Readonly<Record<string, unknown>> }[] = [];
  const parts: AgentTools = {
    ask: async (name, args) => {
      asked.push({ name, args });
      const answered = answer(name, args);
      const page = 'rows' in answered ? answered : { rows: answered };
      return { repo: 'shop', total: page.rows.length, searched: SEARCHED, ...page };
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
