import type { ComponentProps, ReactNode } from 'react';
import { classNames } from '../class-names.ts';
import { Icon } from './button.tsx';

export const CELL_CLASS = 'px-3 py-2.5 align-middle';
/** Of a cell with a number. */
export const NUMBER_CLASS = `${CELL_CLASS} text-right whitespace-nowrap tabular-nums`;

/** The title of a column, with the classes of its header; false where the column is left out. */
type Column = ReactNode | readonly [title: ReactNode, className: string];

interface TableProps {
  caption: string;
  columns?: readonly Column[];
  /** The headers, where they are more than titles. */
  head?: ReactNode;
  children: ReactNode;
}

/** A table in a frame. It scrolls sideways in itself, never the page; so does what only screen readers see in it. */
export function Table({ caption, columns = [], head, children }: TableProps) {
  const shown = columns.filter((column) => column !== false);
  return (
    <div className="relative overflow-x-auto rounded-lg border border-line bg-panel">
      <table className="w-full border-collapse">
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr className="border-b border-line">
            {head ??
              shown.map((column, at) => {
                const [title, className] = isTitled(column) ? column : [column, undefined];
                return (
                  <Header key={at} className={className}>
                    {title}
                  </Header>
                );
              })}
          </tr>
        </thead>
        <tbody className="[&>tr]:border-b [&>tr]:border-line [&>tr:last-child]:border-0">{children}</tbody>
      </table>
    </div>
  );
}

function isTitled(column: Column): column is readonly [ReactNode, string] {
  return Array.isArray(column);
}

interface HeaderProps {
  children: ReactNode;
  className?: string | undefined;
}

export function Header({ children, className }: HeaderProps) {
  return (
    <th
      scope="col"
      className={classNames('px-3 py-2 text-left text-xs font-medium whitespace-nowrap text-quiet', className)}
    >
      {children}
    </th>
  );
}

/** The column of buttons and menus that say themselves what they do. */
export function actionsColumn(className = 'w-12'): readonly [ReactNode, string] {
  return [<span className="sr-only">Actions</span>, className];
}

export function Cell({ className, ...cell }: ComponentProps<'td'>) {
  return <td {...cell} className={classNames(CELL_CLASS, className)} />;
}

export function NumberCell({ className, ...cell }: ComponentProps<'td'>) {
  return <td {...cell} className={classNames(NUMBER_CLASS, className)} />;
}

/** The cell that names its row. */
export function RowHeader({ className, ...cell }: ComponentProps<'th'>) {
  return <th {...cell} scope="row" className={classNames(CELL_CLASS, 'text-left', className)} />;
}

interface SortHeaderProps extends HeaderProps {
  /** Direction in which the table is sorted by this column; undefined when it is not. */
  direction: 'ascending' | 'descending' | undefined;
  onSort: () => void;
}

export function SortHeader({ children, className, direction, onSort }: SortHeaderProps) {
  return (
    <th
      scope="col"
      aria-sort={direction ?? 'none'}
      className={classNames('px-1 py-1 text-left text-xs font-medium whitespace-nowrap text-quiet', className)}
    >
      <button
        type="button"
        onClick={onSort}
        className="inline-flex items-center gap-1 rounded px-2 py-1 hover:text-ink"
      >
        {children}
        <Icon
          name="chevron"
          className={classNames(
            'size-3 transition-transform',
            direction === undefined && 'opacity-0',
            direction === 'ascending' && 'rotate-180',
          )}
        />
      </button>
    </th>
  );
}
