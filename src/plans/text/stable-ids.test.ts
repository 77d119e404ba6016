import { expect, test } from 'vitest';
import { keepIds } from './stable-ids.ts';
import { mergeItems } from '../store/work-items.ts';
import type { ItemRow } from '../store/store-items.ts';
import { blankDraft, type ItemDraft } from './work-item-text.ts';

const NOW = new Date('2026-11-21T00:00:00Z');

function draft(fields: Partial<ItemDraft>): ItemDraft {
  return { ...blankDraft(), ...fields };
}

function row(key: string, number: number, fields: Partial<ItemDraft>, edited: ItemRow['edited'] = {}): ItemRow {
  const { key: _key, ...written } = draft(fields);
  return { planId: 'p', key, number, position: 0, written, edited, removedAt: null, updatedAt: NOW };
}

test('an entry keeps its id by what is written, by the same text, by a text much like it; others get a number never used', () => {
  const before = [
    { id: 'T1', text: 'Write the parser' },
    { id: 'T2', text: 'Store the rows in the database' },
    { id: 'T7', text: 'Removed long ago' },
  ];
  const entries = [
    { text: 'Something new' },
    { text: 'Store the rows in the new database' },
    { text: 'write the  `parser`' },
    { id: 'T9', text: 'Has its own id' },
  ];

  expect(keepIds('T', before, entries)).toEqual(['T10', 'T2', 'T1', 'T9']);
});

test('an id that is written twice belongs to the first', () => {
  expect(
    keepIds(
      'T',
      [],
      [
        { id: 'T1', text: 'a' },
        { id: 'T1', text: 'b' },
      ],
    ),
  ).toEqual(['T1', 'T2']);
});

test('what people edited stays until the text says something new about that field', () => {
  const before = [
    row('T1', 12, { title: 'Parse', status: 'todo', estimate: '1d' }, { status: 'doing', estimate: '3d' }),
  ];

  const same = mergeItems('p', before, [draft({ key: 'T1', title: 'Parse', estimate: '1d' })], NOW);
  const changed = mergeItems('p', before, [draft({ key: 'T1', title: 'Parse', status: 'done', estimate: '1d' })], NOW);

  expect(same[0]).toMatchObject({ number: 12, edited: { status: 'doing', estimate: '3d' } });
  expect(changed[0]).toMatchObject({ written: { status: 'done' }, edited: { estimate: '3d' } });
});

test('an item that the text names no more is marked, and comes back with its number', () => {
  const before = [row('T1', 12, { title: 'Parse' })];

  const [gone] = mergeItems('p', before, [], NOW);
  const [back] = mergeItems(
    'p',
    before.map((itemRow) => ({ ...itemRow, removedAt: NOW })),
    [draft({ title: 'parse' })],
    NOW,
  );

  expect(gone).toMatchObject({ key: 'T1', number: 12, removedAt: NOW });
  expect(back).toMatchObject({ key: 'T1', number: 12, removedAt: null });
});
