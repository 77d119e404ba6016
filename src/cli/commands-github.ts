import { type Command, Option } from 'commander';
import { ServiceError } from '../kernel/errors.ts';
import { isoDate } from '../kernel/time.ts';
import type { GitHubIssues } from '../signals/import/import.ts';
import type { PlanCommandTools } from './commands-plan.ts';
import { saveSignals } from './save-signals.ts';

const GITHUB_API = 'https://api.github.com';

interface GitHubFlags {
  state: GitHubIssues['state'];
  since?: string;
  token?: string;
  api: string;
}

/** `svc signal github`. */
export function addGitHubCommand<Flags extends object>(
  signal: Command,
  { common, withClientToAdd, show }: PlanCommandTools<Flags>,
): void {
  const github = common(signal.command('github'));
  github
    .argument('<repository>', 'owner/name')
    .description('Import the issues of a GitHub repository; importing again updates those that changed')
    .addOption(new Option('--state <state>', 'which issues').choices(['open', 'closed', 'all']).default('all'))
    .option('--since <date>', 'only issues that changed since this date')
    .addOption(new Option('--token <token>', 'needed for private repositories').env('GITHUB_TOKEN'))
    .option('--api <url>', 'address of the REST interface of your own GitHub server', GITHUB_API)
    .action((repository: string, flags: Flags & GitHubFlags) =>
      withClientToAdd(flags, async (client) => {
        const { importRecords, readGitHubIssues } = await import('../signals/import/import.ts');
        const done = { read: 0, pull_requests: 0, added: 0, updated: 0, unchanged: 0 };
        const query = { repository, api: flags.api, state: flags.state, token: flags.token, since: sinceOf(flags) };
        for await (const page of readGitHubIssues(query)) {
          if (page.length === 0) continue;
          const { signals, skipped } = importRecords(page, {});
          const { added, updated, unchanged } = await saveSignals(client, signals);
          done.read += page.length;
          done.pull_requests += skipped.length;
          done.added += added;
          done.updated += updated;
          done.unchanged += unchanged;
          github.configureOutput().writeErr?.(`${done.read} read\n`);
        }
        show(
          flags,
          done,
          () =>
            `${done.read} read, ${done.pull_requests} of them pull requests; ${done.added} added, ${done.updated} updated, ${done.unchanged} already existed.`,
        );
      }),
    );
}

/** @throws ServiceError `bad_argument` for text that is no date. */
function sinceOf({ since }: GitHubFlags): Date | undefined {
  const date = since === undefined ? undefined : isoDate(since);
  if (since === undefined || date !== undefined) return date;
  throw new ServiceError('bad_argument', `"${since}" is not a date.`, { fix: 'Write it as 2026-03-01.' });
}
