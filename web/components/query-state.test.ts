import { isValidElement } from 'react';
import { expect, test, vi } from 'vitest';
import { LoadFailure } from './problem.tsx';
import { QueryState } from './query-state.tsx';

const refetch = vi.fn<() => void>();
const waiting = { isPending: true, isError: false, error: null, refetch };
const error = new Error('The service does not answer.');
const what = { what: 'plans', placeholder: 'Loading plans' };

test('the placeholder stands while an answer is waited for, and nothing once it is there', () => {
  expect(QueryState({ query: waiting, ...what })).toBe('Loading plans');
  expect(QueryState({ query: { ...waiting, isPending: false }, ...what })).toBeNull();
});

test('a failure says what could not be loaded, and is tried again', () => {
  const shown = QueryState({ query: { ...waiting, isPending: false, isError: true, error }, ...what });

  if (!isValidElement<Parameters<typeof LoadFailure>[0]>(shown)) throw new Error('No element');
  expect([shown.type, shown.props.what, shown.props.problem]).toEqual([LoadFailure, 'plans', error]);
  shown.props.onRetry();
  expect(refetch).toHaveBeenCalledOnce();
});
