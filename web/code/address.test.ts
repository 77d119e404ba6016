import { expect, test } from 'vitest';
import { readLines, readSourceAddress, writeLines, writeSourceAddress } from './address.ts';

test('an address names repository, commit and path, whatever is in them', () => {
  const addresses = [
    { repo: 'mail', ref: '3316dc92f01a', path: 'src/send.ts' },
    { repo: 'owner/mail', ref: 'feature/50%2F', path: 'a@b/c.ts' },
    { repo: 'mail', ref: '', path: '' },
  ];

  expect(addresses.map(writeSourceAddress)).toEqual([
    'mail@3316dc92f01a/src/send.ts',
    'owner/mail@feature%2F50%252F/a@b/c.ts',
    'mail@',
  ]);
  expect(addresses.map((address) => readSourceAddress(writeSourceAddress(address)))).toEqual(addresses);
  expect(['mail', '@main/a.ts', ''].map(readSourceAddress)).toEqual([undefined, undefined, undefined]);
});

test('lines are read in every form that people write, and nothing else is', () => {
  expect(['#L10', 'L10-20', '#L20-L10', '#L0', '#10', '#L', ''].map(readLines)).toEqual([
    { from: 10, to: 10 },
    { from: 10, to: 20 },
    { from: 10, to: 20 },
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
  expect(
    [
      { from: 4, to: 4 },
      { from: 4, to: 9 },
    ].map(writeLines),
  ).toEqual(['L4', 'L4-9']);
});
