import { useState } from 'react';
import type { Overview } from '../../src/overview/overview-bodies.ts';
import { SelectField } from '../components/field.tsx';
import { useSession } from '../session.tsx';
import { FolderMap } from './folder-map.tsx';
import { Month } from './month.tsx';
import { WorstFiles } from './worst-files.tsx';

/** What the index knows about a repository that its people may not: hotspots, the last month, a map. */
export function Insights({ repositories }: Pick<Overview, 'repositories'>) {
  const { product } = useSession();
  const [chosen, setChosen] = useState<string>();
  const indexed = repositories.flatMap(({ id, name, commit }) =>
    commit === null ? [] : [{ product: product.id, id, name, commit }],
  );
  const place = indexed.find(({ id }) => id === chosen) ?? indexed[0];
  if (place === undefined) return null;
  return (
    <>
      {indexed.length > 1 && (
        <div className="mt-8 -mb-4 max-w-60 first:mt-0">
          <SelectField
            label="Repository"
            value={place.id}
            choices={indexed.map(({ id, name }) => ({ value: id, label: name }))}
            onChoose={setChosen}
          />
        </div>
      )}
      <div className="mt-8 grid gap-x-6 gap-y-8 first:mt-0 lg:grid-cols-2">
        <div className="min-w-0">
          <WorstFiles place={place} />
        </div>
        <div className="min-w-0">
          <Month place={place} />
        </div>
      </div>
      <FolderMap place={place} />
    </>
  );
}
