import { Command, Option } from 'commander';
import type { Config, ConfigFlags } from '../platform/config.ts';
import { type Client, type ClientNeeds, connect } from './client.ts';
import type { CommandContext, ServiceParts } from './command.ts';
import { addDocumentCommands, addSignalCommands } from './commands-knowledge.ts';
import { addDecisionCommands, addPlanCommands, type PlanCommandTools } from './commands-plan.ts';
import { addCompetitorCommands } from './commands-competitor.ts';
import { addArtifactCommands, type ArtifactCommandTools } from './commands-artifacts.ts';
import { addMcpCommand } from './commands-mcp.ts';
import { addLoginCommands } from './commands-login.ts';
import { addLayerCommands } from './commands-layers.ts';
import { addQueueCommands } from './commands-queue.ts';
import { addKeyLimitCommand, addQuotasCommand } from './commands-quotas.ts';
import { addOrganizationCommands } from './commands-organization.ts';
import { addPlanSendCommand } from './commands-plan-send.ts';
import { addWorkItemCommands } from './commands-work-item.ts';
import { addAskCommand } from './commands-ask.ts';
import { addBackupCommands } from './commands-backup.ts';
import { addBugCommand } from './commands-bug.ts';
import { addHistoryCommands } from './commands-history.ts';
import { addIndexCommand } from './commands-index.ts';
import { addOperationCommands } from './operation-commands.ts';
import { createLoginLink, loginLinkText } from './login-link.ts';
import { createKey, deleteKey, endGrace, keyLimits, keyTable, limitsText, listKeys, regenerateKey } from './key.ts';
import {
  addRepository,
  describeRepository,
  findRepository,
  listRepositories,
  type RepositoryJson,
  describeWebhook,
  repositoryTable,
  waitForIndex,
} from './repo.ts';
import { EXIT } from './respond.ts';
import { addScipCommands } from './commands-scip.ts';
import { ownCommand } from './own-command.ts';
import { sourceOf } from './source.ts';

/** Flags that every command takes; they win over the environment. */
interface CommonFlags {
  dataDir?: string;
  json?: boolean;
}

interface ServeFlags extends CommonFlags {
  host?: string;
  port?: string;
  baseUrl?: string;
}

/**
 * The command line of `svc`. The exit code of a command that ran without failing is given to `exit`. What only one command
 * needs is loaded by it: most commands ask a service that runs, and are done in a tenth of a second.
 */
export function buildProgram(context: CommandContext, exit: (code: number) => void): Command {
  const program = new Command('svc')
    .description('Product intelligence for coding agents: code, history and knowledge over MCP.')
    .version(context.version)
    .exitOverride()
    .configureOutput({ writeOut: context.out, writeErr: context.err })
    .showHelpAfterError(`(${ownCommand('--help')} lists the commands)`);
  addServiceCommands(program, context, exit);
  const repo = group(program, 'repo', 'Manage indexed repositories');
  addRepositoryCommands(repo, context, exit);
  addWebhookCommand(repo, context);
  const key = group(program, 'key', 'Manage API keys');
  addKeyCommands(key, context);
  const tools: PlanCommandTools<CommonFlags> = {
    cwd: context.cwd,
    common,
    withClient: (flags, act) => withClient(context, flags, {}, act),
    withClientToAdd: (flags, act) => withClient(context, flags, { creates: true }, act),
    show: (flags, document, prose) => show(context, flags, document, prose),
    repositoryHere: async (client, given) =>
      (await import('./find-repo.ts')).repositoryHere(client, {
        folder: context.cwd,
        configDir: context.configDir,
        ...given,
      }),
  };
  addKeyLimitCommand(key, tools);
  addOrganizationCommands(repo, tools);
  addQueueCommands(repo, tools);
  const plan = group(program, 'plan', 'Manage the plans of the product');
  addPlanCommands(plan, tools);
  addPlanSendCommand(plan, tools);
  addWorkItemCommands(group(program, 'work-item', 'List and report on work items'), tools);
  addLayerCommands(group(program, 'layers', 'Manage the layers of a repository'), tools);
  addDecisionCommands(group(program, 'decision', 'Manage the decisions of the product'), tools);
  addDocumentCommands(group(program, 'doc', 'Manage the documents of the product'), tools);
  addSignalCommands(group(program, 'signal', 'Manage signals: what customers say'), tools);
  addCompetitorCommands(group(program, 'competitor', 'Watch what competitors publish'), tools);
  for (const add of [addOperationCommands, addAskCommand, addBugCommand, addQuotasCommand]) add(program, tools);
  addIndexCommand(program, {
    ...tools,
    context,
    exit,
    withClient: (flags: CommonFlags, needs, act) => withClient(context, flags, needs, act),
  });
  const artifactTools: ArtifactCommandTools<CommonFlags> = {
    ...tools,
    context,
    exit,
    withClient: (flags, needs, act) => withClient(context, flags, needs, act),
  };
  addHistoryCommands(program, artifactTools);
  addArtifactCommands(program, artifactTools);
  addMcpCommand(program, artifactTools);
  addLoginCommands(program, { ...tools, context });
  addBackupCommands(program, { ...artifactTools, configOf: (flags, backupDir) => configOf(context, flags, backupDir) });
  addScipCommands(group(program, 'scip', 'Manage SCIP indexes from compilers and language servers'), tools);
  addCompletionCommand(program, context);
  return program;
}

function addCompletionCommand(program: Command, context: CommandContext): void {
  program
    .command('completion')
    .argument('<shell>', 'bash, zsh or fish')
    .description('Print the script that makes a shell complete commands and options')
    .action(async (shell: string) => {
      const { completionScript } = await import('./completion.ts');
      context.out(completionScript(program, shell));
    });
}

function addServiceCommands(program: Command, context: CommandContext, exit: (code: number) => void): void {
  const run = async (flags: CommonFlags, parts: ServiceParts): Promise<void> => {
    const { serve } = await import('./serve.ts');
    await serve(context, await configOf(context, flags), {
      parts,
      started: (url) =>
        show(context, flags, { url: url ?? null }, () =>
          url === undefined ? 'The worker is running.' : `Listening on ${url}`,
        ),
    });
  };
  common(program.command('up'))
    .argument('[repositories...]', 'paths or URLs to index; default: the current folder')
    .description('Serve with everything embedded, index repositories, print a key and how to connect')
    .option('--host <address>', 'address to listen on')
    .option('--port <port>', 'port to listen on')
    .option('--base-url <url>', 'address at which clients reach the service')
    .action(async (repositories: string[], flags: ServeFlags) => {
      const { up, welcomeText } = await import('./serve.ts');
      const sources = (repositories.length === 0 ? ['.'] : repositories).map((source) => sourceOf(source, context.cwd));
      await up(context, await configOf(context, flags), {
        sources,
        started: (welcome) => show(context, flags, welcome, () => welcomeText(welcome)),
        showFirstCalls: (text) => flags.json !== true && context.out(text),
      });
    });
  common(program.command('serve'))
    .description('Serve MCP and REST, and run jobs unless --no-work is given')
    .option('--host <address>', 'address to listen on')
    .option('--port <port>', 'port to listen on')
    .option('--base-url <url>', 'address at which clients reach the service')
    .option('--no-work', 'leave jobs to separate worker processes')
    .action((flags: ServeFlags & { work: boolean }) => run(flags, { serve: true, work: flags.work }));
  common(program.command('worker'))
    .description('Run jobs only; needs DATABASE_URL')
    .action((flags: CommonFlags) => run(flags, { serve: false, work: true }));
  common(program.command('login-link'))
    .description('Print a new link that signs the owner in to the web application once, within 15 minutes')
    .action((flags: CommonFlags) =>
      withClient(context, flags, {}, async (client) => {
        const link = await createLoginLink(client);
        show(context, flags, link, () => loginLinkText(link));
      }),
    );
  common(program.command('doctor'))
    .description('Print every setting with its value, source and meaning, and check what the service needs')
    .action(async (flags: CommonFlags) => {
      const { doctor, doctorText } = await import('./doctor.ts');
      const { problems, ...report } = await doctor(await configOf(context, flags));
      show(context, flags, report, () => doctorText(report));
      if (problems > 0) exit(EXIT.error);
    });
}

function addRepositoryCommands(repo: Command, context: CommandContext, exit: (code: number) => void): void {
  const finish = async (
    client: Client,
    chosen: RepositoryJson,
    flags: CommonFlags & { wait?: boolean },
  ): Promise<void> => {
    const repository = flags.wait === true ? await waitForIndex(context, client, chosen.id) : chosen;
    show(context, flags, repository, () => describeRepository(repository));
    if (repository.status === 'failed') exit(EXIT.error);
  };
  common(repo.command('add'))
    .argument('<path-or-url>', 'a folder in a git checkout, or an https, ssh or file URL')
    .description('Add a repository and index it')
    .option('--name <name>', 'name of the repository; default: the last part of the path or URL')
    .option('--ref <ref>', 'commit, tag or branch to follow; default: the default branch')
    .option('--wait', 'wait until it is indexed')
    .action((source: string, flags: CommonFlags & { name?: string; ref?: string; wait?: boolean }) =>
      withClient(context, flags, { work: flags.wait === true, creates: true }, async (client) =>
        finish(client, await addRepository(client, sourceOf(source, context.cwd), flags), flags),
      ),
    );
  common(repo.command('list'))
    .argument('[words]', 'part of a name or address')
    .description('List repositories')
    .addOption(new Option('--status <status>').choices(['pending', 'indexing', 'ready', 'failed']))
    .action((words: string | undefined, flags: CommonFlags & { status?: string }) =>
      withClient(context, flags, {}, async (client) => {
        const { status } = flags;
        const filter = { ...(words !== undefined && { query: words }), ...(status !== undefined && { status }) };
        const repositories = await listRepositories(client, filter);
        show(context, flags, { repositories }, () => repositoryTable(repositories, Date.now()));
      }),
    );
  common(repo.command('index'))
    .argument('<repository>', 'name or id')
    .description('Index again what has changed')
    .option('--wait', 'wait until it is indexed')
    .option('--first', 'before all that wait')
    .action((name: string, flags: CommonFlags & { wait?: boolean; first?: boolean }) =>
      withClient(context, flags, { work: flags.wait === true }, async (client) => {
        const { id } = await findRepository(client, name);
        const query = flags.first === true ? '?first=true' : '';
        await finish(client, await client.send('POST', `/v1/repositories/${id}/index${query}`), flags);
      }),
    );
  common(repo.command('remove'))
    .argument('<repository>', 'name or id')
    .description('Remove a repository and everything derived from it')
    .action((name: string, flags: CommonFlags) =>
      withClient(context, flags, {}, async (client) => {
        const { id, name: removed } = await findRepository(client, name);
        await client.send('DELETE', `/v1/repositories/${id}`);
        show(context, flags, { id, name: removed, removed: true }, () => `Removed ${removed}.`);
      }),
    );
}

function addWebhookCommand(repo: Command, context: CommandContext): void {
  common(repo.command('webhook'))
    .argument('<repository>', 'name or id')
    .description('Make the webhook by which GitHub, GitLab or Gitea reports pushes; its secret is shown only once')
    .option('--remove', 'refuse what its host reports from now on')
    .action((name: string, flags: CommonFlags & { remove?: boolean }) =>
      withClient(context, flags, { work: false }, async (client) => {
        const repository = await findRepository(client, name);
        const path = `/v1/repositories/${repository.id}/webhook`;
        if (flags.remove === true) {
          await client.send('DELETE', path);
          return show(
            context,
            flags,
            { id: repository.id, removed: true },
            () => `Removed the webhook of ${repository.name}.`,
          );
        }
        const made = await client.send<{ url: string; secret: string }>('PUT', path);
        return show(context, flags, made, () => describeWebhook(made));
      }),
    );
}

function addKeyCommands(key: Command, context: CommandContext): void {
  common(key.command('create'))
    .description('Create an API key; it is shown only once')
    .requiredOption('--name <name>', 'what the key is for, 1 to 80 characters')
    .option('--expires <when>', 'a date (2027-01-31) or a span (30d); default: never')
    .option(
      '--scopes <scopes>',
      'read, decisions:write, plans:write, scrape, keys:write, separated by commas; default: all but keys:write',
    )
    .action((flags: CommonFlags & { name: string; expires?: string; scopes?: string }) =>
      withClient(context, flags, { creates: true }, async (client) => {
        const made = await createKey(client, flags);
        show(context, flags, made, () => `${made.key}\nShown only once. Name: ${made.name}, id: ${made.id}`);
      }),
    );
  common(key.command('list'))
    .description('List API keys')
    .action((flags: CommonFlags) =>
      withClient(context, flags, {}, async (client) => {
        const keys = await listKeys(client);
        show(context, flags, { keys }, () => keyTable(keys));
      }),
    );
  common(key.command('regenerate'))
    .argument('<key>', 'name or id')
    .description('Give a key a new value; the old one stops working at once, or after a grace period')
    .option('--grace <period>', 'how long the old value goes on working: none, 1h, 24h or 7d', 'none')
    .action((name: string, flags: CommonFlags & { grace: string }) =>
      withClient(context, flags, {}, async (client) => {
        const made = await regenerateKey(client, name, flags.grace);
        const end = made.grace_ends_at;
        const old = end === null ? 'The old value no longer works.' : `The old value works until ${end}.`;
        show(context, flags, made, () => `${made.key}\nShown only once. ${old}`);
      }),
    );
  common(key.command('end-grace'))
    .argument('<key>', 'name or id')
    .description('End the grace period of a regenerated key: its old value stops working at once')
    .action((name: string, flags: CommonFlags) =>
      withClient(context, flags, {}, async (client) => {
        const { id, name: ended, grace_ends_at: planned } = await endGrace(client, name);
        const text = planned === null ? `${ended} has no grace period.` : `The old value of ${ended} no longer works.`;
        show(context, flags, { id, name: ended, ended: planned !== null }, () => text);
      }),
    );
  common(key.command('delete'))
    .argument('<key>', 'name or id')
    .description('Delete a key for good')
    .action((name: string, flags: CommonFlags) =>
      withClient(context, flags, {}, async (client) => {
        const { id, name: deleted } = await deleteKey(client, name);
        show(context, flags, { id, name: deleted, deleted: true }, () => `Deleted ${deleted}.`);
      }),
    );
  addLimitsCommand(key, context);
}

function addLimitsCommand(key: Command, context: CommandContext): void {
  common(key.command('limits'))
    .description('Show or change how many API keys the account, one person and one product may have')
    .option('--account <count>', 'of the account, 1 to 1000')
    .option('--per-person <count>', 'of one person, 1 to 1000')
    .option('--per-product <count>', 'of one product, 1 to 1000')
    .action((flags: CommonFlags & { account?: string; perPerson?: string; perProduct?: string }) =>
      withClient(context, flags, { work: false }, async (client) => {
        const limits = await keyLimits(client, flags);
        show(context, flags, limits, () => limitsText(limits));
      }),
    );
}

function group(program: Command, name: string, description: string): Command {
  return program.command(name).description(description).exitOverride();
}

function common(command: Command): Command {
  return command
    .addOption(new Option('--data-dir <folder>', 'data folder'))
    .option('--json', 'one JSON document on standard output');
}

function configOf(context: CommandContext, flags: ServeFlags, backupDir?: string): Promise<Config> {
  const { dataDir, host, port, baseUrl } = flags;
  return context.readConfig({ dataDir, host, port, baseUrl, backupDir } satisfies ConfigFlags);
}

async function withClient(
  context: CommandContext,
  flags: CommonFlags,
  needs: ClientNeeds,
  act: (client: Client) => Promise<void>,
): Promise<void> {
  const places = {
    ...context.dataPlaces(flags.dataDir),
    isExplicit: flags.dataDir !== undefined,
    config: () => configOf(context, flags),
  };
  const client = await connect(context, places, needs);
  try {
    context.err(`(${client.where})\n`);
    await act(client);
  } finally {
    await client.close();
  }
}

/** One document for programs, or prose for people. */
function show(context: CommandContext, flags: CommonFlags, document: unknown, prose: () => string): void {
  context.out(`${flags.json === true ? JSON.stringify(document) : prose()}\n`);
}
