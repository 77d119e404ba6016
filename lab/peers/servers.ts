import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { join } from 'node:path';
import { changelogEntries, type ChangelogRow } from '../eval/answers-commits.ts';
import { deadCodeBy, readPages, usagesBy } from '../eval/answers.ts';
import { startService } from '../service-child.ts';
import type { PeerAnswers, Use } from './answers.ts';
import type { Installed, Subject } from './run.ts';

/** Most time of one answer of a language server, of which the first starts it. */
const ANSWER_LIMIT_MS = 5 * 60_000;

/** The installed svc as a service of its own, asked over REST. */
export async function svcAnswers({ tree }: Subject, { program }: Installed): Promise<PeerAnswers> {
  const service = await startService(tree, [program]);
  const ask = <Row>(tool: string, call: Record<string, unknown>): Promise<Row[]> =>
    readPages((args) => service.owner('POST', `/v1/tools/${tool}`, args), call);
  return {
    usages: async (input) => {
      const { refs } = await usagesBy((call) => ask('code-tool', call), input);
      return refs.map(([path, line]) => ({ path, line }));
    },
    deadCode: async () => deadCodeBy((call) => ask('code-tool', call)),
    changelog: async (from, to) =>
      changelogEntries(await ask<ChangelogRow>('commit-tool', { action: 'changelog', since: from, until: to })),
    close: () => service.stop(),
  };
}

/** Serena over MCP, with its files in a folder of its own. Lines in its answers begin at 0. */
export async function serenaAnswers({ tree }: Subject, { program, folder }: Installed): Promise<PeerAnswers> {
  const home = join(folder, 'home');
  const client = new Client({ name: 'bench', version: '1.0.0' });
  const transport = new StdioClientTransport({
    command: program,
    args: 'start-mcp-server --agent-interface tools --context ide --enable-web-dashboard false --project'
      .split(' ')
      .concat(tree),
    env: { ...(process.env as Record<string, string>), HOME: home, SERENA_HOME: join(home, '.serena') },
    stderr: 'ignore',
  });
  await client.connect(transport, { timeout: ANSWER_LIMIT_MS });
  return {
    usages: async ({ qual = '', path = '' }) => {
      const symbol = { name_path: qual.replaceAll('.', '/'), relative_path: path };
      const answer = await client.callTool(
        { name: 'find_referencing_symbols', arguments: symbol },
        { timeout: ANSWER_LIMIT_MS },
      );
      const [first] = answer.content as { text?: string }[];
      return usesIn(first?.text ?? '');
    },
    close: () => client.close(),
  };
}

/** Uses in an answer: objects by file and kind, each with the line marked by `>`. A refusal has none. */
function usesIn(text: string): Use[] {
  if (!text.startsWith('{')) return [];
  const files = JSON.parse(text) as Record<string, Record<string, { content_around_reference?: string }[]>>;
  return Object.entries(files).flatMap(([path, kinds]) =>
    Object.values(kinds)
      .flat()
      .map(({ content_around_reference: around = '' }) => {
        const line = /^ *> *(\d+):/m.exec(around)?.[1];
        return line === undefined ? { path } : { path, line: Number(line) + 1 };
      }),
  );
}
