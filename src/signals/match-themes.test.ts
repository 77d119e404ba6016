import { expect, test } from 'vitest';
import { matchThemes } from './match-themes.ts';

const theme = (id: string, isPersonal = false) => ({ id, isPersonal });
/** `a1: A` for each signal that was in a theme. */
const before = (text: string) => new Map(text.split(' ').map((pair) => pair.split(':') as [string, string]));

test('a group stays the theme that most of its signals were in, and a new one is its own', () => {
  const was = before('1:A 2:A 3:A 4:B 5:B');

  expect(
    matchThemes(
      [
        ['1', '2', '4'],
        ['5', '6'],
        ['7', '8'],
      ],
      was,
      [theme('A'), theme('B')],
    ),
  ).toEqual(['A', 'B', undefined]);
});

test('a theme that falls apart stays the larger part', () => {
  const was = before('1:A 2:A 3:A 4:A 5:A');

  expect(
    matchThemes(
      [
        ['1', '2'],
        ['3', '4', '5'],
      ],
      was,
      [theme('A')],
    ),
  ).toEqual([undefined, 'A']);
});

test('what a person formed stays together, in as many groups as there are', () => {
  const was = before('1:A 2:A 3:A 4:A 5:B 6:A');

  expect(matchThemes([['1', '2'], ['3', '4'], ['5', '6', '7'], ['8']], was, [theme('A', true), theme('B')])).toEqual([
    'A',
    'A',
    'A',
    undefined,
  ]);
  expect(matchThemes([['4', '5', '9']], before('4:A 5:B 9:B'), [theme('A', true), theme('B')])).toEqual(['B']);
});

test('a few signals in common do not make a group the theme', () => {
  const was = before('1:A 2:A 3:A 4:A 5:A 6:A 7:A');

  expect(matchThemes([['1', 'b', 'c', 'd', 'e']], was, [theme('A')])).toEqual([undefined]);
});
