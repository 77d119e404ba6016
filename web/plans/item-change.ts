import { useQueryClient } from '@tanstack/react-query';
import { type Action, useAction } from '../action.ts';
import { send } from '../api.ts';
import type { WorkItem, WorkItemChange } from '../knowledge/bodies.ts';
import { useProductPath } from '../knowledge/product-path.ts';
import { useSession } from '../session.tsx';

/** Changes fields of a work item; what was edited stays until the text says something new about it. */
export function useItemChange(
  item: WorkItem,
  { slug, onProblem, onDone }: { slug: string; onProblem?: (text: string) => void; onDone?: () => void },
): Action<WorkItemChange> {
  const path = useProductPath();
  const { product } = useSession();
  const queries = useQueryClient();
  return useAction<WorkItemChange>(
    async (change) => {
      await send<WorkItem>('PATCH', path(`work-items/${encodeURIComponent(item.id)}`), change);
      await queries.invalidateQueries({ queryKey: ['plan', product.id, slug] });
      void queries.invalidateQueries({ queryKey: ['plans'] });
      void queries.invalidateQueries({ queryKey: ['work-items'] });
      onDone?.();
    },
    ({ message, fix }) => onProblem?.(`${message} ${fix}`),
  );
}
