import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { Button, Icon, type IconName } from './button.tsx';
import { FilterField, SelectField, TextField } from './field.tsx';
import { EmptyState, Page } from './page.tsx';
import { QueryState, type QueryStateProps, SkeletonRows } from './query-state.tsx';

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
  /** As the address says it. */
  filter: Filter<Name>;
  facets: readonly Facet<Name>[];
  /** Changes the filter, where the address says it in other words. An empty text removes a facet. */
  onFilter?: (fields: Filter<Name>) => void;
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
  const { title, lead, query, rows, noun, icon, rowClass, actions, filter, facets } = props;
  const navigate = useNavigate();
  const isBare = props.isBare ?? (rows?.length === 0 && !isNarrowed(filter) && query.isPlaceholderData !== true);
  const isFilled = rows !== undefined && !isBare;
  const change = (fields: Filter<Name>): void => {
    if (props.onFilter !== undefined) return props.onFilter(fields);
    // The page is known to the router only: it reads what it takes from the address.
    const search = ((now: object) => withoutEmpty({ ...now, ...fields })) as never;
    void navigate({ to: '.', search, replace: true });
  };
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
      {!isBare && facets.length > 0 && (
        <FilterBar filter={filter} facets={facets} onChange={change} summary={props.summary} />
      )}
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
          action={<Button onClick={() => change(cleared(filter))}>Show all {noun.all}</Button>}
        >
          {props.noMatch}
        </EmptyState>
      )}
      {isFilled && rows.length > 0 && props.children(rows)}
    </Page>
  );
}

interface Choice {
  value: string;
  label: string;
}

/** One thing that narrows a list down, under its name in the address: a text, one of some values, or a day. */
export type Facet<Name extends string> = { name: Name; label: string } & (
  | { kind: 'text'; placeholder?: string }
  | { kind: 'choice'; choices: readonly Choice[] }
  | { kind: 'day'; from?: string | undefined; to?: string | undefined }
);

type Filter<Name extends string> = { readonly [Key in Name]?: string };

interface FilterBarProps<Name extends string> {
  filter: Filter<Name>;
  facets: readonly Facet<Name>[];
  onChange: (fields: Filter<Name>) => void;
  /** Number of rows, in words; undefined while they are loaded. */
  summary: string | undefined;
}

/** Facets that a phone shows without asking. */
const COLLAPSED_FROM = 1;
/** With more facets than this, wide windows collapse them as well. */
const MOST_OPEN = 5;

/**
 * Filters and order of a list, with the number of rows and the way back to all of them. On phones, and where there are
 * many, all facets but the first are behind one button, so that the rows begin on the first screen; those that are set can be
 * seen and taken back below it.
 */
function FilterBar<Name extends string>({ filter, facets, onChange, summary }: FilterBarProps<Name>) {
  const [isOpen, setOpen] = useState(false);
  const isCollapsed = facets.length > MOST_OPEN;
  const hidden = isOpen ? '' : isCollapsed ? 'hidden' : 'max-sm:hidden';
  const change = (name: Name, value: string): void => onChange({ [name]: value } as Filter<Name>);
  const behind = facets.slice(COLLAPSED_FROM);
  const chosen = behind.filter(({ name }) => filter[name] !== undefined);
  const fields = facets.map((facet, index) => (
    <div key={facet.name} className={index >= COLLAPSED_FROM ? hidden : ''}>
      <FacetField facet={facet} value={filter[facet.name] ?? ''} onChange={(value) => change(facet.name, value)} />
    </div>
  ));
  return (
    <>
      <div
        className={`mb-3 grid grid-cols-2 gap-3 *:min-w-0 ${facets.length > 4 ? 'lg:grid-cols-5' : 'lg:grid-cols-4'}`}
      >
        {fields.slice(0, COLLAPSED_FROM)}
        {behind.length > 0 && (
          <Button
            icon="list"
            className={`self-end ${isCollapsed ? 'sm:justify-self-start' : 'sm:hidden'}`}
            aria-expanded={isOpen}
            onClick={() => setOpen((wasOpen) => !wasOpen)}
          >
            {chosen.length === 0 ? 'Filters' : `Filters (${chosen.length})`}
          </Button>
        )}
        {fields.slice(COLLAPSED_FROM)}
      </div>
      <div className="mb-2 flex min-h-8 flex-wrap items-center gap-x-3 gap-y-1 text-sm text-quiet">
        <p role="status">{summary}</p>
        {isCollapsed &&
          !isOpen &&
          chosen.map((facet) => (
            <Chosen
              key={facet.name}
              facet={facet}
              value={filter[facet.name] ?? ''}
              onClear={() => change(facet.name, '')}
            />
          ))}
        {isNarrowed(filter) && (
          <Button look="ghost" onClick={() => onChange(cleared(filter))}>
            Clear filters
          </Button>
        )}
      </div>
    </>
  );
}

/** A facet that is set, and takes itself back. */
function Chosen({ facet, value, onClear }: { facet: Facet<string>; value: string; onClear: () => void }) {
  const choices = facet.kind === 'choice' ? withChosen(facet.choices, value) : [];
  const label = choices.find((choice) => choice.value === value)?.label ?? value;
  return (
    <Button className="max-w-full" aria-label={`Clear ${facet.label}: ${label}`} onClick={onClear}>
      <span className="min-w-0 truncate">
        {facet.label}: {label}
      </span>
      <Icon name="close" className="shrink-0" />
    </Button>
  );
}

interface FacetFieldProps {
  facet: Facet<string>;
  value: string;
  onChange: (value: string) => void;
}

function FacetField({ facet, value, onChange }: FacetFieldProps) {
  const { label } = facet;
  if (facet.kind === 'text') {
    const { placeholder } = facet;
    return (
      <FilterField
        label={label}
        value={value}
        onChange={onChange}
        {...(placeholder !== undefined && { placeholder })}
      />
    );
  }
  if (facet.kind === 'choice')
    return <SelectField label={label} value={value} choices={withChosen(facet.choices, value)} onChoose={onChange} />;
  return <TextField label={label} type="date" value={value} min={facet.from} max={facet.to} onEnter={onChange} />;
}

function withoutEmpty(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ''));
}

/** Returns the fields that remove every filter from the address. */
export function cleared<Name extends string>(filter: Filter<Name>): Filter<Name> {
  return Object.fromEntries(
    Object.keys(filter).flatMap((name) => (name === 'sort' ? [] : [[name, '']])),
  ) as Filter<Name>;
}

/** True if a filter may exclude rows; an order excludes none. */
export function isNarrowed(filter: Readonly<Record<string, string | undefined>>): boolean {
  return Object.entries(filter).some(([name, value]) => name !== 'sort' && value !== undefined);
}

/** Adds the value of the address to the choices, where it is not among them: while they are loaded, or when it is gone. */
export function withChosen(choices: readonly Choice[], chosen: string): readonly Choice[] {
  const isListed = chosen === '' || choices.some(({ value }) => value === chosen);
  return isListed
    ? choices
    : [...choices, { value: chosen, label: /^\d{4}-/.test(chosen) ? `Since ${chosen}` : chosen }];
}
