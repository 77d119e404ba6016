import { expect, test } from 'vitest';
import { foldName } from './fold-name.ts';

test.each([
  ['acme', ['ACME GmbH', 'Acme GmbH', 'acme', 'Acme, Inc.', 'Acme GmbH & Co. KG', 'acme.com', 'https://www.acme.io/']],
  ['acme', ['ada@acme.com', 'Ada Smith <ada@mail.acme.co.uk>', 'ACME S.p.A.', 'Acme e.V.', 'Äcmé Ltd']],
  ['acmetools', ['Acme Tools', 'acme-tools.de', 'Acme Tools Pty Ltd']],
  ['grossehalle', ['Große Halle AG', 'Grosse Halle']],
  ['株式会社', ['株式会社']],
])('names of "%s" fold to one: %j', (normalized, names) => {
  expect(names.map((name) => foldName(name).folded)).toEqual(names.map(() => normalized));
});

test.each([
  ['ada@gmail.com', 'bob@gmail.com'],
  ['ada@web.de', 'web.de'],
  ['Acme', 'Acme Labs'],
  ['Company', 'Corporation'],
  ['?', '!'],
])('"%s" and "%s" are two customers', (name, otherName) => {
  expect(foldName(name).folded).not.toBe(foldName(otherName).folded);
});

test('an address is shown as the domain of its company, anything else as it is written', () => {
  expect(['ada@mail.acme.com', 'ada@gmail.com', 'ACME GmbH'].map((name) => foldName(name).shown)).toEqual([
    'acme.com',
    'ada@gmail.com',
    'ACME GmbH',
  ]);
});
