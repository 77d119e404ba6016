import { useQuery } from '@tanstack/react-query';
import type { QuotaList } from '../../src/overview/quota-routes.ts';
import { Facts, Section } from '../components/page.tsx';
import { formatBytes } from '../format.ts';
import { quotasQuery } from '../queries.ts';
import { useSession } from '../session.tsx';

type QuotaUse = QuotaList['quotas'][number];

const NAMES: Record<QuotaUse['quota'], string> = {
  requests: 'Requests in the last minute',
  storage: 'Uploads and indexes',
  runs: 'Runs of agents today',
  model_cost: 'Cost of the language model today',
};

/** What the shown product uses, beside what it may use. */
export function ProductUse() {
  const { product } = useSession();
  const { data } = useQuery(quotasQuery(product.id));
  if (data === undefined) return undefined;
  return (
    <Section title={`Use of ${product.name}`} lead="At a limit, what takes more is refused; other products go on.">
      <Facts facts={data.quotas.map((use) => [NAMES[use.quota], useText(use)] as const)} />
    </Section>
  );
}

function useText({ quota, used, limit }: QuotaUse): string {
  const amount = quota === 'storage' ? formatBytes : (value: number) => value.toLocaleString();
  return limit === null ? amount(used) : `${amount(used)} of ${amount(limit)}`;
}
