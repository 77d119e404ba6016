import { expect, test } from 'vitest';
import { cleared, isNarrowed, withChosen } from './list-page.tsx';

const CHOICES = [
  { value: '', label: 'All' },
  { value: 'draft', label: 'draft' },
];

test('what the address names can be seen and taken back, known or not', () => {
  expect(withChosen(CHOICES, '')).toEqual(CHOICES);
  expect(withChosen(CHOICES, 'draft')).toEqual(CHOICES);
  expect(withChosen(CHOICES, 'gone')).toEqual([...CHOICES, { value: 'gone', label: 'gone' }]);
  expect(withChosen(CHOICES, '2026-10-01').at(-1)).toEqual({ value: '2026-10-01', label: 'Since 2026-10-01' });
});

test('an order narrows nothing down', () => {
  expect([{}, { sort: 'newest' }, { query: undefined }].map(isNarrowed)).toEqual([false, false, false]);
  expect([{ query: 'mail' }, { sort: 'newest', status: 'draft' }].map(isNarrowed)).toEqual([true, true]);
});

test('what clears the filters leaves the order', () => {
  expect(cleared({ query: 'mail', status: 'draft', sort: 'newest' })).toEqual({ query: '', status: '' });
});
