import type { Command } from 'commander';
import { ServiceError } from '../kernel/errors.ts';
import { ownCommand } from './own-command.ts';
import { visible } from '../kernel/visible.ts';
import type { PlanPreviewBody, SentIssuesBody, TrackerListBody } from '../trackers/trackers.ts';
import type { Client } from './client.ts';
import type { PlanCommandTools } from './commands-plan.ts';
import { table } from './table.ts';

/** Items of one request: each takes the tracker about a second. */
const BATCH = 10;

interface SendFlags {
  tracker?: string;
  items?: string;
  labels?: string;
  milestone?: string;
  parent?: string;
  yes?: boolean;
}

type Preview = PlanPreviewBody['items'][number];

/** `svc plan send`. */
export function addPlanSendCommand<Flags>(plan: Command, { common, withClient, show }: PlanCommandTools<Flags>): void {
  common(plan.command('send'))
    .argument('<plan>', 'slug')
    .description('Send open work items of a plan to its issue tracker; without --yes only show what would be sent')
    .option('--tracker <project>', 'which tracker, by its project, when several are connected: acme/shop')
    .option('--items <items>', 'only these: T1,wi:12; else all that have no issue yet')
    .option('--labels <labels>', 'labels for all of them, with commas between')
    .option('--milestone <id>', 'milestone for all of them, by its id in the tracker')
    .option('--parent <issue>', 'the issue below which they go, as the tracker calls it: #12, ENG-7')
    .option('--yes', 'send them')
    .action((slug: string, flags: Flags & SendFlags) =>
      withClient(flags, async (client) => {
        const tracker = await findTracker(client, flags.tracker);
        const query = new URLSearchParams({ tracker: tracker.id });
        const path = `/v1/plans/${encodeURIComponent(slug)}/issue-previews?${query.toString()}`;
        const { items } = await client.send<PlanPreviewBody>('GET', path);
        const selectedItems = selectItems(items, flags.items);
        if (flags.yes !== true) {
          show(flags, { tracker, items: selectedItems }, () =>
            describePreview(selectedItems, `${tracker.kind} ${tracker.project}`),
          );
          return;
        }
        const { labels, milestone, parent } = flags;
        const fields = {
          tracker: tracker.id,
          labels: labels?.split(',').map((label) => label.trim()),
          milestone,
          parent,
        };
        const results: SentIssuesBody['results'] = [];
        for (let at = 0; at < selectedItems.length; at += BATCH) {
          const batch = selectedItems.slice(at, at + BATCH).map(({ item, digest }) => ({ item, digest }));
          const sent = await client.send<SentIssuesBody>('POST', '/v1/issues', { ...fields, items: batch });
          results.push(...sent.results);
          if (sent.results.at(-1)?.fault != null) break;
        }
        show(flags, { tracker, results }, () => describeResults(results, selectedItems.length));
      }),
    );
}

/** @throws ServiceError `not_found` when there is none, `bad_argument` when it is not clear which. */
async function findTracker(client: Client, named: string | undefined): Promise<TrackerListBody['trackers'][number]> {
  const { trackers } = await client.send<TrackerListBody>('GET', '/v1/trackers');
  const fitting = trackers.filter(({ id, project }) => named === undefined || named === id || named === project);
  const [first, second] = fitting;
  if (first !== undefined && second === undefined) return first;
  const names = trackers.map(({ kind, project }) => `${kind} ${project}`).join(', ');
  if (first === undefined) {
    throw new ServiceError(
      'not_found',
      named === undefined ? 'No issue tracker is connected.' : `There is no tracker "${named}".`,
      {
        fix:
          names === '' ? 'Connect one in the web application under Settings, Integrations.' : `Use one of: ${names}.`,
      },
    );
  }
  throw new ServiceError('bad_argument', `Several issue trackers are connected: ${names}.`, {
    fix: 'Name the project of one with --tracker.',
  });
}

/** @throws ServiceError `unknown_id` for an item that the plan has not or that is over. */
function selectItems(items: readonly Preview[], named: string | undefined): Preview[] {
  if (named === undefined) return items.filter(({ existing }) => existing === null);
  return named.split(',').map((name) => {
    const match = items.find(({ item, key }) => [item, key].includes(name.trim()));
    if (match !== undefined) return match;
    throw new ServiceError('unknown_id', `The plan has no open work item "${name.trim()}".`, {
      fix: `See them with ${ownCommand('work-item list')}.`,
    });
  });
}

function describePreview(items: readonly Preview[], destination: string): string {
  if (items.length === 0) return `Nothing to send: all open work items have an issue in ${destination}.`;
  const parts = items.map(({ item, key, title, body }) => `${item} (${key}) ${visible(title)}\n\n${indent(body)}`);
  const count = `${items.length} ${items.length === 1 ? 'issue' : 'issues'}`;
  return `${parts.join('\n\n')}\n\n${count} would be made in ${destination}. Send them with --yes.`;
}

function describeResults(results: SentIssuesBody['results'], requestedCount: number): string {
  if (requestedCount === 0) return 'Nothing to send: all open work items have an issue there.';
  const made = results.filter(({ outcome }) => outcome !== null).length;
  const rows = results.map(({ item, key, outcome, issue, link_fault: linkFault, fault }) => [
    item,
    key,
    outcome ?? 'not sent',
    issue?.label ?? '',
    issue?.url ?? fault ?? '',
    linkFault ?? '',
  ]);
  const unsentNote =
    made === requestedCount
      ? ''
      : `\n\n${requestedCount - made} not sent. ${results.at(-1)?.fix ?? ''} The same command sends what is missing.`;
  return `${table(['ITEM', 'KEY', 'OUTCOME', 'ISSUE', 'WHERE', 'NOT LINKED'], rows)}${unsentNote}`;
}

function indent(text: string): string {
  return text
    .trim()
    .split('\n')
    .map((line) => `    ${visible(line)}`.trimEnd())
    .join('\n');
}
