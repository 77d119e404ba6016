import { Option, type Command } from 'commander';
import { visible } from '../kernel/visible.ts';
import { ownCommand } from './own-command.ts';
import type { Client, ClientNeeds } from './client.ts';
import type { CommandContext } from './command.ts';
import type { PlanCommandTools } from './commands-plan.ts';
import { EXIT } from './respond.ts';
import type { SyncReport } from './sync.ts';
import { table } from './table.ts';

/** Dependencies of the commands of this file. */
export interface ArtifactCommandTools<Flags> extends Pick<
  PlanCommandTools<Flags>,
  'common' | 'show' | 'repositoryHere'
> {
  context: CommandContext;
  withClient: (flags: Flags, needs: ClientNeeds, act: (client: Client) => Promise<void>) => Promise<void>;
  exit: (code: number) => void;
}

interface SyncFlags {
  repo?: string;
  full?: boolean;
}

const READS: ClientNeeds = {};
const NO_AGENTS = { written: [], links: [] };
/** Interval of checking a watched service for changes. */
const WATCH_MS = 5_000;

/** `svc init`, `svc sync`, `svc status`. */
export function addArtifactCommands<Flags>(program: Command, tools: ArtifactCommandTools<Flags>): void {
  const { common, exit, context, show, withClient } = tools;
  common(program.command('init'))
    .description('Set up .svc/ in this checkout and fill it')
    .option('--agents', 'list commands for agents in AGENTS.md, and in CLAUDE.md and the like if they exist')
    .option('--repo <name>', 'the repository of the service that this checkout is; default: found by its address')
    .action((flags: Flags & SyncFlags & { agents?: boolean }) =>
      withClient(flags, READS, async (client) => {
        const report = await syncHere(context, client, { ...flags, check: false });
        const { writeAgentsBlock } = await import('./agents-block.ts');
        const { written: agents, links } = flags.agents === true ? writeAgentsBlock(report.root) : NO_AGENTS;
        show(flags, { ...reportJson(report), agents, agents_links: links }, () =>
          [
            reportText(report),
            ...agents.map((name) => `wrote what agents should know to ${name}`),
            ...links.map((name) => `left ${name} alone: it is a symbolic link`),
          ].join('\n'),
        );
      }),
    );
  common(program.command('sync'))
    .description('Bring .svc/ in this checkout up to date with the service')
    .option('--repo <name>', 'the repository of the service that this checkout is; default: as before')
    .option('--full', 'the whole graph, not only the most relevant 8,000 tokens')
    .addOption(new Option('--check', 'change nothing; the exit code is 3 when .svc/ is behind').conflicts('watch'))
    .option('--watch', 'go on until Ctrl+C')
    .action((flags: Flags & SyncFlags & { check?: boolean; watch?: boolean }) =>
      withClient(flags, READS, async (client) => {
        const once = async (): Promise<SyncReport> =>
          syncHere(context, client, { ...flags, check: flags.check === true });
        const report = await once();
        show(flags, reportJson(report), () => reportText(report));
        if (report.behind) exit(EXIT.behind);
        if (flags.watch === true)
          await watch(context, once, (next) => show(flags, reportJson(next), () => reportText(next)));
      }),
    );
  common(program.command('status'))
    .description('Say which service and repository this checkout has, and whether .svc/ is up to date')
    .action(async (flags: Flags) => {
      const { readStatus, statusText } = await import('./status.ts');
      const status = await readStatus(context, (act) => withClient(flags, READS, act));
      show(flags, status, () => statusText(status));
    });
}

/** Syncs the checkout around the current folder. */
export async function syncHere(
  { cwd, configDir }: Pick<CommandContext, 'cwd' | 'configDir'>,
  client: Client,
  { repo, full, check }: SyncFlags & { check: boolean },
): Promise<SyncReport> {
  const [{ syncArtifacts }, { checkoutOf }] = await Promise.all([import('./sync.ts'), import('./artifact-folder.ts')]);
  const root = checkoutOf(cwd);
  const findRepo = async (): Promise<string | undefined> =>
    (await import('./find-repo.ts')).repositoryHere(client, { folder: root, configDir, repo, isNeeded: true });
  return syncArtifacts(client, { root, repo, findRepo, full, check, configDir, now: () => new Date() });
}

/** Reads the service again and again, and prints what changed. A service that does not answer for a while is reported once. */
async function watch(
  { stop, err }: CommandContext,
  once: () => Promise<SyncReport>,
  changed: (report: SyncReport) => void,
): Promise<void> {
  let isAway = false;
  while (!stop.aborted) {
    await waitFor(WATCH_MS, stop);
    if (stop.aborted) return;
    try {
      const report = await once();
      if (isAway) err('The service answers again.\n');
      isAway = false;
      if (report.written.length + report.removed.length > 0) changed(report);
    } catch (error) {
      if (!isAway) err(`${visible(error instanceof Error ? error.message : String(error))} Trying again.\n`);
      isAway = true;
    }
  }
}

function waitFor(ms: number, stop: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    stop.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true });
  });
}

function reportJson({ root: _root, ...report }: SyncReport): Omit<SyncReport, 'root'> {
  return report;
}

function reportText(report: SyncReport): string {
  const { folder, repo, commit, behind, written, removed, retained, files } = report;
  const from = repo === null ? 'no indexed repository' : visible(`${repo}@${(commit ?? '').slice(0, 7)}`);
  if (behind) {
    const names = [...written, ...removed].map(visible).join(', ');
    return `${folder} is behind ${from}${names === '' ? '' : `: ${names}`}. Bring it up to date with: ${ownCommand('sync')}`;
  }
  if (written.length + removed.length + retained.length === 0) return `${folder} is up to date with ${from}.`;
  const rows = files.map(({ path, bytes, tokens }) => [
    path,
    String(tokens),
    String(bytes),
    written.includes(path) ? 'written' : '',
  ]);
  return [
    `${folder} is up to date with ${from}:`,
    table(['FILE', 'TOKENS', 'BYTES', ''], rows),
    ...removed.map((path) => `removed ${visible(path)}`),
    ...retained.map((path) => `left ${visible(path)} alone: the service no longer has it, but it was changed here`),
  ].join('\n');
}
