import { Autocomplete } from '@base-ui/react/autocomplete';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useId, useState } from 'react';
import type { EntityMatch } from '../../src/graph/entity-output.ts';
import { INPUT_CLASS } from '../components/field.tsx';
import { ITEM_CLASS } from '../components/menu.tsx';
import { useSession } from '../session.tsx';
import { entityAddress, findQuery } from './queries.ts';
import { kindWords } from './words.ts';

const TYPING_PAUSE_MS = 200;

interface EntityFieldProps {
  label: string;
  /** Address of the chosen entity; '' for none. */
  value: string;
  onChoose: (entity: string) => void;
}

/** Finds an entity by a part of its name. Enter takes the text itself when nothing of the list is marked: any id is one. */
export function EntityField({ label, value, onChoose }: EntityFieldProps) {
  const id = useId();
  const { product } = useSession();
  const [text, setText] = useState(value);
  useEffect(() => {
    setText(value);
  }, [value]);
  const searchText = usePaused(text.trim());
  const { data } = useQuery({
    ...findQuery(product.id, searchText),
    enabled: searchText !== '' && searchText !== value,
  });
  const items = searchText === '' || searchText === value ? [] : (data?.rows ?? []);
  return (
    <div>
      <label htmlFor={id} className="mb-1 block font-medium">
        {label}
      </label>
      <Autocomplete.Root
        mode="none"
        items={items}
        value={text}
        onValueChange={(next, { reason }) => {
          setText(next);
          if (reason === 'item-press') onChoose(next);
        }}
        itemToStringValue={entityAddress}
      >
        <Autocomplete.Input
          id={id}
          placeholder="A feature, file, symbol, plan, …"
          spellCheck={false}
          autoCapitalize="none"
          onKeyDown={(event) => {
            const isMarked = event.currentTarget.hasAttribute('aria-activedescendant');
            if (event.key === 'Enter' && !isMarked && text.trim() !== '') onChoose(text.trim());
          }}
          className={INPUT_CLASS}
        />
        <Autocomplete.Portal>
          <Autocomplete.Positioner sideOffset={4} className="z-30 outline-none">
            <Autocomplete.Popup className="max-h-[60dvh] w-(--anchor-width) overflow-y-auto rounded-lg border border-line bg-raised p-1 shadow-lg empty:hidden">
              <Autocomplete.List aria-label={`${label}: found`}>
                {(entity: EntityMatch) => (
                  <Autocomplete.Item key={entityAddress(entity)} value={entity} className={ITEM_CLASS}>
                    <span className="min-w-0 grow truncate">{entity.name}</span>
                    <span className="max-w-1/2 shrink-0 truncate text-xs text-quiet">
                      {kindWords(entity.kind)}
                      {entity.repo !== undefined && `, ${entity.repo}`}
                    </span>
                  </Autocomplete.Item>
                )}
              </Autocomplete.List>
            </Autocomplete.Popup>
          </Autocomplete.Positioner>
        </Autocomplete.Portal>
      </Autocomplete.Root>
    </div>
  );
}

function usePaused(text: string): string {
  const [paused, setPaused] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(text), TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return paused;
}
