import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { locateRepository } from '../platform/git/git-refs.ts';
import { sourceRepository } from '../testing/repositories.ts';
import { WatchedCheckout } from './watched-checkout.ts';

test('a list that took long does not hide for long what is saved afterwards', async () => {
  const shop = sourceRepository([{ files: { a: '1' } }]);
  const head = shop.git('rev-parse', 'HEAD');
  let clock = 0;
  const checkout = new WatchedCheckout(await locateRepository(shop.path), () => clock);
  onTestFinished(() => checkout.close());

  const first = checkout.changed(head);
  clock = 20_000;
  expect(await first).toEqual([]);
  writeFileSync(join(shop.path, 'a'), '2');
  clock = 22_500;

  expect((await checkout.changed(head))?.map(String)).toEqual(['a']);
});
