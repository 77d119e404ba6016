import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Badge } from '../components/badge.tsx';
import { buttonClass, IconButton } from '../components/button.tsx';
import { EmptyState } from '../components/empty-state.tsx';
import { SelectField } from '../components/field.tsx';
import { FilterField } from '../components/filter-field.tsx';
import { LoadMore } from '../components/load-more.tsx';
import { Page } from '../components/page.tsx';
import { QueryState } from '../components/query-state.tsx';
import { SkeletonRows } from '../components/skeleton.tsx';
import { ActionsHeader, CELL_CLASS, Header, Table } from '../components/table.tsx';
import { useToast } from '../components/toast.tsx';
import { formatCount } from '../format.ts';
import type { ListedWorkItem } from '../knowledge/bodies.ts';
import { plansQuery, workItemsQuery } from '../knowledge/queries.ts';
import { EditWorkItem } from '../plans/edit-work-item.tsx';
import { useItemChange } from '../plans/item-change.ts';
import { ItemStatus, STATUS_CHOICES } from '../plans/item-status.tsx';
import { PRIORITIES } from '../plans/status.tsx';
import { ItemTitle } from '../plans/work-items.tsx';
import { askedItems, itemSaysWords, type WorkItemFilter, workItemFilter } from '../plans/work-item-filter.ts';
import { useSession } from '../session.tsx';

const route = getRouteApi('/shell/work-items');

const STATUS_FILTERS = [
  { value: '', label: 'Open' },
  { value: 'ready', label: 'Open and ready' },
  ...STATUS_CHOICES,
  { value: 'all', label: 'All' },
] as const;
const PRIORITY_FILTERS = [{ value: '', label: 'Any' }, ...PRIORITIES.map((value) => ({ value, label: value }))];

export function WorkItemsPage() {
  const { product } = useSession();
  const filter = route.useSearch();
  const query = useInfiniteQuery(workItemsQuery(product.id, askedItems(filter)));
  const items = query.data?.pages.flatMap((page) => page.work_items) ?? [];
  const shown = filter.query === undefined ? items : items.filter((item) => itemSaysWords(item, filter.query ?? ''));
  return (
    <Page title="Work items" lead="Tasks of all plans: what is open, what is ready to start, and who works on it.">
      <Filters filter={filter} />
      <QueryState
        query={query}
        what="work items"
        placeholder={<SkeletonRows label="Loading work items" rowClass="h-[61px]" />}
      />
      {query.isSuccess && shown.length === 0 && <NoItems filter={filter} />}
      {shown.length > 0 && (
        <>
          <p className="mb-2 text-sm text-quiet" role="status">
            {formatCount(filter.query === undefined ? (query.data?.pages[0]?.total ?? 0) : shown.length, 'work item')}
          </p>
          <ItemTable items={shown} />
        </>
      )}
      <LoadMore query={query} />
    </Page>
  );
}

function Filters({ filter }: { filter: WorkItemFilter }) {
  const { product } = useSession();
  const navigate = useNavigate();
  const plans = useQuery(plansQuery(product.id)).data?.plans ?? [];
  const change = (fields: WorkItemFilter): void =>
    void navigate({ to: '/work-items', search: workItemFilter({ ...filter, ...fields }), replace: true });
  const isKnown = filter.plan === undefined || plans.some(({ slug }) => slug === filter.plan);
  const status = filter.ready === undefined ? (filter.status ?? '') : 'ready';
  return (
    <div className="mb-4 grid grid-cols-2 gap-3 *:min-w-0 lg:grid-cols-5">
      <FilterField label="Words" value={filter.query ?? ''} onChange={(words) => change({ query: words })} />
      <SelectField
        label="Status"
        value={STATUS_FILTERS.find(({ value }) => value === status)?.value ?? ''}
        choices={STATUS_FILTERS}
        onChoose={(value) => change(value === 'ready' ? { status: '', ready: '1' } : { status: value, ready: '' })}
      />
      <SelectField
        label="Plan"
        value={filter.plan ?? ''}
        choices={[
          { value: '', label: 'All plans' },
          ...plans.map(({ slug, title }) => ({ value: slug, label: title })),
          ...(isKnown ? [] : [{ value: filter.plan ?? '', label: filter.plan ?? '' }]),
        ]}
        onChoose={(plan) => change({ plan })}
      />
      <SelectField
        label="Priority"
        value={PRIORITY_FILTERS.find(({ value }) => value === filter.priority)?.value ?? ''}
        choices={PRIORITY_FILTERS}
        onChoose={(priority) => change({ priority })}
      />
      <FilterField
        label="Assignee"
        value={filter.assignee ?? ''}
        placeholder="Whole name"
        onChange={(assignee) => change({ assignee })}
      />
    </div>
  );
}

function NoItems({ filter }: { filter: WorkItemFilter }) {
  const isFiltered = Object.keys(filter).length > 0;
  return (
    <EmptyState
      icon="target"
      title={isFiltered ? 'No work item matches' : 'Nothing is open'}
      action={
        isFiltered ? (
          <Link to="/work-items" className={buttonClass()}>
            Show all open work items
          </Link>
        ) : (
          <Link to="/plans" className={buttonClass()}>
            Go to the plans
          </Link>
        )
      }
    >
      {isFiltered
        ? 'No work item matches these words and filters.'
        : 'Tasks of plans are work items: a list under a heading “Tasks”, or checkboxes.'}
    </EmptyState>
  );
}

function ItemTable({ items }: { items: readonly ListedWorkItem[] }) {
  const { atLeast } = useSession();
  const [edited, setEdited] = useState<ListedWorkItem>();
  return (
    <>
      <Table
        caption="Work items"
        head={
          <>
            <Header>Work item</Header>
            <Header>Status</Header>
            <Header className="max-md:hidden">Priority</Header>
            <Header className="max-sm:hidden">Assignee</Header>
            <Header className="max-md:hidden">Estimate</Header>
            {atLeast('member') && <ActionsHeader />}
          </>
        }
      >
        {items.map((item) => (
          <ItemRow key={item.id} item={item} onEdit={() => setEdited(item)} />
        ))}
      </Table>
      {edited !== undefined && (
        <EditWorkItem item={edited} slug={slugOf(edited)} onClose={() => setEdited(undefined)} />
      )}
    </>
  );
}

function ItemRow({ item, onEdit }: { item: ListedWorkItem; onEdit: () => void }) {
  const { atLeast } = useSession();
  const say = useToast();
  const slug = slugOf(item);
  const change = useItemChange(item, { slug, onProblem: (text) => say(text, 'bad') });
  const isWaiting = item.waits_for.length > 0 && (item.status === 'todo' || item.status === 'doing');
  return (
    <tr>
      <th scope="row" className={`${CELL_CLASS} min-w-44 text-left font-normal`}>
        <span className="[overflow-wrap:anywhere]">
          <ItemTitle title={item.title} />
        </span>
        <span className="block text-sm text-quiet [overflow-wrap:anywhere]">
          {item.key} of{' '}
          <Link to="/plans/$slug" params={{ slug }} className="text-accent underline">
            {slug}
          </Link>
          {isWaiting && ` · waits for ${formatCount(item.waits_for.length, 'other')}`}
        </span>
      </th>
      <td className={CELL_CLASS}>
        <ItemStatus item={item} name={`${item.key} of ${slug}`} change={change} />
      </td>
      <td className={`${CELL_CLASS} max-md:hidden`}>{item.priority !== '' && <Badge>{item.priority}</Badge>}</td>
      <td className={`${CELL_CLASS} text-quiet max-sm:hidden`}>{item.assignee}</td>
      <td className={`${CELL_CLASS} text-quiet max-md:hidden`}>{item.estimate}</td>
      {atLeast('member') && (
        <td className="px-2 text-right">
          <IconButton icon="edit" label={`Edit ${item.key} of ${slug}`} onClick={onEdit} />
        </td>
      )}
    </tr>
  );
}

function slugOf({ plan }: ListedWorkItem): string {
  return plan.replace(/^plan:/, '');
}
