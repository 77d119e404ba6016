import { expect, test } from 'vitest';
import { GROUPS } from './navigation.tsx';
import { PLACES, shortcutOf } from './shortcuts.ts';

const press = (key: string, held: 'ctrlKey' | 'metaKey' | 'altKey' | '' = '') => ({
  key,
  ctrlKey: held === 'ctrlKey',
  metaKey: held === 'metaKey',
  altKey: held === 'altKey',
});
const idle = { afterGo: false, letters: true, isTyping: false };

test('Ctrl or Cmd with K opens the palette, also while something is typed and with letters off', () => {
  for (const state of [idle, { ...idle, isTyping: true }, { ...idle, letters: false }]) {
    expect([shortcutOf(press('k', 'ctrlKey'), state), shortcutOf(press('K', 'metaKey'), state)]).toEqual([
      'palette',
      'palette',
    ]);
  }
  expect(shortcutOf(press('k', 'altKey'), idle)).toBeUndefined();
});

test('letters search, explain and go to pages, unless something is typed or they are off', () => {
  expect(['/', '?', 'g', 'x'].map((key) => shortcutOf(press(key), idle))).toEqual(['search', 'help', 'go', undefined]);
  expect(shortcutOf(press('p'), { ...idle, afterGo: true })).toMatchObject({ to: '/plans' });
  expect(shortcutOf(press('/'), { ...idle, afterGo: true })).toBeUndefined();
  expect(shortcutOf(press('/'), { ...idle, isTyping: true })).toBeUndefined();
  expect(shortcutOf(press('?'), { ...idle, letters: false })).toBeUndefined();
  expect(shortcutOf(press('/', 'ctrlKey'), idle)).toBeUndefined();
});

test('each page of the navigation has a letter of its own; the search has its sign', () => {
  const all = GROUPS.flatMap(({ entries }) => entries).map(({ text }) => text);
  const letters = PLACES.map(({ letter }) => letter);

  expect(all.filter((text) => !PLACES.some((destination) => destination.text === text))).toEqual(['Search']);
  expect(new Set(letters).size).toBe(letters.length);
  for (const destination of PLACES)
    expect(shortcutOf(press(destination.letter ?? ''), { ...idle, afterGo: true })).toBe(destination);
});
