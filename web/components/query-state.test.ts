import { isValidElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test, vi } from 'vitest';
import { LoadFailure, QueryState } from './query-state.tsx';

const refetch = vi.fn<() => void>();
const waiting = { isPending: true, isError: false, error: null, refetch };
const error = new Error('The service does not answer.');
const what = { what: 'plans' };

test('the placeholder stands while an answer is waited for, and nothing once it is there', () => {
  const placeholders = [{}, { box: 'h-80' }, { placeholder: 'One moment' }].map((props) =>
    renderToStaticMarkup(QueryState({ query: waiting, ...what, ...props })),
  );
  expect(placeholders[0]).toMatch(/aria-label="Loading plans".*(?:h-\[45px\].*){3}/);
  expect(placeholders.slice(1)).toEqual([expect.stringMatching(/"Loading plans".* h-80/), 'One moment']);
  expect(QueryState({ query: { ...waiting, isPending: false }, ...what })).toBeNull();
});

test('a failure says what could not be loaded, and is tried again', () => {
  const shown = QueryState({ query: { ...waiting, isPending: false, isError: true, error }, ...what });

  if (!isValidElement<Parameters<typeof LoadFailure>[0]>(shown)) throw new Error('No element');
  expect([shown.type, shown.props.what, shown.props.problem]).toEqual([LoadFailure, 'plans', error]);
  shown.props.onRetry();
  expect(refetch).toHaveBeenCalledOnce();
});
