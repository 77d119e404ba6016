import { expect, test } from 'vitest';
import { countCustomers, isCustomerName } from './customer-names.ts';

test.each(['A Google user', 'Anonymous', ' unknown ', '', '****', '-', 'N/A', '123'])('%j names nobody', (name) => {
  expect(isCustomerName(name)).toBe(false);
  expect(countCustomers([{ customer: name }])).toEqual([]);
});

test.each(['Ada', 'Sh******ni', '王芳', 'Unknown Worlds Ltd'])('%j names somebody', (name) => {
  expect(isCustomerName(name)).toBe(true);
});

/** Signals of one name and of others with two each. */
function signalsOf(most: number, others: number): { customer: string }[] {
  return [
    ...Array.from({ length: most }, () => ({ customer: 'App store' })),
    ...Array.from({ length: 2 * others }, (_, at) => ({ customer: `Customer ${at % others}` })),
  ];
}

test.each([
  // Signals of the name, other names, whether it is a customer.
  [20, 10, false],
  [19, 10, true],
  // A large customer among few others.
  [20, 9, true],
  [400, 3, true],
])('a name with %i signals beside %i names with two is a customer: %s', (most, others, isCustomer) => {
  const names = countCustomers(signalsOf(most, others)).map(([name]) => name);

  expect(names.includes('App store')).toBe(isCustomer);
  expect(names).toHaveLength(others + (isCustomer ? 1 : 0));
});
