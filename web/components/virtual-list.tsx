import { defaultRangeExtractor, type Range, useWindowVirtualizer, type VirtualItem } from '@tanstack/react-virtual';
import { memo, type ReactNode, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { classNames } from '../class-names.ts';
import { LoadMore, type Pages } from './page.tsx';

/** Rows beyond the window that are there already, so that a turn of the wheel or a Tab meets no gap. */
const OVERSCAN = 8;
/** The next page is loaded when only this many rows remain below the window. */
const ROWS_AHEAD = 40;
/** Lists whose measures are kept for the way back. */
const MOST_LISTS = 20;

/** Heights of the rows of lists that were left, by address and label: back finds the row that was at the top. */
const measured = new Map<string, VirtualItem[]>();

/** Rows in a frame, with lines between them. */
const LIST_CLASS = 'divide-y divide-line rounded-lg border border-line bg-panel';

interface VirtualListProps<Row> {
  /** Name of the list, for screen readers. */
  label: string;
  rows: readonly Row[];
  /** All rows that there are, where not all are loaded; -1 where that is unknown. */
  total?: number;
  keyOf: (row: Row) => string;
  /** Height of a row before it is measured, in px. */
  estimatePx: (row: Row) => number;
  /** Between rows that have no frame in common, in px. */
  gapPx?: number;
  /** More rows are loaded as the end comes near. */
  query?: Pages;
  /** The content of a row. The same function as long as it shows the same. */
  children: (row: Row) => ReactNode;
}

/** A list of any length that scrolls with the page; only the rows about the window are in the document. */
export function VirtualList<Row>(props: VirtualListProps<Row>) {
  const { label, rows, total = rows.length, query, gapPx, children } = props;
  const { items, takeList, measure, setFocused } = useRowsInSight(props);
  const last = items.at(-1)?.index ?? 0;
  const isNearEnd = rows.length > 0 && last >= rows.length - ROWS_AHEAD;
  const isOwed = isNearEnd && query?.hasNextPage === true && !query.isFetchingNextPage && !query.isError;
  useEffect(() => {
    if (isOwed) void query?.fetchNextPage();
  }, [isOwed, query]);
  return (
    <>
      <ul
        ref={takeList}
        aria-label={label}
        className={classNames('relative box-content', gapPx === undefined && LIST_CLASS)}
        onFocus={({ target }) => setFocused(indexOf(target))}
        onBlur={() => setFocused(undefined)}
      >
        {items.map(({ key, index }) => (
          <li
            key={key}
            ref={measure}
            data-index={index}
            aria-posinset={index + 1}
            aria-setsize={total}
            className="absolute w-full"
          >
            <Content row={at(rows, index)} show={children as (row: unknown) => ReactNode} />
          </li>
        ))}
      </ul>
      {query !== undefined && <LoadMore query={query} />}
    </>
  );
}

/** Selects the rows near the window, and measures them. */
function useRowsInSight<Row>({ label, rows, keyOf, estimatePx, gapPx = 0 }: VirtualListProps<Row>) {
  const [marginPx, setMarginPx] = useState(0);
  const [focused, setFocused] = useState<number>();
  const list = useRef<HTMLUListElement>(null);
  const listKey = `${location.pathname}${location.search} ${label}`;
  const virtualizer = useWindowVirtualizer<HTMLLIElement>({
    count: rows.length,
    estimateSize: (index) => estimatePx(at(rows, index)),
    getItemKey: (index) => keyOf(at(rows, index)),
    gap: gapPx,
    overscan: OVERSCAN,
    scrollMargin: marginPx,
    initialMeasurementsCache: measured.get(listKey) ?? [],
    directDomUpdates: true,
    directDomUpdatesMode: 'position',
    // The row with the focus stays, so that the next Tab goes on from there.
    rangeExtractor: useCallback((range: Range) => withFocused(range, focused), [focused]),
  });
  const { containerRef } = virtualizer;
  const takeList = useCallback(
    (element: HTMLUListElement | null) => {
      list.current = element;
      containerRef(element);
    },
    [containerRef],
  );
  // The content above may have changed its height.
  useLayoutEffect(() => {
    if (list.current !== null) setMarginPx(Math.round(list.current.getBoundingClientRect().top + window.scrollY));
  });
  useEffect(() => () => keepMeasures(listKey, virtualizer.takeSnapshot()), [listKey, virtualizer]);
  return { items: virtualizer.getVirtualItems(), takeList, measure: virtualizer.measureElement, setFocused };
}

/** Drawn again when its row changes, not when the list scrolls. */
const Content = memo(function Content({ row, show }: { row: unknown; show: (row: unknown) => ReactNode }) {
  return show(row);
});

function at<Row>(rows: readonly Row[], index: number): Row {
  const row = rows[index];
  if (row === undefined) throw new Error(`The list has no row ${index}.`);
  return row;
}

function indexOf(target: Element): number | undefined {
  const index = Number(target.closest('li[data-index]')?.getAttribute('data-index') ?? Number.NaN);
  return Number.isNaN(index) ? undefined : index;
}

/** The rows of a range, and the one with the focus. */
export function withFocused(range: Range, focused: number | undefined): number[] {
  const indexes = defaultRangeExtractor(range);
  if (focused === undefined || focused >= range.count || indexes.includes(focused)) return indexes;
  return [...indexes, focused].toSorted((a, b) => a - b);
}

function keepMeasures(key: string, items: VirtualItem[]): void {
  measured.delete(key);
  measured.set(key, items);
  const [oldest] = measured.keys();
  if (measured.size > MOST_LISTS && oldest !== undefined) measured.delete(oldest);
}
