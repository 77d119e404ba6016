import { expect, test } from 'vitest';
import { versionsIn } from './released-frames.ts';

test('versions beside the name of the repository come first', () => {
  expect(versionsIn('Python 3.11.2\nShop v1.4.0-rc.1 and shop 1.3\nNode v20.1.0', 'acme/shop')).toEqual([
    '1.4.0-rc.1',
    '1.3',
    '3.11.2',
    '20.1.0',
  ]);
});

test('addresses, ranges of lines and names with digits are no versions', () => {
  expect(versionsIn('127.0.0.1 mail.ts:12 x1.2 1.2.3.4.5 a.1.2', 'shop')).toEqual([]);
});
