import type { z } from '@hono/zod-openapi';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type * as customers from '../../src/signals/customer-routes.ts';
import { useChanges } from '../action.ts';
import { send } from '../api.ts';
import { IconButton } from '../components/button.tsx';
import { FormDialog } from '../components/dialog.tsx';
import { SelectField } from '../components/field.tsx';
import { Field, useForm } from '../components/form.tsx';
import { Menu, MenuItem } from '../components/menu.tsx';
import { putCustomerNames } from '../form-rules.json';
import { formatCount } from '../format.ts';
import { type Customer, customersQuery } from '../knowledge/queries.ts';
import { useSession } from '../session.tsx';

export function CustomerMenu({ customer }: { customer: Customer }) {
  const [dialog, setDialog] = useState<'rename' | 'merge' | 'split'>();
  const close = (): void => setDialog(undefined);
  return (
    <>
      <Menu trigger={<IconButton icon="more" label={`Actions for ${customer.customer}`} />}>
        <MenuItem icon="edit" onSelect={() => setDialog('rename')}>
          Rename…
        </MenuItem>
        <MenuItem icon="link" onSelect={() => setDialog('merge')}>
          Merge into another…
        </MenuItem>
        {customer.names.length > 1 && (
          <MenuItem icon="people" onSelect={() => setDialog('split')}>
            Split off a name…
          </MenuItem>
        )}
      </Menu>
      {dialog === 'rename' && <RenameCustomer customer={customer} onClose={close} />}
      {dialog === 'merge' && <MergeCustomer customer={customer} onClose={close} />}
      {dialog === 'split' && <SplitCustomer customer={customer} onClose={close} />}
    </>
  );
}

interface ChangeProps {
  customer: Customer;
  onClose: () => void;
}

type CustomerNames = z.input<typeof customers.Names>;

/** Lets names count as another customer; the message takes it back. */
function useAssign({ customer: { customer: former }, onClose }: ChangeProps, initial: Partial<CustomerNames>) {
  const { path, apply } = useChanges();
  const assign = (names: readonly string[], customer: string) =>
    send('PUT', path('customer-names'), { names, customer });
  return useForm({ rules: putCustomerNames, initial, check: faultsOf(former) }, ({ names, customer }: CustomerNames) =>
    apply(assign(names, customer), {
      to: 'signals',
      done: onClose,
      says: `${formatCount(names.length, 'name')} now ${names.length === 1 ? 'counts' : 'count'} as “${customer}”`,
      undo: () => assign(names, former),
    }),
  );
}

const faultsOf = (former: string) => (entries: { names: string[]; customer: string }) => ({
  ...(entries.names.length === 0 && { names: 'Choose a name.' }),
  ...(entries.customer.trim() === former && { customer: 'Choose another name than that of this customer.' }),
});

const all = ({ names }: Customer): string[] => names.map(({ name }) => name);

function RenameCustomer(props: ChangeProps) {
  const form = useAssign(props, { names: all(props.customer), customer: props.customer.customer });
  return (
    <FormDialog
      title="Rename customer"
      lead="Its signals and those that come later count under this name."
      action="Rename"
      form={form}
      onClose={props.onClose}
    >
      <Field of={form} name="customer" label="Name" />
    </FormDialog>
  );
}

function MergeCustomer(props: ChangeProps) {
  const { customer, onClose } = props;
  const { product } = useSession();
  const form = useAssign(props, { names: all(customer) });
  const { data } = useQuery(customersQuery(product.id, ''));
  const others = (data?.customers ?? []).filter((other) => other.customer !== customer.customer);
  return (
    <FormDialog
      title={`Merge “${customer.customer}”`}
      lead="All its signals count for the other customer, and so do those that come later."
      action="Merge"
      form={form}
      onClose={onClose}
    >
      <Field
        of={form}
        name="customer"
        label="Into"
        none="Choose a customer"
        choices={others.map((other) => ({ value: other.customer, label: `${other.customer} (${other.signals})` }))}
      />
    </FormDialog>
  );
}

function SplitCustomer(props: ChangeProps) {
  const { customer, onClose } = props;
  const form = useAssign(props, {});
  const [name = ''] = form.entries.names;
  return (
    <FormDialog
      title={`Split “${customer.customer}”`}
      lead="Signals with one of its names count for another customer from now on."
      onClose={onClose}
      action="Split"
      form={form}
    >
      <SelectField
        label="Name"
        value={name}
        fault={form.faults.names}
        choices={[
          { value: '', label: 'Choose a name' },
          ...customer.names.map((own) => ({ value: own.name, label: `${own.name} (${own.signals})` })),
        ]}
        onChoose={(chosen) => form.set({ names: chosen === '' ? [] : [chosen], customer: chosen })}
      />
      <Field of={form} name="customer" label="Counts as" />
    </FormDialog>
  );
}
