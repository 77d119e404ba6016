import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { CopyButton, Snippet } from '../components/copy.tsx';
import { SelectField } from '../components/field.tsx';
import { LoadMore } from '../components/page.tsx';
import { QueryState } from '../components/query-state.tsx';
import { formatCount } from '../format.ts';
import { type PlanDetail, planExportQuery } from '../knowledge/queries.ts';
import { useSession } from '../session.tsx';

const TARGETS = [
  { value: 'prompt', label: 'Prompt for a coding agent' },
  { value: 'issue', label: 'Issue' },
  { value: 'spec-kit', label: 'spec-kit' },
  { value: 'openspec', label: 'OpenSpec' },
  { value: 'task-master', label: 'Task Master' },
] as const;

/** The plan in the layout that other tools read, with files and symbols as they are now. */
export function PlanExport({ plan }: { plan: PlanDetail }) {
  const { product } = useSession();
  const [target, setTarget] = useState<(typeof TARGETS)[number]['value']>('prompt');
  const [task, setTask] = useState('');
  const query = useInfiniteQuery(planExportQuery(product.id, { slug: plan.slug, version: plan.version, target, task }));
  const files = query.data?.pages.flatMap((page) => page.files) ?? [];
  const whole = files.map(({ path, content }) => (files.length === 1 ? content : `=== ${path} ===\n${content}`));
  return (
    <div>
      <div className="mb-4 grid items-end gap-3 sm:grid-cols-[1fr_1fr_auto]">
        <SelectField label="Layout" value={target} choices={TARGETS} onChoose={setTarget} />
        <SelectField
          label="Work items"
          value={task}
          choices={[
            { value: '', label: 'All work items' },
            ...plan.work_items.map(({ key, title }) => ({ value: key, label: `${key} ${title}` })),
          ]}
          onChoose={setTask}
        />
        {files.length > 0 && <CopyButton look="primary" label="Copy all" text={whole.join('\n')} />}
      </div>
      <QueryState query={query} what="the export" box="h-64" />
      {files.length > 1 && <p className="mb-2 text-sm text-quiet">{formatCount(files.length, 'file')}</p>}
      <div className="flex flex-col gap-3">
        {files.map(({ path, content }, index) => (
          <Snippet key={`${path} ${index}`} title={path} label={path} text={content} />
        ))}
      </div>
      <LoadMore query={query} label="Export the rest" />
    </div>
  );
}
