import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { SendIssueBody } from '../../src/trackers/tracker-bodies.ts';
import { Checkbox, SelectField, TextField } from '../components/field.tsx';
import { SkeletonBox } from '../components/query-state.tsx';
import { postWorkItemsIssues } from '../form-rules.json';
import { useSession } from '../session.tsx';
import { choicesQuery } from './queries.ts';

/** Labels, assignee and milestone of an issue by their ids, and the issue below which it goes by its name. */
export type ChosenFields = Pick<SendIssueBody, 'labels' | 'assignee' | 'milestone' | 'parent'>;

interface IssueFieldsProps {
  item: string;
  tracker: string;
  chosen: ChosenFields;
  /** True if the assignee of the work item is chosen at first: an existing issue may have been given to somebody else. */
  isNew: boolean;
  onChoose: (chosen: ChosenFields) => void;
}

/** Lets a person choose what the tracker has. When it cannot be asked, the issue can be sent without. */
export function IssueFields({ item, tracker, chosen, isNew, onChoose }: IssueFieldsProps) {
  const { product } = useSession();
  const { data, isPending, isError } = useQuery(choicesQuery(product.id, { item, tracker }));
  const named = isNew ? data?.assignee : undefined;
  useEffect(() => {
    if (named != null) onChoose({ assignee: named });
  }, [named, onChoose]);
  if (isPending) return <SkeletonBox label="Loading labels and people" className="h-10" />;
  if (isError) return <p className="text-quiet">The tracker did not tell its labels, people and milestones.</p>;
  const { labels, assignees, milestones } = data;
  const select = (label: string, field: 'assignee' | 'milestone', choices: { id: string; name: string }[]) =>
    choices.length > 0 && (
      <SelectField
        label={label}
        value={chosen[field] ?? ''}
        choices={[{ value: '', label: 'None' }, ...choices.map(({ id, name }) => ({ value: id, label: name }))]}
        onChoose={(id) => onChoose({ ...chosen, [field]: id === '' ? undefined : id })}
      />
    );
  return (
    <div className="flex flex-col gap-3">
      {select('Assignee', 'assignee', assignees)}
      {select('Milestone', 'milestone', milestones)}
      <TextField
        label="Parent issue (optional)"
        placeholder="#12"
        maxLength={postWorkItemsIssues.parent.maxLength}
        value={chosen.parent ?? ''}
        onEnter={(value) => onChoose({ ...chosen, parent: value === '' ? undefined : value })}
      />
      {labels.length > 0 && (
        <fieldset className="max-h-36 overflow-auto rounded-md border border-line p-3">
          <legend className="px-1 font-medium">Labels</legend>
          {labels.map(({ id, name }) => (
            <Checkbox
              key={id}
              label={name}
              checked={chosen.labels?.includes(id) === true}
              onChange={(isChosen) => {
                const others = (chosen.labels ?? []).filter((label) => label !== id);
                onChoose({ ...chosen, labels: isChosen ? [...others, id] : others });
              }}
            />
          ))}
        </fieldset>
      )}
    </div>
  );
}
