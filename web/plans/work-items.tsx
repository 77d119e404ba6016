import { Fragment, useState } from 'react';
import { Badge } from '../components/badge.tsx';
import { IconButton } from '../components/button.tsx';
import { EmptyState } from '../components/empty-state.tsx';
import { Select } from '../components/field.tsx';
import { CELL_CLASS, Header, Table } from '../components/table.tsx';
import { useToast } from '../components/toast.tsx';
import type { PlanDetail, WorkItem } from '../knowledge/bodies.ts';
import { useSession } from '../session.tsx';
import { EditWorkItem } from './edit-work-item.tsx';
import { useItemChange } from './item-change.ts';
import { ITEM_STATUSES } from './status.tsx';

const STATUS_CHOICES = ITEM_STATUSES.map((value) => ({ value, label: value }));

/** The work breakdown. Members change the status in place, and the rest in a form. */
export function WorkItems({ plan }: { plan: PlanDetail }) {
  const { atLeast } = useSession();
  const [edited, setEdited] = useState<WorkItem>();
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
      <Table
        caption="Work items"
        head={
          <>
            <Header>Id</Header>
            <Header>Work item</Header>
            <Header>Status</Header>
            <Header className="max-md:hidden">Depends</Header>
            <Header className="max-md:hidden">Estimate</Header>
            {atLeast('member') && (
              <Header className="w-12">
                <span className="sr-only">Actions</span>
              </Header>
            )}
          </>
        }
      >
        {plan.work_items.map((item) => (
          <ItemRow key={item.id} item={item} slug={plan.slug} onEdit={() => setEdited(item)} />
        ))}
      </Table>
      {edited !== undefined && <EditWorkItem item={edited} slug={plan.slug} onClose={() => setEdited(undefined)} />}
    </>
  );
}

function ItemRow({ item, slug, onEdit }: { item: WorkItem; slug: string; onEdit: () => void }) {
  const { atLeast } = useSession();
  const say = useToast();
  const change = useItemChange(item, { slug, onProblem: (text) => say(text, 'bad') });
  return (
    <tr>
      <td className={`${CELL_CLASS} align-top text-sm text-quiet`}>{item.key}</td>
      <th scope="row" className={`${CELL_CLASS} text-left align-top font-normal`}>
        <span className="[overflow-wrap:anywhere]">
          <Title title={item.title} />
        </span>
        <ItemDetails item={item} />
      </th>
      <td className={`${CELL_CLASS} align-top`}>
        {atLeast('member') ? (
          <Select
            aria-label={`Status of ${item.key}`}
            value={item.status}
            choices={STATUS_CHOICES}
            disabled={change.busy}
            onChoose={(status) => change.run({ status })}
            className="min-w-28"
          />
        ) : (
          <Badge>{item.status}</Badge>
        )}
      </td>
      <td className={`${CELL_CLASS} align-top text-quiet max-md:hidden`}>{item.depends.join(', ')}</td>
      <td className={`${CELL_CLASS} align-top text-quiet max-md:hidden`}>{item.estimate}</td>
      {atLeast('member') && (
        <td className="px-2 py-1.5 align-top">
          <IconButton icon="edit" label={`Edit ${item.key}`} onClick={onEdit} />
        </td>
      )}
    </tr>
  );
}

/** A title with what stands in back-quotes as code. */
function Title({ title }: { title: string }) {
  return title.split(/`([^`]+)`/).map((part, index) =>
    // Every second part stood in back-quotes.
    index % 2 === 1 ? (
      <code key={index} className="rounded-sm bg-hover px-1 font-mono text-[12.5px]">
        {part}
      </code>
    ) : (
      <Fragment key={index}>{part}</Fragment>
    ),
  );
}

function ItemDetails({ item }: { item: WorkItem }) {
  const code = [...item.files, ...item.symbols];
  return (
    <>
      {code.length > 0 && (
        <span className="mt-0.5 flex flex-wrap gap-x-3">
          {code.map((name) => (
            <code key={name} className="font-mono text-xs leading-5 text-quiet [overflow-wrap:anywhere]">
              {name}
            </code>
          ))}
        </span>
      )}
      {item.acceptance.length > 0 && (
        <ul aria-label="Done when" className="mt-0.5 list-disc pl-5 text-sm text-quiet">
          {item.acceptance.map((line) => (
            <li key={line} className="[overflow-wrap:anywhere]">
              {line}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
