import { counted } from '../kernel/counted.ts';
import { existsSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import type { Command } from 'commander';
import { ServiceError } from '../kernel/errors.ts';
import { visible } from '../kernel/visible.ts';
import { decodeAnyText } from '../text/decode.ts';
import type { Client } from './client.ts';
import type { Standpoint } from './find-repo.ts';
import { makeFolder, readFolderFiles } from './folder-files.ts';
import { readPlanFiles } from './plan-files.ts';
import { table } from './table.ts';
import { ownCommand } from './own-command.ts';

/** Fields that the commands read of a plan, as `GET /v1/plans` gives it. */
interface PlanJson {
  slug: string;
  title: string;
  status: string;
  version: number;
  stale: { label: string } | null;
  items: { total: number; done: number };
}

/** Dependencies of the commands of this file: how a command finds the service, and how it answers. */
export interface PlanCommandTools<Flags> {
  cwd: string;
  /** Adds the flags that every command takes. */
  common: (command: Command) => Command;
  withClient: (flags: Flags, act: (client: Client) => Promise<void>) => Promise<void>;
  /** As `withClient`, for commands that add something: data is made where there is none. */
  withClientToAdd: (flags: Flags, act: (client: Client) => Promise<void>) => Promise<void>;
  show: (flags: Flags, document: unknown, prose: () => string) => void;
  /** The repository that the command is about; by default it is looked for from the current folder. */
  repositoryHere: RepositoryHere;
}

/** `repositoryHere` of `find-repo.ts` with what the context of all commands knows. */
type RepositoryHere = (
  client: Client,
  given: Pick<Standpoint, 'repo' | 'isNeeded'> & { folder?: string },
) => Promise<string | undefined>;

/** `svc plan add|list|accept`. */
export function addPlanCommands<Flags>(
  plan: Command,
  { cwd, common, withClient, withClientToAdd, show }: PlanCommandTools<Flags>,
): void {
  common(plan.command('add'))
    .argument('<files...>', 'Markdown files, or folders of changes; what was added before becomes a new version')
    .description('Save Markdown files as plans; the files of one change of spec-kit, OpenSpec or Kiro are one plan')
    .action((files: string[], flags: Flags) =>
      withClientToAdd(flags, async (client) => {
        const plans: { file: string; outcome: string; plan: PlanJson }[] = [];
        for (const { file, ...draft } of readPlanFiles(cwd, files)) {
          const saved = await client.send<{ outcome: string; plan: PlanJson }>('POST', '/v1/plans', draft);
          plans.push({ file, ...saved });
        }
        show(flags, { plans }, () =>
          plans.map(({ outcome, plan: saved }) => `${outcome} ${describePlan(saved)}`).join('\n'),
        );
      }),
    );
  common(plan.command('from-theme'))
    .argument('<theme>', 'id or label of a theme of signals')
    .description(
      'Draft a plan from a theme: its quotes, and the code that it is about; its customers are listed with it',
    )
    .action((theme: string, flags: Flags) =>
      withClient(flags, async (client) => {
        const saved = await client.send<{ outcome: string; plan: PlanJson }>('POST', '/v1/plans', { theme });
        show(flags, saved, () => `${saved.outcome} ${describePlan(saved.plan)}`);
      }),
    );
  common(plan.command('list'))
    .description('List plans, with how many of their anchors are unchanged')
    .action((flags: Flags) =>
      withClient(flags, async (client) => {
        const { plans } = await client.send<{ plans: PlanJson[] }>('GET', '/v1/plans');
        show(flags, { plans }, () => planTable(plans));
      }),
    );
  common(plan.command('accept'))
    .argument('<plan>', 'slug')
    .description('Accept the code as it is now, which moves the baseline of all anchors of the plan')
    .action((slug: string, flags: Flags) =>
      withClient(flags, async (client) => {
        const accepted = await client.send<PlanJson>('POST', `/v1/plans/${encodeURIComponent(slug)}/accept`);
        show(flags, accepted, () => `accepted ${describePlan(accepted)}`);
      }),
    );
}

/** `svc decision export`. */
export function addDecisionCommands<Flags>(
  decision: Command,
  { cwd, common, withClient, withClientToAdd, show }: PlanCommandTools<Flags>,
): void {
  common(decision.command('export'))
    .argument('<folder>', 'folder of decision records; files of the same name are replaced')
    .description('Write all decisions as Markdown files')
    .action((folder: string, flags: Flags) =>
      withClient(flags, async (client) => {
        const { files } = await client.send<{ files: { path: string; content: string }[] }>(
          'GET',
          '/v1/decisions/files',
        );
        const folderPath = resolve(cwd, folder);
        using target = makeFolder(cwd, folderPath);
        for (const { path, content } of files) target.write(basename(path), content);
        const paths = files.map(({ path }) => path);
        show(
          flags,
          { folder: folderPath, files: paths },
          () => `Wrote ${counted(paths.length, 'decision')} to ${folderPath}.`,
        );
      }),
    );
  common(decision.command('import'))
    .argument('<folder>', 'folder of decision records of adr-tools, MADR or log4brains')
    .description(
      'Take over the decision records of a folder that is in no indexed repository; again: keep them in step',
    )
    .action((folder: string, flags: Flags) =>
      withClientToAdd(flags, async (client) => {
        const { files, links } = recordsIn(resolve(cwd, folder));
        // A record that is a link now is not gone: nothing is removed for it.
        const given = { files, folder: nameOfFolder(resolve(cwd, folder)), is_whole: links.length === 0 };
        const taken = await client.send<TakenJson>('POST', '/v1/decisions/import', given);
        taken.failed.push(
          ...links.map((path) => ({ path, reason: 'it is a symbolic link, and svc follows none here' })),
        );
        show(flags, taken, () => describeTaken(taken));
      }),
    );
}

interface TakenJson {
  created: string[];
  updated: string[];
  unchanged: number;
  removed: string[];
  failed: { path: string; reason: string }[];
  unclear: { path: string; reason: string }[];
}

/** A folder by its place in its repository (`shop/docs/adr`), else by its whole path: two may have the same last names. */
export function nameOfFolder(folder: string): string {
  for (let root = folder; dirname(root) !== root; root = dirname(root)) {
    if (existsSync(join(root, '.git')))
      return [basename(root), ...relative(root, folder).split(sep)].filter(Boolean).join('/');
  }
  return folder.split(sep).filter(Boolean).join('/');
}

/** The Markdown files of a folder and those below it; templates, indexes and README files are about the folder. */
function recordsIn(folder: string): { files: { path: string; text: string }[]; links: string[] } {
  const { files, links } = readFolderFiles(
    folder,
    (path) => /\.(?:md|markdown)$/i.test(path) && !/(?:^|\/)(?:readme|index|[^/]*template)/i.test(path),
  );
  if (files.length > 0)
    return {
      files: files.map(({ name, bytes }) => ({ path: name, text: decodeAnyText(bytes, { path: name }) })),
      links,
    };
  const except = links.length === 0 ? '' : `, except links, which are not followed: ${links.join(', ')}`;
  throw new ServiceError('bad_argument', `${folder} holds no Markdown files${except}.`, {
    fix: 'Use the folder of the decision records.',
  });
}

function describeTaken({ created, updated, unchanged, removed, failed, unclear }: TakenJson): string {
  const counts = `${created.length} new, ${updated.length} changed, ${unchanged} unchanged, ${removed.length} removed`;
  const failureLines = failed.map(({ path, reason }) => visible(`left out: ${path}: ${reason}`));
  const doubtLines = unclear.map(({ path, reason }) => visible(`${path}: ${reason}`));
  return [`Decisions: ${counts}, ${failed.length} left out.`, ...failureLines, ...doubtLines].join('\n');
}

function describePlan({ slug, title, version, stale, items }: PlanJson): string {
  const state = stale === null ? 'no anchors in indexed code' : stale.label;
  return visible(`plan:${slug} ${title} · version ${version} · ${items.total} work items · ${state}`);
}

function planTable(plans: readonly PlanJson[]): string {
  if (plans.length === 0) return `There are no plans. Add one with: ${ownCommand('plan add <file.md>')}`;
  return table(
    ['PLAN', 'TITLE', 'STATUS', 'VERSION', 'DONE', 'STATE'],
    plans.map(({ slug, title, status, version, items, stale }) => [
      slug,
      title,
      status,
      String(version),
      `${items.done}/${items.total}`,
      stale?.label ?? '-',
    ]),
  );
}
