import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import type { SymbolKind } from '../../src/code-index/format/rows.ts';
import { ChoiceGroup, INPUT_CLASS, SelectField } from '../components/field.tsx';
import { repositoriesQuery } from '../queries.ts';
import type { SearchMode, SearchParameters, TestFilter } from '../search-parameters.ts';
import { useSession } from '../session.tsx';

const MODES = [
  { value: 'all', label: 'Everything' },
  { value: 'words', label: 'Code' },
  { value: 'symbols', label: 'Symbols' },
  { value: 'text', label: 'Text' },
] as const satisfies { value: SearchMode; label: string }[];

const KINDS = [
  'function',
  'method',
  'class',
  'interface',
  'type',
  'struct',
  'trait',
  'enum',
  'enum_member',
  'constant',
  'variable',
  'property',
  'module',
  'macro',
  'heading',
  'table',
] as const satisfies SymbolKind[];

const TESTS = [
  { value: 'include', label: 'With tests' },
  { value: 'exclude', label: 'Without tests' },
  { value: 'only', label: 'Only tests' },
] as const satisfies { value: TestFilter; label: string }[];

/** Facets that say nothing in another mode are taken back. */
const ONLY_CODE = { kinds: undefined, path: undefined, tests: undefined };
const ONLY_ALL = { corpus: undefined, since: undefined };

interface FacetsProps {
  search: SearchParameters;
  /** Undefined takes a facet back. */
  onChange: (change: { [Key in keyof SearchParameters]: SearchParameters[Key] | undefined }) => void;
}

export function ModeChoice({ search, onChange }: FacetsProps) {
  return (
    <ChoiceGroup
      legend="Search by"
      quiet
      name="mode"
      value={search.mode ?? 'all'}
      choices={MODES}
      onChoose={(mode) =>
        onChange({ mode, ...(mode === 'all' ? ONLY_CODE : ONLY_ALL), ...(mode === 'text' && { kinds: undefined }) })
      }
    />
  );
}

/** Facets of a search. All of them are in the address, so that a search can be shared. */
export function Facets({ search, onChange }: FacetsProps) {
  const { product } = useSession();
  const { data } = useQuery(repositoriesQuery(product.id));
  const repository = (
    <SelectField
      label="Repository"
      value={search.repo ?? ''}
      choices={repositoryChoices(data?.repositories ?? [], search.repo)}
      onChoose={(repo) => onChange({ repo: repo === '' ? undefined : repo })}
    />
  );
  if ((search.mode ?? 'all') === 'all') {
    return (
      <div className="grid grid-cols-2 gap-3 lg:grid-cols-4">
        {repository}
        <SelectField
          label="Since"
          value={search.since ?? ''}
          choices={sinceChoices(search.since)}
          onChoose={(since) => onChange({ since: since === '' ? undefined : since })}
        />
      </div>
    );
  }
  return (
    <div className="grid grid-cols-2 gap-3 lg:grid-cols-4">
      {repository}
      <PathField key={search.path} path={search.path} onChange={(path) => onChange({ path })} />
      <SelectField
        label="Kind"
        value={search.kinds ?? ''}
        choices={[
          { value: '', label: search.mode === 'text' ? 'Not for text' : 'All kinds' },
          ...KINDS.map((kind) => ({ value: kind, label: kind.replace('_', ' ') })),
        ]}
        onChoose={(kinds) => onChange({ kinds: kinds === '' ? undefined : kinds })}
      />
      <SelectField
        label="Tests"
        value={search.tests ?? 'include'}
        choices={TESTS}
        onChoose={(tests) => onChange({ tests })}
      />
    </div>
  );
}

const PERIODS = [
  { value: '', label: 'Any time' },
  { value: '7d', label: '7 days' },
  { value: '30d', label: '30 days' },
  { value: '365d', label: '12 months' },
];

function sinceChoices(chosen: string | undefined) {
  const isListed = chosen === undefined || PERIODS.some(({ value }) => value === chosen);
  return isListed ? PERIODS : [...PERIODS, { value: chosen, label: `Since ${chosen}` }];
}

/** Adds the repository of the address to the list where it is missing: while that is loaded, or when it is gone. */
function repositoryChoices(repositories: readonly { name: string }[], chosen: string | undefined) {
  const names = new Set([...repositories.map(({ name }) => name), ...(chosen === undefined ? [] : [chosen])]);
  return [{ value: '', label: 'All repositories' }, ...[...names].map((name) => ({ value: name, label: name }))];
}

/** Taken when it is left or Enter is pressed: half a path finds nothing. */
function PathField({ path, onChange }: { path: string | undefined; onChange: (path: string | undefined) => void }) {
  const id = useId();
  const [text, setText] = useState(path ?? '');
  const commit = (): void => {
    if (text.trim() !== (path ?? '')) onChange(text.trim() === '' ? undefined : text.trim());
  };
  return (
    <div>
      <label htmlFor={id} className="mb-1 block font-medium">
        Path
      </label>
      <input
        id={id}
        value={text}
        placeholder="src/ or **/*.test.ts"
        spellCheck={false}
        autoComplete="off"
        autoCapitalize="none"
        onChange={(event) => setText(event.target.value)}
        onBlur={commit}
        onKeyDown={(event) => {
          if (event.key === 'Enter') commit();
        }}
        className={INPUT_CLASS}
      />
    </div>
  );
}
