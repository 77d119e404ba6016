import { expect, test } from 'vitest';
import { resolveSources } from '../../testing/resolve-sources.ts';

test('a declaration file and the script beside it name the same things', async () => {
  const { families } = await resolveSources({
    'a.d.ts': `export function make(): Box
export class Box { constructor(size: number); open(): void; size: number }
export interface Shape { open(): void }
export const only: number
`,
    'a.js': `export const make = () => new Box(1);
export class Box { constructor(size) { this.size = size; } open() {} }
export const Shape = 1;
function hidden() {}
`,
    'b.mjs': 'export function make() {}\n',
    'b.d.ts': 'export function make(): void\n',
  });

  expect(families).toEqual([
    ['a.d.ts#make', 'a.js#make'],
    ['a.d.ts#Box', 'a.js#Box'],
    ['a.d.ts#Box/open', 'a.js#Box/open'],
    ['a.d.ts#Box/size', 'a.js#Box/size'],
  ]);
});
