import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { actionsColumn, Table } from './table.tsx';

const rows = createElement('tr', null, createElement('td', null, 'A cell'));

test('a table has a header for each column that is there, with its classes', () => {
  const columns = ['Name', false, ['Lines', 'text-right'] as const, actionsColumn('w-20')];
  const html = renderToStaticMarkup(createElement(Table, { caption: 'Files', columns, children: rows }));
  const headers = [...html.matchAll(/<th scope="col" class="([^"]*)">(.*?)<\/th>/g)].map(([, classes = '', title]) => [
    title,
    classes.split(' ').at(-1),
  ]);

  expect(headers).toEqual([
    ['Name', 'text-quiet'],
    ['Lines', 'text-right'],
    ['<span class="sr-only">Actions</span>', 'w-20'],
  ]);
  expect(html).toMatch(/<caption class="sr-only">Files<\/caption>.*A cell/);
});
