import { useCallback, useMemo, useRef, useState } from 'react';

export interface Selection<Row> {
  /** Those that are selected and still in the list, in its order. */
  rows: readonly Row[];
  has: (id: string) => boolean;
  /** With `range`, all rows from the one that was chosen before up to this one. */
  choose: (id: string, range: boolean) => void;
  chooseAll: () => void;
  clear: () => void;
}

/** Selects rows of a list. */
export function useSelection<Row extends { id: string }>(rows: readonly Row[]): Selection<Row> {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const last = useRef<string>(undefined);
  const choose = useCallback(
    (id: string, range: boolean) => {
      const from = range ? last.current : undefined;
      last.current = id;
      setIds((chosen) => withChosen(chosen, rows, { id, from }));
    },
    [rows],
  );
  const chosen = useMemo(() => rows.filter(({ id }) => ids.has(id)), [rows, ids]);
  const has = useCallback((id: string) => ids.has(id), [ids]);
  return {
    rows: chosen,
    has,
    choose,
    chooseAll: () => setIds(new Set(rows.map(({ id }) => id))),
    clear: () => setIds(new Set()),
  };
}

/** Returns the selection after a row is chosen: it changes, and with `from` all rows between become as it does. */
export function withChosen(
  chosen: ReadonlySet<string>,
  rows: readonly { id: string }[],
  { id, from }: { id: string; from: string | undefined },
): ReadonlySet<string> {
  const next = new Set(chosen);
  const at = rows.findIndex((row) => row.id === id);
  const start = from === undefined ? -1 : rows.findIndex((row) => row.id === from);
  const range = start === -1 ? [{ id }] : rows.slice(Math.min(at, start), Math.max(at, start) + 1);
  const isAdded = !chosen.has(id);
  for (const row of range) {
    if (isAdded) next.add(row.id);
    else next.delete(row.id);
  }
  return next;
}
