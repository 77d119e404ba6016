import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { NewProduct, Product } from '../../src/accounts/account-bodies.ts';
import type { QuotaList } from '../../src/overview/quota-routes.ts';
import { useChanges } from '../action.ts';
import { post, send } from '../api.ts';
import { Button } from '../components/button.tsx';
import { FormDialog } from '../components/dialog.tsx';
import { Field, useForm } from '../components/form.tsx';
import { Badge } from '../components/inline.tsx';
import { LimitsDialog, useText } from '../components/limits.tsx';
import { Page, Facts, Section } from '../components/page.tsx';
import { QueryState } from '../components/query-state.tsx';
import { Table, Cell, RowHeader } from '../components/table.tsx';
import { Time } from '../components/time.tsx';
import { postProducts } from '../form-rules.json';
import { productsQuery, quotasQuery } from '../queries.ts';
import { useSession } from '../session.tsx';
import { ProductAccess } from './product-access.tsx';

export function ProductsPage() {
  const { atLeast } = useSession();
  const [isMaking, setMaking] = useState(false);
  const query = useQuery(productsQuery());
  return (
    <Page
      title="Products"
      lead="A product groups repositories. An API key is bound to one product and cannot read any other."
      actions={
        atLeast('admin') && (
          <Button look="primary" icon="plus" onClick={() => setMaking(true)}>
            New product
          </Button>
        )
      }
    >
      <QueryState query={query} what="products" />
      {query.data !== undefined && <ProductTable products={query.data.products} />}
      <ProductUse />
      {isMaking && <NewProductDialog onClose={() => setMaking(false)} />}
    </Page>
  );
}

function ProductTable({ products }: { products: readonly Product[] }) {
  const { product: present, chooseProduct, atLeast } = useSession();
  const [opened, setOpened] = useState<Product>();
  return (
    <>
      <Table
        caption="Products"
        columns={['Name', ['Created', 'max-sm:hidden'], <span className="sr-only">Shown</span>]}
      >
        {products.map((product) => (
          <tr key={product.id}>
            <RowHeader className="font-medium [overflow-wrap:anywhere]">
              {product.name}
              {product.is_restricted && (
                <>
                  {' '}
                  <Badge>restricted</Badge>
                </>
              )}
            </RowHeader>
            <Cell className="text-quiet max-sm:hidden">
              <Time at={product.created_at} as="date" />
            </Cell>
            <Cell className="h-13 text-right">
              {atLeast('admin') && (
                <Button aria-label={`Access to ${product.name}`} className="mr-2" onClick={() => setOpened(product)}>
                  Access
                </Button>
              )}
              {product.id === present.id ? (
                <Badge tone="accent">Shown</Badge>
              ) : (
                <Button aria-label={`Show ${product.name}`} onClick={() => chooseProduct(product.id)}>
                  Show
                </Button>
              )}
            </Cell>
          </tr>
        ))}
      </Table>
      {opened !== undefined && <ProductAccess product={opened} onClose={() => setOpened(undefined)} />}
    </>
  );
}

function NewProductDialog({ onClose }: { onClose: () => void }) {
  const { apply } = useChanges();
  const form = useForm({ rules: postProducts }, (product: NewProduct) =>
    apply(post<Product>('products', product), {
      to: ['products', 'session'],
      done: onClose,
      says: ({ name }) => `Made “${name}”`,
    }),
  );
  return (
    <FormDialog title="New product" onClose={onClose} action="Create product" form={form}>
      <Field of={form} name="name" label="Name" />
    </FormDialog>
  );
}

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
function ProductUse() {
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
