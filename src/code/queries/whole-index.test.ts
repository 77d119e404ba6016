import { expect, test } from 'vitest';
import type { ShardDatabase } from '../../indexes/shards/shards.ts';
import { withIndexed } from '../../testing/indexed-code.ts';
import { semanticSearch } from '../ranking/store-rank.ts';
import { DEFAULT_THRESHOLDS } from '../smells/smell-thresholds.ts';
import { smells } from '../smells/store-smells.ts';
import { findDefinitions } from '../symbols/store-symbols.ts';
import { usages } from '../usages/store-usages.ts';

const PAGE = { tests: 'include', limit: 50, offset: 0 } as const;

/** Functions that speak of the same thing as a class, but are not called so. */
const RIVALS = Object.fromEntries(
  Array.from({ length: 6 }, (_, at) => [
    `src/rivals/rival${at}.ts`,
    `/** Asks the order service for an order of the order service. */\nexport function askOrder${at}(order: string): string {\n  return order;\n}\n`,
  ]),
);

const FILES: Record<string, string> = {
  'src/types/first.ts': "import type { Second } from './second.ts';\nexport interface First {\n  second: Second;\n}\n",
  'src/types/second.ts': "import type { First } from './first.ts';\nexport interface Second {\n  first: First;\n}\n",
  'src/run/left.ts': "import { right } from './right.ts';\nexport function left(): void {\n  right();\n}\n",
  'src/run/right.ts': "import { left } from './left.ts';\nexport function right(): void {\n  left();\n}\n",
  'src/mail/mail.ts':
    'export interface Mailer {\n  send(to: string): void;\n}\nexport class Smtp implements Mailer {\n  send(to: string): void {}\n}\n',
  'src/mail/plugin.ts':
    "import type { Mailer } from './mail.ts';\n\nexport function again(mailer: Mailer): void {\n  mailer.send('a');\n  mailer.send('b'); mailer.send('c');\n}\n",
  'src/lib.rs':
    'pub fn double(value: i32) -> i32 {\n    value * 2\n}\n\npub fn quadruple(value: i32) -> i32 {\n    double(double(value))\n}\n\n#[cfg(test)]\nmod tests {\n    use super::*;\n\n    #[test]\n    fn doubles() {\n        assert_eq!(double(2), 4);\n    }\n}\n',
  'src/letters/tone.ts': "export enum Tone {\n  Formal = 'formal',\n  Affectionate = 'affectionate',\n}\n",
  'src/uploads/limits.ts': 'export const LARGEST_UPLOAD_BYTES = 5_000_000;\n',
  'config/application.yaml': 'retention:\n  invoices_days: 30\n',
  'src/orders/order-service.ts': 'export class OrderService {\n  place(): void {}\n}\n',
  ...RIVALS,
};

function idsOf(db: ShardDatabase, query: string): number[] {
  return findDefinitions(db, { query, limit: 9 }).rows.map(({ id }) => id);
}

function placesOf(db: ShardDatabase, query: string, tests: 'include' | 'exclude' | 'only' = 'include'): string[] {
  return usages(db, { ...PAGE, symbols: idsOf(db, query), tests }).rows.map(
    ({ path, line, column }) => `${path}:${line}:${column}`,
  );
}

function hits(db: ShardDatabase, query: string): string[] {
  return semanticSearch(db, { query, ...PAGE })
    .rows.slice(0, 3)
    .map(({ path }) => path);
}

test('files that import each other for types alone are no circle, and are told apart', () =>
  withIndexed(FILES, (db) => {
    const { rows, ofTypes } = smells(db, { ...PAGE, thresholds: DEFAULT_THRESHOLDS, smells: ['cycle'] });

    expect(rows.map(({ files }) => files)).toEqual([['src/run/left.ts', 'src/run/right.ts']]);
    expect(ofTypes).toEqual([['src/types/first.ts', 'src/types/second.ts']]);
  }));

test('usages hold no row twice, and know the tests inside of a file', () =>
  withIndexed(FILES, (db) => {
    const sent = placesOf(db, 'src/mail/mail.ts:Mailer.send');

    expect(new Set(sent).size).toBe(sent.length);
    expect(sent.filter((place) => place.startsWith('src/mail/plugin.ts:'))).toHaveLength(3);
    expect(placesOf(db, 'double', 'exclude')).toEqual(['src/lib.rs:6:4', 'src/lib.rs:6:11']);
    expect(placesOf(db, 'double', 'only')).toEqual(['src/lib.rs:15:19']);
    expect(placesOf(db, 'double')).toHaveLength(3);
  }));

test('a question finds what it names, and the value of an enumeration, a constant or a key that it speaks of', () =>
  withIndexed(FILES, (db) => {
    expect(hits(db, 'how does the OrderService place an order')).toContain('src/orders/order-service.ts');
    expect(hits(db, 'which letters are affectionate')).toContain('src/letters/tone.ts');
    expect(hits(db, 'how many bytes may the largest upload have')).toContain('src/uploads/limits.ts');
    expect(hits(db, 'for how many days are invoices kept, retention')).toContain('config/application.yaml');
  }));
