import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { SendIssueBody } from '../../src/trackers/tracker-bodies.ts';
import { Checkbox } from '../components/field.tsx';
import { Field, type FormState } from '../components/form.tsx';
import { SkeletonBox } from '../components/query-state.tsx';
import { useSession } from '../session.tsx';
import { choicesQuery } from './queries.ts';

interface IssueFieldsProps {
  item: string;
  form: FormState<SendIssueBody>;
  /** True if the assignee of the work item is chosen at first: an existing issue may have been given to somebody else. */
  isNew: boolean;
}

/** Lets a person choose what the tracker has. When it cannot be asked, the issue can be sent without. */
export function IssueFields({ item, form, isNew }: IssueFieldsProps) {
  const { product } = useSession();
  const { tracker, labels: chosen } = form.entries;
  const { set } = form;
  const { data, isPending, isError } = useQuery(choicesQuery(product.id, { item, tracker }));
  const named = isNew ? data?.assignee : undefined;
  useEffect(() => {
    if (named != null) set({ assignee: named });
  }, [named, set]);
  if (isPending) return <SkeletonBox label="Loading labels and people" className="h-10" />;
  if (isError) return <p className="text-quiet">The tracker did not tell its labels, people and milestones.</p>;
  const { labels, assignees, milestones } = data;
  const select = (label: string, name: 'assignee' | 'milestone', choices: { id: string; name: string }[]) =>
    choices.length > 0 && (
      <Field
        of={form}
        name={name}
        label={label}
        none="None"
        choices={choices.map((choice) => ({ value: choice.id, label: choice.name }))}
      />
    );
  return (
    <div className="flex flex-col gap-3">
      {select('Assignee', 'assignee', assignees)}
      {select('Milestone', 'milestone', milestones)}
      <Field of={form} name="parent" label="Parent issue" placeholder="#12" />
      {labels.length > 0 && (
        <fieldset className="max-h-36 overflow-auto rounded-md border border-line p-3">
          <legend className="px-1 font-medium">Labels</legend>
          {labels.map(({ id, name }) => (
            <Checkbox
              key={id}
              label={name}
              checked={chosen.includes(id)}
              onChange={(isChosen) =>
                set({ labels: isChosen ? [...chosen, id] : chosen.filter((label) => label !== id) })
              }
            />
          ))}
        </fieldset>
      )}
    </div>
  );
}
