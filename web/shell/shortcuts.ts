import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { GROUPS } from './navigation.tsx';

/** Pages that `g` and a letter open. */
export const PLACES = GROUPS.flatMap(({ entries }) => entries).filter(({ letter }) => letter !== undefined);

type Destination = (typeof PLACES)[number];

/** Action of a key. `go` waits for a second letter. */
type Shortcut = 'palette' | 'help' | 'search' | 'go' | Destination;

const LETTERS_KEY = 'single-key shortcuts';
/** Time that `g` waits for its letter. */
const PAIR_MS = 1_500;

/**
 * Returns the action of a key press, if any. `afterGo`: `g` was pressed just before. With `letters` off, and while something is
 * typed, only Ctrl or Cmd with K counts.
 */
export function shortcutOf(
  { key, ctrlKey, metaKey, altKey }: { key: string; ctrlKey: boolean; metaKey: boolean; altKey: boolean },
  { afterGo, letters, isTyping }: { afterGo: boolean; letters: boolean; isTyping: boolean },
): Shortcut | undefined {
  if ((ctrlKey || metaKey) && !altKey && key.toLowerCase() === 'k') return 'palette';
  if (ctrlKey || metaKey || altKey || isTyping || !letters) return undefined;
  if (afterGo) return PLACES.find(({ letter }) => letter === key);
  return ({ '/': 'search', '?': 'help', g: 'go' } as const)[key];
}

/** True if letters alone are shortcuts; a person may turn them off, because speech input types letters. */
export function lettersEnabled(): boolean {
  try {
    return localStorage.getItem(LETTERS_KEY) !== 'off';
  } catch {
    return true;
  }
}

export function enableLetters(enabled: boolean): void {
  try {
    if (enabled) localStorage.removeItem(LETTERS_KEY);
    else localStorage.setItem(LETTERS_KEY, 'off');
  } catch {
    // Without storage they stay on.
  }
}

/** Listens to the keyboard of the whole application. */
export function useShortcuts(open: (what: 'palette' | 'help') => void): void {
  const navigate = useNavigate();
  const wentMs = useRef(-Infinity);
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      // What is open on top of the page has the keyboard.
      const isCovered = document.querySelector('[role=dialog], [role=alertdialog], [role=menu]') !== null;
      if (event.defaultPrevented || isCovered) return;
      const afterGo = event.timeStamp - wentMs.current < PAIR_MS;
      const shortcut = shortcutOf(event, { afterGo, letters: lettersEnabled(), isTyping: isField(event.target) });
      wentMs.current = shortcut === 'go' ? event.timeStamp : -Infinity;
      if (shortcut === undefined) return;
      event.preventDefault();
      if (shortcut === 'palette' || shortcut === 'help') open(shortcut);
      else if (shortcut === 'search') void navigate({ to: '/search' });
      else if (shortcut !== 'go') void navigate({ to: shortcut.to });
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, [navigate, open]);
}

function isField(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName))
  );
}
