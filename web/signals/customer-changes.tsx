import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useAction, useChanges } from '../action.ts';
import { send } from '../api.ts';
import { IconButton } from '../components/button.tsx';
import { FormDialog } from '../components/dialog.tsx';
import { SelectField, TextField } from '../components/field.tsx';
import { Menu, MenuItem } from '../components/menu.tsx';
import { formatCount } from '../format.ts';
import { type Customer, customersQuery } from '../knowledge/queries.ts';
import { useSession } from '../session.tsx';
import { MergeDialog, RenameDialog } from './name-dialogs.tsx';

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

/** Lets names count as another customer; the message takes it back. */
function useAssign({ customer, onClose }: ChangeProps) {
  const { path, say, tell, refreshSignals } = useChanges();
  return useAction(async ({ names, to }: { names: readonly string[]; to: string }) => {
    await send('PUT', path('customer-names'), { names, customer: to });
    onClose();
    say(
      `${formatCount(names.length, 'name')} now ${names.length === 1 ? 'counts' : 'count'} as “${to}”`,
      'good',
      () => {
        void send('PUT', path('customer-names'), { names, customer: customer.customer }).then(refreshSignals, tell);
      },
    );
    await refreshSignals();
  });
}

const all = ({ names }: Customer): string[] => names.map(({ name }) => name);

function RenameCustomer(props: ChangeProps) {
  const { customer, onClose } = props;
  const assign = useAssign(props);
  return (
    <RenameDialog
      title="Rename customer"
      lead="Its signals and those that come later count under this name."
      name={customer.customer}
      maxLength={400}
      change={{ ...assign, run: (to) => assign.run({ names: all(customer), to }) }}
      onClose={onClose}
    />
  );
}

function MergeCustomer(props: ChangeProps) {
  const { customer, onClose } = props;
  const { product } = useSession();
  const assign = useAssign(props);
  const { data } = useQuery(customersQuery(product.id, ''));
  const others = (data?.customers ?? []).filter((other) => other.customer !== customer.customer);
  return (
    <MergeDialog
      title={`Merge “${customer.customer}”`}
      lead="All its signals count for the other customer, and so do those that come later."
      invite="Choose a customer"
      others={others.map((other) => ({ value: other.customer, label: `${other.customer} (${other.signals})` }))}
      change={{ ...assign, run: (to) => assign.run({ names: all(customer), to }) }}
      onClose={onClose}
    />
  );
}

function SplitCustomer(props: ChangeProps) {
  const { customer, onClose } = props;
  const assign = useAssign(props);
  const [name, setName] = useState('');
  const [as, setAs] = useState('');
  const to = as.trim();
  return (
    <FormDialog
      title={`Split “${customer.customer}”`}
      lead="Signals with one of its names count for another customer from now on."
      onClose={onClose}
      action="Split"
      blocked={(name === '' || to === '' || to === customer.customer) && 'Choose a name and what it counts as first.'}
      change={assign}
      onSubmit={() => assign.run({ names: [name], to })}
    >
      <SelectField
        label="Name"
        value={name}
        choices={[
          { value: '', label: 'Choose a name' },
          ...customer.names.map((own) => ({ value: own.name, label: `${own.name} (${own.signals})` })),
        ]}
        onChoose={(chosen) => {
          setName(chosen);
          setAs(chosen);
        }}
      />
      <TextField
        label="Counts as"
        required
        maxLength={400}
        value={as}
        {...(to === customer.customer && { fault: 'Choose another name than that of this customer.' })}
        onEnter={setAs}
      />
    </FormDialog>
  );
}
