import { expect, test } from 'vitest';
import { amountsOf } from './amounts.ts';

test.each([
  ['$20 a month', 20, 'USD'],
  ['US$1,200.50', 1200.5, 'USD'],
  ['Pro$10/mo', 10, 'USD'],
  ['€9.99 / month', 9.99, 'EUR'],
  ['1.299,00 €', 1299, 'EUR'],
  ['EUR 1.000,00', 1000, 'EUR'],
  ['1 200,50 zł', 1200.5, 'PLN'],
  ["CHF 3'000", 3000, 'CHF'],
  ['R$ 49,90/mês', 49.9, 'BRL'],
  ['149 Kč', 149, 'CZK'],
  ['99 kr', 99, 'kr'],
  ['¥1,000', 1000, 'JPY'],
  ['$0.000231 / GB', 0.000231, 'USD'],
  ['$5 100 checks', 5, 'USD'],
])('%s is %d %s', (text, value, currency) => {
  expect(amountsOf(text)).toMatchObject([{ value, currency }]);
});

test.each(['TRY 30 days', 'PHP 8', 'v1.2.3', '300 bookmarks', 'EURO 2028'])('%s is no amount of money', (text) => {
  expect(amountsOf(text)).toEqual([]);
});
