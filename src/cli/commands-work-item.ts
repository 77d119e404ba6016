import type { Command } from 'commander';
import { ServiceError } from '../kernel/errors.ts';
import { ownCommand } from './own-command.ts';
import { visible } from '../kernel/visible.ts';
import type { PlanCommandTools } from './commands-plan.ts';
import { table } from './table.ts';

/** Handles of what an item waits for that a table shows. */
const MOST_HANDLES = 3;

/** Fields that the commands read of a work item, as `/v1/work-items` gives it. */
interface WorkItemJson {
  id: string;
  key: string;
  title: string;
  status: string;
  assignee: string;
  priority: string;
  notes: string;
}

interface ListedJson {
  work_items: (WorkItemJson & { plan: string; waits_for: string[]; stale: { label: string } | null })[];
  total: number;
  next: string | null;
}

interface ListFlags {
  plan?: string;
  status?: string;
  assignee?: string;
  priority?: string;
  ready?: boolean;
}

interface ChangeFlags {
  status?: string;
  assignee?: string;
  priority?: string;
  notes?: string;
}

/** `svc work-item list|set`. */
export function addWorkItemCommands<Flags>(
  workItem: Command,
  { common, withClient, show }: PlanCommandTools<Flags>,
): void {
  common(workItem.command('list'))
    .description('List work items over all plans')
    .option('--plan <plan>', 'only those of this plan')
    .option('--status <status>', 'todo, doing, done or dropped; several with commas between')
    .option('--assignee <name>', 'only those of this person or agent; "" for unassigned ones')
    .option('--priority <priority>', 'urgent, high, medium or low')
    .option('--ready', 'only what can be started now: todo, with no open dependencies')
    .action((flags: Flags & ListFlags) =>
      withClient(flags, async (client) => {
        const workItems: ListedJson['work_items'] = [];
        for (let cursor: string | null | undefined; cursor !== null;) {
          const query = queryOf(flags, cursor);
          const page: ListedJson = await client.send('GET', `/v1/work-items?${query}`);
          workItems.push(...page.work_items);
          cursor = page.next;
        }
        show(flags, { work_items: workItems }, () => itemTable(workItems));
      }),
    );
  common(workItem.command('set'))
    .argument('<item>', 'handle of the work item, such as wi:12')
    .description('Change a work item; the change holds until the text of its plan says something new about the field')
    .option('--status <status>', 'todo, doing, done or dropped')
    .option('--assignee <name>', 'who works on it; "" for nobody')
    .option('--priority <priority>', 'urgent, high, medium or low; "" for none')
    .option('--notes <text>', 'a note; replaces the previous one')
    .action((item: string, flags: Flags & ChangeFlags) =>
      withClient(flags, async (client) => {
        const { status, assignee, priority, notes } = flags;
        const change = { status, assignee, priority, notes };
        if (Object.values(change).every((value) => value === undefined)) {
          throw new ServiceError('bad_argument', 'Nothing to change was given.', {
            fix: 'Add --status, --assignee, --priority or --notes.',
          });
        }
        const path = `/v1/work-items/${encodeURIComponent(item)}`;
        const changed = await client.send<WorkItemJson>('PATCH', path, change);
        show(flags, changed, () => describeItem(changed));
      }),
    );
}

function queryOf({ plan, status, assignee, priority, ready }: ListFlags, cursor: string | undefined): string {
  const given = { plan, status, assignee, priority, ready: ready === true ? 'true' : undefined, limit: '1000', cursor };
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(given)) if (value !== undefined) query.set(name, value);
  return query.toString();
}

function itemTable(items: ListedJson['work_items']): string {
  if (items.length === 0) return `There are no such work items. Plans have them: ${ownCommand('plan list')}`;
  return table(
    ['ITEM', 'PLAN', 'KEY', 'STATUS', 'PRIORITY', 'ASSIGNEE', 'WAITS FOR', 'STATE', 'TITLE'],
    items.map((item) => [
      item.id,
      item.plan.replace(/^plan:/, ''),
      item.key,
      item.status,
      item.priority,
      item.assignee,
      describeWaiting(item.waits_for),
      item.stale?.label ?? '-',
      item.title,
    ]),
  );
}

/** A phase waits for all of another one: the first handles, and how many more. */
function describeWaiting(handles: readonly string[]): string {
  const more = handles.length - MOST_HANDLES;
  return [...handles.slice(0, MOST_HANDLES), ...(more > 0 ? [`+${more}`] : [])].join(' ');
}

function describeItem({ id, title, status, assignee, priority }: WorkItemJson): string {
  const more = [priority, assignee === '' ? '' : `assigned to ${assignee}`].filter((part) => part !== '');
  return visible(`${id} ${title} · ${[status, ...more].join(' · ')}`);
}
