import type { Command } from 'commander';
import { describeAge } from '../kernel/freshness.ts';
import { ownCommand } from './own-command.ts';
import type { PlanCommandTools } from './commands-plan.ts';
import { table } from './table.ts';

/** Fields that the commands read of `/v1/jobs`. */
interface JobsJson {
  paused_since: string | null;
  running: number;
  waiting: number;
  jobs: {
    job: string;
    repository: string | null;
    state: string;
    sent_at: string;
    started_at: string | null;
    failures: number;
    first: boolean;
  }[];
}

/** `svc repo queue|pause|resume`. */
export function addQueueCommands<Flags>(repo: Command, { common, withClient, show }: PlanCommandTools<Flags>): void {
  common(repo.command('queue'))
    .description('List the work that waits or runs, in its order')
    .option('--limit <count>', 'most rows', '50')
    .action(({ limit, ...flags }: Flags & { limit: string }) =>
      withClient(flags as Flags, async (client) => {
        const queue = await client.send<JobsJson>('GET', `/v1/jobs?limit=${encodeURIComponent(limit)}`);
        show(flags as Flags, queue, () => queueText(queue, Date.now()));
      }),
    );
  common(repo.command('pause'))
    .description('Neither fetch nor index the repositories of the product until they are resumed; runs that go on end')
    .action((flags: Flags) =>
      withClient(flags, async (client) => {
        await client.send('POST', '/v1/indexing/pause');
        show(flags, { paused: true }, () => 'Fetching and indexing are paused.');
      }),
    );
  common(repo.command('resume'))
    .description('Fetch and index the repositories of the product again')
    .action((flags: Flags) =>
      withClient(flags, async (client) => {
        await client.send('DELETE', '/v1/indexing/pause');
        show(flags, { paused: false }, () => 'Fetching and indexing go on.');
      }),
    );
}

function queueText({ paused_since: since, running, waiting, jobs }: JobsJson, now: number): string {
  const pause =
    since === null ? '' : `, paused for ${describeAge(now - Date.parse(since))} (${ownCommand('repo resume')})`;
  const counts = `${running} running, ${waiting} waiting${pause}`;
  if (jobs.length === 0) return counts;
  const rows = jobs.map(({ job, repository, state, sent_at: sent, started_at: started, failures, first }) => [
    job,
    repository ?? '',
    first ? `${state}, first` : state,
    describeAge(now - Date.parse(started ?? sent)),
    failures === 0 ? '' : `failed ${failures} times, is tried again`,
  ]);
  return `${counts}\n${table(['work', 'repository', 'state', 'for', ''], rows)}`;
}
