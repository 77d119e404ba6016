import { ensureFirstAccount } from '../../src/accounts/accounts.ts';
import { bugWorkflow } from '../../src/answers/bugs/analyse.ts';
import { bugAnalysisTool } from '../../src/answers/bugs/bug-analysis-tool.ts';
import { Runs } from '../../src/answers/runs/runs.ts';
import { codeTool } from '../../src/code/code-tool.ts';
import { commitTool } from '../../src/commits/commit-tool.ts';
import { FileFacts } from '../../src/commits/commits.ts';
import type { Indexes } from '../../src/indexes/indexes.ts';
import type { Database } from '../../src/platform/db.ts';
import { openEmbedded } from '../../src/platform/embedded/embedded.ts';
import { createLog } from '../../src/platform/log.ts';
import { migrate } from '../../src/platform/migrate.ts';
import type { AskOperation, Caller } from '../../src/platform/operation/operation.ts';

/** The most functions, and files, that the tool gives. */
const MOST_SUSPECTS = 20;

interface Suspect {
  path: string;
  /** '' for a file. */
  symbol: string;
  lines: [number, number];
}

const now = (): Date => new Date();

/** Bug reports, analysed through the tool: runs are stored in a database that is opened with the first of them. */
export class BugCases {
  #opened: Promise<{ database: Database; caller: Caller }> | undefined;

  /** Locates the fault that a report describes, with the tool. */
  async answer(
    indexes: Indexes,
    { title = '', body = '' }: { title?: string; body?: string },
  ): Promise<Record<string, unknown>> {
    const { database, caller } = await (this.#opened ??= open());
    const runs = new Runs({ db: database.db, now, log: createLog('silent') });
    runs.define(bugWorkflow({ indexes, ask: askTools(indexes), facts: new FileFacts(indexes) }));
    const tool = bugAnalysisTool({ indexes, runs });
    const args = tool.input.parse({ report: `${title}\n\n${body}`, top_k: MOST_SUSPECTS, max_tokens: 20_000 });
    const context = { caller, now, signal: new AbortController().signal, progress: () => undefined };
    const { suspects = [] } = (await tool.run(context, args)).json as { suspects?: Suspect[] };
    return {
      files: suspects.filter(({ symbol }) => symbol === '').map(({ path }) => path),
      functions: suspects
        .filter(({ symbol }) => symbol !== '')
        .map(({ path, symbol, lines: [line] }) => ({ path, name: symbol.replaceAll('/', '.'), line })),
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await (await this.#opened)?.database.close();
  }
}

async function open(): Promise<{ database: Database; caller: Caller }> {
  const database = await openEmbedded();
  await migrate(database.db);
  const { accountId, productId } = await ensureFirstAccount(database.db, new Date());
  return { database, caller: { accountId, productId, keyId: 'eval', scopes: ['read'] } };
}

function askTools(parts: Indexes): AskOperation {
  const tools = [codeTool(parts), commitTool(parts)];
  return async (name, input, { caller, signal }) => {
    const tool = tools.find((operation) => operation.name === name);
    if (tool === undefined) throw new Error(`There is no ${name}.`);
    const args = tool.input.parse({ ...input, max_tokens: 20_000, format: 'json' });
    return (await tool.run({ caller, signal, now, progress: () => undefined }, args)).json;
  };
}
