import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { buttonClass } from '../components/button.tsx';
import { type Facet, ListPage } from '../components/list-page.tsx';
import { Table, actionsColumn, Cell, NumberCell, RowHeader } from '../components/table.tsx';
import { Time } from '../components/time.tsx';
import { formatCount, formatNumber } from '../format.ts';
import { type Customer, CUSTOMERS_SHOWN, customersQuery } from '../knowledge/queries.ts';
import { useSession } from '../session.tsx';
import { CustomerMenu } from './customer-changes.tsx';

const route = getRouteApi('/shell/customers');

const FACETS: readonly Facet<'query'>[] = [{ kind: 'text', name: 'query', label: 'Name' }];

export function CustomersPage() {
  const { product } = useSession();
  const filter = route.useSearch();
  const query = useQuery(customersQuery(product.id, filter.query ?? ''));
  const { customers, total = 0 } = query.data ?? {};
  const limit = total > CUSTOMERS_SHOWN ? `, the ${CUSTOMERS_SHOWN} with the most signals are shown` : '';
  return (
    <ListPage
      title="Customers"
      lead="Who the signals come from. Names that differ only in case, legal form or domain count as one customer."
      noun={{ one: 'customer', all: 'customers' }}
      icon="people"
      query={query}
      rows={customers}
      filter={filter}
      facets={FACETS}
      summary={customers && `${formatCount(total, 'customer')}${limit}`}
      empty={{
        title: 'No customers yet',
        text: 'Customers appear when signals name them.',
        action: (
          <Link to="/signals" className={buttonClass()}>
            Go to the signals
          </Link>
        ),
      }}
      noMatch="No customer has these words in its name."
    >
      {(rows) => <CustomerTable customers={rows} />}
    </ListPage>
  );
}

function CustomerTable({ customers }: { customers: readonly Customer[] }) {
  const { atLeast } = useSession();
  return (
    <Table
      caption="Customers"
      columns={[
        'Customer',
        ['Signals', 'text-right'],
        ['Value', 'text-right max-sm:hidden'],
        ['Newest', 'max-md:hidden'],
        atLeast('member') && actionsColumn(),
      ]}
    >
      {customers.map((customer) => (
        <tr key={customer.customer}>
          <RowHeader className="font-normal">
            <Link to="/signals" search={{ customer: customer.customer }} className="name-link">
              {customer.customer}
            </Link>
            <Names customer={customer} />
          </RowHeader>
          <NumberCell>{formatNumber(customer.signals)}</NumberCell>
          <NumberCell className="max-sm:hidden">
            {customer.value === null ? '' : formatNumber(customer.value)}
          </NumberCell>
          <Cell className="text-quiet max-md:hidden">
            <Time at={customer.newest} as="date" className="whitespace-nowrap" />
          </Cell>
          {atLeast('member') && (
            <td className="px-2 text-right">
              <CustomerMenu customer={customer} />
            </td>
          )}
        </tr>
      ))}
    </Table>
  );
}

/** Spellings of a customer in the sources, where they differ from the name. */
function Names({ customer: { customer, names } }: { customer: Customer }) {
  if (names.every(({ name }) => name === customer)) return null;
  return (
    <span className="block text-sm text-quiet [overflow-wrap:anywhere]">
      {names.map(({ name, signals }) => `${name} (${signals})`).join(' · ')}
    </span>
  );
}
