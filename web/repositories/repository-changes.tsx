import type { RestRepository as Repository } from '../../src/repositories/repository-bodies.ts';
import { type Action, useAction, useChanges } from '../action.ts';
import { post } from '../api.ts';
import { Removal } from '../components/dialog.tsx';
import { useSession } from '../session.tsx';

/** Fetches and indexes again, in the background; what waits already, before others. */
export function useReindex({ id, name, status }: Pick<Repository, 'id' | 'name' | 'status'>): Action<void> {
  const path = useRepositoryPath(id);
  const { apply, tell } = useChanges();
  const request = `${path('/index')}${status === 'pending' ? '&first=true' : ''}`;
  const outcome = { to: ['repositories', 'repository'], says: `“${name}” is being indexed` } as const;
  return useAction(() => apply(post<Repository>(request), outcome), tell);
}

interface RemoveRepositoryProps {
  repository: Pick<Repository, 'id' | 'name'>;
  onClose: () => void;
  onRemoved?: () => void;
}

export function RemoveRepository({ repository: { id, name }, onClose, onRemoved }: RemoveRepositoryProps) {
  const path = useRepositoryPath(id);
  return (
    <Removal
      title={`Remove “${name}”?`}
      action="Remove repository"
      path={path('')}
      kinds={['repositories']}
      message={`Removed “${name}”`}
      onRemoved={onRemoved}
      onClose={onClose}
    >
      Its index and the copy that the service keeps are deleted. Clients no longer get answers about it. The repository
      itself is not touched, and you can add it again.
    </Removal>
  );
}

function useRepositoryPath(id: string): (below: string) => string {
  const { product } = useSession();
  return (below) => `repositories/${encodeURIComponent(id)}${below}?product=${encodeURIComponent(product.id)}`;
}
