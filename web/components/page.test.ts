import { createMemoryHistory, createRootRoute, createRouter, RouterContextProvider } from '@tanstack/react-router';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { LoadedPage } from './page.tsx';

const router = createRouter({ routeTree: createRootRoute(), history: createMemoryHistory() });
const waiting = { isPending: true, isError: false, error: null, refetch: () => undefined };

function show(data: string | undefined): string {
  const query = { ...waiting, isPending: data === undefined, data };
  const children = LoadedPage({
    query,
    noun: 'API key',
    back: { to: '/plans', name: 'Keys' },
    children: (name) => name,
  });
  // The types of the application's router are not those of one without pages.
  return renderToStaticMarkup(createElement(RouterContextProvider as never, { router, children } as never));
}

test('the page of a thing has its frame while the thing is loaded, and the way back', () => {
  expect(show(undefined)).toMatch(/href="\/plans".*<h1[^>]*>API key<\/h1>.*aria-label="Loading this API key"/);
  expect(show('Laptop')).toBe('Laptop');
});
