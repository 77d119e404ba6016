import { useEffect, useState } from 'react';

const KEY = 'folded groups';
/** Used least: the page stays one glance high. */
const COLLAPSED_AT_FIRST: readonly string[] = ['Settings'];

/**
 * State of a group of the navigation: open or collapsed as the person left it in this browser, and always open on one of its
 * pages.
 */
export function useFolding(title: string, isHere: boolean): { isOpen: boolean; toggle: () => void } {
  const [isCollapsed, setCollapsed] = useState(() => storedGroups().includes(title) && !isHere);
  useEffect(() => {
    if (isHere) setCollapsed(false);
  }, [isHere]);
  return {
    isOpen: !isCollapsed,
    toggle: () => {
      setCollapsed(!isCollapsed);
      storeGroups(isCollapsed ? storedGroups().filter((group) => group !== title) : [...storedGroups(), title]);
    },
  };
}

function storedGroups(): readonly string[] {
  try {
    const groups: unknown = JSON.parse(localStorage.getItem(KEY) ?? 'null');
    return Array.isArray(groups) ? groups.filter((group) => typeof group === 'string') : COLLAPSED_AT_FIRST;
  } catch {
    return COLLAPSED_AT_FIRST;
  }
}

function storeGroups(groups: readonly string[]): void {
  try {
    localStorage.setItem(KEY, JSON.stringify([...new Set(groups)]));
  } catch {
    // Without storage it holds until the page is left.
  }
}
