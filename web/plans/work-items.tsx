import { useQuery } from '@tanstack/react-query';
import { Fragment, useState } from 'react';
import type { IssueBody } from '../../src/trackers/tracker-bodies.ts';
import { useAction, useChanges } from '../action.ts';
import { Button, Icon, IconButton } from '../components/button.tsx';
import { Breakable } from '../components/inline.tsx';
import { Markdown } from '../components/markdown.tsx';
import { EmptyState } from '../components/page.tsx';
import { Table, actionsColumn, Cell, RowHeader } from '../components/table.tsx';
import type { PlanDetail, WorkItem } from '../knowledge/queries.ts';
import { StalenessBadge } from '../knowledge/staleness.tsx';
import { useSession } from '../session.tsx';
import { IssueLink } from '../trackers/issue-link.tsx';
import { issuesQuery, trackersQuery } from '../trackers/queries.ts';
import { SendPlan } from '../trackers/send-plan.tsx';
import { SendWorkItem } from '../trackers/send-work-item.tsx';
import { EditWorkItem } from './edit-work-item.tsx';
import { useSendItemChange } from './item-change.ts';
import { ItemStatus } from './item-status.tsx';

/** The work breakdown. Members change the status in place, the rest in a form, and send items to issue trackers. */
export function WorkItems({ plan }: { plan: PlanDetail }) {
  const { atLeast, product } = useSession();
  const [edited, setEdited] = useState<WorkItem>();
  const [sent, setSent] = useState<WorkItem>();
  const issues = useQuery(issuesQuery(product.id, plan.slug)).data?.issues ?? [];
  if (plan.work_items.length === 0) {
    return (
      <EmptyState icon="target" title="No work items">
        Write tasks as a list under a heading “Tasks”, or as checkboxes. Files and symbols that an entry names belong to
        it.
      </EmptyState>
    );
  }
  return (
    <>
      {atLeast('member') && <SendAll slug={plan.slug} />}
      <Table
        caption="Work items"
        columns={[
          ['Id', 'max-sm:hidden'],
          'Work item',
          'Status',
          ['Depends', 'max-md:hidden'],
          ['Estimate', 'max-md:hidden'],
          atLeast('member') && actionsColumn('w-20 max-sm:w-12'),
        ]}
      >
        {plan.work_items.map((item, index) => (
          <Fragment key={item.id}>
            {item.group !== '' && item.group !== plan.work_items[index - 1]?.group && <GroupRow group={item.group} />}
            <ItemRow
              item={item}

              issues={issues.filter((issue) => issue.item === item.id)}
              onEdit={() => setEdited(item)}
              onSend={() => setSent(item)}
            />
          </Fragment>
        ))}
      </Table>
      {edited !== undefined && <EditWorkItem item={edited} onClose={() => setEdited(undefined)} />}
      {sent !== undefined && <SendWorkItem item={sent.id} itemKey={sent.key} onClose={() => setSent(undefined)} />}
    </>
  );
}

/** Columns of the table, as many as there ever are. */
const COLUMNS = 6;
/** Most items shown in a row that an item waits for: a phase waits for all of another one. */
const MOST_KEYS = 4;

/** The phase, user story or heading of the items that follow. */
function GroupRow({ group }: { group: string }) {
  return (
    <tr>
      <th
        scope="rowgroup"
        colSpan={COLUMNS}
        className="bg-hover px-3 py-1.5 text-left text-sm font-medium [overflow-wrap:anywhere]"
      >
        {group}
      </th>
    </tr>
  );
}

/** Sends all open items to a tracker, where one is connected. */
function SendAll({ slug }: { slug: string }) {
  const { product } = useSession();
  const [isOpen, setOpen] = useState(false);
  const { trackers = [] } = useQuery(trackersQuery(product.id)).data ?? {};
  const [first] = trackers;
  if (first === undefined) return null;
  return (
    <p className="mb-3 flex justify-end">
      <Button icon="upload" onClick={() => setOpen(true)}>
        Send all to an issue tracker
      </Button>
      {isOpen && <SendPlan slug={slug} trackers={trackers} first={first} onClose={() => setOpen(false)} />}
    </p>
  );
}

interface ItemRowProps {
  item: WorkItem;
  /** Those that were made of it. */
  issues: readonly IssueBody[];
  onEdit: () => void;
  onSend: () => void;
}

function ItemRow({ item, issues, onEdit, onSend }: ItemRowProps) {
  const { atLeast } = useSession();
  const { tell } = useChanges();
  const [isOpen, setOpen] = useState(false);
  const change = useAction(useSendItemChange(item), tell);
  return (
    <>
      <tr>
        <Cell className="align-top text-sm text-quiet max-sm:hidden">
          {item.key}
          {ownNumber(item) !== '' && <span className="block">{ownNumber(item)}</span>}
        </Cell>
        <RowHeader className="min-w-40 align-top font-normal">
          <span className="[overflow-wrap:anywhere]">
            <span className="text-quiet sm:hidden">{item.key} </span>
            <ItemTitle title={item.title} /> <ItemStaleness item={item} />
          </span>
          <ItemDetails item={item} />
          {item.body !== '' && <TextToggle name={item.key} isOpen={isOpen} onToggle={() => setOpen(!isOpen)} />}
          {issues.map((issue) => (
            <span key={`${issue.kind} ${issue.project}`} className="mt-0.5 block">
              <IssueLink issue={issue} />
            </span>
          ))}
        </RowHeader>
        <Cell className="align-top">
          <ItemStatus item={item} name={item.key} change={change} />
        </Cell>
        <Cell className="align-top text-quiet max-md:hidden">{describeDepends(item.depends)}</Cell>
        <Cell className="align-top text-quiet max-md:hidden">{item.estimate}</Cell>
        {atLeast('member') && (
          <td className="px-2 py-1.5 align-top">
            <span className="flex max-sm:flex-col">
              <IconButton icon="edit" label={`Edit ${item.key}`} onClick={onEdit} />
              <IconButton icon="upload" label={`Send ${item.key} to an issue tracker`} onClick={onSend} />
            </span>
          </td>
        )}
      </tr>
      {isOpen && <TextRow text={item.body} />}
    </>
  );
}

/** Its number in the plan; '' where its key says the same. */
function ownNumber({ key, number }: WorkItem): string {
  return Number(number.replace(/^T-?/i, '')) === Number(key.slice(1)) ? '' : number;
}

function describeDepends(keys: readonly string[]): string {
  const more = keys.length - MOST_KEYS;
  return [...keys.slice(0, MOST_KEYS), ...(more > 0 ? [`${more} more`] : [])].join(', ');
}

/** Staleness of the code that an item names; nothing where no code changed, such as for files that it will create. */
export function ItemStaleness({ item: { stale } }: { item: Pick<WorkItem, 'stale'> }) {
  const isStale = stale !== null && stale.moved + stale.changed + stale.gone > 0;
  return isStale ? <StalenessBadge stale={stale} /> : null;
}

/** A title with its code and its bold words; other Markdown stays as it is. */
export function ItemTitle({ title }: { title: string }) {
  return title.split(/(`[^`]+`|\*\*[^*]+\*\*)/).map((part, index) => {
    // Every second part is one of the two.
    if (index % 2 === 0) return <Fragment key={index}>{part}</Fragment>;
    if (part.startsWith('**')) return <strong key={index}>{part.slice(2, -2)}</strong>;
    return (
      <code key={index} className="inline-block max-w-full rounded-sm bg-hover px-1 font-mono text-[12.5px]">
        <Breakable text={part.slice(1, -1)} />
      </code>
    );
  });
}

function ItemDetails({ item }: { item: WorkItem }) {
  const code = [...item.files, ...item.symbols].filter((name) => !item.title.includes(name));
  return (
    <>
      {code.length > 0 && (
        <span className="mt-0.5 flex flex-wrap gap-x-3">
          {code.map((name) => (
            <code key={name} className="font-mono text-xs leading-5 text-quiet [overflow-wrap:anywhere]">
              <Breakable text={name} />
            </code>
          ))}
        </span>
      )}
      {item.acceptance.length > 0 && (
        <ul aria-label="Done when" className="mt-0.5 list-disc pl-5 text-sm text-quiet">
          {item.acceptance.map((line) => (
            <li key={line} className="[overflow-wrap:anywhere]">
              <ItemTitle title={line} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/** Opens what the plan says below an item; a plan may have hundreds. */
function TextToggle({ name, isOpen, onToggle }: { name: string; isOpen: boolean; onToggle: () => void }) {
  return (
    <button
      type="button"
      aria-expanded={isOpen}
      onClick={onToggle}
      className="mt-1 flex items-center gap-1 rounded-sm text-sm text-accent hover:underline"
    >
      <Icon name="chevron" className={isOpen ? '' : '-rotate-90'} />
      Text<span className="sr-only"> of {name}</span>
    </button>
  );
}

/** A row of its own, because code needs the width of the table. */
function TextRow({ text }: { text: string }) {
  return (
    <tr>
      <Cell colSpan={COLUMNS}>
        <div className="border-l-2 border-line pl-3 text-sm contain-inline-size">
          <Markdown text={text} under={3} />
        </div>
      </Cell>
    </tr>
  );
}
