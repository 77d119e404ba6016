import { expect, test } from 'vitest';
import * as rules from '../form-rules.json';
import { bodyOf, changesOf, faultsOf, firstEntries } from './form-body.ts';

const shown = (...names: string[]) => new Map(names.map((name) => [name, false]));

test('a form begins with what is given, and with nothing in the other fields', () => {
  const { value, tags, text, rating } = firstEntries(rules.postSignals, { text: 'Slow', rating: 4, value: null });
  expect({ value, tags, text, rating }).toEqual({ value: '', tags: [], text: 'Slow', rating: '4' });
});

test('a body has what was entered, in the types of the service, without white space and empty fields', () => {
  const entries = firstEntries(rules.postSignals, { text: ' Slow\n', value: '1.5', tags: [' export', '', 'billing '] });
  expect(bodyOf(rules.postSignals, entries)).toEqual({ text: 'Slow', value: 1.5, tags: ['export', 'billing'] });
});

test('a password is sent as it was typed', () => {
  const entries = { email: ' ada@example.com ', password: ' a b ' };
  expect(bodyOf(rules.postSignInPassword, entries)).toEqual({ email: 'ada@example.com', password: ' a b ' });
});

test('a required field is sent empty, so that the service names it, and values without a rule as they are', () => {
  const entries = firstEntries(rules.postDecisions, { options: [{ name: 'SQLite' }], status: 'accepted' });
  const body = { title: '', decision: '', status: 'accepted', options: [{ name: 'SQLite' }] };
  expect(bodyOf(rules.postDecisions, entries)).toEqual(body);
});

test('a change has only what differs: an emptied text or list is empty, a number and what may be null is null', () => {
  const before = firstEntries(rules.patchWorkItems, { title: 'Pay', files: ['a.ts'], notes: 'x', key: 'T1' });
  expect(changesOf(rules.patchWorkItems, { ...before, notes: ' x ', files: ['a.ts', ''] }, before)).toEqual({});
  expect(changesOf(rules.patchWorkItems, { ...before, notes: '', files: [''] }, before)).toEqual({
    notes: '',
    files: [],
  });
  const limits = firstEntries(rules.patchQuotas, { runs: 5, requests: 60 });
  expect(changesOf(rules.patchQuotas, { ...limits, runs: '', requests: '70' }, limits)).toEqual({
    runs: null,
    requests: 70,
  });
});

test.each([
  [rules.postProducts, { name: '  ' }, { name: 'This is required.' }],
  [rules.postProducts, { name: 'é'.repeat(80) }, {}],
  [rules.postProducts, { name: 'a'.repeat(81) }, { name: 'At most 80 characters.' }],
  [rules.postInvitationsAccept, { password: 'short' }, { password: 'At least 12 characters.' }],
  [rules.postAccount, { password: '' }, {}],
  [rules.postTrackers, { kind: '' }, { kind: 'This is required.' }],
  [rules.putCompetitorDigests, { to: [' '] }, { to: 'This is required.' }],
  [rules.patchWorkItems, { depends: ['T1', 'x'.repeat(21)] }, { depends: 'At most 20 characters.' }],
  [rules.postSignals, { rating: '6' }, { rating: 'At most 5.' }],
  [rules.postSignals, { rating: '0' }, { rating: 'At least 1.' }],
  [rules.postSignals, { rating: 'x' }, { rating: 'Enter a number.' }],
  [rules.patchQuotas, { runs: '1.5' }, { runs: 'Enter a whole number.' }],
])('faults are found by the rules of the service: %#', (body, entries, expected) => {
  expect(faultsOf(body, entries, shown(...Object.keys(entries)))).toEqual(expected);
});

test('what is not shown is no fault, and a form may require more than the service', () => {
  expect(faultsOf(rules.postProducts, { name: '' }, shown())).toEqual({});
  expect(faultsOf(rules.postAccount, { password: '' }, new Map([['password', true]]))).toEqual({
    password: 'This is required.',
  });
});
