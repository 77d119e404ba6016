import { awaitLater } from '../kernel/await-later.ts';
import { ServiceError } from '../kernel/errors.ts';
import { visible } from '../kernel/visible.ts';
import type { Config } from '../platform/config.ts';
import { clientEntries, compactText } from './client-entries.ts';
import { type Client, inProcess } from './client.ts';
import { findFirstQuestion, type FirstQuestion } from './first-question.ts';
import { type CommandContext, type OpenService, type ServiceParts, Stopped, untilStopped } from './command.ts';
import { createKey, listKeys } from './key.ts';
import { createLoginLink, loginLinkText } from './login-link.ts';
import { describeRepository, indexSource, type RepositoryJson, waitForIndex } from './repo.ts';
import { addSampleContent } from './sample-content.ts';
import { sourcePolicy } from '../repositories/source/source.ts';
import { checkSource } from './source.ts';
import { step } from './step.ts';
import { ensureWebBuild, isOutdated } from './web-build.ts';
import { checkPort } from '../platform/port.ts';
import { ownCommand } from './own-command.ts';

const FIRST_KEY_NAME = 'first key';

/** Runs parts of the service until it is asked to stop. `started` receives the address on which it listens. */
export async function serve(
  context: CommandContext,
  config: Config,
  { parts, started }: { parts: ServiceParts; started: (url: string | undefined) => void },
): Promise<void> {
  if (config.databaseUrl === undefined && !(parts.serve && parts.work)) {
    throw new ServiceError('bad_argument', 'Separate processes for serving and working need a PostgreSQL server.', {
      fix: `Set DATABASE_URL, or run both in one process: ${ownCommand('serve')}.`,
    });
  }
  if (parts.serve) await checkPorts(config);
  const service = await step(context, openingText(config), () => context.openService(config, parts));
  started(service.url);
  await runUntilStopped(context, service);
}

/** Output of `svc up` once it serves. `key` is null from the second start on: no key can be shown twice. */
interface Welcome {
  version: string;
  url: string;
  mcp_url: string;
  data_dir: string;
  database: 'embedded' | 'server';
  key: string | null;
  /** Names of the requested repositories, in their order. */
  repositories: string[];
  /** A one-time link into the web application: at the first start, like the key. */
  sign_in_url: string | null;
}

/**
 * Runs everything in one process, makes sure that there is a key and that each source is indexed, and prints how to connect. A
 * second start keeps data and key, and indexes what changed. Sources that cannot be used are refused before anything is made.
 */
export async function up(
  context: CommandContext,
  config: Config,
  {
    sources,
    started,
    showFirstCalls,
  }: { sources: readonly string[]; started: (welcome: Welcome) => void; showFirstCalls: (text: string) => void },
): Promise<void> {
  const checked = await Promise.all(sources.map((source) => checkSource(source, sourcePolicy(config))));
  await checkPorts(config);
  // The progress lines show what the log would, which is for programs.
  const isQuiet = config.logForm === 'text' && config.sources.logLevel === 'default';
  const service = await step(context, openingText(config), () =>
    context.openService(isQuiet ? { ...config, logLevel: 'warn' } : config, { serve: true, work: true }),
  );
  try {
    const built = awaitLater(buildWeb(context));
    const client = inProcess(service);
    const repositories = await ensureRepositories(client, checked);
    const url = service.url ?? config.baseUrl;
    const key = await ensureKey(client);
    const link = key === undefined ? undefined : await createLoginLink(client);
    await built;
    started({
      version: context.version,
      url,
      mcp_url: `${url}/v1/mcp/sse`,
      data_dir: config.dataDir,
      database: config.databaseUrl === undefined ? 'embedded' : 'server',
      key: key ?? null,
      repositories: repositories.map(({ name }) => name),
      sign_in_url: link?.url ?? null,
    });
    // Only with the first key: deleted samples do not come back, and no user's own data is mixed with them.
    if (key !== undefined) await addSamples(context, client, checked);
    for (const { id } of repositories) {
      context.err(`${describeRepository(await waitForIndex(context, client, id))}\n`);
    }
    if (key !== undefined) {
      const names = repositories.map(({ name }) => name);
      showFirstCalls(firstCallsText(key, url, await findFirstQuestion(client, names)));
    }
  } catch (error) {
    if (!(error instanceof Stopped)) {
      await service.close();
      throw error;
    }
  }
  await runUntilStopped(context, service);
}

async function addSamples(context: CommandContext, client: Client, sources: readonly string[]): Promise<void> {
  const added = await addSampleContent(client, { root: context.root, sources, now: new Date() });
  if (added === undefined) return;
  const { signals, decisions } = added;
  context.err(`Added ${signals} invented signals and ${decisions} decisions about this project, tagged "sample".\n`);
}

/** Tries the ports before anything is made or built. */
async function checkPorts({ host, port, adminHost, adminPort }: Config): Promise<void> {
  await checkPort({ host, port, variable: 'SVC_PORT' });
  if (adminPort > 0) await checkPort({ host: adminHost, port: adminPort, variable: 'SVC_ADMIN_PORT' });
}

function openingText({ databaseUrl, dataDir }: Config): string {
  return databaseUrl === undefined ? `Opening the database in ${dataDir}` : 'Opening the database on its server';
}

/** Builds the web application of a checkout when that is due; without it the rest works. */
async function buildWeb(context: CommandContext): Promise<void> {
  try {
    const text = 'Building the web application (the first time, and whenever its sources change)';
    if (isOutdated(context.root)) await step(context, text, () => ensureWebBuild(context.root));
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    context.err(`${error.message} ${error.fix}\n`);
  }
}

/** The welcome for people: the key and an entry for each client. */
export function welcomeText(welcome: Welcome): string {
  const { version, url, data_dir: dataDir, database, key } = welcome;
  const lines = [`svc ${version} · ${url} · data in ${dataDir} · ${DATABASES[database]}`, ''];
  if (key === null) {
    lines.push(
      `Earlier API keys still work (svc_****). Create another one with: ${ownCommand('key create --name <name>')}`,
    );
    lines.push(`Sign in at ${url}/, or get a new sign-in link with: ${ownCommand('login-link')}`);
    lines.push(`MCP endpoint: ${welcome.mcp_url}`, '');
    return lines.join('\n');
  }
  if (welcome.sign_in_url !== null) lines.push(loginLinkText({ url: welcome.sign_in_url }), '');
  lines.push('API key, shown only once:', `  ${key}`, '');
  for (const { client, place, text } of clientEntries(url, key))
    lines.push(`${client} (${place})`, `  ${compactText(text)}`);
  lines.push('');
  return lines.join('\n');
}

/** First calls to try, once the service works. */
function firstCallsText(key: string, url: string, question: FirstQuestion | undefined): string {
  const lines = ['', 'Try this first:', `  curl -N -H "Authorization: Bearer ${key}" ${url}/v1/mcp/sse`];
  if (question !== undefined) {
    const body = JSON.stringify(question).replaceAll("'", `'\\''`);
    lines.push(`  curl -s -H "X-API-Key: ${key}" ${url}/v1/tools/code-tool -d '${body}'`);
    lines.push(`Then ask your client: "Where is ${visible(question.symbol)} used?"`);
  }
  return [...lines, ''].join('\n');
}

const DATABASES = { embedded: 'embedded PostgreSQL', server: 'PostgreSQL server' } as const;

async function runUntilStopped(context: CommandContext, service: OpenService): Promise<void> {
  const why = await untilStopped(context.stop);
  context.err(`\nStopping (${why}): finishing running work.\n`);
  await service.close();
}

/** Adds the repositories that are missing and requests a new index of the others. */
async function ensureRepositories(client: Client, sources: readonly string[]): Promise<RepositoryJson[]> {
  const repositories: RepositoryJson[] = [];
  for (const source of sources) repositories.push(await indexSource(client, source));
  return repositories;
}

/** The first key, made once; undefined when there is one already, since no key can be shown twice. */
async function ensureKey(client: Client): Promise<string | undefined> {
  if ((await listKeys(client)).length > 0) return undefined;
  return (await createKey(client, { name: FIRST_KEY_NAME })).key;
}
