import { expect, test } from 'vitest';
import { withIndexed } from '../../testing/indexed-code.ts';
import { offeredFiles } from './store-offered-files.ts';

const manifest = (more: object): string => JSON.stringify({ main: 'index.ts', ...more });

test('what published packages offer is an interface, what a workspace keeps for itself is none', () =>
  withIndexed(
    {
      'mail/package.json': manifest({ name: '@shop/mail', version: '1.2.0' }),
      'mail/index.ts': "export * from './send.ts';\n",
      'mail/send.ts': 'export function send(): void {}\n',
      'built/package.json': manifest({ name: '@shop/built', version: '0.3.0', private: true }),
      'built/index.ts': 'export function build(): void {}\n',
      'ui/package.json': manifest({ name: '@shop/ui', version: '0.0.0', private: true }),
      'ui/index.ts': 'export function button(): void {}\n',
      'tools/package.json': manifest({ name: '@shop/tools', private: true }),
      'tools/index.ts': 'export function lint(): void {}\n',
      'plain/package.json': manifest({ name: '@shop/plain' }),
      'plain/index.ts': 'export function plain(): void {}\n',
    },
    (db) => {
      expect(offeredFiles(db, {})).toEqual(['built/index.ts', 'mail/index.ts', 'mail/send.ts', 'plain/index.ts']);
    },
  ));
