import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { EmptyState } from './empty-state.tsx';
import { cleared, FilterBar, type FilterBarProps, isNarrowed } from './filter-bar.tsx';
import type { IconName } from './icon.tsx';
import { Page } from './page.tsx';
import { QueryState, type QueryStateProps } from './query-state.tsx';
import { SkeletonRows } from './skeleton.tsx';

interface ListPageProps<Row, Name extends string> {
  /** With `isPlaceholderData`, the rows are those of the filter before. */
  query: QueryStateProps['query'] & { isPlaceholderData?: boolean };
  title: string;
  lead: string;
  /** Actions of the page; in the middle of an empty list instead. */
  actions?: ReactNode;
  /** Further actions on rows, such as an export: not on an empty list. */
  rowActions?: ReactNode;
  /** Above the filters, whatever is listed. */
  above?: ReactNode;
  /** Name of one row and of all of them, as in a sentence. */
  noun: { one: string; all: string };
  icon: IconName;
  /** The rows that the filter leaves; undefined while they are loaded. */
  rows: readonly Row[] | undefined;
  /** Nothing is there, whatever is filtered; else that there are no rows and no filter says so. */
  isBare?: boolean | undefined;
  filter: Omit<FilterBarProps<Name>, 'summary'>;
  /** Number of rows, in words. */
  summary: string | undefined;
  /** Height of a row, for its placeholder while it is loaded. */
  rowClass?: string;
  empty: { title: string; text: string; action?: ReactNode };
  noMatch: string;
  children: (rows: readonly Row[]) => ReactNode;
}

/**
 * The page of a list: its title and actions, its filters with the number of rows, and its rows, or what stands there while
 * they are loaded, when that fails, when there are none, and when no row matches.
 */
export function ListPage<Row, Name extends string>(props: ListPageProps<Row, Name>) {
  const { title, lead, query, rows, noun, icon, rowClass, actions } = props;
  const isBare =
    props.isBare ?? (rows?.length === 0 && !isNarrowed(props.filter.filter) && query.isPlaceholderData !== true);
  const isFilled = rows !== undefined && !isBare;
  return (
    <Page
      title={title}
      lead={lead}
      actions={
        !isBare && (
          <>
            {props.rowActions}
            {actions}
          </>
        )
      }
    >
      {props.above}
      {!isBare && <FilterBar {...props.filter} summary={props.summary} />}
      <QueryState
        query={query}
        what={noun.all}
        placeholder={<SkeletonRows label={`Loading ${noun.all}`} {...(rowClass !== undefined && { rowClass })} />}
      />
      {isBare && rows !== undefined && (
        <EmptyState icon={icon} title={props.empty.title} action={props.empty.action ?? actions}>
          {props.empty.text}
        </EmptyState>
      )}
      {isFilled && rows.length === 0 && (
        <EmptyState
          icon={icon}
          title={`No ${noun.one} matches`}
          action={
            <Button onClick={() => props.filter.onChange(cleared(props.filter.filter))}>Show all {noun.all}</Button>
          }
        >
          {props.noMatch}
        </EmptyState>
      )}
      {isFilled && rows.length > 0 && props.children(rows)}
    </Page>
  );
}
