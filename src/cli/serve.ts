import type { Config } from '../platform/config.ts';
import { clientEntries } from './client-entries.ts';
import type { Client } from './client.ts';
import type { CommandScope, OpenService, ServiceParts } from './command.ts';
import { createKey, listKeys } from './key.ts';
import { addRepository, describeRepository, listRepositories, type RepositoryJson, waitForIndex } from './repo.ts';

const FIRST_KEY_NAME = 'first key';

/** Runs parts of the service until it is asked to stop. */
export async function serve(scope: CommandScope, config: Config, parts: ServiceParts): Promise<void> {
  const service = await scope.openService(config, parts);
  scope.err(service.url === undefined ? 'The worker runs.\n' : `Listening on ${service.url}\n`);
  await untilStopped(scope, service);
}

/**
 * Runs everything in one process, makes sure that there is a key and that each source is indexed, and tells how to
 * connect. A second start keeps data and key, and indexes what changed.
 */
export async function up(
  scope: CommandScope,
  config: Config,
  { sources, client }: { sources: readonly string[]; client: (service: OpenService) => Client },
): Promise<void> {
  const service = await scope.openService(config, { serve: true, work: true });
  try {
    const own = client(service);
    const repositories = await ensureRepositories(own, sources);
    const key = await ensureKey(own);
    scope.out(welcome({ scope, config, url: service.url ?? config.baseUrl, key }));
    for (const { id } of repositories) {
      const repository = await Promise.race([waitForIndex(scope, own, id), scope.stopRequested]);
      if (typeof repository === 'string') break;
      scope.out(`${describeRepository(repository)}\n`);
    }
  } catch (error) {
    await service.close();
    throw error;
  }
  await untilStopped(scope, service);
}

async function untilStopped(scope: CommandScope, service: OpenService): Promise<void> {
  const why = await scope.stopRequested;
  scope.err(`\nStopping (${why}): finishing what runs.\n`);
  await service.close();
}

/** Adds what is not there yet and asks for a new index of what is. */
async function ensureRepositories(client: Client, sources: readonly string[]): Promise<RepositoryJson[]> {
  const known = await listRepositories(client);
  const wanted: RepositoryJson[] = [];
  for (const source of sources) {
    const found = known.find((one) => one.url === source);
    wanted.push(
      found === undefined
        ? await addRepository(client, source, {})
        : await client.send<RepositoryJson>('POST', `/v1/repositories/${found.id}/index`),
    );
  }
  return wanted;
}

/** The first key, made once; undefined when there is one already, since no key can be shown twice. */
async function ensureKey(client: Client): Promise<string | undefined> {
  if ((await listKeys(client)).length > 0) return undefined;
  return (await createKey(client, { name: FIRST_KEY_NAME })).key;
}

function welcome(facts: { scope: CommandScope; config: Config; url: string; key: string | undefined }): string {
  const { scope, config, url, key } = facts;
  const database = config.databaseUrl === undefined ? 'embedded PostgreSQL' : 'PostgreSQL server';
  const lines = [`svc ${scope.version} · ${url} · data in ${config.dataDir} · ${database}`, ''];
  if (key === undefined) {
    lines.push('The API key of the first start is still good (svc_****). Another one: svc key create --name <name>');
    lines.push(`MCP endpoint: ${url}/v1/mcp/sse`, '');
    return `${lines.join('\n')}\n`;
  }
  lines.push('API key, shown this once:', `  ${key}`, '');
  for (const entry of clientEntries(url, key)) {
    lines.push(entry.file === '' ? entry.client : `${entry.client} (${entry.file})`, `  ${entry.text}`);
  }
  lines.push('', 'Try first:', `  curl -N -H "Authorization: Bearer ${key}" ${url}/v1/mcp/sse`);
  lines.push(
    `  curl -s -H "X-API-Key: ${key}" ${url}/v1/tools/code-tool -d '{"action":"search_symbols","query":"main"}'`,
  );
  lines.push('Then ask your client: "Where is <a symbol of yours> used?"', '');
  return `${lines.join('\n')}\n`;
}
