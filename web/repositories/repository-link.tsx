import { Link } from '@tanstack/react-router';
import type { RestRepository as Repository } from '../../src/repositories/repository-bodies.ts';
import { RepositoryBadge } from './state.tsx';

/** The name of a repository, which leads to its page, and how it is. */
export function RepositoryLink({ repository }: { repository: Pick<Repository, 'id' | 'name' | 'status'> }) {
  return (
    <>
      <Link to="/repositories/$repositoryId" params={{ repositoryId: repository.id }} className="name-link">
        {repository.name}
      </Link>
      <RepositoryBadge repository={repository} />
    </>
  );
}
