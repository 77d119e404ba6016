import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { QuotaList } from '../../src/overview/quota-routes.ts';
import { useChanges } from '../action.ts';
import { send } from '../api.ts';
import { Button } from '../components/button.tsx';
import { LimitsDialog, useText } from '../components/limits.tsx';
import { Facts, Section } from '../components/page.tsx';
import { quotasQuery } from '../queries.ts';
import { useSession } from '../session.tsx';

type QuotaUse = QuotaList['quotas'][number];
type Quota = QuotaUse['quota'];

const NAMES: Record<Quota, string> = {
  requests: 'Requests in the last minute',
  storage: 'Uploads and indexes',
  runs: 'Runs of agents today',
  model_cost: 'Cost of the language model today',
};

const LABELS: Record<Quota, string> = {
  requests: 'Requests a minute',
  storage: 'Uploads and indexes, in GB',
  runs: 'Runs of agents a day',
  model_cost: 'Cost of the language model a day',
};

/** What the shown product uses, beside what it may use; owners and admins change that. */
export function ProductUse() {
  const { product, atLeast } = useSession();
  const { path } = useChanges();
  const [isChanging, setChanging] = useState(false);
  const { data } = useQuery(quotasQuery(product.id));
  if (data === undefined) return undefined;
  return (
    <Section
      title={`Use of ${product.name}`}
      lead="At a limit, what takes more is refused; other products go on."
      actions={atLeast('admin') && <Button onClick={() => setChanging(true)}>Change limits</Button>}
    >
      <Facts facts={data.quotas.map((use) => [NAMES[use.quota], useText(use)] as const)} />
      {isChanging && (
        <LimitsDialog
          title="Limits of the product"
          lead="An empty field means what the settings of the service say."
          labels={LABELS}
          uses={data.quotas}
          onClose={() => setChanging(false)}
          save={(limits) => send('PATCH', path('quotas'), limits)}
          to="quotas"
        />
      )}
    </Section>
  );
}
