import { useState } from 'react';
import { Button } from './button.tsx';
import { SelectField, TextField } from './field.tsx';
import { FilterField } from './filter-field.tsx';
import { Icon } from './icon.tsx';

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

export interface FilterBarProps<Name extends string> {
  /** As the address says it. */
  filter: Filter<Name>;
  facets: readonly Facet<Name>[];
  /** Receives the changed facets; an empty text removes a facet from the address. */
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
export function FilterBar<Name extends string>({ filter, facets, onChange, summary }: FilterBarProps<Name>) {
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
