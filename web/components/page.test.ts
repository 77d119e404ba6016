import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test, vi } from 'vitest';
import { LoadedPage } from './page.tsx';

vi.mock('@tanstack/react-router', () => ({
  Link: ({ to }: { to: string }) => createElement('a', { href: to }, 'back'),
}));

const waiting = { isPending: true, isError: false, error: null, refetch: () => undefined };

function show(data: string | undefined): string {
  const query = { ...waiting, isPending: data === undefined, data };
  const page = LoadedPage({ query, noun: 'API key', back: { to: '/plans', name: 'Keys' }, children: (name) => name });
  return renderToStaticMarkup(page);
}

test('the page of a thing has its frame while the thing is loaded, and the way back', () => {
  expect(show(undefined)).toMatch(/href="\/plans".*<h1[^>]*>API key<\/h1>.*aria-label="Loading this API key"/);
  expect(show('Laptop')).toBe('Laptop');
});
