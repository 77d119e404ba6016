import type { Command } from 'commander';
import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { createKey, listKeys } from './key.ts';
import { readPrivateFile, writePrivateFile } from '../platform/private-files.ts';
import type { ArtifactCommandTools } from './commands-artifacts.ts';
import type { Client } from './client.ts';

/** The API key of the bridge, in the data folder: it is one client for the usage of keys, however often it starts. */
const KEY_FILE = 'mcp-key.json';
const KEY_NAME = 'svc mcp';

/** `svc mcp`. */
export function addMcpCommand<Flags extends { dataDir?: string }>(
  program: Command,
  { context, common, withClient }: ArtifactCommandTools<Flags>,
): void {
  common(program.command('mcp'))
    .description('Serve MCP on standard input and output, for clients that can only start programs')
    .action((flags: Flags) =>
      withClient(flags, { work: true }, async (client) => {
        const { bridge } = await import('./mcp-bridge.ts');
        const key = client.isLogin
          ? undefined
          : await ownKey(client, client.dataDir ?? context.dataPlaces(flags.dataDir).dataDir);
        const { stdin } = process;
        context.stop.addEventListener('abort', () => stdin.destroy(), { once: true });
        const request: Client['request'] = (path, given) =>
          client.request(path, {
            ...given,
            headers: { ...given.headers, ...(key !== undefined && { authorization: `Bearer ${key}` }) },
          });
        try {
          await bridge({ request, input: stdin, output: context.out, err: context.err, stop: context.stop });
        } catch (error) {
          if (!context.stop.aborted) throw error;
        }
      }),
    );
}

/** The key of a former start while it works, else a new one. MCP is for keys: the owner's token does not open it. */
async function ownKey(client: Client, dataDir: string): Promise<string> {
  const path = join(dataDir, KEY_FILE);
  const storedKey = readKey(path);
  const isThere = (await listKeys(client)).some(({ id, status }) => id === storedKey?.id && status !== 'expired');
  if (storedKey !== undefined && isThere) {
    const answer = await client.request('/v1/repositories', {
      method: 'GET',
      headers: { authorization: `Bearer ${storedKey.key}` },
    });
    await answer.text();
    // It may have been given another value meanwhile.
    if (answer.ok) return storedKey.key;
  }
  const { id, key } = await createKey(client, { name: KEY_NAME });
  writePrivateFile(`${path}.${process.pid}`, `${JSON.stringify({ id, key })}\n`);
  renameSync(`${path}.${process.pid}`, path);
  return key;
}

function readKey(path: string): { id: string; key: string } | undefined {
  try {
    const { id, key } = JSON.parse(readPrivateFile(path).text ?? '{}') as { id?: unknown; key?: unknown };
    return typeof id === 'string' && typeof key === 'string' ? { id, key } : undefined;
  } catch {
    return undefined;
  }
}
