/** Rows of lists and tables. */
const ROW = 'li, tr';
const FOCUSABLE = 'a[href], button, input, select, textarea, summary, [tabindex="0"]';

/** Position of the focus: the row, its index among the rows, and the index of the control in it. */
interface Spot {
  control: Element;
  rows: Element;
  row: number;
  at: number;
}

/**
 * Moves the focus, when its element is taken out of a list, to the same control of the row that took its place, or else of the
 * last row; without rows, to the content. Listens until it is called off.
 */
export function keepFocusInList(content: HTMLElement): () => void {
  let spot: Spot | undefined;
  const remember = ({ target }: FocusEvent): void => {
    if (target instanceof Element) spot = spotOf(target);
  };
  const observer = new MutationObserver(() => {
    if (spot === undefined || spot.control.isConnected || document.activeElement !== document.body) return;
    const rows = rowsIn(spot.rows);
    const row = spot.rows.isConnected ? rows[Math.min(spot.row, rows.length - 1)] : undefined;
    const controls = row === undefined ? [] : controlsIn(row);
    (controls[Math.min(spot.at, controls.length - 1)] ?? content).focus();
  });
  content.addEventListener('focusin', remember);
  observer.observe(content, { childList: true, subtree: true });
  return () => {
    content.removeEventListener('focusin', remember);
    observer.disconnect();
  };
}

function spotOf(control: Element): Spot | undefined {
  const row = control.closest(ROW);
  const rows = row?.parentElement;
  if (row === null || rows === null || rows === undefined) return undefined;
  return { control, rows, row: rowsIn(rows).indexOf(row), at: controlsIn(row).indexOf(control as HTMLElement) };
}

function rowsIn(rows: Element): Element[] {
  return [...rows.children].filter((child) => child.matches(ROW));
}

function controlsIn(row: Element): HTMLElement[] {
  return [...row.querySelectorAll<HTMLElement>(FOCUSABLE)];
}

/**
 * Presses the newest button that takes something back with Ctrl or Cmd and Z, except where somebody writes: there the keys take back
 * what was written. Listens until it is called off.
 */
export function pressUndoWithKeys(): () => void {
  document.addEventListener('keydown', pressUndo);
  return () => document.removeEventListener('keydown', pressUndo);
}

function pressUndo(event: KeyboardEvent): void {
  const { key, ctrlKey, metaKey, target } = event;
  if (key !== 'z' || !(ctrlKey || metaKey)) return;
  if (target instanceof Element && target.matches('input:not([type=checkbox]), textarea')) return;
  const newest = [...document.querySelectorAll<HTMLElement>('[data-undo]')].at(-1);
  if (newest === undefined) return;
  event.preventDefault();
  newest.click();
}
