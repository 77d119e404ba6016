import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { Section } from '../components/page.tsx';
import { codeEntity, neighboursQuery } from '../graph/queries.ts';
import type { SymbolReference } from './symbol-queries.ts';

const GraphPicture = lazy(async () => ({ default: (await import('../graph/graph-picture.tsx')).GraphPicture }));

/** Picture of the callers and callees of a symbol in the indexed code. The lists beside it say the same to all. */
export function SymbolGraph({ reference }: { reference: SymbolReference }) {
  const entity = codeEntity(reference.repo, reference.handle);
  const { data } = useQuery(neighboursQuery(reference.product, { entity, hops: 1, relation: 'calls' }));
  if (data === undefined || data.rows.length === 0) return null;
  return (
    <div className="mt-8 max-md:hidden">
      <Section title="Callers and callees">
        <Suspense fallback={<div className="h-48" />}>
          <GraphPicture entity={data.entity} rows={data.rows} parameters={{}} />
        </Suspense>
      </Section>
    </div>
  );
}
