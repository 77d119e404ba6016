import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { Overview } from '../../src/overview/overview-bodies.ts';
import { SelectField } from '../components/field.tsx';
import { formatCount, formatNumber } from '../format.ts';
import { useSession } from '../session.tsx';
import { Attention, useAttention } from './attention.tsx';
import { FolderMap } from './folder-map.tsx';
import { Month } from './month.tsx';
import { encodingQuery, foldersQuery, type IndexedRepository, monthQuery, worstFilesQuery } from './queries.ts';
import { SinceVisit } from './since-visit.tsx';
import { WorstFiles } from './worst-files.tsx';

/**
 * Present state of the product, the same for everybody who may read. Content below something of unknown height is shown after
 * it, so that nothing moves down.
 */
export function Facts({ overview, children }: { overview: Overview; children?: ReactNode }) {
  const { product } = useSession();
  // Asked for at once, though it is shown later.
  const attention = useAttention(overview);
  const [chosen, setChosen] = useState<string>();
  const indexed = overview.repositories.flatMap(({ id, name, commit }) =>
    commit === null ? [] : [{ product: product.id, id, name, commit }],
  );
  const repository = indexed.find(({ id }) => id === chosen) ?? indexed[0];
  return (
    <>
      <SinceVisit />
      {indexed.length > 1 && repository !== undefined && (
        <div className="mt-8 -mb-4 max-w-60 first:mt-0">
          <SelectField
            label="Repository"
            value={repository.id}
            choices={indexed.map(({ id, name }) => ({ value: id, label: name }))}
            onChoose={setChosen}
          />
        </div>
      )}
      {repository === undefined ? (
        <Attention items={attention}>{children}</Attention>
      ) : (
        <Insights attention={attention} repository={repository}>
          {children}
        </Insights>
      )}
      <Encoding />
    </>
  );
}

/** Last, so that it pushes nothing down. */
function Encoding() {
  const { product } = useSession();
  const { pending = 0, total = 0 } = useQuery(encodingQuery(product.id)).data ?? {};
  if (pending === 0) return null;
  return (
    <p className="mt-8 text-sm text-quiet">
      {formatCount(pending, 'text')} of {formatNumber(total)} cannot be found by meaning yet: they are being encoded.
    </p>
  );
}

interface InsightsProps {
  attention: ReturnType<typeof useAttention>;
  repository: IndexedRepository;
  children: ReactNode;
}

/** Insights into a repository from its index: hotspots, the last month, a map. */
function Insights({ attention, repository, children }: InsightsProps) {
  // The parts read the same; here it counts when they have it.
  const worst = useQuery(worstFilesQuery(repository));
  const month = useQuery(monthQuery(repository));
  const folders = useQuery(foldersQuery(repository));
  const hasColumns = !worst.isPending && !month.isPending;
  return (
    <>
      <div className="mt-8 grid gap-x-6 gap-y-8 first:mt-0 lg:grid-cols-2">
        <div className="min-w-0">
          <WorstFiles repository={repository} />
        </div>
        <div className="min-w-0">
          <Month repository={repository} />
        </div>
      </div>
      {hasColumns && (
        <Attention items={attention}>
          <FolderMap repository={repository} />
          {!folders.isPending && children}
        </Attention>
      )}
    </>
  );
}
