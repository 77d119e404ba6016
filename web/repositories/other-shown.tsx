import type { RestRepository as Repository } from '../../src/repositories/repository-bodies.ts';
import { Icon } from '../components/button.tsx';

interface OtherShownProps {
  /** The repository that the address names, by name or id. */
  repo: string | undefined;
  repositories: readonly Pick<Repository, 'id' | 'name' | 'commit' | 'status' | 'error'>[];
  /** The one that is shown in its place. */
  shown: string;
}

/** Says that the repository of the address cannot be shown, and why; nothing where it can. */
export function OtherShown({ repo, repositories, shown }: OtherShownProps) {
  const why = whyNotShown(repo, repositories);
  if (why === undefined) return null;
  return (
    <p role="status" className="mb-4 flex items-start gap-2 rounded-md bg-warn-soft px-3 py-2 text-sm text-warn">
      <Icon name="alert" className="mt-0.5 shrink-0" />
      <span className="min-w-0 [overflow-wrap:anywhere]">
        {why} What you see is {shown}.
      </span>
    </p>
  );
}

/** Returns the reason why a named repository cannot be shown; undefined where it can, or none is named. */
export function whyNotShown(
  repo: string | undefined,
  repositories: OtherShownProps['repositories'],
): string | undefined {
  if (repo === undefined || repo === '' || repo === '*') return undefined;
  const named = repositories.find(({ id, name }) => id === repo || name === repo);
  if (named === undefined) return `There is no repository ${repo} in this product.`;
  if (named.commit !== null) return undefined;
  const { name, status, error } = named;
  return status === 'failed'
    ? `${name} could not be indexed: ${error?.message ?? 'see the page Repositories.'}`
    : `${name} has no index yet: it is being made.`;
}
