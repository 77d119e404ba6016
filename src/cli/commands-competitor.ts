import type { Command } from 'commander';
import { ServiceError } from '../kernel/errors.ts';
import { visible } from '../kernel/visible.ts';
import { ownCommand } from './own-command.ts';
import type { Client } from './client.ts';
import { addDigestCommand } from './commands-digest.ts';
import type { PlanCommandTools } from './commands-plan.ts';
import { table } from './table.ts';

/** Pages of one call: the service checks no more at a time. */
const PAGES_OF_A_CHECK = 10;
const NAME_CHARACTERS = 80;
/** A domain, or the address of a front page: its pages are looked for. */
const SITE = /^(?:https?:\/\/\S+|[\w-]+(?:\.[\w-]+)+)$/i;

interface PageJson {
  id: string;
  competitor: string;
  url: string;
  kind: string;
  every_minutes: number;
  status: string;
  detail: string;
  last_checked: string | null;
}

interface CompetitorJson {
  id: string;
  name: string;
  domain: string;
  pages: PageJson[];
}

interface CheckJson {
  url: string;
  status: string;
  detail: string;
  change: string | null;
  next_allowed_at: string;
}

interface AddFlags {
  page?: string[];
  name?: string;
  every?: string;
  browser?: true;
}

/** `svc competitor add|list|check|digest|remove`. */
export function addCompetitorCommands<Flags extends object>(competitor: Command, tools: PlanCommandTools<Flags>): void {
  const { common, withClient, withClientToAdd, show } = tools;
  addCheckCommand(competitor, tools);
  addDigestCommand(competitor, tools);
  common(competitor.command('add'))
    .argument('<name>', 'name of the competitor, or the domain or front page of its site')
    .option(
      '--page <url...>',
      'pages to watch; default for a domain: its pages about prices, changes, docs, jobs and terms',
    )
    .option('--every <minutes>', 'minutes between two checks; default: 1440')
    .option('--browser', 'read the pages after a browser ran their scripts (needs SVC_CHROMIUM)')
    .description('Watch pages of a competitor and read them once; pages that are watched already stay as they are')
    .action((name: string, flags: Flags & AddFlags) =>
      withClientToAdd(flags, async (client) => {
        const added = await client.send<CompetitorJson>('POST', '/v1/competitors', {
          name: (URL.parse(name)?.host || name).slice(0, NAME_CHARACTERS),
          ...(SITE.test(name) && { domain: name }),
          ...(flags.page !== undefined && { pages: flags.page.map((url) => ({ url })) }),
          ...(flags.every !== undefined && { every_minutes: minutesOf(flags.every) }),
          ...(flags.browser === true && { render: 'browser' }),
        });
        const unread = added.pages.filter(({ status }) => status === 'waiting').map(({ id }) => id);
        await checkUrls(client, unread);
        const read = await client.send<CompetitorJson>('GET', `/v1/competitors/${added.id}`);
        show(flags, read, () => pageTable([read]));
      }),
    );
  common(competitor.command('list'))
    .description('List competitors with their watched pages')
    .action((flags: Flags) =>
      withClient(flags, async (client) => {
        const { competitors } = await client.send<{ competitors: CompetitorJson[] }>('GET', '/v1/competitors');
        show(flags, { competitors }, () => pageTable(competitors));
      }),
    );
  common(competitor.command('remove'))
    .argument('<competitor>', 'name or id')
    .option('--page <url>', 'only this page')
    .description('Remove a competitor, or one of its pages, and everything stored about it')
    .action((name: string, flags: Flags & { page?: string }) =>
      withClient(flags, async (client) => {
        const target = await client.send<CompetitorJson>('GET', `/v1/competitors/${encodeURIComponent(name)}`);
        if (flags.page === undefined) {
          await client.send('DELETE', `/v1/competitors/${target.id}`);
          show(flags, { id: target.id, name: target.name, removed: true }, () => `Removed ${visible(target.name)}.`);
          return;
        }
        const page = pageOf(target, flags.page);
        await client.send('DELETE', `/v1/competitor-pages/${page.id}`);
        show(flags, { id: page.id, url: page.url, removed: true }, () => `No longer watched: ${visible(page.url)}`);
      }),
    );
}

function addCheckCommand<Flags extends object>(
  competitor: Command,
  { common, withClient, show }: PlanCommandTools<Flags>,
): void {
  common(competitor.command('check'))
    .argument('[competitor]', 'name or id; default: all')
    .description('Check watched pages now')
    .action((name: string | undefined, flags: Flags) =>
      withClient(flags, async (client) => {
        const { competitors } = await client.send<{ competitors: CompetitorJson[] }>('GET', '/v1/competitors');
        const meant =
          name === undefined
            ? competitors
            : [await client.send<CompetitorJson>('GET', `/v1/competitors/${encodeURIComponent(name)}`)];
        const ids = meant.flatMap(({ pages }) => pages.map(({ id }) => id));
        const checks = await checkUrls(client, ids);
        show(flags, { checks }, () => checkTable(checks));
      }),
    );
}

/** Checks pages by id or address, as many at a time as the service takes. */
async function checkUrls(client: Client, all: readonly string[]): Promise<CheckJson[]> {
  const checks: CheckJson[] = [];
  for (let at = 0; at < all.length; at += PAGES_OF_A_CHECK) {
    const pages = all.slice(at, at + PAGES_OF_A_CHECK);
    checks.push(...(await client.send<{ checks: CheckJson[] }>('POST', '/v1/competitor-checks', { pages })).checks);
  }
  return checks;
}

function pageOf({ name, pages }: CompetitorJson, url: string): PageJson {
  const match = pages.find((page) => page.url === url || page.url === URL.parse(url)?.href);
  if (match !== undefined) return match;
  throw new ServiceError('unknown_id', `${name} has no watched page ${url}.`, {
    fix: `See: ${ownCommand('competitor list')}`,
  });
}

function minutesOf(text: string): number {
  if (/^\d{1,6}$/.test(text)) return Number(text);
  throw new ServiceError('bad_argument', `"${text}" is not a number of minutes.`, { fix: 'Write it as --every 1440.' });
}

function pageTable(competitors: readonly CompetitorJson[]): string {
  if (competitors.length === 0)
    return `No competitor is watched. Add one with: ${ownCommand('competitor add <domain>')}`;
  const rows = competitors.flatMap(({ name, pages }) =>
    pages.length === 0
      ? [[name, '-', '-', '-', '-']]
      : pages.map(({ url, kind, status, last_checked: checked }) => [
          name,
          url,
          kind,
          status,
          checked?.slice(0, 16) ?? '-',
        ]),
  );
  return table(['COMPETITOR', 'PAGE', 'KIND', 'STATUS', 'CHECKED'], rows);
}

function checkTable(checks: readonly CheckJson[]): string {
  if (checks.length === 0) return 'Nothing was checked.';
  return table(
    ['STATUS', 'PAGE', 'WHAT'],
    checks.map(({ status, url, detail }) => [status, url, detail]),
  );
}
