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

const groupWith = (size: number): string[] => Array.from({ length: size }, (_, at) => (at === 0 ? '1' : `new ${at}`));

test('a group is the theme with which it has a third of the smaller one in common, or half of what was together', () => {
  const [was, five] = [before('1:A 2:A 3:A'), before('1:A 2:A 3:A 4:A 5:A')];

  expect(matchThemes([groupWith(9)], was, [theme('A')])).toEqual(['A']);
  expect(matchThemes([groupWith(3)], five, [theme('A')])).toEqual(['A']);
  expect(matchThemes([groupWith(4)], five, [theme('A')])).toEqual([undefined]);
  const personal = [theme('A', true)];
  expect(matchThemes([['1', '9']], before('1:A 9:B'), personal)).toEqual(['A']);
  expect(matchThemes([['1', '8', '9']], before('1:A 8:B 9:C'), personal)).toEqual([undefined]);
});

test('of themes with as many of their signals in a group the first by its id is that of the group', () => {
  const themes = [theme('B'), theme('A')];

  expect(matchThemes([['1', '2']], before('1:B 2:A'), themes)).toEqual(['A']);
  expect(matchThemes([['1'], ['2']], before('1:A 2:A'), themes)).toEqual(['A', undefined]);
  expect(matchThemes([['1']], before('1:gone'), themes)).toEqual([undefined]);
});
