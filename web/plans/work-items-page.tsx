import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useAction, useChanges } from '../action.ts';
import { buttonClass, IconButton } from '../components/button.tsx';
import { Badge } from '../components/inline.tsx';
import { type Facet, ListPage } from '../components/list-page.tsx';
import { LoadMore } from '../components/page.tsx';
import { Table, actionsColumn, Cell, RowHeader } from '../components/table.tsx';
import { formatCount } from '../format.ts';
import { type ListedWorkItem, plansQuery, workItemsQuery } from '../knowledge/queries.ts';
import { useSession } from '../session.tsx';
import { EditWorkItem } from './edit-work-item.tsx';
import { useSendItemChange } from './item-change.ts';
import { ItemStatus, STATUS_CHOICES } from './item-status.tsx';
import { PRIORITIES } from './status.tsx';
import { itemSaysWords, requestOfFilter, type WorkItemFilter, workItemFilter } from './work-item-filter.ts';
import { ItemStaleness, ItemTitle } from './work-items.tsx';

const route = getRouteApi('/shell/work-items');

const STATUS_FILTERS = [
  { value: '', label: 'Open' },
  { value: 'ready', label: 'Open and ready' },
  ...STATUS_CHOICES,
  { value: 'all', label: 'All' },
] as const;
const PRIORITY_FILTERS = [{ value: '', label: 'Any' }, ...PRIORITIES.map((value) => ({ value, label: value }))];

type WorkItemFacet = Exclude<keyof WorkItemFilter, 'ready'>;

export function WorkItemsPage() {
  const { product } = useSession();
  const filter = route.useSearch();
  const navigate = useNavigate();
  const plans = useQuery(plansQuery(product.id)).data?.plans ?? [];
  const query = useInfiniteQuery(workItemsQuery(product.id, requestOfFilter(filter)));
  const items = query.data?.pages.flatMap((page) => page.work_items);
  const { ready, query: words, ...rest } = filter;
  const shown = words === undefined ? items : items?.filter((item) => itemSaysWords(item, words));
  const total = words === undefined ? query.data?.pages[0]?.total : shown?.length;
  return (
    <ListPage
      title="Work items"
      lead="Tasks of all plans: what is open, what is ready to start, and who works on it."
      noun={{ one: 'work item', all: 'open work items' }}
      icon="target"
      query={query}
      rows={shown}
      // One choice here is two things in the address.
      filter={{
        ...rest,
        ...(words !== undefined && { query: words }),
        ...(ready !== undefined && { status: 'ready' }),
      }}
      facets={facetsOf(plans)}
      onFilter={(fields) => {
        const status = fields.status === 'ready' ? { status: '', ready: '1' } : { ready: '' };
        const changed = { ...filter, ...fields, ...(fields.status !== undefined && status) };
        void navigate({ to: '/work-items', search: workItemFilter(changed), replace: true });
      }}
      summary={total === undefined ? undefined : formatCount(total, 'work item')}
      rowClass="h-[61px]"
      empty={{
        title: 'Nothing is open',
        text: 'Tasks of plans are work items: a list under a heading “Tasks”, or checkboxes.',
        action: (
          <Link to="/plans" className={buttonClass()}>
            Go to the plans
          </Link>
        ),
      }}
      noMatch="No work item matches these words and filters."
    >
      {(rows) => (
        <>
          <ItemTable items={rows} titleOf={(slug) => plans.find((plan) => plan.slug === slug)?.title ?? slug} />
          <LoadMore query={query} />
        </>
      )}
    </ListPage>
  );
}

function facetsOf(plans: readonly { slug: string; title: string }[]): Facet<WorkItemFacet>[] {
  const planChoices = plans.map(({ slug, title }) => ({ value: slug, label: title }));
  return [
    { kind: 'text', name: 'query', label: 'Words' },
    { kind: 'choice', name: 'status', label: 'Status', choices: STATUS_FILTERS },
    { kind: 'choice', name: 'plan', label: 'Plan', choices: [{ value: '', label: 'All plans' }, ...planChoices] },
    { kind: 'choice', name: 'priority', label: 'Priority', choices: PRIORITY_FILTERS },
    { kind: 'text', name: 'assignee', label: 'Assignee', placeholder: 'Whole name' },
  ];
}

function ItemTable({ items, titleOf }: { items: readonly ListedWorkItem[]; titleOf: (slug: string) => string }) {
  const { atLeast } = useSession();
  const [edited, setEdited] = useState<ListedWorkItem>();
  return (
    <>
      <Table
        caption="Work items"
        columns={[
          'Work item',
          'Status',
          ['Priority', 'max-md:hidden'],
          ['Assignee', 'max-sm:hidden'],
          ['Estimate', 'max-md:hidden'],
          atLeast('member') && actionsColumn(),
        ]}
      >
        {items.map((item) => (
          <ItemRow key={item.id} item={item} planTitle={titleOf(slugOf(item))} onEdit={() => setEdited(item)} />
        ))}
      </Table>
      {edited !== undefined && <EditWorkItem item={edited} onClose={() => setEdited(undefined)} />}
    </>
  );
}

function ItemRow({ item, planTitle, onEdit }: { item: ListedWorkItem; planTitle: string; onEdit: () => void }) {
  const { atLeast } = useSession();
  const { tell } = useChanges();
  const slug = slugOf(item);
  const change = useAction(useSendItemChange(item), tell);
  const isWaiting = item.waits_for.length > 0 && (item.status === 'todo' || item.status === 'doing');
  return (
    <tr>
      <RowHeader className="min-w-44 align-top font-normal">
        <span className="[overflow-wrap:anywhere]">
          <ItemTitle title={item.title} /> <ItemStaleness item={item} />
        </span>
        <span className="block text-sm text-quiet [overflow-wrap:anywhere]">
          {item.key} of{' '}
          <Link to="/plans/$slug" params={{ slug }} search={{ view: 'work-items' }} className="text-accent underline">
            {planTitle}
          </Link>
          {item.group !== '' && ` · ${item.group}`}
          {isWaiting && ` · waits for ${formatCount(item.waits_for.length, 'other')}`}
        </span>
      </RowHeader>
      <Cell className="align-top">
        <ItemStatus item={item} name={`${item.key} of ${slug}`} change={change} />
      </Cell>
      <Cell className="max-md:hidden">{item.priority !== '' && <Badge>{item.priority}</Badge>}</Cell>
      <Cell className="text-quiet max-sm:hidden">{item.assignee}</Cell>
      <Cell className="text-quiet max-md:hidden">{item.estimate}</Cell>
      {atLeast('member') && (
        <td className="px-2 py-1.5 text-right align-top">
          <IconButton icon="edit" label={`Edit ${item.key} of ${slug}`} onClick={onEdit} />
        </td>
      )}
    </tr>
  );
}

function slugOf({ plan }: ListedWorkItem): string {
  return plan.replace(/^plan:/, '');
}
