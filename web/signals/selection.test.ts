import { expect, test } from 'vitest';
import { withChosen } from './selection.ts';

const ROWS = ['a', 'b', 'c', 'd', 'e'].map((id) => ({ id }));

test('a row is selected and taken out again, and with a range all rows up to it', () => {
  const one = withChosen(new Set(), ROWS, { id: 'b', from: undefined });
  expect([...one]).toEqual(['b']);
  expect([...withChosen(one, ROWS, { id: 'b', from: undefined })]).toEqual([]);

  const down = withChosen(one, ROWS, { id: 'd', from: 'b' });
  expect([...down].toSorted()).toEqual(['b', 'c', 'd']);
  expect([...withChosen(down, ROWS, { id: 'c', from: 'd' })]).toEqual(['b']);
  expect([...withChosen(one, ROWS, { id: 'a', from: 'b' })].toSorted()).toEqual(['a', 'b']);
  // The row that was chosen before is no longer in the list.
  expect([...withChosen(one, ROWS, { id: 'e', from: 'gone' })]).toEqual(['b', 'e']);
});
