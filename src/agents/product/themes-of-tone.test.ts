import { expect, test } from 'vitest';
import type { ThemeRow } from '../gather/signals.ts';
import { themesOfTone } from './themes-of-tone.ts';

const soundingOf = (signals: number): ThemeRow['negative'] => ({ signals, sample_ids: [] });

/** A theme of a hundred signals, of which so many sound negative and so many positive. */
function themeOf(theme: string, negative: number, positive: number): ThemeRow {
  const trend = { direction: 'steady', last: 0, usual: 0 };
  const tones = { negative: soundingOf(negative), positive: soundingOf(positive) };
  return { theme, signals: 100, customers: 0, trend, sample_ids: [], ...tones };
}

const names = (themes: readonly ThemeRow[], tone: 'negative' | 'positive' | undefined): string[] =>
  themesOfTone(themes, tone).map(({ theme }) => theme);

test('themes with most signals of a tone come first, without those that mostly sound otherwise', () => {
  const themes = [
    themeOf('prices', 30, 30),
    themeOf('drivers', 31, 32),
    themeOf('waits', 60, 0),
    themeOf('maps', 29, 9),
  ];

  expect(names(themes, 'negative')).toEqual(['waits', 'prices']);
  expect(names(themes, 'positive')).toEqual(['drivers', 'prices']);
  expect(names(themes, undefined)).toEqual(['prices', 'drivers', 'waits', 'maps']);
});

test('where no theme sounds much as asked, those that sound otherwise are none, either', () => {
  expect(names([themeOf('happiness', 10, 11), themeOf('maps', 3, 2)], 'negative')).toEqual(['maps']);
});
