import { bugAnalysisTool } from '../../src/agents/bugs/bug-analysis-tool.ts';
import { commitTool } from '../../src/commits/commit-tool.ts';
import { codeTool } from '../../src/code/code-tool.ts';
import type { Indexes } from '../../src/indexes/indexes.ts';
import type { AskOperation } from '../../src/platform/operation/operation.ts';

/** The most that the tool gives. */
const MOST_SUSPECTS = 20;

interface Suspect {
  path: string;
  score: number;
  places: { symbol: string; lines: [number, number] }[];
}

/** Where the tool looks for the fault that a report tells of. The places of likely files come first. */
export async function localiseAnswer(
  parts: Indexes,
  { title = '', body = '' }: { title?: string; body?: string },
): Promise<Record<string, unknown>> {
  const tool = bugAnalysisTool({ indexes: parts, tools: { ask: askTools(parts) } });
  const args = tool.input.parse({ report: `${title}\n\n${body}`, top_k: MOST_SUSPECTS, max_tokens: 20_000 });
  const caller = { accountId: 'eval', productId: 'eval', keyId: 'eval', scopes: ['read' as const] };
  const scope = { caller, now: () => new Date(), signal: new AbortController().signal, progress: () => undefined };
  const { suspects = [] } = (await tool.run(scope, args)).json as { suspects?: Suspect[] };
  const functions = suspects.flatMap(({ path, score, places }) =>
    places.map(({ symbol, lines: [line] }, at) => ({ path, name: symbol, line, worth: score / (at + 1) })),
  );
  return {
    files: suspects.map(({ path }) => path),
    functions: functions
      .toSorted((a, b) => b.worth - a.worth)
      .map(({ path, name, line }) => ({ path, name: name.replaceAll('/', '.'), line })),
  };
}

function askTools(parts: Indexes): AskOperation {
  const tools = [codeTool(parts), commitTool(parts)];
  return async (name, wanted, { caller, signal }) => {
    const tool = tools.find((one) => one.name === name);
    if (tool === undefined) throw new Error(`There is no ${name}.`);
    const args = tool.input.parse({ ...wanted, max_tokens: 20_000, format: 'json' });
    return (await tool.run({ caller, signal, now: () => new Date(), progress: () => undefined }, args)).json;
  };
}
